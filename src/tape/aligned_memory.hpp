// Vectors of doubles that begin at a cache line. Where lanes of 32 or 64 bytes cross cache lines, every second store
// (or each) takes two of them: batches run up to 1.8 times as long.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace daedalus::tape {

template <class T>
struct CacheLineAllocator {
    static constexpr std::size_t cache_line = 64;
    using value_type = T; // NOLINT(readability-identifier-naming): as standard

    CacheLineAllocator() = default;
    template <class U>
    CacheLineAllocator(const CacheLineAllocator<U>&) noexcept {} // NOLINT(google-explicit-constructor): as standard

    [[nodiscard]] T* allocate(std::size_t n) {
        return static_cast<T*>(::operator new (n * sizeof(T), std::align_val_t{cache_line}));
    }
    void deallocate(T* p, std::size_t) noexcept { ::operator delete (p, std::align_val_t{cache_line}); }
    friend bool operator==(const CacheLineAllocator&, const CacheLineAllocator&) { return true; }
};

using AlignedMemory = std::vector<double, CacheLineAllocator<double>>;

} // namespace daedalus::tape
