#include "analysis/stability_constants.hpp"

#include "linalg/matrix_exponential.hpp"
#include "linalg/singular_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::analysis {

namespace {

using linalg::Matrix;

double norm_2(const Matrix& a) {
    const auto s = linalg::singular_values_only(a);
    return s.values.empty() ? 0.0 : s.values.front();
}

/// ∫ over an interval at whose ends a positive function has the values a and b: exact for exponentials.
double exponential_rule(double length, double a, double b) {
    constexpr double least = 1e-300;
    const double ratio = std::log(std::max(a, least) / std::max(b, least));
    return std::abs(ratio) < 1e-4 ? 0.5 * length * (a + b) : length * (a - b) / ratio;
}

/// exp(K σ) for σ = h, 3h/4, h/2, 3h/8, … down to where it is I up to a few per cent: by squaring, as exp(K h) itself.
struct Exponentials {
    std::vector<double> sigma; ///< ascending, from 0
    std::vector<Matrix> at;
};

Exponentials exponentials(const Matrix& k, double h) {
    constexpr double nearly_one = 0.05;
    constexpr int most = 200; // halvings: 1e60 times as fast as the points are apart
    const double rate = linalg::norm_1(k) * h;
    int halvings = 2;
    while (halvings < most && std::ldexp(rate, -halvings) > nearly_one) ++halvings;
    double sigma = std::ldexp(h, -halvings);
    Matrix half, one = linalg::matrix_exponential(sigma * k);
    Exponentials e{{0.0, sigma}, {Matrix::identity(k.rows()), one}};
    for (int i = 0; i < halvings; ++i, sigma *= 2) {
        if (i > 0) {
            e.sigma.push_back(1.5 * sigma);
            e.at.push_back(one * half);
        }
        half = std::move(one);
        one = half * half;
        e.sigma.push_back(2 * sigma);
        e.at.push_back(one);
    }
    return e;
}

bool same(const Matrix& a, const Matrix& b) {
    return a.rows() == b.rows() && std::equal(a.entries().begin(), a.entries().end(), b.entries().begin());
}

/// From one point to the next.
struct Interval {
    double h = 0.0;
    Matrix k;
    Exponentials e;
};

/// W(t) W⁺(s) for t at the end of an interval and s in it.
Matrix within(const Interval& i, const Matrix& before, const Matrix& after, std::size_t at) {
    const double share = i.e.sigma[at] / i.h;
    return after * (i.e.at[at] * (share * before + (1.0 - share) * after));
}

double integral_within(const Interval& i, const Matrix& before, const Matrix& after) {
    double sum = 0.0, last = norm_2(within(i, before, after, 0));
    for (std::size_t at = 1; at < i.e.at.size(); ++at) {
        const double here = norm_2(within(i, before, after, at));
        sum += exponential_rule(i.e.sigma[at] - i.e.sigma[at - 1], last, here);
        last = here;
    }
    return sum;
}

StabilityConstants not_computed(std::string why) { return {{}, {}, "not computed: " + std::move(why)}; }

} // namespace

std::optional<UnderlyingEquation> underlying_equation(const SemiExplicit& s, int index) {
    const int n = s.a.rows();
    if (index < 2) {
        if (s.d.empty()) return UnderlyingEquation{s.a, Matrix::identity(n)};
        const auto y = linalg::solve(s.d, s.c);
        if (!y) return std::nullopt;
        return UnderlyingEquation{s.a - s.b * y->x, Matrix::identity(n)};
    }
    // What of y is of index 1 is eliminated; D = 0 is left.
    const SemiExplicit rest = eliminate_index_1(s, std::sqrt(std::numeric_limits<double>::epsilon())).rest;
    if (rest.d.rows() != rest.d.cols()) return std::nullopt;
    const auto f = linalg::solve(rest.c * rest.b, rest.c);
    if (!f) return std::nullopt;
    const Matrix restricted = Matrix::identity(n) - rest.b * f->x;
    return UnderlyingEquation{restricted * rest.a, restricted};
}

StabilityConstants stability_constants(std::span<const LinearisedPoint> along, int index) {
    const bool index_2 = index == 2;
    const std::vector<SemiExplicit> points = semi_explicit_along(along);
    if (points.size() != along.size())
        return not_computed("the rank of the factor of x' changes along the solution, or is not clear");
    std::vector<UnderlyingEquation> u;
    for (std::size_t i = 0; i < points.size(); ++i) {
        auto one = underlying_equation(points[i], index);
        if (!one) return not_computed(fmt::format("{} is singular at t = {:.6g}", index_2 ? "CB" : "D", along[i].t));
        u.push_back(*std::move(one));
    }
    // W(t_i) W⁺(s_j) for all j ≤ i at once, multiplied on from point to point.
    std::vector<Matrix> kernel{u[0].restricted};
    double kappa1 = norm_2(u[0].restricted), kappa2 = 0.0;
    Interval here;
    for (std::size_t i = 0; i + 1 < u.size(); ++i) {
        const double h = along[i + 1].t - along[i].t;
        Matrix k = 0.5 * (u[i].k + u[i + 1].k);
        if (index_2) k += (1.0 / h) * (u[i + 1].restricted - u[i].restricted); // −P' = (I − P)'
        if (i == 0 || h != here.h || !same(k, here.k)) here = {h, k, exponentials(k, h)};
        const Matrix& transition = here.e.at.back();
        if (!linalg::all_finite(transition))
            return not_computed(fmt::format("the fundamental solution overflows behind t = {:.6g}", along[i].t));
        if (i == 0) // what grows before it decays does so at the start
            for (const Matrix& e : here.e.at) kappa1 = std::max(kappa1, norm_2(e * u[0].restricted));
        for (Matrix& w : kernel) w = u[i + 1].restricted * (transition * w);
        kernel.push_back(u[i + 1].restricted);
        kappa1 = std::max(kappa1, norm_2(kernel.front()));
        double integral = integral_within(here, u[i].restricted, u[i + 1].restricted);
        double last = norm_2(kernel[0]);
        for (std::size_t j = 1; j + 1 < kernel.size(); ++j) {
            const double next = norm_2(kernel[j]);
            integral += exponential_rule(along[j].t - along[j - 1].t, last, next);
            last = next;
        }
        kappa2 = std::max(kappa2, integral);
    }
    return {kappa1, kappa2,
            fmt::format("{}fundamental solution of the linearisation at {} points (MW {})",
                        index_2 ? "restricted " : "", along.size(), index_2 ? "(3.21)" : "(2.6)")};
}

} // namespace daedalus::analysis
