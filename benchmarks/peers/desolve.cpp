#include "peers/desolve.hpp"

#include <dlfcn.h>

// deSolve reports failures through R's console, which does not exist here: these are found first, and are silent.
extern "C" {
__attribute__((visibility("default"), used)) void Rprintf(const char* /*format*/, ...) {}
__attribute__((visibility("default"), used)) void Rf_warning(const char* /*format*/, ...) {}
__attribute__((visibility("default"), used)) void intpr_(...) {}
__attribute__((visibility("default"), used)) void dblepr_(...) {}
}

namespace daedalus::benchmarks {

void* desolve_symbol(const char* name) {
    static void* const library = [] {
        // deSolve refers to R's library, which is not linked into it.
        if (!dlopen("libR.so", RTLD_LAZY | RTLD_GLOBAL))
            (void)dlopen("/usr/lib/R/lib/libR.so", RTLD_LAZY | RTLD_GLOBAL);
        return dlopen("/usr/lib/R/site-library/deSolve/libs/deSolve.so", RTLD_LAZY);
    }();
    return library ? dlsym(library, name) : nullptr;
}

} // namespace daedalus::benchmarks
