#include "integrate/root_enclosure.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

namespace {
constexpr std::size_t n = PiecewiseLook::points;
int sign_of(double value) { return (value > 0.0) - (value < 0.0); }

/// c_0 ± Σ |c_j|; terms left out are not larger than the last two kept, as a step resolves its unknowns.
problem::Bounded bounds(const std::array<double, n>& c) {
    double width = std::abs(c[n - 1]) + std::abs(c[n - 2]);
    for (std::size_t j = 1; j < n; ++j) width += std::abs(c[j]);
    return {c[0] - width, c[0] + width};
}
} // namespace

RootEnclosure::RootEnclosure(const problem::ImplicitProblem& problem)
    : problem_(problem), ranges_(problem.facet<problem::RootRanges>()), seen_(ranges_.leaves.size()),
      leaves_(ranges_.leaves.size()) {
    const auto is_state = [&](const problem::RootRanges::Leaf& leaf) {
        return !leaf.derivative && leaf.unknown >= 0 &&
               problem.unknowns()[static_cast<std::size_t>(leaf.unknown)].differential;
    };
    // What is not integrated and not defined by a state has no error estimate between steps: no bound holds for it.
    for (const std::vector<int>& leaves : ranges_.leaves_of)
        known_.push_back(std::all_of(leaves.begin(), leaves.end(), [&](int k) {
            return k >= 0 && is_state(ranges_.leaves[static_cast<std::size_t>(k)]);
        }));
    for (const auto& leaves : ranges_.written)
        needs_algebra_.push_back(std::all_of(leaves.begin(), leaves.end(), is_state) ? 0 : 1);
}

bool RootEnclosure::knows(std::size_t root) const { return !ranges_.empty() && known_[root] != 0; }

void RootEnclosure::note(std::size_t i, const double* x, const double* dx) {
    for (std::size_t k = 0; k < seen_.size(); ++k) {
        const problem::RootRanges::Leaf& leaf = ranges_.leaves[k];
        seen_[k][i] = (leaf.derivative ? dx : x)[leaf.unknown];
    }
}

void RootEnclosure::bound_unknowns(double a, double b) {
    a_ = a;
    b_ = b;
    for (std::size_t k = 0; k < seen_.size(); ++k) {
        const std::array<double, n> c = PiecewiseLook::coefficients(seen_[k]);
        // d/dθ Σ c_j T_j(2θ - 1) = 2 Σ d_j T_j with d_{j-1} = d_{j+1} + 2 j c_j, and half of that for d_0
        std::array<double, n> d{};
        for (std::size_t j = n - 1; j > 0; --j)
            d[j - 1] = (j + 1 < n ? d[j + 1] : 0.0) + 2.0 * static_cast<double>(j) * c[j];
        d[0] *= 0.5;
        problem::Bounded slope = bounds(d);
        // The last coefficients of the derivative are those of terms that the values hardly show.
        const double left_out = static_cast<double>(n * n) * std::abs(c[n - 1]);
        const double per_time = 2.0 / std::abs(b - a) * (b > a ? 1.0 : -1.0);
        slope = {(slope.low - left_out) * per_time, (slope.high + left_out) * per_time};
        if (slope.low > slope.high) std::swap(slope.low, slope.high);
        leaves_[k] = {bounds(c), slope};
    }
}

bool RootEnclosure::tells(std::size_t root, bool exactly, const std::array<double, n>& t,
                          const std::array<double, n>& g) const {
    const problem::Moving range =
        ranges_.bound(problem_.code(), problem_.environment(), static_cast<int>(root), a_, b_, leaves_.data());
    if (range.value.excludes_zero()) return true;
    if (!exactly && needs_algebra(root)) return false;
    if (range.slope.excludes_zero()) return true;
    const double steepest = std::max(std::abs(range.slope.low), std::abs(range.slope.high));
    if (!std::isfinite(steepest)) return false;
    for (std::size_t i = 0; i + 1 < n; ++i) {
        if (sign_of(g[i]) * sign_of(g[i + 1]) <= 0) return false;
        if (!(std::abs(g[i]) + std::abs(g[i + 1]) > steepest * std::abs(t[i + 1] - t[i]))) return false;
    }
    return true;
}

} // namespace daedalus::integrate
