// Products on top of a sum with one rounding, and other forms of the functions that tapes call, found by name: in
// quadruple precision (libquadmath), and of four or eight arguments at once (libmvec, which comes with glibc). The
// double form stays with whoever wrote the tape.
#pragma once

#include "tape/tape.hpp"

#include <string_view>

namespace daedalus::tape {

using Quad = __float128;

/// sum ± a b, rounded once: the very instruction of the machine code where the processor has it, so that even the
/// payloads of NaNs agree.
[[nodiscard]] double add_product(double sum, double a, double b);
[[nodiscard]] double sub_product(double sum, double a, double b);

/// A function on some other scalar.
template <class T>
struct Callable {
    T (*one)(T) = nullptr;
    T (*two)(T, T) = nullptr;
};

/// Both members null where the name is unknown.
[[nodiscard]] Callable<Quad> quad_function(std::string_view name);

/// Address of the vector form for `width` = 4 (AVX2) or 8 (AVX-512F) arguments in vector registers, by the vector ABI
/// of x86-64; nullptr where there is none. libmvec promises at most 4 ulp.
[[nodiscard]] void* vector_function(std::string_view name, int arguments, int width);

} // namespace daedalus::tape
