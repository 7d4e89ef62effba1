#include "simulation/growth_watch.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::simulation {

namespace {

// A look costs a Jacobian, a factorisation and some solves: about a step. It is not made more often than this, and in
// long runs in proportion to what lies behind, up to so many steps.
constexpr long least_gap = 4, largest_gap = 64, share = 16;
constexpr double longest_time = 1.0 / 32; // of the run: what the equations are is known at the looks only
constexpr int largest = 2000; // unknowns: above, a second factorisation of everything is felt in time and memory
const double gamma = 1.0 - 1.0 / std::sqrt(2.0);

} // namespace

// What drifts from constraints grows, too; that is measured and said by itself (run_warnings).
GrowthWatch::GrowthWatch(const problem::ImplicitProblem& problem, const integrate::Tolerance& tolerance,
                         linalg::SolverKind kind, double t1)
    : problem_(problem), active_(problem.has_entries() && problem.size() > 0 && problem.size() <= largest &&
                                 problem.highest_index() <= 1 && problem.hidden_constraints().drifting == 0),
      links_(problem.links().begin(), problem.links().end()), jacobian_(problem), before_(problem), t1_(t1) {
    if (!active_) return;
    const auto n = static_cast<std::size_t>(problem.size());
    matrix_ = std::make_unique<integrate::ShiftedMatrix<double>>(problem, kind);
    for (std::size_t i = 0; i < n; ++i) {
        const problem::UnknownInfo& info = problem.unknowns()[i];
        if (!info.auxiliary) looked_at_.push_back(static_cast<int>(i));
        relative_.push_back(tolerance.relative_each.empty() ? tolerance.relative : tolerance.relative_each[i]);
        absolute_.push_back(tolerance.absolute_each.empty() ? tolerance.absolute * std::abs(info.nominal)
                                                            : tolerance.absolute_each[i]);
    }
    for (auto* v : {&largest_, &e_, &y1_, &y2_, &trial_, &other_}) v->assign(n, 0.0);
    active_ = !looked_at_.empty();
}

double GrowthWatch::in_tolerances(int unknown, double error) const {
    if (!active_) return 0.0;
    const auto i = static_cast<std::size_t>(unknown);
    return error / (relative_[i] * largest_[i] + absolute_[i]);
}

double GrowthWatch::norm(const std::vector<double>& v, int* where) const {
    double sum = 0.0, most = 0.0;
    for (const int unknown : looked_at_) {
        const auto i = static_cast<std::size_t>(unknown);
        const double tolerance = relative_[i] * largest_[i] + absolute_[i];
        const double part = tolerance > 0.0 ? v[i] / tolerance : 0.0;
        sum += part * part;
        if (where == nullptr || std::abs(part) <= most) continue;
        most = std::abs(part);
        *where = unknown;
    }
    return std::sqrt(sum / static_cast<double>(looked_at_.size()));
}

void GrowthWatch::step(const integrate::AcceptedStep& step) {
    if (!active_) return;
    if (steps_ == 0) t_ = t0_ = step.t_before;
    // Branches may be others behind an event, and time may have been spent there.
    if (step.restarts != restarts_) {
        t_ = step.t_before;
        at_begin_ = false;
    }
    restarts_ = step.restarts;
    for (const int unknown : looked_at_) {
        double& most = largest_[static_cast<std::size_t>(unknown)];
        most = std::max(most, std::abs(step.x[static_cast<std::size_t>(unknown)]));
    }
    errors_ += std::isfinite(step.error) ? std::min(step.error, 1.0) : 0.0;
    ++steps_;
    const bool enough = ++since_ >= std::clamp(steps_ / share, least_gap, largest_gap);
    if (!enough && step.t != t1_ && std::abs(step.t - t_) < longest_time * std::abs(t1_ - t0_)) return;
    look(step.t, step.x.data(), step.dx.data());
}

/// (J + σ M)⁻¹ σ M v.
void GrowthWatch::smooth(const integrate::JacobianValues& jacobian, double shift, const std::vector<double>& from,
                         std::vector<double>& to) {
    std::fill(to.begin(), to.end(), 0.0);
    jacobian.apply(0.0, shift, from.data(), to.data());
    matrix_->solve(to, counters_);
}

/// What the error test let pass since the last look.
bool GrowthWatch::add_errors(const integrate::JacobianValues& jacobian, double shift) {
    for (std::size_t i = 0; i < y1_.size(); ++i)
        y1_[i] = ((random_() >> 16U) & 1U ? -1.0 : 1.0) * (relative_[i] * largest_[i] + absolute_[i]);
    smooth(jacobian, shift, y1_, y2_);
    const double size = norm(y2_);
    if (!(size > 0.0) || !std::isfinite(size)) return false;
    for (std::size_t i = 0; i < e_.size(); ++i) e_[i] += errors_ / size * y2_[i];
    all_errors_ += errors_;
    errors_ = 0.0;
    return true;
}

bool GrowthWatch::carry(const integrate::JacobianValues& jacobian, double h, int substeps, std::vector<double>& e) {
    const double shift = substeps / (gamma * h);
    if (matrix_->factor(jacobian, shift, counters_) != linalg::FactorStatus::ok) return false;
    if (errors_ > 0.0 && !add_errors(jacobian, shift)) return false;
    e = e_;
    for (int k = 0; k < substeps; ++k) {
        smooth(jacobian, shift, e, y1_);
        smooth(jacobian, shift, y1_, y2_);
        for (std::size_t i = 0; i < e.size(); ++i) e[i] = y2_[i] + std::sqrt(2.0) * (y2_[i] - y1_[i]);
    }
    return std::isfinite(norm(e));
}

/// At t, and what was there at the last look goes to before_.
bool GrowthWatch::linearise(double t, const double* x, const double* dx) {
    const std::span<const problem::Link> links = problem_.links();
    const bool exchanged = !std::equal(links.begin(), links.end(), links_.begin(), links_.end(),
                                       [](const problem::Link& a, const problem::Link& b) {
                                           return a.state == b.state && a.derivative == b.derivative;
                                       });
    if (exchanged) {
        links_.assign(links.begin(), links.end());
        jacobian_.resize();
        before_.resize();
        matrix_->resize(problem_);
        at_begin_ = false;
    }
    std::swap(before_, jacobian_);
    const bool ok = jacobian_.evaluate(t, x, dx, counters_) == problem::EvalStatus::ok;
    if (ok && !at_begin_) before_ = jacobian_;
    at_begin_ = ok;
    return ok && !exchanged; // linearised in other states, a time before tells nothing
}

/// e over the time h by one linearisation, into `to`: where it grows by more than a step of Φ is made for, in shorter
/// ones.
bool GrowthWatch::propagate(const integrate::JacobianValues& jacobian, double h, int substeps,
                            std::vector<double>& to) {
    constexpr int finer = 4, most = 4096;      // so many resolve e^1000, which is beyond all numbers
    const double step_growth = std::log(1.65); // z = 1/2, where R is off by 2 percent
    for (; substeps <= most; substeps *= finer) {
        if (!carry(jacobian, h, substeps, to)) return false;
        const double before = norm(e_), after = norm(to);
        if (before == 0.0 || std::log(after / before) <= step_growth * substeps) return true;
    }
    return false;
}

/// Errors of the states as they are, and of all that follows from them by the equations at the end of the time h.
bool GrowthWatch::follow_algebra(double h, std::initializer_list<std::vector<double>*> errors) {
    constexpr double sharp =
        1e7; // of the states, a ten-millionth of what their slopes would change in this time is lost
    const double shift = sharp / h;
    if (matrix_->factor(jacobian_, shift, counters_) != linalg::FactorStatus::ok) return false;
    for (std::vector<double>* e : errors) {
        smooth(jacobian_, shift, *e, y1_);
        e->swap(y1_);
    }
    return true;
}

void GrowthWatch::look(double t, const double* x, const double* dx) {
    const double h = t - t_;
    const auto steps = static_cast<int>(since_);
    since_ = 0;
    t_ = t;
    if (h == 0.0 || !linearise(t, x, dx)) return;
    // Steps of high order are long compared with the time in which equations change, and the exponential of what is too
    // large by half is far too large: growth counts where the equations at both ends of the time agree on it.
    constexpr double alike = 3.0;
    const int substeps = (steps + 1) / 2;
    if (!propagate(jacobian_, h, substeps, trial_)) return;
    double before = norm(e_);
    const double by_end = norm(trial_);
    if (by_end > before) {
        // What is algebraic follows the states at once: sizes are compared as the equations at the end have them.
        if (!propagate(before_, h, substeps, other_) || !follow_algebra(h, {&e_, &other_})) return;
        before = norm(e_);
    }
    if (by_end > before) {
        const double by_begin = norm(other_), smaller = std::min(by_begin, by_end);
        if (by_begin < by_end) trial_.swap(other_);
        if (std::max(by_begin, by_end) > alike * smaller && smaller > before)
            for (double& v : trial_) v *= before / smaller;
    }
    e_.swap(trial_);
    int where = -1;
    const double size = norm(e_, &where);
    if (size > worst_.error) worst_ = {size, all_errors_ > 0.0 ? size / all_errors_ : 1.0, t, where};
}

} // namespace daedalus::simulation
