#include "tape/elementary.hpp"

#include "tape/cpu_features.hpp"

#include <cmath>
#include <dlfcn.h>
#include <string>

namespace daedalus::tape {

#if defined(__x86_64__) && defined(__linux__)
double add_product(double sum, double a, double b) {
    static const bool fused = has_fused_products();
    if (!fused) return std::fma(a, b, sum);
    asm("vfmadd231sd %2, %1, %0" : "+x"(sum) : "x"(a), "x"(b));
    return sum;
}
double sub_product(double sum, double a, double b) {
    static const bool fused = has_fused_products();
    if (!fused) return std::fma(-a, b, sum);
    asm("vfnmadd231sd %2, %1, %0" : "+x"(sum) : "x"(a), "x"(b));
    return sum;
}
#else
double add_product(double sum, double a, double b) { return std::fma(a, b, sum); }
double sub_product(double sum, double a, double b) { return std::fma(-a, b, sum); }
#endif

void* vector_function(const Function& function, int width) {
    if (!function.in_libmvec || (width != 4 && width != 8)) return nullptr;
    // Loaded when the first batch is made: a program without batches does not pay for it, and a system without it
    // falls back to one call per lane.
    static void* const library = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return nullptr;
    const std::string symbol =
        std::string(width == 4 ? "_ZGVdN4v" : "_ZGVeN8v") + (function.two != nullptr ? "v_" : "_");
    return dlsym(library, (symbol + std::string(function.name)).c_str());
}

} // namespace daedalus::tape
