#include "linalg/lazy_library.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <dlfcn.h>
#include <stdexcept>

namespace daedalus::linalg {

namespace {

void* open(const char* name) { return name[0] == '\0' ? nullptr : dlopen(name, RTLD_LAZY | RTLD_GLOBAL); }

/// Global, so that UMFPACK finds this BLAS before the one it was linked with.
void* lapack() {
    static void* const handle = [] {
        void* const opened = open(DAEDALUS_LAPACK_LIBRARY);
        if (opened != nullptr && std::getenv("OPENBLAS_NUM_THREADS") == nullptr)
            if (void* const set = dlsym(opened, "openblas_set_num_threads")) reinterpret_cast<void (*)(int)>(set)(1);
        return opened;
    }();
    return handle;
}

void* umfpack() {
    static void* const handle = lapack() == nullptr ? nullptr : open(DAEDALUS_UMFPACK_LIBRARY);
    return handle;
}

void* handle_of(Library library) { return library == Library::lapack ? lapack() : umfpack(); }

} // namespace

bool library_available(Library library) { return handle_of(library) != nullptr; }

std::unique_lock<std::mutex> turn_at_blas() {
    static std::mutex mutex;
    static const bool one_at_a_time = [] {
        void* const parallel = lapack() == nullptr ? nullptr : dlsym(lapack(), "openblas_get_parallel");
        return parallel != nullptr && reinterpret_cast<int (*)()>(parallel)() == 0;
    }();
    return one_at_a_time ? std::unique_lock(mutex) : std::unique_lock<std::mutex>();
}

void* library_symbol(Library library, const char* name) {
    const char* const file = library == Library::lapack ? DAEDALUS_LAPACK_LIBRARY : DAEDALUS_UMFPACK_LIBRARY;
    void* const handle = handle_of(library);
    if (handle == nullptr)
        throw std::runtime_error(fmt::format("the library {} cannot be loaded: install {}", file,
                                             library == Library::lapack ? "OpenBLAS" : "SuiteSparse (UMFPACK)"));
    void* const symbol = dlsym(handle, name);
    if (symbol == nullptr) throw std::runtime_error(fmt::format("the library {} has no function {}", file, name));
    return symbol;
}

} // namespace daedalus::linalg
