// Problems with a differentiated quantity, G(t, x, x', q') = 0 with q = Q(t, x), written once as generic functions. The
// chain rule and the Jacobian of G come from the complex step, that of F from differences.
#pragma once

#include "problems.hpp"

namespace daedalus::testing {

/// `Equations` has templated members q(t, x, q) and g(t, x, dx, dq, r) and the constants n and m;
/// `index` per unknown where it is not 1.
template <class Equations>
struct Stated {
    static constexpr int n = Equations::n, m = Equations::m;
    static constexpr double step = 1e-100;

    static problem::EvalStatus finite(const double* v, int size) {
        for (int i = 0; i < size; ++i)
            if (!std::isfinite(v[i])) return problem::EvalStatus::not_finite;
        return problem::EvalStatus::ok;
    }
    static const Equations& of(const problem::Call& call) { return call.object<Equations>(); }

    static problem::EvalStatus value(const problem::Call& call, double t, const double* x, double* q) {
        of(call).q(t, x, q);
        return finite(q, m);
    }
    static void chain(const Equations& e, double t, const double* x, const double* dx, double* dq) {
        Complex z[n], q[m];
        for (int i = 0; i < n; ++i) z[i] = {x[i], step * dx[i]};
        e.q(Complex(t, step), z, q);
        for (int k = 0; k < m; ++k) dq[k] = q[k].imag() / step;
    }
    static problem::EvalStatus slope(const problem::Call& call, double t, const double* x, const double* dx,
                                     double* dq) {
        chain(of(call), t, x, dx, dq);
        return finite(dq, m);
    }
    static problem::EvalStatus stated(const problem::Call& call, double t, const double* x, const double* dx,
                                      const double* dq, double* r) {
        of(call).g(t, x, dx, dq, r);
        return finite(r, n);
    }
    static problem::EvalStatus stated_jacobian(const problem::Call& call, double t, const double* x, const double* dx,
                                               const double* dq, double* jx, double* jdx) {
        const Equations& e = of(call);
        for (int j = 0; j < n; ++j) {
            Complex z[n], dz[n], dw[m], r[n], q[m];
            const auto reset = [&] {
                for (int i = 0; i < n; ++i) {
                    z[i] = x[i];
                    dz[i] = dx[i];
                }
                for (int k = 0; k < m; ++k) dw[k] = dq[k];
            };
            reset();
            z[j] += Complex(0, step);
            e.g(Complex(t), z, dz, dw, r);
            for (int i = 0; i < n; ++i) jx[j * n + i] = r[i].imag() / step;
            e.q(Complex(t), z, q);
            reset();
            dz[j] += Complex(0, step);
            for (int k = 0; k < m; ++k) dw[k] += Complex(0, q[k].imag());
            e.g(Complex(t), z, dz, dw, r);
            for (int i = 0; i < n; ++i) jdx[j * n + i] = r[i].imag() / step;
        }
        return finite(jx, n * n) == problem::EvalStatus::ok ? finite(jdx, n * n) : problem::EvalStatus::not_finite;
    }
    static problem::EvalStatus residual(const problem::Call& call, double t, const double* x, const double* dx,
                                        double* r) {
        double dq[m];
        chain(of(call), t, x, dx, dq);
        of(call).g(t, x, dx, static_cast<const double*>(dq), r);
        return finite(r, n);
    }
    static problem::EvalStatus jacobian(const problem::Call& call, double t, const double* x, const double* dx,
                                        double* jx, double* jdx) {
        double z[n], dz[n], above[n], below[n];
        for (int j = 0; j < n; ++j)
            for (const bool of_x : {true, false}) {
                std::copy_n(x, n, z);
                std::copy_n(dx, n, dz);
                double& moved = of_x ? z[j] : dz[j];
                const double at = moved, h = 1e-6 * std::max(1.0, std::abs(at));
                moved = at + h;
                (void)residual(call, t, z, dz, above);
                moved = at - h;
                (void)residual(call, t, z, dz, below);
                for (int i = 0; i < n; ++i) {
                    double value = (above[i] - below[i]) / (2 * h);
                    // x' that does not occur leaves round-off of differences, which would make it occur.
                    if (std::abs(value) < 1e-9) value = 0.0;
                    (of_x ? jx : jdx)[j * n + i] = value;
                }
            }
        return problem::EvalStatus::ok;
    }
};

/// With the quantity, or with the chain rule only.
template <class Equations>
problem::ImplicitProblem make_stated_problem(Equations e, bool with_quantity = true) {
    using S = Stated<Equations>;
    problem::System system;
    system.code = std::make_shared<Equations>(e);
    system.kernels.residual = &S::residual;
    system.kernels.jacobian = &S::jacobian;
    system.pattern = SparsityPattern::dense(S::n, S::n);
    system.unknowns.resize(S::n);
    for (int i = 0; i < S::n; ++i) {
        system.unknowns[static_cast<std::size_t>(i)].differential = Equations::differential(i);
        if constexpr (requires { Equations::index; })
            system.unknowns[static_cast<std::size_t>(i)].index = Equations::index[static_cast<std::size_t>(i)];
    }
    if (with_quantity) {
        problem::DifferentiatedQuantity quantity;
        quantity.size = S::m;
        quantity.nominal.assign(S::m, 1.0);
        quantity.value = &S::value;
        quantity.slope = &S::slope;
        quantity.residual = &S::stated;
        quantity.jacobian = &S::stated_jacobian;
        system.facets.set(std::move(quantity));
    }
    return problem::ImplicitProblem(std::move(system));
}

} // namespace daedalus::testing
