#include "integrate/running_integrals.hpp"

#include "integrate/run.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace daedalus::integrate {

namespace {

// Nodes and weights on [-1, 1] of Gauss with 3 points and of its Kronrod extension with 7 (Kronrod 1965); nodes with
// odd position are those of Gauss. Degrees of exactness are checked in a test. The null rules vanish for polynomials of
// degree 4 and 3; they are orthogonal to each other and to the difference of Kronrod and Gauss, which vanishes for
// degree 5, and have its norm.
struct Node {
    double x, kronrod, gauss, fifth, fourth;
};
constexpr Node nodes[] = {
    {-0.96049126870802028342, 0.10465622602646726519, 0.0, -0.19841726305962898, 0.28044712554188267},
    {-0.77459666924148337704, 0.26848808986833344073, 5.0 / 9, 0.43891514246215813, -0.39663963072141933},
    {-0.43424374934680255800, 0.40139741477596222291, 0.0, -0.34405597990957693, -0.10999177075213724},
    {0.0, 0.45091653865847414235, 8.0 / 9, 0.0, 0.45236855186334685},
    {0.43424374934680255800, 0.40139741477596222291, 0.0, 0.34405597990957693, -0.10999177075213724},
    {0.77459666924148337704, 0.26848808986833344073, 5.0 / 9, -0.43891514246215813, -0.39663963072141933},
    {0.96049126870802028342, 0.10465622602646726519, 0.0, 0.19841726305962898, 0.28044712554188267}};

bool all_finite(const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

} // namespace

RunningIntegrals::RunningIntegrals(const problem::ImplicitProblem& problem, const Tolerance& tolerance)
    : problem_(problem), relative_(tolerance.relative), absolute_(tolerance.absolute), q_(problem.quadratures().start) {
    const auto n = static_cast<std::size_t>(problem.size());
    x_.resize(n);
    dx_.resize(n);
    for (auto* v : {&rate_, &sixth_, &fifth_, &fourth_, &kronrod_, &size_, &error_, &part_, &errors_, &partial_q_})
        v->resize(q_.size());
}

bool RunningIntegrals::mentions_only_states() const {
    if (problem_.quadratures().mention_derivatives) return false;
    std::vector<char> state(x_.size());
    for (std::size_t k = 0; k < state.size(); ++k) state[k] = problem_.unknowns()[k].differential ? 1 : 0;
    // Of those that take part in the choice only the chosen ones are.
    for (const problem::ChoiceBlock& block : problem_.state_choice().blocks)
        for (const std::vector<int>& chain : block.chain)
            for (const int k : chain) state[static_cast<std::size_t>(k)] = 0;
    for (const problem::Link& link : problem_.links()) state[static_cast<std::size_t>(link.state)] = 1;
    const std::vector<int>& mentioned = problem_.quadratures().unknowns;
    return std::all_of(mentioned.begin(), mentioned.end(),
                       [&](int k) { return state[static_cast<std::size_t>(k)] != 0; });
}

double RunningIntegrals::weight(std::size_t k, double change) const {
    return relative_ * std::max(std::abs(q_[k]), std::abs(change)) +
           absolute_ * std::abs(problem_.quadratures().nominal[k]);
}

/// NaN where what the rates depend on is not known.
void RunningIntegrals::rates_at(const Interpolant& step, double t) const {
    const double accuracy = 1e-3 * relative_; // rates may magnify it
    bool known = true;
    if (from_polynomial_)
        step.evaluate(t, x_.data(), dx_.data());
    else
        known = step.evaluate_consistent(t, x_.data(), dx_.data(), accuracy);
    if (known)
        (void)problem_.evaluate(problem_.quadratures().rates, t, x_.data(), dx_.data(), rate_.data());
    else
        std::fill(rate_.begin(), rate_.end(), std::numeric_limits<double>::quiet_NaN());
    ++evaluations_;
}

/// Decides whether the polynomial will do in this step: at two nodes, which lie unsymmetrically so that what oscillates
/// cannot hide from both.
void RunningIntegrals::look_between(const Interpolant& step) const {
    if (revision_ != problem_.revision()) {
        from_states_ = mentions_only_states();
        revision_ = problem_.revision();
    } else if (looked_begin_ == step.begin() && looked_end_ == step.end()) {
        return;
    }
    looked_begin_ = step.begin();
    looked_end_ = step.end();
    from_polynomial_ = true;
    if (from_states_) return;
    const double h = std::abs(step.end() - step.begin());
    for (const Node& node : {nodes[2], nodes[5]}) {
        const double t = step.begin() + 0.5 * (1.0 + node.x) * (step.end() - step.begin());
        rates_at(step, t);
        part_ = rate_;
        // A thousandth of the tolerance, so that what the iteration leaves is not taken for a difference below.
        from_polynomial_ = step.follow_states(t, x_.data(), dx_.data(), 1e-3 * relative_) &&
                           problem_.evaluate(problem_.quadratures().rates, t, x_.data(), dx_.data(), rate_.data()) ==
                               problem::EvalStatus::ok;
        constexpr double unseen = 0.01; // of the tolerance: it may add up over many steps
        for (std::size_t k = 0; k < rate_.size() && from_polynomial_; ++k)
            from_polynomial_ = h * std::abs(rate_[k] - part_[k]) <= unseen * weight(k, h * rate_[k]);
        if (!from_polynomial_) return;
    }
}

/// One application; true if its error is at most this share of the tolerance.
bool RunningIntegrals::rule(const Interpolant& step, double a, double b, double share) const {
    const double half = 0.5 * (b - a), middle = 0.5 * (a + b);
    for (auto* v : {&sixth_, &fifth_, &fourth_, &kronrod_, &size_}) std::fill(v->begin(), v->end(), 0.0);
    for (const Node& node : nodes) {
        rates_at(step, middle + half * node.x);
        for (std::size_t k = 0; k < rate_.size(); ++k) {
            kronrod_[k] += half * node.kronrod * rate_[k];
            size_[k] += std::abs(half * node.kronrod * rate_[k]);
            sixth_[k] += half * (node.kronrod - node.gauss) * rate_[k];
            fifth_[k] += half * node.fifth * rate_[k];
            fourth_[k] += half * node.fourth * rate_[k];
        }
    }
    bool accurate = all_finite(kronrod_);
    unresolved_ = 0.0;
    for (std::size_t k = 0; k < q_.size(); ++k) {
        const double allowed = weight(k, kronrod_[k]);
        // The difference is the error of Gauss, O(h^7); that of Kronrod is O(h^13) and far below. 1.5: as in QUADPACK,
        // that is ρ^9 where coefficients decrease as ρ^k.
        const auto error = [&](double coefficient, double power) {
            return size_[k] > 0.0 ? size_[k] * std::pow(std::min(1.0, std::abs(coefficient) / size_[k]), power) : 0.0;
        };
        error_[k] = std::max({error(sixth_[k], 9.0 / 6), error(fifth_[k], 9.0 / 5), error(fourth_[k], 9.0 / 4)});
        accurate = accurate && error_[k] <= share * allowed;
        unresolved_ = std::max(unresolved_, std::max(std::abs(sixth_[k]), std::abs(fifth_[k])) / allowed);
    }
    return accurate;
}

/// Into part_ and its errors_, by halving.
bool RunningIntegrals::integrate_pieces(const Interpolant& step, double a, double b, double share,
                                        int& halvings) const {
    // Next to what is not smooth pieces shrink to round-off. A pole looks the same in all sizes then.
    constexpr int most_halvings = 120, compared_with = 6;
    constexpr double shrinks = 0.25; // at least: 2^-6 for a jump, 2^-3 for the pole of 1/√t, whose integral exists
    constexpr double eps = std::numeric_limits<double>::epsilon();
    struct Piece {
        double a, b;
        int depth;
        std::array<double, compared_with> before; ///< what was unresolved in the last so many depths
    };
    std::fill(part_.begin(), part_.end(), 0.0);
    std::fill(errors_.begin(), errors_.end(), 0.0);
    std::vector<Piece> work{{a, b, 0, {}}};
    while (!work.empty()) {
        Piece piece = work.back();
        work.pop_back();
        bool done = rule(step, piece.a, piece.b, share);
        if (!all_finite(kronrod_) || (!done && halvings-- == 0)) return false;
        double& before = piece.before[static_cast<std::size_t>(piece.depth % compared_with)];
        const double width = std::abs(piece.b - piece.a);
        if (!done &&
            (piece.depth == most_halvings || width <= 16 * eps * std::max(std::abs(piece.a), std::abs(piece.b)))) {
            if (unresolved_ > std::max(1.0, shrinks * before)) return false;
            std::fill(error_.begin(), error_.end(), 0.0); // smaller pieces would not tell more
            done = true;
        }
        if (done) {
            for (std::size_t k = 0; k < part_.size(); ++k) {
                part_[k] += kronrod_[k];
                errors_[k] += error_[k];
            }
            continue;
        }
        before = unresolved_;
        const double middle = 0.5 * (piece.a + piece.b);
        work.push_back({middle, piece.b, piece.depth + 1, piece.before});
        work.push_back({piece.a, middle, piece.depth + 1, piece.before});
    }
    return true;
}

bool RunningIntegrals::integrate(const Interpolant& step, double a, double b, std::vector<double>& sum) const {
    look_between(step);
    // Steps of a method that sees the integrand cost no more than so many.
    int halvings = from_polynomial_ ? 1 << 20 : 1 << 14;
    // Errors of many pieces add up: then each has a smaller share.
    constexpr double enough = 0.5;
    double share = 0.1;
    for (int before = halvings; integrate_pieces(step, a, b, share, halvings); before = halvings) {
        double total = 0.0;
        for (std::size_t k = 0; k < part_.size(); ++k)
            if (errors_[k] > 0.0) total = std::max(total, errors_[k] / weight(k, part_[k]));
        if (total <= enough) {
            for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += part_[k];
            return true;
        }
        // Shorter by ten at a time while halves do not help, and so that what is left of the halvings reaches it.
        share = std::min(0.1 * share, enough / (before - halvings + 1));
    }
    return false;
}

bool RunningIntegrals::advance(const Interpolant& step) {
    if (empty()) return true;
    partial_ = false;
    return integrate(step, step.begin(), step.end(), q_) && !std::exchange(lost_, false);
}

void RunningIntegrals::at(const Interpolant& step, double t, double* q) const {
    const bool goes_on =
        partial_ && partial_from_ == step.begin() && (step.end() >= step.begin() ? t >= partial_t_ : t <= partial_t_);
    if (!goes_on) {
        partial_q_ = q_;
        partial_t_ = partial_from_ = step.begin();
        partial_ = true;
    }
    if (t != partial_t_ && !integrate(step, partial_t_, t, partial_q_)) lost_ = true;
    partial_t_ = t;
    std::copy(partial_q_.begin(), partial_q_.end(), q);
}

Flow RunningIntegrals::delivered(Run& run, const AcceptedStep& step) {
    if (advance(step.interpolant)) return Flow::proceed;
    run.result.integrand_failed = true;
    return run.fail(FailureReason::not_finite, StepStatus::not_finite, step.h);
}

void RunningIntegrals::save(const Run&, Checkpoint& c) const { c.integrals = q_; }

void RunningIntegrals::load(Run&, const Checkpoint& c) { q_ = c.integrals; }

} // namespace daedalus::integrate
