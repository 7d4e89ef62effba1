// Products on top of a sum with one rounding, and functions of four or eight arguments at once, found by name (libmvec,
// which comes with glibc).
#pragma once

#include "tape/tape.hpp"

namespace daedalus::tape {

/// sum ± a b, rounded once: the very instruction of the machine code where the processor has it, so that even the
/// payloads of NaNs agree.
[[nodiscard]] double add_product(double sum, double a, double b);
[[nodiscard]] double sub_product(double sum, double a, double b);

/// Address of the vector form for `width` = 4 (AVX2) or 8 (AVX-512F) arguments in vector registers, by the vector ABI
/// of x86-64; nullptr where there is none. libmvec promises at most 4 ulp.
[[nodiscard]] void* vector_function(const Function& function, int width);

} // namespace daedalus::tape
