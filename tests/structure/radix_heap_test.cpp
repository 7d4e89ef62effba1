// The monotone heap against a sorted queue.
#include "structure/radix_heap.hpp"

#include <gtest/gtest.h>

#include <queue>
#include <random>

namespace daedalus::structure {
namespace {

TEST(RadixHeap, PopsLikeASortedQueue) {
    std::mt19937_64 random(31);
    for (int trial = 0; trial < 200; ++trial) {
        RadixHeap heap;
        std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> reference;
        std::uint64_t last = 0;
        const int shift = static_cast<int>(random() % 60u);
        for (int step = 0; step < 500; ++step) {
            if (reference.empty() || random() % 3u != 0) {
                const std::uint64_t key = last + (random() >> 4 >> shift);
                if (key < last) continue; // wrapped around
                heap.push(key, step);
                reference.push(key);
            } else {
                ASSERT_FALSE(heap.empty());
                const RadixHeap::Item item = heap.pop();
                ASSERT_EQ(item.key, reference.top());
                last = item.key;
                reference.pop();
            }
        }
        while (!reference.empty()) {
            ASSERT_EQ(heap.pop().key, reference.top());
            reference.pop();
        }
        ASSERT_TRUE(heap.empty());
    }
}

} // namespace
} // namespace daedalus::structure
