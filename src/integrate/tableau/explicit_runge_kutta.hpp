// Explicit Runge–Kutta methods whose last stage is the end point,
//     X_i = x_n + h Σ_{j<i} a_ij K_j ,   K_i = x'(t_n + c_i h, X_i) ,   x_{n+1} = X_s ,   K_s is the next K_1 ,
// with dense output (Hairer, Nørsett & Wanner 1993, II.6)
//     x(t + θh) = x_n + θ(F_0 + (1-θ)(F_1 + θ(F_2 + (1-θ)(F_3 + θ(…))))) ,
//     F_0 = x_{n+1} - x_n ,  F_1 = h K_1 - F_0 ,  F_2 = F_0 - h K_s - F_1 ,  F_{3+r} = h Σ_j dense_rj K_j ,
// where the sum includes `extra` stages that are computed only when dense output is wanted.
#pragma once

#include <string_view>
#include <vector>

namespace daedalus::tableau {

struct ExplicitRungeKutta {
    struct Weight {
        int stage;
        double value;
    };
    using Row = std::vector<Weight>; ///< of nonzeros

    int order = 0;
    int stages = 0; ///< including the one at the end point
    int extra = 0;
    std::vector<double> c;
    std::vector<Row> a;     ///< stages + extra rows
    std::vector<Row> error; ///< e; if there is a second row e', the estimate is ‖e‖²/√(‖e‖² + 0.01 ‖e'‖²)
    std::vector<Row> dense;
    double stability = 0.0; ///< |hλ| up to which decaying solutions decay: the boundary on the negative real axis
};

enum class ExplicitName {
    dopri5, ///< order 5(4), 6 stages: Dormand & Prince 1980
    dop853, ///< order 8(5,3), 12 stages: Prince & Dormand 1981; Hairer, Nørsett & Wanner 1993, II.5
    euler,  ///< order 1, no estimate: Euler 1768
    rk4,    ///< order 4, 4 stages, no estimate: Kutta 1901
};

/// Written out once per program.
[[nodiscard]] const ExplicitRungeKutta& make_explicit_runge_kutta(ExplicitName name);

} // namespace daedalus::tableau
