#include "analysis/linear_solution.hpp"

#include "linalg/matrix_exponential.hpp"
#include "linalg/norms.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace daedalus::analysis {

using linalg::Matrix;

namespace {

constexpr int gauss_nodes = 12; // exact for polynomials of degree 23

/// Zeros of the Legendre polynomial by Newton's method, and the weights, on [0, 1].
void gauss_rule(std::vector<double>& nodes, std::vector<double>& weights) {
    constexpr int n = gauss_nodes;
    for (int i = 0; i < n; ++i) {
        double x = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 0.0;
        for (int iteration = 0; iteration < 10; ++iteration) {
            double p = 1.0, before = 0.0;
            for (int k = 1; k <= n; ++k) {
                const double next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
                before = p;
                p = next;
            }
            slope = n * (x * p - before) / (x * x - 1.0);
            x -= p / slope;
        }
        nodes.push_back(0.5 * (1.0 + x));
        weights.push_back(1.0 / ((1.0 - x * x) * slope * slope));
    }
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double d = std::abs(a[i] - b[i]);
        if (d > largest || std::isnan(d)) largest = d;
    }
    return largest;
}

} // namespace

LinearSolution::LinearSolution(WeierstrassForm form, const Matrix& e, Forcing forcing, double t0,
                               std::span<const double> x0)
    : form_(std::move(form)), forcing_(std::move(forcing)), t0_(t0) {
    gauss_rule(nodes_, weights_);
    y0_ = form_.p * (e * x0);
    y0_.resize(static_cast<std::size_t>(form_.c.rows()));
    inconsistency_ = distance(initial(), {x0.begin(), x0.end()});
}

std::vector<double> LinearSolution::transformed_forcing(double t, int k) const {
    std::vector<double> c(static_cast<std::size_t>(form_.p.cols()), 0.0);
    forcing_(t, k, c);
    return form_.p * c;
}

std::vector<double> LinearSolution::algebraic(double t) const {
    const auto finite = static_cast<std::size_t>(form_.c.rows());
    // Horner: z = b₀ - N (b₁ - N (b₂ - …))
    std::vector<double> z(static_cast<std::size_t>(form_.n.rows()), 0.0);
    for (int k = form_.index - 1; k >= 0; --k) {
        const std::vector<double> b = transformed_forcing(t, k), nz = form_.n * z;
        for (std::size_t i = 0; i < z.size(); ++i) z[i] = b[finite + i] - nz[i];
    }
    return z;
}

const LinearSolution::Step& LinearSolution::step_of(double h) {
    const auto [place, is_new] = steps_.try_emplace(h);
    if (is_new) {
        place->second.whole = linalg::matrix_exponential(-h * form_.c);
        for (const double node : nodes_)
            place->second.from_node.push_back(linalg::matrix_exponential(-h * (1.0 - node) * form_.c));
    }
    return place->second;
}

std::vector<double> LinearSolution::advanced(double t, double h, const std::vector<double>& y) {
    const Step& step = step_of(h);
    std::vector<double> result = step.whole * y;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        std::vector<double> g = transformed_forcing(t + h * nodes_[i], 0);
        g.resize(y.size());
        const std::vector<double> part = step.from_node[i] * g;
        for (std::size_t k = 0; k < result.size(); ++k) result[k] += h * weights_[i] * part[k];
    }
    return result;
}

std::vector<double> LinearSolution::at(double t, double tolerance) {
    std::vector<double> y = y0_;
    if (t != t0_ && !y.empty()) {
        // Intervals still to do, in order of time from the back. Sizes are powers of two times one length, so that
        // exponentials are computed once per size.
        const double whole = t - t0_;
        struct Interval {
            double begin, size;
            int depth;
        };
        std::vector<Interval> to_do{{t0_, whole, 0}};
        double largest = linalg::norm_inf(std::span<const double>(y));
        constexpr int deepest = 20;
        while (!to_do.empty()) {
            const Interval now = to_do.back();
            to_do.pop_back();
            const double half = 0.5 * now.size;
            const std::vector<double> coarse = advanced(now.begin, now.size, y);
            const std::vector<double> fine = advanced(now.begin + half, half, advanced(now.begin, half, y));
            largest = std::max(largest, linalg::norm_inf(std::span<const double>(fine)));
            // The fine result is better than the difference by 2^-24; a share of the tolerance for each interval.
            const double allowed = tolerance * std::max(largest, 1e-300);
            const double difference = distance(coarse, fine);
            if (difference <= allowed || now.depth >= deepest || !std::isfinite(difference)) {
                // At the limit rounding alone can cause the difference, unless it is far larger.
                if (!(difference <= 1e3 * allowed)) accurate_ = false;
                y = fine;
                continue;
            }
            to_do.push_back({now.begin + half, half, now.depth + 1});
            to_do.push_back({now.begin, half, now.depth + 1});
        }
    }
    const std::vector<double> z = algebraic(t);
    y.insert(y.end(), z.begin(), z.end());
    return form_.q * y;
}

} // namespace daedalus::analysis
