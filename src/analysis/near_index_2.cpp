#include "analysis/near_index_2.hpp"

#include "analysis/stability_constants.hpp"
#include "linalg/singular_values.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::analysis {

namespace {

using linalg::Matrix;

double norm_2(const Matrix& a) {
    const auto s = linalg::singular_values_only(a);
    return s.values.empty() ? 0.0 : s.values.front();
}

std::optional<Matrix> inverse(const Matrix& a) {
    auto s = a.square() ? linalg::solve(a, Matrix::identity(a.rows())) : std::nullopt;
    constexpr double regular = 1e-10; // what is more singular than that has no meaningful (CB)⁻¹
    return s && s->reciprocal_condition > regular ? std::optional(std::move(s->x)) : std::nullopt;
}

void enlarge(BoundFactors& a, const BoundFactors& b) {
    a = {std::max(a.start, b.start), std::max(a.p, b.p), std::max(a.q, b.q), std::max(a.dq, b.dq)};
}

} // namespace

std::optional<NearIndex2> near_index_2(const Matrix& b, const Matrix& c, double epsilon, double kappa1, double kappa2,
                                       double kappa3) {
    if (!b.square() || !c.square() || b.rows() != c.rows() || !(epsilon > 0)) return std::nullopt;
    const auto product = inverse(c * b), of_c = inverse(c);
    if (!product || !of_c) return std::nullopt;
    const double beta = norm_2(b) * norm_2(*product), size = norm_2(c), hat = kappa2 / epsilon;
    NearIndex2 out{epsilon, hat, kappa3, {}, {}};
    out.x = {kappa1, kappa2, (1 + kappa1) * beta + kappa2 * kappa3, kappa2 * beta};
    out.y = {kappa1 * size * norm_2(*of_c), hat * size, hat * size * kappa3, hat * size * beta};
    return out;
}

namespace {

constexpr double small = 1e-2;  // of ε‖(CB)⁻¹‖ beside the length of the interval: "to first order in ε"
constexpr double bounded = 1e3; // of κ₂/ε beside ‖(CB)⁻¹‖, which it is for a normal CB with decay (MW (5.6))

/// One point of a system with D = ε I.
struct ScaledPoint {
    double t = 0.0;
    Matrix b, c;
};

std::optional<NearIndex2> largest_factors(std::span<const ScaledPoint> points, double epsilon, double kappa1,
                                          double kappa2) {
    const double length = points.back().t - points.front().t;
    std::optional<NearIndex2> out;
    Matrix last;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const ScaledPoint& s = points[i];
        const auto product = inverse(s.c * s.b);
        if (!product || epsilon * norm_2(*product) > small * length || kappa2 / epsilon > bounded * norm_2(*product))
            return std::nullopt;
        Matrix f = s.b * *product;
        const double kappa3 = i == 0 ? 0.0 : norm_2(f - last) / (s.t - points[i - 1].t);
        last = std::move(f);
        const auto here = near_index_2(s.b, s.c, epsilon, kappa1, kappa2, kappa3);
        if (!here) return std::nullopt;
        if (!out) out = here;
        out->kappa3 = std::max(out->kappa3, here->kappa3);
        enlarge(out->x, here->x);
        enlarge(out->y, here->y);
    }
    return out;
}

} // namespace

std::optional<NearIndex2> near_index_2(std::span<const LinearisedPoint> along, double kappa1, double kappa2) {
    const std::vector<SemiExplicit> points = semi_explicit_along(along);
    if (points.size() != along.size() || points.empty() || points.front().d.empty()) return std::nullopt;
    double epsilon = 0.0;
    for (const SemiExplicit& s : points) epsilon = std::max(epsilon, norm_2(s.d));
    std::vector<ScaledPoint> scaled;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto of_d = inverse(points[i].d);
        if (!of_d || !points[i].c.square()) return std::nullopt;
        scaled.push_back({along[i].t, points[i].b, epsilon * (*of_d * points[i].c)});
    }
    return largest_factors(scaled, epsilon, kappa1, kappa2);
}

std::optional<NearIndex2> near_index_3(std::span<const LinearisedPoint> along) {
    std::vector<SemiExplicit> points = semi_explicit_along(along);
    if (points.size() != along.size() || points.empty() || points.front().d.empty()) return std::nullopt;
    double epsilon = 0.0;
    for (SemiExplicit& s : points) {
        if (norm_2(s.d) != 0.0) return std::nullopt;
        epsilon = std::max(epsilon, norm_2(s.c * s.b));
    }
    std::vector<ScaledPoint> scaled;
    std::vector<LinearisedPoint> fast; // w' = −ε⁻¹ CAB w
    for (std::size_t i = 0; i < points.size(); ++i) {
        const SemiExplicit& s = points[i];
        const auto of_cb = inverse(s.c * s.b);
        if (!of_cb || s.c.rows() >= s.c.cols()) return std::nullopt;
        const Matrix cab = epsilon * (*of_cb * (s.c * (s.a * s.b))), one = Matrix::identity(cab.rows());
        scaled.push_back({along[i].t, one, cab});
        fast.push_back({along[i].t, one, (1.0 / epsilon) * cab});
    }
    const StabilityConstants k = stability_constants(fast, 0);
    if (!k.kappa1 || !k.kappa2) return std::nullopt;
    return largest_factors(scaled, epsilon, *k.kappa1, *k.kappa2);
}

} // namespace daedalus::analysis
