// Small problems for the integrator tests, written once as a generic residual. Jacobians come from the complex step,
// exact to round-off, so that a wrong iteration matrix is never the reason for a failing test.
#pragma once

#include "integrate/integration.hpp"
#include "integrate/methods/registry.hpp"
#include "problem/implicit_problem.hpp"

#include <cmath>
#include <complex>
#include <memory>
#include <vector>

namespace daedalus::testing {

using Complex = std::complex<double>;

/// `Residual` is a type with a templated call (t, x, dx, r).
template <class Residual>
struct Traced {
    Residual f;
    int n, rows;
    std::vector<Complex> x, dx, r;
    std::vector<double> real_r;
    SparsityPattern pattern;
    long residuals = 0, jacobians = 0;

    static problem::EvalStatus residual(const problem::Call& call, double t, const double* x, const double* dx,
                                        double* r) {
        auto& self = call.object<Traced>();
        ++self.residuals;
        self.f(t, x, dx, r);
        for (int i = 0; i < self.rows; ++i)
            if (!std::isfinite(r[i])) return problem::EvalStatus::not_finite;
        return problem::EvalStatus::ok;
    }
    static problem::EvalStatus jacobian(const problem::Call& call, double t, const double* x, const double* dx,
                                        double* jx, double* jdx) {
        auto& self = call.object<Traced>();
        ++self.jacobians;
        constexpr double step = 1e-100;
        for (int i = 0; i < self.n; ++i) {
            self.x[i] = x[i];
            self.dx[i] = dx[i];
        }
        bool finite = true;
        for (int j = 0; j < self.n; ++j)
            for (int which = 0; which < 2; ++which) {
                Complex& seed = which == 0 ? self.x[j] : self.dx[j];
                const Complex saved = seed;
                seed += Complex(0, step);
                self.f(Complex(t), self.x.data(), self.dx.data(), self.r.data());
                seed = saved;
                for (int k = self.pattern.column_start[j]; k < self.pattern.column_start[j + 1]; ++k) {
                    const double value = self.r[self.pattern.row_index[k]].imag() / step;
                    finite = finite && std::isfinite(value);
                    (which == 0 ? jx : jdx)[k] = value;
                }
            }
        return finite ? problem::EvalStatus::ok : problem::EvalStatus::not_finite;
    }
};

/// n unknowns, n - links.size() kernel rows. `index` per unknown (empty: all 1).
template <class Residual>
problem::System make_system(Residual f, int n, std::vector<int> index = {}, std::vector<problem::Link> links = {}) {
    const int rows = n - static_cast<int>(links.size());
    auto traced = std::make_shared<Traced<Residual>>(Traced<Residual>{f, n, rows, {}, {}, {}, {}, {}});
    traced->x.resize(n);
    traced->dx.resize(n);
    traced->r.resize(n);
    traced->pattern = SparsityPattern::dense(rows, n);
    std::vector<problem::UnknownInfo> unknowns(n);
    for (int i = 0; i < n && !index.empty(); ++i) unknowns[i].index = index[i];
    problem::System system;
    system.code = traced;
    system.kernels.residual = &Traced<Residual>::residual;
    system.kernels.jacobian = &Traced<Residual>::jacobian;
    system.pattern = traced->pattern;
    system.links = std::move(links);
    system.unknowns = std::move(unknowns);
    return system;
}

template <class Residual>
problem::ImplicitProblem make_problem(Residual f, int n, std::vector<int> index = {},
                                      std::vector<problem::Link> links = {}) {
    return problem::ImplicitProblem(make_system(f, n, std::move(index), std::move(links)));
}

inline integrate::IntegrationResult solve(problem::ImplicitProblem& problem, const char* method, double t0, double t1,
                                          std::vector<double> x0, std::vector<double> dx0,
                                          const integrate::IntegrationOptions& options) {
    integrate::Observer silent;
    return integrate::integrate(problem, *integrate::find_method(method), t0, t1, x0, dx0, options, silent);
}

inline integrate::IntegrationOptions with_tolerance(double tol) {
    integrate::IntegrationOptions options;
    options.tolerance.relative = tol;
    options.tolerance.absolute = tol;
    return options;
}

/// Chemical kinetics over eleven decades of time, as a DAE of index 1 (see docs/references.md: Robertson 1966).
struct Robertson {
    template <class T>
    void operator()(T, const T* x, const T* dx, T* r) const {
        const T a = 0.04 * x[0], b = 1e4 * x[1] * x[2], c = 3e7 * x[1] * x[1];
        // a and b nearly cancel on the slow manifold: b - a is exact, dx + a - b would lose eight digits.
        r[0] = dx[0] - (b - a);
        r[1] = dx[1] + (b - a) + c;
        r[2] = x[0] + x[1] + x[2] - 1.0;
    }
    static constexpr double at_1e11[3] = {0.2083340149701255e-07, 0.8333360770334713e-13, 0.9999999791665050};
};

/// Two-stage transistor amplifier: index 1, leading matrix singular and not diagonal (IVP test set II-14).
struct TransistorAmplifier {
    template <class T>
    void operator()(T t, const T* y, const T* dy, T* r) const {
        using std::exp;
        using std::sin;
        constexpr double Ub = 6.0, UF = 0.026, alpha = 0.99, beta = 1e-6, R0 = 1000.0, R = 9000.0;
        constexpr double C[6] = {0, 1e-6, 2e-6, 3e-6, 4e-6, 5e-6};
        const T Ue = 0.1 * sin(200.0 * 3.14159265358979323846 * t);
        const T g1 = beta * (exp((y[1] - y[2]) / UF) - 1.0);
        const T g2 = beta * (exp((y[4] - y[5]) / UF) - 1.0);
        r[0] = C[1] * (dy[1] - dy[0]) - (y[0] - Ue) / R0;
        r[1] = C[1] * (dy[0] - dy[1]) - (y[1] / R + (y[1] - Ub) / R + (1.0 - alpha) * g1);
        r[2] = -C[2] * dy[2] - (y[2] / R - g1);
        r[3] = C[3] * (dy[4] - dy[3]) - ((y[3] - Ub) / R + alpha * g1);
        r[4] = C[3] * (dy[3] - dy[4]) - (y[4] / R + (y[4] - Ub) / R + (1.0 - alpha) * g2);
        r[5] = -C[4] * dy[5] - (y[5] / R - g2);
        r[6] = C[5] * (dy[7] - dy[6]) - ((y[6] - Ub) / R + alpha * g2);
        r[7] = C[5] * (dy[6] - dy[7]) - y[7] / R;
    }
    static std::vector<double> x0() { return {0, 3, 3, 6, 3, 3, 6, 0}; }
    static std::vector<double> dx0() {
        return {51.338775,   51.338775,          -3 / (2e-6 * 9000), -24.9757667,
                -24.9757667, -3 / (4e-6 * 9000), -10.00564453,       -10.00564453};
    }
    static constexpr double at_02[8] = {-0.5562145012262709e-002, 0.3006522471903042e+001, 0.2849958788608128e+001,
                                        0.2926422536206241e+001,  0.2704617865010554e+001, 0.2761837778393145e+001,
                                        0.4770927631616772e+001,  0.1236995868091548e+001};
};

/// Gravity that gives the unit pendulum, released horizontally at rest, the period 2 exactly.
constexpr double pendulum_gravity = 13.75037163604075;

/// Pendulum as written, index 3: x, y, u, v, lambda of index 1, 1, 2, 2, 3.
struct PendulumIndex3 {
    template <class T>
    void operator()(T, const T* x, const T* dx, T* r) const {
        r[0] = dx[0] - x[2];
        r[1] = dx[1] - x[3];
        r[2] = dx[2] + x[0] * x[4];
        r[3] = dx[3] + x[1] * x[4] + pendulum_gravity;
        r[4] = x[0] * x[0] + x[1] * x[1] - 1.0;
    }
};

/// Pendulum with dummy derivatives: unknowns x, x', x'', y, y', y'', lambda; 5 kernel rows and 2 links, which are a
/// choice: either x and x' are the states or y and y'.
struct PendulumDummy {
    template <class T>
    void operator()(T, const T* z, const T*, T* r) const {
        const T x = z[0], u = z[1], a = z[2], y = z[3], v = z[4], b = z[5], lambda = z[6];
        r[0] = a + x * lambda;
        r[1] = b + y * lambda + pendulum_gravity;
        r[2] = x * x + y * y - 1.0;
        r[3] = x * u + y * v;
        r[4] = u * u + x * a + v * v + y * b;
    }
    static problem::ImplicitProblem make() {
        problem::ImplicitProblem p = make_problem(PendulumDummy{}, 7, {}, {{3, 4}, {4, 5}});
        // Σ: rows x'', y'' with c = 0 and the constraint with c = 2; columns x (d = 2), y (d = 2), lambda (d = 0).
        p.set_facet(problem::StateChoice{{{{0, 1, 4}, {0, 0, 2}, {{0, 1, 2}, {3, 4, 5}, {6}}, {0, 0, 0}}}, {}});
        return p;
    }
    static std::vector<double> x0() { return {1, 0, 0, 0, 0, -pendulum_gravity, 0}; }
};

/// Pendulum with the constraint differentiated twice: index 1, no choice of states, drifts off the constraint.
struct PendulumIndex1 {
    template <class T>
    void operator()(T, const T* x, const T* dx, T* r) const {
        r[0] = dx[0] - x[2];
        r[1] = dx[1] - x[3];
        r[2] = dx[2] + x[0] * x[4];
        r[3] = dx[3] + x[1] * x[4] + pendulum_gravity;
        r[4] = x[2] * x[2] + x[3] * x[3] - x[4] * (x[0] * x[0] + x[1] * x[1]) - pendulum_gravity * x[1];
    }
};

/// The same motion as an explicit equation for the angle.
struct PendulumAngle {
    template <class T>
    void operator()(T, const T* z, const T* dz, T* r) const {
        using std::cos;
        r[0] = dz[0] - z[1];
        r[1] = dz[1] + pendulum_gravity * cos(z[0]);
    }
};

/// y' = -z, 0 = y - (z³/3 - z): ends at the fold z = 1.
struct VanDerPolFold {
    template <class T>
    void operator()(T, const T* x, const T* dx, T* r) const {
        r[0] = dx[0] + x[1];
        r[1] = x[0] - (x[1] * x[1] * x[1] / 3.0 - x[1]);
    }
};

} // namespace daedalus::testing
