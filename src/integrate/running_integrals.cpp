#include "integrate/running_integrals.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

namespace {

// Nodes and weights on [-1, 1] of Gauss with 3 points and of its Kronrod extension with 7 (Kronrod 1965); nodes with
// odd position are those of Gauss. Degrees of exactness are checked in a test.
struct Node {
    double x, kronrod, gauss;
};
constexpr Node nodes[] = {
    {-0.96049126870802028342, 0.10465622602646726519, 0.0}, {-0.77459666924148337704, 0.26848808986833344073, 5.0 / 9},
    {-0.43424374934680255800, 0.40139741477596222291, 0.0}, {0.0, 0.45091653865847414235, 8.0 / 9},
    {0.43424374934680255800, 0.40139741477596222291, 0.0},  {0.77459666924148337704, 0.26848808986833344073, 5.0 / 9},
    {0.96049126870802028342, 0.10465622602646726519, 0.0}};

} // namespace

RunningIntegrals::RunningIntegrals(const problem::ImplicitProblem& problem, const Tolerance& tolerance)
    : problem_(problem), relative_(tolerance.relative), absolute_(tolerance.absolute), q_(problem.quadratures.start) {
    const auto n = static_cast<std::size_t>(problem.size());
    x_.resize(n);
    dx_.resize(n);
    for (auto* v : {&rate_, &gauss_, &kronrod_, &part_, &partial_q_}) v->resize(q_.size());
}

/// One application; true if it is accurate enough.
bool RunningIntegrals::rule(const Interpolant& step, double a, double b, std::vector<double>& sum) const {
    const double half = 0.5 * (b - a), middle = 0.5 * (a + b);
    std::fill(gauss_.begin(), gauss_.end(), 0.0);
    std::fill(kronrod_.begin(), kronrod_.end(), 0.0);
    for (const Node& node : nodes) {
        const double t = middle + half * node.x;
        step.evaluate(t, x_.data(), dx_.data());
        (void)problem_.quadratures.rates(t, x_.data(), dx_.data(), rate_.data());
        ++evaluations_;
        for (std::size_t k = 0; k < rate_.size(); ++k) {
            gauss_[k] += half * node.gauss * rate_[k];
            kronrod_[k] += half * node.kronrod * rate_[k];
        }
    }
    bool accurate = true;
    unresolved_ = 0.0;
    for (std::size_t k = 0; k < sum.size(); ++k) {
        // The difference is the error of Gauss, O(h^7); that of Kronrod is O(h^13) and far below. 1.5: as in QUADPACK.
        const double weight = relative_ * std::max(std::abs(q_[k]), std::abs(kronrod_[k])) +
                              absolute_ * std::abs(problem_.quadratures.nominal[k]);
        const double difference = std::abs(kronrod_[k] - gauss_[k]);
        const double size = std::abs(kronrod_[k]) + weight;
        const double error = size > 0.0 ? size * std::pow(std::min(1.0, difference / size), 1.5) : 0.0;
        accurate = accurate && std::isfinite(kronrod_[k]) && error <= 0.1 * weight;
        unresolved_ = std::max(unresolved_, difference / weight);
        part_[k] = kronrod_[k];
    }
    for (std::size_t k = 0; k < sum.size() && accurate; ++k) sum[k] += part_[k];
    return accurate;
}

bool RunningIntegrals::integrate(const Interpolant& step, double a, double b, std::vector<double>& sum) const {
    // What is not smooth then is noise, or a jump, of which the share of the interval is left; or a pole, which looks
    // the same in all sizes.
    constexpr int most_halvings = 12, compared_with = 6;
    constexpr double shrinks = 0.25; // at least: 2^-6 for a jump, 2^-3 for the pole of 1/√t, whose integral exists
    bool resolved = true;
    struct Piece {
        double a, b;
        int depth;
        double before; ///< what was unresolved at depth 6
    };
    std::vector<Piece> work{{a, b, 0, 0.0}};
    while (!work.empty()) {
        const Piece piece = work.back();
        work.pop_back();
        if (rule(step, piece.a, piece.b, sum)) continue;
        const bool finite = std::all_of(part_.begin(), part_.end(), [](double q) { return std::isfinite(q); });
        if (piece.depth == most_halvings || !finite) {
            resolved = resolved && finite && unresolved_ <= std::max(1.0, shrinks * piece.before);
            for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += part_[k];
            continue;
        }
        const double middle = 0.5 * (piece.a + piece.b);
        const double before = piece.depth <= compared_with ? unresolved_ : piece.before;
        work.push_back({middle, piece.b, piece.depth + 1, before});
        work.push_back({piece.a, middle, piece.depth + 1, before});
    }
    return resolved;
}

bool RunningIntegrals::advance(const Interpolant& step) {
    if (empty()) return true;
    partial_ = false;
    return integrate(step, step.begin(), step.end(), q_);
}

void RunningIntegrals::at(const Interpolant& step, double t, double* q) const {
    const bool goes_on =
        partial_ && partial_from_ == step.begin() && (step.end() >= step.begin() ? t >= partial_t_ : t <= partial_t_);
    if (!goes_on) {
        partial_q_ = q_;
        partial_t_ = partial_from_ = step.begin();
        partial_ = true;
    }
    if (t != partial_t_) (void)integrate(step, partial_t_, t, partial_q_); // advance() tells
    partial_t_ = t;
    std::copy(partial_q_.begin(), partial_q_.end(), q);
}

void Interpolant::integrals(double t, double* q) const {
    if (integrals_ != nullptr && !integrals_->empty()) integrals_->at(*this, t, q);
}

} // namespace daedalus::integrate
