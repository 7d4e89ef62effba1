// Rosenbrock methods (Rosenbrock–Wanner, "Rodas" class) as data, in the form that needs no product with a Jacobian.
//
// For M x' = f(t, x) with u_i = Σ_j γ_ij k_j (HW IV.7, (7.25)):
//     (M/(hγ) - f_x) u_i = f(t + α_i h, x + Σ_{j<i} a_ij u_j) + (1/h) M Σ_{j<i} c_ij u_j + d_i h f_t ,
//     x_{n+1} = x_n + Σ b_i u_i ,   error = Σ e_i u_i ,
//     x(t + θh) = (1-θ) x_n + θ ( x_{n+1} + (1-θ)(K_1 + θ(K_2 + θ(K_3 + …))) ) ,   K_r = Σ_j dense_rj u_j .
// All methods here are stiffly accurate: the last stages evaluate at the solution, R(∞) = 0, and the order holds for
// differential-algebraic problems of index 1.
//
// Derivatives: with z = x' as unknowns of their own (x' = z, 0 = F(t, x, z), index 1) the method's values of z are
//     Z_i = ρ_i z_n + (1/h) Σ_{j<i} slope_ij u_j ,   z_{n+1}: row `stages`;   there ρ = R(∞) = 0.
#pragma once

#include <vector>

namespace daedalus::tableau {

struct Rosenbrock {
    int order = 0;
    int stages = 0; ///< all of them; those behind `essential` serve the continuous output only
    int essential = 0;
    double gamma = 0.0;
    std::vector<double> a, c; ///< stages × stages, row-major, strictly lower triangular
    std::vector<double> alpha, d;
    std::vector<double> b, error;
    int dense_rows = 0;
    std::vector<double> dense; ///< dense_rows × stages
    std::vector<double> slope; ///< (stages + 1) × stages
    std::vector<double> rho;   ///< stages + 1
};

enum class RosenbrockName {
    rodas3,  ///< order 3(2), 4 stages: Sandu et al. 1997
    rodas4,  ///< order 4(3), 6 stages: HW VI.4, code RODAS
    rodas4p, ///< order 4(3), 6 stages, without order reduction on parabolic problems: Steinebach 1995
    rodas5p, ///< order 5(4), 8 stages: Steinebach 2023
    rodas6p, ///< order 6(5), 16 stages and 3 for continuous output: Steinebach 2025
};

[[nodiscard]] Rosenbrock make_rosenbrock(RosenbrockName name);

} // namespace daedalus::tableau
