// Coefficients of half-explicit Runge–Kutta methods for y' = k(y, v), M v' = f - L λ, 0 = w(y, v):
//
//     Y_i = y0 + h Σ_{j<i} a_ij K_j,   V_i = v0 + h Σ_{j<i} a_ij A_j,     M(Y_i) A_i = f(Y_i, V_i) - L(Y_i) λ_i ,
//     λ_i such that w = 0 at    y0 + h Σ_{j≤i} â_ij K_j,   v0 + h Σ_{j≤i} â_ij A_j ;   the last of these is the step's
//     end.
//
// â_i is the next row of A in the methods of Brasey & Hairer (1993), of its own in the partitioned ones of Arnold
// (1998) and Murua (1997), whose first A is the acceleration at the beginning of the step.
#pragma once

#include <vector>

namespace daedalus::integrate::tableau {

struct HalfExplicit {
    int stages = 0;
    int order = 0;
    int order_of_estimate = 0;
    bool explicit_first = false;
    std::vector<double> c, c_constraint;
    std::vector<std::vector<double>> a;          ///< row i: i entries
    std::vector<std::vector<double>> constraint; ///< row i: i + 1 entries; the last is b
    std::vector<double> embedded;                ///< weights of the stages, and of the end of the step
};

enum class HalfExplicitName { euler, hem4, hem5, phem56 };

[[nodiscard]] const HalfExplicit& half_explicit(HalfExplicitName name);

} // namespace daedalus::integrate::tableau
