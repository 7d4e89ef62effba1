#include "integrate/methods/stage_extrapolation.hpp"

#include "integrate/methods/linear_combination.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace daedalus::integrate {

namespace {

constexpr std::size_t most = 4; ///< nodes of a polynomial

/// Lagrange's weights at x.
void lagrange(std::span<const double> node, double x, double* weight) {
    for (std::size_t i = 0; i < node.size(); ++i) {
        double numerator = 1.0, denominator = 1.0;
        for (std::size_t j = 0; j < node.size(); ++j)
            if (j != i) {
                numerator *= x - node[j];
                denominator *= node[i] - node[j];
            }
        weight[i] = numerator / denominator;
    }
}

} // namespace

StageExtrapolation::StageExtrapolation(std::span<const double> c)
    : c_(c.begin(), c.end()), with_history_(c.size()), without_history_(c.size()),
      whole_(nearest(0.5, static_cast<int>(c.size()), false)) {}

/// Up to four nodes among the first `stages` of a step and all of the step before, the nearest to `target`, but not too
/// near to each other: close stages differ by their errors more than by z.
StageExtrapolation::Nodes StageExtrapolation::nearest(double target, int stages, bool with_before) const {
    constexpr double apart = 0.1;
    std::vector<std::pair<double, Node>> candidates;
    for (int j = stages - 1; j >= 0; --j) candidates.push_back({c_[static_cast<std::size_t>(j)], {j, false}});
    if (with_before)
        for (int j = static_cast<int>(c_.size()) - 1; j >= 0; --j)
            candidates.push_back({c_[static_cast<std::size_t>(j)] - 1.0, {j, true}});
    std::stable_sort(candidates.begin(), candidates.end(), [&](const auto& a, const auto& b) {
        return std::abs(a.first - target) < std::abs(b.first - target);
    });
    Nodes chosen;
    std::vector<double> at;
    for (const auto& [where, node] : candidates) {
        if (chosen.size() == most) break;
        if (std::any_of(at.begin(), at.end(), [&](double other) { return std::abs(other - where) < apart; })) continue;
        chosen.push_back(node);
        at.push_back(where);
        if (where == target && stages > 0) break; // there already
    }
    // What the errors of stages are multiplied by must not spoil what the degree gains.
    constexpr double amplification = 4.0;
    std::array<double, most> weight{};
    for (;; at.pop_back(), chosen.pop_back()) {
        lagrange(at, target, weight.data());
        double sum = 0.0;
        for (std::size_t m = 0; m < at.size(); ++m) sum += std::abs(weight[m]);
        if (at.size() <= 1 || sum <= amplification) break;
    }
    return chosen;
}

void StageExtrapolation::weigh(Nodes& nodes, double target) const {
    std::array<double, most> at{}, weight{};
    for (std::size_t m = 0; m < nodes.size(); ++m) {
        const double c = c_[static_cast<std::size_t>(nodes[m].stage)];
        at[m] = nodes[m].before ? (c - 1.0) * ratio_ : c;
    }
    lagrange({at.data(), nodes.size()}, target, weight.data());
    for (std::size_t m = 0; m < nodes.size(); ++m) nodes[m].weight = weight[m];
    nodes.ratio = ratio_;
}

void StageExtrapolation::predict(int i, std::span<const double> z, std::span<const double> z_before, std::size_t n,
                                 double* result) const {
    const bool history = ratio_ > 0.0;
    Nodes& nodes = (history ? with_history_ : without_history_)[static_cast<std::size_t>(i)];
    if (nodes.empty()) nodes = nearest(c_[static_cast<std::size_t>(i)], i, history);
    if (nodes.ratio != ratio_) weigh(nodes, c_[static_cast<std::size_t>(i)]);
    std::array<Term, most> terms{};
    for (std::size_t m = 0; m < nodes.size(); ++m)
        terms[m] = {nodes[m].weight,
                    (nodes[m].before ? z_before : z).data() + static_cast<std::size_t>(nodes[m].stage) * n};
    combine_terms(nullptr, {terms.data(), nodes.size()}, n, result);
}

void StageExtrapolation::interpolate(double theta, std::span<const double> z, std::size_t n, double* result) const {
    std::array<double, most> at{}, weight{};
    for (std::size_t m = 0; m < whole_.size(); ++m) at[m] = c_[static_cast<std::size_t>(whole_[m].stage)];
    lagrange({at.data(), whole_.size()}, theta, weight.data());
    std::fill_n(result, n, 0.0);
    for (std::size_t m = 0; m < whole_.size(); ++m) {
        const double* from = z.data() + static_cast<std::size_t>(whole_[m].stage) * n;
        for (std::size_t k = 0; k < n; ++k) result[k] += weight[m] * from[k];
    }
}

void StageExtrapolation::slope_at_end(std::span<const double> z, std::size_t n, double h, double* result) const {
    // A parabola through the end and two earlier stages.
    const std::size_t last = c_.size() - 1;
    std::size_t a = last, b = last;
    while (a > 0 && c_[last] - c_[a] < 0.1) --a;
    b = a;
    while (b > 0 && c_[a] - c_[b] < 0.1) --b;
    const double p = c_[last] - c_[a], q = c_[last] - c_[b];
    const double* end = z.data() + last * n;
    const double* one = z.data() + a * n;
    const double* two = z.data() + b * n;
    const double w1 = q / (p * (q - p) * h), w2 = p / (q * (q - p) * h);
    for (std::size_t k = 0; k < n; ++k) result[k] = w1 * (end[k] - one[k]) - w2 * (end[k] - two[k]);
}

} // namespace daedalus::integrate
