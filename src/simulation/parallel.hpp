// Independent pieces of work on several threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace daedalus::simulation {

/// work(i) for all i below `count`, each once, by so many threads (0: one per core), in any order.
inline void for_each_index(std::size_t count, int threads, const std::function<void(std::size_t)>& work) {
    if (threads <= 0) threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    std::atomic<std::size_t> next{0};
    const auto labour = [&] {
        for (std::size_t i = next++; i < count; i = next++) work(i);
    };
    std::vector<std::thread> helpers;
    for (int k = 1; k < threads && static_cast<std::size_t>(k) < count; ++k) helpers.emplace_back(labour);
    labour();
    for (std::thread& helper : helpers) helper.join();
}

} // namespace daedalus::simulation
