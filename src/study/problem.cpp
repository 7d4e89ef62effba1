#include "study/problem.hpp"

#include <algorithm>

namespace daedalus::study {

Vector Problem::exact_value(Real t) const {
    Vector x(static_cast<std::size_t>(size)), dx(x.size());
    exact(t, x.data(), dx.data());
    return x;
}

Vector Problem::exact_derivative(Real t) const {
    Vector x(static_cast<std::size_t>(size)), dx(x.size());
    exact(t, x.data(), dx.data());
    return dx;
}

bool Problem::is_algebraic(int component) const {
    return std::find(algebraic.begin(), algebraic.end(), component) != algebraic.end();
}

Linearization linearize(const Problem& problem, Real t, const Vector& x, const Vector& dx) {
    const int n = problem.size;
    const auto m = static_cast<std::size_t>(n);
    Linearization at{Vector(m), Matrix(n, n), Matrix(n, n), Vector(m)};
    std::vector<Dual> X(x.begin(), x.end()), DX(dx.begin(), dx.end()), F(m);
    const auto column = [&](Dual time, auto&& store) {
        problem.dual_residual(time, X.data(), DX.data(), F.data());
        for (int i = 0; i < n; ++i) store(i, F[static_cast<std::size_t>(i)].slope);
    };
    for (int j = 0; j < n; ++j) {
        X[static_cast<std::size_t>(j)].slope = 1;
        column(Dual{t}, [&](int i, Real slope) { at.Fx(i, j) = slope; });
        X[static_cast<std::size_t>(j)].slope = 0;
        DX[static_cast<std::size_t>(j)].slope = 1;
        column(Dual{t}, [&](int i, Real slope) { at.Fdx(i, j) = slope; });
        DX[static_cast<std::size_t>(j)].slope = 0;
    }
    column(Dual{t, 1}, [&](int i, Real slope) { at.Ft[static_cast<std::size_t>(i)] = slope; });
    for (std::size_t i = 0; i < m; ++i) at.F[i] = F[i].value;
    return at;
}

} // namespace daedalus::study
