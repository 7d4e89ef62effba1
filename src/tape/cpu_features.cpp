#include "tape/cpu_features.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>

namespace daedalus::tape {

namespace {

InstructionSet of_the_processor() {
#if defined(__x86_64__) && defined(__linux__)
    const bool fused = __builtin_cpu_supports("fma") != 0;
    if (fused && __builtin_cpu_supports("avx512f")) return InstructionSet::avx512;
    if (fused && __builtin_cpu_supports("avx2")) return InstructionSet::avx2;
    if (__builtin_cpu_supports("avx")) return InstructionSet::avx;
    return InstructionSet::sse2; // part of x86-64
#else
    return InstructionSet::none;
#endif
}

/// Letters and digits alone, in lower case: "AVX-512" and avx512 are the same.
std::string plain(std::string_view text) {
    std::string result;
    for (const char c : text)
        if (std::isalnum(static_cast<unsigned char>(c)))
            result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

InstructionSet at_most() {
    const char* const wish = std::getenv("DAEDALUS_CPU");
    for (const InstructionSet set : {InstructionSet::sse2, InstructionSet::avx, InstructionSet::avx2})
        if (wish != nullptr && plain(wish) == plain(to_string(set))) return set;
    return InstructionSet::avx512;
}

} // namespace

InstructionSet best_instruction_set() {
    static const InstructionSet best = std::min(of_the_processor(), at_most());
    return best;
}

bool has_fused_products() { return best_instruction_set() >= InstructionSet::avx2; }

std::string_view to_string(InstructionSet set) {
    switch (set) {
    case InstructionSet::none: return "none";
    case InstructionSet::sse2: return "SSE2";
    case InstructionSet::avx: return "AVX";
    case InstructionSet::avx2: return "AVX2";
    case InstructionSet::avx512: return "AVX-512";
    }
    return "";
}

int batch_width(InstructionSet set) {
    if (set == InstructionSet::avx512) return 8;
    return set == InstructionSet::avx2 ? 4 : 1;
}

} // namespace daedalus::tape
