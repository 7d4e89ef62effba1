#include "tape/executable_memory.hpp"

#include <atomic>
#include <utility>

#if defined(__unix__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace daedalus::tape {

namespace {
std::atomic<bool> deny_all{false};
}

void ExecutableMemory::deny(bool denied) { deny_all = denied; }

ExecutableMemory::ExecutableMemory(ExecutableMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

ExecutableMemory& ExecutableMemory::operator=(ExecutableMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
}

#if defined(__unix__)

ExecutableMemory::~ExecutableMemory() {
    if (data_ != nullptr) munmap(data_, size_);
}

ExecutableMemory ExecutableMemory::create(std::size_t size, const std::function<bool(std::byte*)>& write) {
    ExecutableMemory memory;
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t rounded = (size + page - 1) / page * page;
    void* const at = mmap(nullptr, rounded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) return memory;
    memory.data_ = static_cast<std::byte*>(at);
    memory.size_ = rounded;
    if (!write(memory.data_) || deny_all || mprotect(at, rounded, PROT_READ | PROT_EXEC) != 0) return {};
    return memory;
}

#else

ExecutableMemory::~ExecutableMemory() = default;
ExecutableMemory ExecutableMemory::create(std::size_t, const std::function<bool(std::byte*)>&) { return {}; }

#endif

} // namespace daedalus::tape
