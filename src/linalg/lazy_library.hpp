// Functions of a shared library that is loaded when the first of them is called: most runs need neither LAPACK nor
// UMFPACK, and loading them takes as long as solving a small problem.
#pragma once

#include <atomic>
#include <mutex>

namespace daedalus::linalg {

enum class Library { lapack, umfpack };

/// Whether it can be loaded; loads it. BLAS is told to use one thread: on a busy machine threads cost up to a factor 60
/// on matrices of our size. Whoever sets OPENBLAS_NUM_THREADS knows better.
[[nodiscard]] bool library_available(Library library);
/// The address of a function; throws std::runtime_error if the library or the function is missing, saying what to
/// install.
[[nodiscard]] void* library_symbol(Library library, const char* name);

/// Held by every call where BLAS serves one thread at a time only. The serial build of OpenBLAS hands out its memory
/// without a lock: two calls at once give wrong numbers.
[[nodiscard]] std::unique_lock<std::mutex> turn_at_blas();

template <Library library, class Signature>
class LazyFunction;

template <Library library, class Result, class... Arguments>
class LazyFunction<library, Result(Arguments...)> {
public:
    constexpr explicit LazyFunction(const char* name) : name_(name) {}
    Result operator()(Arguments... arguments) {
        void* f = address_.load(std::memory_order_relaxed);
        if (f == nullptr) address_.store(f = library_symbol(library, name_), std::memory_order_relaxed);
        const std::unique_lock<std::mutex> turn = turn_at_blas();
        return reinterpret_cast<Result (*)(Arguments...)>(f)(arguments...);
    }

private:
    const char* name_;
    std::atomic<void*> address_{nullptr};
};

} // namespace daedalus::linalg
