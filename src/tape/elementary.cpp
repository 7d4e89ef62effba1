#include "tape/elementary.hpp"

#include "tape/cpu_features.hpp"

#include <cmath>
#include <dlfcn.h>
#include <string>

// Declared here because <quadmath.h> is found by g++ only.
extern "C" {
__float128 acosq(__float128) noexcept;
__float128 asinq(__float128) noexcept;
__float128 atanq(__float128) noexcept;
__float128 atan2q(__float128, __float128) noexcept;
__float128 ceilq(__float128) noexcept;
__float128 cosq(__float128) noexcept;
__float128 coshq(__float128) noexcept;
__float128 expq(__float128) noexcept;
__float128 floorq(__float128) noexcept;
__float128 logq(__float128) noexcept;
__float128 log10q(__float128) noexcept;
__float128 powq(__float128, __float128) noexcept;
__float128 sinq(__float128) noexcept;
__float128 sinhq(__float128) noexcept;
__float128 tanq(__float128) noexcept;
__float128 tanhq(__float128) noexcept;
}

namespace daedalus::tape {

namespace {

Quad signq(Quad x) { return x > 0 ? Quad(1) : x < 0 ? Quad(-1) : x; }

struct Entry {
    std::string_view name;
    Callable<Quad> quad;
    bool in_libmvec;
};

constexpr Entry entries[] = {
    {"acos", {.one = acosq}, true},   {"asin", {.one = asinq}, true},   {"atan", {.one = atanq}, true},
    {"atan2", {.two = atan2q}, true}, {"ceil", {.one = ceilq}, false},  {"cos", {.one = cosq}, true},
    {"cosh", {.one = coshq}, true},   {"exp", {.one = expq}, true},     {"floor", {.one = floorq}, false},
    {"log", {.one = logq}, true},     {"log10", {.one = log10q}, true}, {"pow", {.two = powq}, true},
    {"sign", {.one = signq}, false},  {"sin", {.one = sinq}, true},     {"sinh", {.one = sinhq}, true},
    {"tan", {.one = tanq}, true},     {"tanh", {.one = tanhq}, true},
};

const Entry* find(std::string_view name) {
    for (const Entry& entry : entries)
        if (entry.name == name) return &entry;
    return nullptr;
}

} // namespace

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

Callable<Quad> quad_function(std::string_view name) {
    const Entry* const entry = find(name);
    return entry == nullptr ? Callable<Quad>{} : entry->quad;
}

void* vector_function(std::string_view name, int arguments, int width) {
    const Entry* const entry = find(name);
    if (entry == nullptr || !entry->in_libmvec || (width != 4 && width != 8)) return nullptr;
    // Loaded when the first batch is made: a program without batches does not pay for it, and a system without it
    // falls back to one call per lane.
    static void* const library = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return nullptr;
    const std::string symbol = std::string(width == 4 ? "_ZGVdN4v" : "_ZGVeN8v") + (arguments == 2 ? "v_" : "_");
    return dlsym(library, (symbol + std::string(name)).c_str());
}

} // namespace daedalus::tape
