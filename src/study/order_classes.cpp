// Solutions were chosen first and the equations made for them, nonlinear where the class allows it; the problems of
// index 2 and 3 are those of Hairer, Lubich & Roche (1989), on which the sharp orders are known to be attained.
#include "study/order_classes.hpp"

namespace daedalus::study {

namespace {

/// y1' = y1 y2, y2' = -log y1; y1 = e^{sin t}, y2 = cos t.
Problem ode() {
    Problem p;
    p.title = "y1' = y1 y2, y2' = -log y1";
    p.size = 2;
    set_residual(p, [](auto, const auto* x, const auto* dx, auto* F) {
        using std::log;
        F[0] = dx[0] - x[0] * x[1];
        F[1] = dx[1] + log(x[0]);
    });
    p.exact = [](Real t, Real* x, Real* dx) {
        x[0] = std::exp(std::sin(t)), x[1] = std::cos(t);
        dx[0] = x[0] * x[1], dx[1] = -std::sin(t);
    };
    p.groups = {{"x", 0, 2, 0}};
    return p;
}

/// x1 = e^{sin t}, x2 = e^{-t}, y = cos t; y² + (log x1)² = 1 on the solution.
Problem index_1() {
    Problem p;
    p.title = "x1' = x1 y, x2' = -x2 (y² + log² x1);  0 = y³ + x2 y + (log x1)² - r(t)";
    p.size = 3;
    set_residual(p, [](auto t, const auto* x, const auto* dx, auto* F) {
        using std::cos, std::sin, std::exp, std::log;
        const auto y = x[2];
        F[0] = dx[0] - x[0] * y;
        F[1] = dx[1] + x[1] * (y * y + log(x[0]) * log(x[0]));
        F[2] = y * y * y + x[1] * y + log(x[0]) * log(x[0]) -
               (cos(t) * cos(t) * cos(t) + exp(-t) * cos(t) + sin(t) * sin(t));
    });
    p.exact = [](Real t, Real* x, Real* dx) {
        x[0] = std::exp(std::sin(t)), x[1] = std::exp(-t), x[2] = std::cos(t);
        dx[0] = x[0] * x[2], dx[1] = -x[1], dx[2] = -std::sin(t);
    };
    p.groups = {{"x", 0, 2, 0}, {"y", 2, 1, 1}};
    p.algebraic_rows = {2};
    p.algebraic = {2};
    return p;
}

/// With p = x1' + x2 x2': p + p³/10 + x1 x2 = r1(t), x2 + x1 x2² = r2(t). The kernel of F_{x'} turns with x2.
Problem implicit_index_1() {
    Problem p;
    p.title = "p + p³/10 + x1 x2 = r1(t), x2 + x1 x2² = r2(t), p = x1' + x2 x2'";
    p.size = 2;
    set_residual(p, [](auto t, const auto* x, const auto* dx, auto* F) {
        using std::cos, std::sin, std::exp;
        const auto leading = [](auto d1, auto v, auto d2) {
            const auto q = d1 + v * d2;
            return q + q * q * q * decltype(q)(0.1L);
        };
        const auto s = sin(t), e = exp(-t) * decltype(t)(0.5L);
        F[0] = leading(dx[0], x[1], dx[1]) + x[0] * x[1] - leading(cos(t), e, -e) - s * e;
        F[1] = x[1] + x[0] * x[1] * x[1] - e - s * e * e;
    });
    p.exact = [](Real t, Real* x, Real* dx) {
        x[0] = std::sin(t), x[1] = std::exp(-t) / 2;
        dx[0] = std::cos(t), dx[1] = -x[1];
    };
    p.groups = {{"x", 0, 2, 1}};
    p.algebraic_rows = {1};
    return p;
}

/// x1' = x1 x2² y², x2' = x1² x2² - 3 x2² y, 0 = x1² x2 - 1; x1 = e^t, x2 = e^{-2t}, y = e^{2t}.
Problem index_2() {
    Problem p;
    p.title = "x1' = x1 x2² y², x2' = x1² x2² - 3 x2² y, 0 = x1² x2 - 1";
    p.size = 3;
    set_residual(p, [](auto, const auto* x, const auto* dx, auto* F) {
        const auto y = x[2];
        F[0] = dx[0] - x[0] * x[1] * x[1] * y * y;
        F[1] = dx[1] - x[0] * x[0] * x[1] * x[1] + decltype(y * y)(3.0L) * x[1] * x[1] * y;
        F[2] = x[0] * x[0] * x[1] - decltype(y * y)(1.0L);
    });
    p.exact = [](Real t, Real* x, Real* dx) {
        x[0] = std::exp(t), x[1] = std::exp(-2 * t), x[2] = std::exp(2 * t);
        dx[0] = x[0], dx[1] = -2 * x[1], dx[2] = 2 * x[2];
    };
    p.groups = {{"x", 0, 2, 0}, {"y", 2, 1, 2}};
    p.algebraic_rows = {2};
    p.algebraic = {2};
    p.t1 = 0.5L; // y grows, and low orders need steps that resolve it
    return p;
}

/// x1' = 2 x1 x2 y1 y2, x2' = -x1 x2 y2², y1' = (x1 x2 + y1 y2) z, y2' = -x1 x2² y2² z, 0 = x1 x2² - 1;
/// x1 = y1 = e^{2t}, x2 = y2 = e^{-t}, z = e^t.
Problem index_3() {
    Problem p;
    p.title = "x1' = 2 x1 x2 y1 y2, x2' = -x1 x2 y2², y1' = (x1 x2 + y1 y2) z, y2' = -x1 x2² y2² z, 0 = x1 x2² - 1";
    p.size = 5;
    set_residual(p, [](auto, const auto* x, const auto* dx, auto* F) {
        const auto x1 = x[0], x2 = x[1], y1 = x[2], y2 = x[3], z = x[4];
        using T = decltype(x1 * x2);
        F[0] = dx[0] - T(2.0L) * x1 * x2 * y1 * y2;
        F[1] = dx[1] + x1 * x2 * y2 * y2;
        F[2] = dx[2] - (x1 * x2 + y1 * y2) * z;
        F[3] = dx[3] + x1 * x2 * x2 * y2 * y2 * z;
        F[4] = x1 * x2 * x2 - T(1.0L);
    });
    p.exact = [](Real t, Real* x, Real* dx) {
        x[0] = x[2] = std::exp(2 * t), x[1] = x[3] = std::exp(-t), x[4] = std::exp(t);
        dx[0] = dx[2] = 2 * x[0], dx[1] = dx[3] = -x[1], dx[4] = x[4];
    };
    p.groups = {{"x", 0, 2, 0}, {"y", 2, 2, 2}, {"z", 4, 1, 3}};
    p.algebraic_rows = {4};
    p.algebraic = {4};
    p.t1 = 2; // long enough for the parasitic roots of BDF 6 to die out at steps that are above round-off
    return p;
}

/// u' + u = r(t) beside one nilpotent block N v' + v = s(t) of dimension ν, W (1.7). v1 has index ν, v_ν index 1.
Problem linear(int nu) {
    Problem p;
    p.title = "u' + u = r(t), N v' + v = s(t), N^" + std::to_string(nu) + " = 0";
    p.size = nu + 1;
    // v_i = sin(w t + f) with w, f that differ from component to component; fast enough that order 6 at index 4 is
    // seen above round-off.
    const auto frequency = [](int i) { return 3.0L + 0.35L * static_cast<Real>(i); };
    const auto phase = [](int i) { return 0.4L * static_cast<Real>(i); };
    set_residual(p, [=](auto t, const auto* x, const auto* dx, auto* F) {
        using std::cos, std::sin;
        using T = std::decay_t<decltype(x[0] * x[0])>;
        const auto v = [&](int i) { return sin(t * T(frequency(i)) + T(phase(i))); };
        const auto dv = [&](int i) { return T(frequency(i)) * cos(t * T(frequency(i)) + T(phase(i))); };
        F[0] = dx[0] + x[0] - v(0) - dv(0);
        for (int i = 1; i < nu; ++i) F[i] = dx[i + 1] + x[i] - dv(i + 1) - v(i);
        F[nu] = x[nu] - v(nu);
    });
    p.exact = [=](Real t, Real* x, Real* dx) {
        for (int i = 0; i <= nu; ++i) {
            x[i] = std::sin(t * frequency(i) + phase(i));
            dx[i] = frequency(i) * std::cos(t * frequency(i) + phase(i));
        }
    };
    p.groups.push_back({"u", 0, 1, 0});
    for (int i = nu; i >= 1; --i) p.groups.push_back({"v" + std::to_string(i), i, 1, nu - i + 1});
    p.algebraic_rows = {nu};
    p.algebraic = {1};
    return p;
}

} // namespace

const std::vector<OrderClass>& order_classes() {
    static const std::vector<OrderClass> classes = [] {
        std::vector<OrderClass> all{
            {"ode", "ODE", ClassKind::ode, Variant::direct, 0, ode()},
            {"index1-direct", "index 1, semi-explicit, direct", ClassKind::index_1, Variant::direct, 0, index_1()},
            {"index1-indirect", "index 1, semi-explicit, indirect", ClassKind::index_1, Variant::indirect, 0,
             index_1()},
            {"index1-implicit", "index 1, fully implicit", ClassKind::implicit_index_1, Variant::direct, 0,
             implicit_index_1()},
            {"index2", "index 2, Hessenberg", ClassKind::index_2, Variant::direct, 0, index_2()},
            {"index2-projected", "index 2, Hessenberg, projected", ClassKind::index_2, Variant::projected, 0,
             index_2()},
            {"index3", "index 3, Hessenberg", ClassKind::index_3, Variant::direct, 0, index_3()},
        };
        for (int nu = 1; nu <= 4; ++nu)
            all.push_back({"linear" + std::to_string(nu), "linear, constant coefficients, index " + std::to_string(nu),
                           ClassKind::linear, Variant::direct, nu, linear(nu)});
        return all;
    }();
    return classes;
}

} // namespace daedalus::study
