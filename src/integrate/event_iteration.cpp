#include "integrate/event_iteration.hpp"

#include "integrate/error_norm.hpp"
#include "integrate/event_failures.hpp"
#include "integrate/run.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

EventIteration::EventIteration(Run& run, ChoiceOfStates& states)
    : run_(run), states_(states), hand_over_(run),
      watch_(run.interval.forward(), run.interval.t1, run.interval.length()) {}

void EventIteration::forget(Run&) { watch_.restart(); }

void EventIteration::save(const Run&, Checkpoint& c) const { c.watch = watch_.state(); }

void EventIteration::load(Run&, const Checkpoint& c) {
    hand_over_.forget();
    watch_.set_state(c.watch);
}

Flow EventIteration::at_start() {
    const problem::Discrete& discrete = run_.problem.hybrid().discrete;
    const double t0 = run_.interval.t0;
    if (discrete.begin == nullptr) {
        // Branches that change at t0 itself: initial values are those before, a run begins behind it.
        if (run_.problem.hybrid().modes.size == 0) return Flow::proceed;
        std::vector<double> r(run_.x.size());
        (void)run_.problem.residual(t0, run_.x.data(), run_.dx.data(), r.data());
        double largest = 0.0, size = 1.0;
        for (std::size_t k = 0; k < r.size(); ++k) {
            largest = std::max(largest, std::abs(r[k]));
            size = std::max({size, std::abs(run_.x[k]), std::abs(run_.dx[k])});
        }
        // A consistent start leaves 1e-11 of the sum of the terms of a row (GaussNewtonOptions::tolerance); the largest
        // unknown may be a hundredth of that sum.
        constexpr double consistent = 1e-9;
        if (largest <= consistent * size) return Flow::proceed;
    } else if (!run_.options.continuation.active) {
        discrete.begin(run_.problem.code(), run_.problem.environment(), t0, run_.x.data(), run_.dx.data());
    }
    remember_point(t0);
    run_.place(t0, run_.x, run_.dx, 0.0);
    double t = t0;
    return iterate(t, run_.interval.length());
}

Flow EventIteration::at_root(double t_before) {
    RootFinder& roots = *run_.roots;
    ++run_.result.statistics.counters.events;
    conditions_.assign(roots.which().begin(), roots.which().end());
    double t = roots.time();
    const EventPoint point{t, roots.which(), roots.direction(), run_.x, run_.dx};
    remember_point(t);
    ErrorNorm norm(run_.problem, run_.options.tolerance, run_.options.norm);
    norm.set_weights(run_.x.data(), 1.0);
    roots.note_tolerance(t, run_.x.data(), run_.dx.data(), norm.weights());
    const Action action = run_.observer.event(point);
    const MethodMemory memory = run_.stepper->remember(t);
    roots.cross();
    if (iterate(t, t - t_before) == Flow::end) return Flow::end;
    if (turned_back(t) && hand_over_.leave_fold(before_, roots.which(), t, t - t_before) &&
        iterate(t, t - t_before) == Flow::end)
        return Flow::end;
    if (acted_ && watch_.accumulating(t)) {
        run_.place(t);
        return run_.fail(accumulation_report(run_, conditions_, t, watch_.limit()));
    }
    if (action == Action::stop) {
        run_.place(t);
        return run_.end(Outcome::stopped);
    }
    go_on_behind(t, memory);
    return t == run_.interval.t1 ? at_end(Outcome::finished) : Flow::proceed;
}

/// Whether what was located is what was located last, in the other direction, and no time has passed: asked once, for
/// what found no way out will find none a moment later.
bool EventIteration::turned_back(double t) {
    constexpr double no_time = 1e-9; // of the run: far below what separates events that models mean
    const std::vector<int>&which = run_.roots->which(), &direction = run_.roots->direction();
    bool back = which == turned_ && std::abs(t - turned_at_) <= no_time * run_.interval.length();
    for (std::size_t k = 0; k < direction.size() && back; ++k) back = direction[k] == -turned_direction_[k];
    returns_ = back ? returns_ + 1 : 0;
    turned_ = which;
    turned_direction_ = direction;
    turned_at_ = t;
    return returns_ == 1;
}

Flow EventIteration::at_discontinuity(double t_jump) {
    run_.take_point();
    remember_point(t_jump);
    const MethodMemory memory = run_.stepper->remember(run_.stepper->t());
    double behind = t_jump;
    if (iterate(behind, run_.control.wanted()) == Flow::end) return Flow::end;
    go_on_behind(behind, memory);
    return Flow::proceed;
}

Flow EventIteration::at_end(Outcome outcome) {
    const problem::Discrete& discrete = run_.problem.hybrid().discrete;
    if (discrete.empty() || discrete.last == nullptr) return run_.end(outcome);
    run_.take_point();
    double t = run_.stepper->t();
    remember_point(t);
    discrete.last(run_.problem.code(), run_.problem.environment());
    const Flow flow = iterate(t, std::max(std::abs(run_.control.wanted()), 1e-300));
    run_.observer.end(t, run_.x, run_.dx);
    if (flow == Flow::end) return Flow::end;
    run_.place(t);
    return run_.end(outcome);
}

/// The point at an event, on the branches before it.
void EventIteration::remember_point(double t) {
    before_ = {run_.x, run_.dx, branches_of(run_.problem, run_.roots->sides())};
    const problem::Discrete& discrete = run_.problem.hybrid().discrete;
    if (discrete.arrive != nullptr)
        discrete.arrive(run_.problem.code(), run_.problem.environment(), t, run_.x.data(), run_.dx.data());
    residual_before_.clear();
    if (!run_.consistent->branches_of_higher_index()) return;
    residual_before_.resize(run_.x.size());
    (void)run_.problem.residual(t, run_.x.data(), run_.dx.data(), residual_before_.data());
}

/// Whether the equations behind an event are those before it, of higher index than 1: then the point may stay as it is.
bool EventIteration::same_equations(double t) const {
    if (residual_before_.empty()) return false;
    std::vector<double> r(residual_before_.size());
    return run_.problem.residual(t, before_.x.data(), before_.dx.data(), r.data()) == problem::EvalStatus::ok &&
           r == residual_before_;
}

/// Whether the event has left the point alone: neither x nor the slope over a step of size h has changed by anything
/// that the error test would see. What follows may have a kink in its slope.
bool EventIteration::smooth_there(double h) const {
    if (!run_.consistent->applicable()) return false; // x' of higher index is not known well enough
    constexpr double unseen =
        0.01; // of the tolerance: well below the error of a step; measured (docs/experiments/constants.md)
    // Steps may be tiny here for other reasons, and then every jump of a slope would go unseen.
    constexpr double short_time = 1e-3; // of the run; measured
    h = std::max(std::abs(h), short_time * run_.interval.length());
    ErrorNorm norm(run_.problem, run_.options.tolerance, run_.options.norm);
    norm.set_weights(before_.x.data(), 1.0);
    const std::span<const double> weight = norm.weights();
    for (std::size_t k = 0; k < run_.x.size(); ++k) {
        if (!(std::abs(run_.x[k] - before_.x[k]) * weight[k] <= unseen)) return false;
        if (run_.problem.unknowns()[k].differential &&
            !(std::abs(h * (run_.dx[k] - before_.dx[k])) * weight[k] <= unseen))
            return false;
    }
    return true;
}

/// From the event at t: where the solution is as smooth as a kink leaves it, the method goes on with its step size and
/// what it remembers; else it begins anew.
void EventIteration::go_on_behind(double t, const MethodMemory& memory) {
    if (t == run_.interval.t1 || !smooth_there(run_.control.wanted())) return run_.restart_after_event(t);
    run_.start(t, {.h = run_.control.wanted(), .memory = memory});
}

Flow EventIteration::iterate(double& t, double time_scale) {
    const int most = 2 * run_.problem.hybrid().modes.size + 50; // each condition there and back, and clauses besides
    ends_ = false;
    acted_ = false;
    run_.consistent->forget_branches();
    Values given;
    seen_.clear();
    one_by_one_ = false;
    for (int pass = 0; pass < most; ++pass) {
        if (pass == 0) (void)settle_branches(t);
        watch_cycles();
        Pass next = follow_branches(t, time_scale, given);
        if (next == Pass::over) next = let_clauses_act(t, given);
        if (next == Pass::end) return Flow::end;
        if (next == Pass::again) continue;
        if (!ends_) return Flow::proceed;
        run_.place(t);
        return run_.end(Outcome::terminated);
    }
    conditions_.clear();
    for (int k = 0; k < run_.problem.hybrid().modes.size; ++k) conditions_.push_back(k);
    return run_.fail(chattering_report(run_, conditions_, t));
}

/// Conditions that are on their other side at the point change F; true if some did.
bool EventIteration::settle_branches(double t) {
    return run_.roots->settle(t, run_.x.data(), run_.dx.data(), run_.interval.forward());
}

/// Branches that come back at one event would do so for ever. Conditions that all change at once may step over the
/// branch between theirs: a clutch that slips forward because it slipped backward, where it would stick. Then they
/// change one by one (settle_on_the_way).
void EventIteration::watch_cycles() {
    const std::vector<signed char>& now = run_.roots->sides();
    if (one_by_one_ || now.empty()) return;
    if (std::find(seen_.begin(), seen_.end(), now) != seen_.end())
        one_by_one_ = true;
    else
        seen_.push_back(now);
}

/// Katzenelson (1965), for piecewise linear networks: on the straight way from the last point, where all conditions
/// agreed with their branches, to the one on the present branches the first condition that changes ends the branch; the
/// way goes on from there on the next one. True if there is such a condition.
bool EventIteration::settle_on_the_way(double t) {
    const auto part =
        run_.roots->settle_first(t, left_.x, left_.dx, run_.x.data(), run_.dx.data(), run_.interval.forward());
    if (!part) return false;
    for (std::size_t k = 0; k < run_.x.size(); ++k) {
        run_.x[k] = left_.x[k] + *part * (run_.x[k] - left_.x[k]);
        run_.dx[k] = left_.dx[k] + *part * (run_.dx[k] - left_.dx[k]);
    }
    return true;
}

/// Moves the point onto the present branches. `over`: it is, and all conditions agree with them.
EventIteration::Pass EventIteration::follow_branches(double& t, double time_scale, const Values& given) {
    if (one_by_one_) left_ = {run_.x, run_.dx, {}};
    const bool reached = run_.consistent->refine(t, time_scale, run_.x.data(), run_.dx.data(), false);
    if (one_by_one_ ? reached && settle_on_the_way(t) : settle_branches(t)) return Pass::again;
    const bool repeated = !reached && hand_over_.repeat(before_, t, time_scale);
    const bool stays = !reached && !repeated && given.empty() && same_equations(t);
    if (stays) {
        run_.x = before_.x;
        run_.dx = before_.dx;
    }
    const Jump far = stays || repeated ? Jump::none : jump(t, time_scale, reached);
    if (far == Jump::impossible && !given.empty()) {
        (void)fail_before(reinit_report(run_, given.front().first, t), t);
        return Pass::end;
    }
    if (stays || far == Jump::impossible)
        if (const std::optional<Flow> passed = pass_singular_point(t, stays))
            return *passed == Flow::end ? Pass::end : Pass::again;
    if (far == Jump::impossible && !hand_over_.search(before_, t, time_scale)) {
        (void)fail_before(jump_report(run_, t), t);
        return Pass::end;
    }
    return far == Jump::made && settle_branches(t) ? Pass::again : Pass::over;
}

/// Where branches have settled and Newton's iteration has not reached a point on them, or one that is far: other ways.
EventIteration::Jump EventIteration::jump(double t, double time_scale, bool reached) {
    if (!run_.consistent->applicable()) return Jump::none;
    BranchPoint behind{run_.x, run_.dx, branches_of(run_.problem, run_.roots->sides())};
    if (reached && !run_.jump->doubt(t, time_scale, before_, behind)) return Jump::none;
    if (!reached && !run_.jump->find(t, time_scale, before_, behind)) return Jump::impossible;
    run_.x = std::move(behind.x);
    run_.dx = std::move(behind.dx);
    return Jump::made;
}

/// One pass of the clauses. `over`: they have nothing left to do, and all values that they gave hold.
EventIteration::Pass EventIteration::let_clauses_act(double t, Values& given) {
    problem::ImplicitProblem& problem = run_.problem;
    const problem::Discrete& discrete = problem.hybrid().discrete;
    if (discrete.update == nullptr) return Pass::over;
    const problem::Discrete::Change change =
        discrete.update(problem.code(), problem.environment(), t, run_.x.data(), run_.dx.data());
    if (change.fails) {
        run_.place(t);
        FailureReport report;
        report.reason = FailureReason::assertion;
        report.t = t;
        report.cause = change.message;
        report.where = change.where;
        (void)run_.fail(std::move(report));
        return Pass::end;
    }
    if (change.ends && !ends_) {
        ends_ = true;
        run_.result.message = change.message;
    }
    if (change.values || change.states) {
        acted_ = true;
        seen_.clear();
        one_by_one_ = false;
        std::vector<int> leaders;
        for (const int unknown : change.set) {
            std::erase_if(given, [&](const auto& value) { return value.first == unknown; });
            given.emplace_back(unknown, run_.x[static_cast<std::size_t>(unknown)]);
        }
        for (const auto& [unknown, value] : given) leaders.push_back(unknown);
        // What follows for those that cannot be states will be compared with what was given.
        if (!change.set.empty()) states_.lead(run_, leaders, t);
        (void)settle_branches(t);
        return Pass::again;
    }
    for (const auto& [unknown, value] : given) {
        const auto k = static_cast<std::size_t>(unknown);
        // A value may be put back onto constraints, which those of others obey to the tolerance, but not be lost.
        const double close = std::max(1e-6, 10 * run_.options.tolerance.relative);
        if (std::abs(run_.x[k] - value) <= close * std::max(std::abs(value), problem.unknowns()[k].nominal)) continue;
        (void)fail_before(reinit_report(run_, unknown, t), t);
        return Pass::end;
    }
    if (discrete.end(problem.code(), problem.environment(), t)) {
        (void)settle_branches(t);
        discrete.note(problem.code(), problem.environment(), t, run_.x.data(), run_.dx.data());
    }
    return Pass::over;
}

/// The run ends with the point before the event.
Flow EventIteration::fail_before(FailureReport report, double t) {
    run_.place(t, before_.x, before_.dx, run_.control.wanted());
    return run_.fail(std::move(report));
}

} // namespace daedalus::integrate
