// ESDIRK methods: singly diagonally implicit Runge–Kutta methods with explicit first stage,
//     X_i = x_n + h Σ_{j≤i} a_ij K_j ,  a_ii = γ for i ≥ 2,  K_1 = x'_n ,
// stiffly accurate (x_{n+1} = X_s, K_s is the next K_1), L-stable, of stage order 2, with an embedded method.
// Coefficients: C. A. Kennedy, M. H. Carpenter (2016, 2019): ESDIRK3(2)4L[2]SA, ESDIRK4(3)6L[2]SA, ESDIRK5(4)7L[2]SA2.
#pragma once

#include <vector>

namespace daedalus::tableau {

struct Esdirk {
    int order = 0;
    int stages = 0;
    double gamma = 0.0;
    std::vector<double> A; ///< stages × stages, row-major; the last row is b
    std::vector<double> c;
    std::vector<double> embedded; ///< weights of the method of order `order` - 1
};

/// order = 3, 4 or 5.
[[nodiscard]] Esdirk make_esdirk(int order);

} // namespace daedalus::tableau
