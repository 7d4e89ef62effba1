// HW (1.31), (1.32) and S (47): differentiation index 1, perturbation index 2 and m. The perturbed solutions are
// computed, their growth with the frequency ω of the perturbation ε sin ωt is fitted: an exponent m - 1 means index m.
#include "study/product_run.hpp"
#include "study/reproduction.hpp"

#include <fmt/format.h>

namespace daedalus::study {

namespace {

/// Is x' determined by F = 0 and dF/dt = 0 at this point (1-fullness, HW (2.29) ff.)? The Jacobian of dF/dt = F_t + F_x
/// x'
/// + F_x' x'' by x' needs second derivatives: central differences, exact here because F is quadratic.
bool one_full(const Problem& p, Real t, const Vector& x, const Vector& dx, const Vector& ddx) {
    const int n = p.size;
    const auto rate = [&](const Vector& v) {
        const Linearization at = linearize(p, t, x, v);
        Vector g = at.Ft;
        const Vector a = at.Fx * v, b = at.Fdx * ddx;
        for (std::size_t i = 0; i < g.size(); ++i) g[i] += a[i] + b[i];
        return g;
    };
    const Linearization at = linearize(p, t, x, dx);
    Matrix array(2 * n, 2 * n), last(2 * n, n);
    for (int j = 0; j < n; ++j) {
        Vector plus = dx, minus = dx;
        plus[std::size_t(j)] += 1e-3L, minus[std::size_t(j)] -= 1e-3L;
        const Vector gp = rate(plus), gm = rate(minus);
        for (int i = 0; i < n; ++i) {
            array(i, j) = at.Fdx(i, j);
            array(n + i, j) = (gp[std::size_t(i)] - gm[std::size_t(i)]) / 2e-3L;
            array(n + i, n + j) = last(n + i, j) = at.Fdx(i, j);
        }
    }
    return rank(array, 1e-9L) == n + rank(last, 1e-9L);
}

/// Taylor coefficients by rising power, truncated.
using Series = Vector;

Series sine_series(Real amplitude, Real omega, Real t, std::size_t terms) {
    Series c(terms);
    Real factor = amplitude;
    for (std::size_t k = 0; k < terms; ++k) {
        c[k] = factor * std::sin(omega * t + static_cast<Real>(k) * 1.57079632679489661923L);
        factor *= omega / static_cast<Real>(k + 1);
    }
    return c;
}

/// max |y1| of  y_m N y' + y = δ, all δ_i = ε sin(ωt + i):  y_m = δ_m, y_i = δ_i - y_m y_{i+1}', by Taylor arithmetic.
double response(int m, double eps, double omega) {
    const auto terms = static_cast<std::size_t>(m) + 1;
    Real largest = 0;
    for (int sample = 0; sample < 200; ++sample) {
        const Real t = static_cast<Real>(sample) / 200 * 6.2831853L / static_cast<Real>(omega);
        const auto delta = [&](int i) { return sine_series(eps, omega, t + static_cast<Real>(i) / omega, terms); };
        const Series last = delta(m);
        Series y = last;
        for (int i = m - 1; i >= 1; --i) {
            Series next = delta(i);
            for (std::size_t a = 0; a < terms; ++a)
                for (std::size_t b = 0; a + b + 1 < terms; ++b)
                    next[a + b] -= last[a] * static_cast<Real>(b + 1) * y[b + 1];
            y = next;
        }
        largest = std::max(largest, std::abs(y[0]));
    }
    return static_cast<double>(largest);
}

Reproduction campbell_gear(const std::vector<int>& sizes) {
    Reproduction result;
    Judgement judgement;
    StudyFigure figure{"max |y1| under a perturbation of size ε = 10⁻³", "log10 ω", "max |y1|", true, false, {}};
    StudyTable table;
    table.caption = "y_m N y' + y = δ(t): growth of y1 with the frequency of δ, |δ| = 10⁻³";
    table.columns = {{"m", "m", 2},
                     {"exponent", "exponent of ω", 3},
                     {"perturbation_index", "perturbation index", 2},
                     {"differentiation_index", "differentiation index", 2},
                     {"printed", "stated", 2}};
    for (const int m : sizes) {
        // For ω ≫ 1/ε the product of all factors, ε^m ω^{m-1}, dominates the direct response ε.
        std::vector<double> omega, size, log_omega;
        for (double w = 1e5; w <= 1e8; w *= 10) {
            omega.push_back(w);
            size.push_back(response(m, 1e-3, w));
            log_omega.push_back(std::log10(w));
        }
        const double exponent = fitted_exponent(omega, size);
        const int index = static_cast<int>(std::lround(exponent)) + 1;
        Problem p;
        p.size = m;
        set_residual(p, [m](auto, const auto* y, const auto* dy, auto* F) {
            for (int i = 0; i + 1 < m; ++i) F[i] = y[m - 1] * dy[i + 1] + y[i];
            F[m - 1] = y[m - 1];
        });
        const Vector zero(static_cast<std::size_t>(m));
        const bool full = one_full(p, 0, zero, zero, zero);
        judgement.expect(index == m && std::abs(exponent - (m - 1)) < 0.1,
                         fmt::format("m = {}: |y1| ~ ω^{:.2f}, so the perturbation index is {}", m, exponent, index));
        judgement.expect(full,
                         fmt::format("m = {}: one differentiation determines y' (y = 0): differentiation index 1", m));
        table.rows.push_back({double(m), exponent, double(index), full ? 1.0 : -1.0, double(m)});
        figure.curves.push_back({fmt::format("m = {}", m), log_omega, size});
    }
    result.tables.push_back(std::move(table));
    result.figures.push_back(std::move(figure));
    judgement.write(result);
    return result;
}

} // namespace

Reproduction reproduce_hw_1_32() { return campbell_gear({2, 3, 4, 5}); }
Reproduction reproduce_s_47() { return campbell_gear({3}); }

Reproduction reproduce_hw_1_31() {
    Reproduction result;
    Judgement judgement;
    StudyTable table;
    table.caption = "y1' − y3 y2' + y2 y3' = 0, y2 = ε sin ωt, y3 = ε cos ωt, ε = 10⁻³: y1 at t = 1, by Radau IIA";
    table.columns = {{"omega", "ω", 4}, {"y1", "y1(1)", 6}, {"formula", "ε²ω", 6}};
    constexpr Real eps = 1e-3L;
    std::vector<double> omegas, values;
    bool same = true;
    for (const int w : {10, 20, 40, 80, 160}) {
        const Real omega = w;
        Problem p;
        p.size = 3;
        set_residual(p, [=](auto t, const auto* y, const auto* dy, auto* F) {
            using std::cos, std::sin;
            using T = std::decay_t<decltype(y[0] * y[0])>;
            F[0] = dy[0] - y[2] * dy[1] + y[1] * dy[2];
            F[1] = y[1] - T(eps) * sin(T(omega) * T(t));
            F[2] = y[2] - T(eps) * cos(T(omega) * T(t));
        });
        const StartValues start{{{0, 0, eps}}, {{eps * eps * omega, eps * omega, 0}}};
        const DiscreteSolution s = run_method(p, "radau2a-3", equidistant(0, 1, 10 * w), Variant::direct, start);
        const double y1 = double(s.x.back()[0]), formula = double(eps * eps * omega);
        same = same && s.solved && std::abs(y1 - formula) < 1e-3 * formula;
        omegas.push_back(w);
        values.push_back(std::abs(y1));
        table.rows.push_back({double(w), y1, formula});
        if (w != 10) continue;
        Problem unperturbed = p;
        set_residual(unperturbed, [](auto, const auto* y, const auto* dy, auto* F) {
            F[0] = dy[0] - y[2] * dy[1] + y[1] * dy[2];
            F[1] = y[1];
            F[2] = y[2];
        });
        judgement.expect(one_full(unperturbed, 0, Vector(3), Vector(3), Vector(3)),
                         "one differentiation determines y': differentiation index 1");
    }
    const double exponent = fitted_exponent(omegas, values);
    judgement.expect(same, "y1(1) = ε²ω to three digits");
    judgement.expect(std::abs(exponent - 1) < 0.05, fmt::format("growth ω^{:.3f}: perturbation index 2", exponent));
    result.tables.push_back(std::move(table));
    judgement.write(result);
    return result;
}

} // namespace daedalus::study
