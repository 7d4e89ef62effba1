#include "study/consistent_problems.hpp"

namespace daedalus::study {

MultiplierProblem nc_problem_5_1() {
    MultiplierProblem mp{{}, 2, 2, 1};
    Problem& p = mp.problem;
    p.title = "x'' = 2y + xλ, y'' = -2x + yλ, 0 = x² + y² - 1";
    p.size = 5;
    set_residual(p, [](auto, const auto* x, const auto* dx, auto* F) {
        using T = std::decay_t<decltype(x[0] * x[0])>;
        F[0] = dx[0] - x[2];
        F[1] = dx[1] - x[3];
        F[2] = dx[2] - T(2.0L) * x[1] - x[0] * x[4];
        F[3] = dx[3] + T(2.0L) * x[0] - x[1] * x[4];
        F[4] = x[0] * x[0] + x[1] * x[1] - T(1.0L);
    });
    p.exact = [](Real t, Real* x, Real* dx) {
        const Real a = 1 + t, s = std::sin(a * a), c = std::cos(a * a);
        x[0] = s, x[1] = c, x[2] = 2 * a * c, x[3] = -2 * a * s, x[4] = -4 * a * a;
        dx[0] = x[2], dx[1] = x[3], dx[2] = 2 * c - 4 * a * a * s, dx[3] = -2 * s - 4 * a * a * c, dx[4] = -8 * a;
    };
    p.groups = {{"p", 0, 2, 0}, {"q", 2, 2, 2}, {"λ", 4, 1, 3}};
    p.algebraic_rows = {4};
    p.algebraic = {4};
    return mp;
}

MultiplierProblem nc_problem_5_2() {
    MultiplierProblem mp{{}, 3, 3, 2};
    Problem& p = mp.problem;
    p.title = "p' = (2u, v, w - 1), q' = F + GΛ, 0 = (x² + y² + z² - 1, z - 0.5)";
    p.size = 8;
    set_residual(p, [](auto t, const auto* X, const auto* dx, auto* F) {
        using std::sin;
        using T = std::decay_t<decltype(X[0] * X[0])>;
        const T x = X[0], y = X[1], z = X[2], u = X[3], v = X[4], w = X[5], lambda = X[6], beta = X[7];
        const T time(t), t2 = time * time, s = sin(t2);
        F[0] = dx[0] - T(2.0L) * u;
        F[1] = dx[1] - v;
        F[2] = dx[2] - w + T(1.0L);
        F[3] = dx[3] + y - x * lambda;
        F[4] = dx[4] - T(2.0L) * x - y * s + T(4.0L) * y * t2 - T(2.0L) * y * beta;
        F[5] = dx[5] - T(4.0L) * z * t2 - T(0.5L) * s - T(2.0L) * z * lambda - beta;
        F[6] = x * x + y * y + z * z - T(1.0L);
        F[7] = z - T(0.5L);
    });
    p.exact = [](Real t, Real* x, Real* dx) {
        const Real r = std::sqrt(3.0L) / 2, s = std::sin(t * t), c = std::cos(t * t);
        x[0] = r * c, x[1] = r * s, x[2] = 0.5L;
        x[3] = -r * t * s, x[4] = 2 * r * t * c, x[5] = 1;
        x[6] = -2 * t * t, x[7] = -0.5L * s;
        dx[0] = -2 * r * t * s, dx[1] = 2 * r * t * c, dx[2] = 0;
        dx[3] = -r * (s + 2 * t * t * c), dx[4] = 2 * r * (c - 2 * t * t * s), dx[5] = 0;
        dx[6] = -4 * t, dx[7] = -t * c;
    };
    p.groups = {{"p", 0, 3, 0}, {"q", 3, 3, 2}, {"λ", 6, 1, 3}, {"β", 7, 1, 3}};
    p.algebraic_rows = {6, 7};
    p.algebraic = {6, 7};
    p.t0 = 1;
    p.t1 = 2;
    return mp;
}

} // namespace daedalus::study
