// Pages that are written once, then executed: writable first, executable afterwards, never both, as hardened systems
// demand.
#pragma once

#include <cstddef>
#include <functional>

namespace daedalus::tape {

class ExecutableMemory {
public:
    ExecutableMemory() = default;
    ExecutableMemory(ExecutableMemory&& other) noexcept;
    ExecutableMemory& operator=(ExecutableMemory&& other) noexcept;
    ExecutableMemory(const ExecutableMemory&) = delete;
    ExecutableMemory& operator=(const ExecutableMemory&) = delete;
    ~ExecutableMemory();

    /// Maps `size` bytes, lets `write` fill them, and makes them executable. Empty where the system refuses or `write`
    /// returns false.
    [[nodiscard]] static ExecutableMemory create(std::size_t size, const std::function<bool(std::byte*)>& write);
    [[nodiscard]] const std::byte* data() const { return data_; }
    [[nodiscard]] explicit operator bool() const { return data_ != nullptr; }

    /// For tests: as on a system that forbids executable memory.
    static void deny(bool denied);

private:
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

} // namespace daedalus::tape
