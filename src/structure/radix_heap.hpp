// A monotone priority queue for nonnegative integer keys (Ahuja, Mehlhorn, Orlin & Tarjan 1990): keys popped never
// decrease, so a key need only be compared with the last one popped. Bucket b holds the keys whose highest bit that
// differs from the last popped key is b − 1. Push is O(1), pop amortised O(log C): shortest paths on integer slacks in
// effectively linear time, whatever the size of the slacks.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace daedalus::structure {

class RadixHeap {
public:
    using Key = std::uint64_t;
    struct Item {
        Key key;
        int value;
    };

    [[nodiscard]] bool empty() const { return size_ == 0; }

    void push(Key key, int value) {
        assert(key >= last_);
        bucket_[bucket_of(key)].push_back({key, value});
        ++size_;
    }

    Item pop() {
        assert(size_ > 0);
        if (bucket_[0].empty()) {
            std::size_t b = 1;
            while (bucket_[b].empty()) ++b;
            last_ = std::min_element(bucket_[b].begin(), bucket_[b].end(), [](const Item& x, const Item& y) {
                        return x.key < y.key;
                    })->key;
            for (const Item& item : bucket_[b]) bucket_[bucket_of(item.key)].push_back(item);
            bucket_[b].clear();
        }
        const Item item = bucket_[0].back();
        bucket_[0].pop_back();
        --size_;
        return item;
    }

    void clear() {
        for (std::vector<Item>& bucket : bucket_) bucket.clear();
        last_ = 0;
        size_ = 0;
    }

private:
    [[nodiscard]] std::size_t bucket_of(Key key) const { return static_cast<std::size_t>(std::bit_width(key ^ last_)); }

    std::array<std::vector<Item>, 65> bucket_;
    Key last_ = 0;
    std::size_t size_ = 0;
};

} // namespace daedalus::structure
