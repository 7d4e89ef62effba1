// What happens between steps: located events, stops and known instants, the event iteration, and what begins anew
// there.
#include "integrate/driver_run.hpp"
#include "integrate/error_norm.hpp"
#include "integrate/singular_passage.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace daedalus::integrate {

namespace {
std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.8g", value);
    return text;
}
} // namespace

void Driver::collect_stops() {
    const auto inside = [&](double t) { return forward_ ? t > t0_ && t < t1_ : t < t0_ && t > t1_; };
    for (const double t : options_.stop_times)
        if (inside(t)) stops_.push_back({t, false});
    for (const double t : problem_.hybrid().time_events)
        if (inside(t)) stops_.push_back({t, true});
    std::sort(stops_.begin(), stops_.end(), [&](const Stop& a, const Stop& b) {
        if (a.t != b.t) return forward_ ? a.t < b.t : a.t > b.t;
        return a.discontinuity && !b.discontinuity;
    });
    stops_.erase(std::unique(stops_.begin(), stops_.end(), [](const Stop& a, const Stop& b) { return a.t == b.t; }),
                 stops_.end());
}

/// That the problem knows of, behind t.
problem::Instant Driver::next_instant(double t) const {
    const auto next = problem_.hybrid().next_instant;
    return next == nullptr ? problem::Instant{} : next(problem_.code(), problem_.environment(), t, t1_);
}

/// A stop from the list, or what the problem has found, or the end.
Driver::Stop Driver::next_stop() const {
    Stop stop = stop_ < stops_.size() ? stops_[stop_] : Stop{t1_, false};
    if (!std::isfinite(instant_.t) || beyond_or_at(instant_.t, t1_)) return stop;
    if (instant_.t == stop.t) return {stop.t, stop.discontinuity || instant_.discontinuity};
    return beyond_or_at(instant_.t, stop.t) ? stop : Stop{instant_.t, instant_.discontinuity};
}

/// Of the last event, in the model's words.
std::string Driver::conditions() const {
    std::string list;
    for (const int root : last_event_) list += (list.empty() ? "" : ", ") + problem_.hybrid().legend->equation(root);
    return list;
}

Driver::Flow Driver::fail_chattering(double t) {
    result_.failure.reason = FailureReason::chattering;
    result_.failure.t = t;
    result_.failure.cause = "the condition " + conditions() +
                            " switches back and forth: each branch drives the solution over to the other one, so that "
                            "it can only slide along the border between them (Filippov 1988)" +
                            unstable_mode(circumstances(FailureReason::chattering, StepStatus::ok, h_));
    return finish(Outcome::failed);
}

Driver::Flow Driver::fail_accumulation(double t) {
    const Flow flow = fail_chattering(t);
    result_.failure.cause =
        "the events of " + conditions() +
        " come faster and faster and would be infinitely many before t = " + number(watch_.limit()) +
        "; the model does not say how it goes on from there";
    return flow;
}

Driver::Flow Driver::at_event(double t_before) {
    ++result_.statistics.counters.events;
    last_event_.assign(roots_->which().begin(), roots_->which().end());
    double t = roots_->time();
    const EventPoint point{t, roots_->which(), roots_->direction(), x_, dx_};
    remember_point(t);
    ErrorNorm norm(problem_, options_.tolerance, options_.norm);
    norm.set_weights(x_.data(), 1.0);
    roots_->note_tolerance(t, x_.data(), dx_.data(), norm.weights());
    const Action action = observer_.event(point);
    const MethodMemory memory = stepper_->remember(t);
    roots_->cross();
    if (settle(t, t - t_before) == Flow::end) return Flow::end;
    if (acted_ && watch_.accumulating(t)) return fail_accumulation(t);
    if (action == Action::stop) {
        stepper_->start(t, x_, dx_, h_);
        return finish(Outcome::stopped);
    }
    go_on_behind(t, memory);
    return t == t1_ ? last_event(Outcome::finished) : Flow::proceed;
}

/// The point at an event, on the branches before it.
void Driver::remember_point(double t) {
    before_ = {x_, dx_, branches_of(problem_, roots_->sides())};
    residual_before_.clear();
    if (!consistent_->branches_of_higher_index()) return;
    residual_before_.resize(x_.size());
    (void)problem_.residual(t, x_.data(), dx_.data(), residual_before_.data());
}

/// Whether the equations behind an event are those before it, of higher index than 1: then the point may stay as it is.
bool Driver::same_equations(double t) const {
    if (residual_before_.empty()) return false;
    std::vector<double> r(residual_before_.size());
    return problem_.residual(t, before_.x.data(), before_.dx.data(), r.data()) == problem::EvalStatus::ok &&
           r == residual_before_;
}

/// Whether the event has left the point alone: neither x nor the slope over a step of size h has changed by anything
/// that the error test would see. What follows may have a kink in its slope.
bool Driver::smooth_there(double h) const {
    if (!consistent_->applicable()) return false; // x' of higher index is not known well enough
    constexpr double unseen = 0.01;               // of the tolerance
    // Steps may be tiny here for other reasons, and then every jump of a slope would go unseen.
    constexpr double short_time = 1e-3; // of the run
    h = std::max(std::abs(h), short_time * std::abs(t1_ - t0_));
    ErrorNorm norm(problem_, options_.tolerance, options_.norm);
    norm.set_weights(before_.x.data(), 1.0);
    const std::span<const double> weight = norm.weights();
    for (std::size_t k = 0; k < x_.size(); ++k) {
        if (!(std::abs(x_[k] - before_.x[k]) * weight[k] <= unseen)) return false;
        if (problem_.unknowns()[k].differential && !(std::abs(h * (dx_[k] - before_.dx[k])) * weight[k] <= unseen))
            return false;
    }
    return true;
}

/// From the event at t: where the solution is as smooth as a kink leaves it, the method goes on with its step size and
/// what it remembers; else it begins anew.
void Driver::go_on_behind(double t, const MethodMemory& memory) {
    if (t == t1_ || !smooth_there(h_)) return restart(t);
    start(t, h_, memory);
}

/// Event iteration: everything but the states follows the new branches, and branches that this decides follow in turn;
/// then clauses act, which may change both.
Driver::Flow Driver::settle(double& t, double time_scale) {
    const int most = 2 * problem_.hybrid().modes.size + 50;
    const problem::Discrete& discrete = problem_.hybrid().discrete;
    bool ends = false;
    acted_ = false;
    consistent_->forget_branches();
    std::vector<std::pair<int, double>> jumps; // values that clauses gave to unknowns
    for (int pass = 0; pass < most; ++pass) {
        if (pass == 0) (void)roots_->settle(t, x_.data(), dx_.data(), forward_);
        const bool reached = consistent_->refine(t, time_scale, x_.data(), dx_.data(), false);
        if (roots_->settle(t, x_.data(), dx_.data(), forward_)) continue;
        const bool again = !reached && hand_over_again(t, time_scale);
        const bool stays = !reached && !again && jumps.empty() && same_equations(t);
        if (stays) {
            x_ = before_.x;
            dx_ = before_.dx;
        }
        const Jump far = stays || again ? Jump::none : jump(t, time_scale, reached);
        if (far == Jump::impossible && !jumps.empty()) return fail_reinit(jumps.front().first, t);
        if (stays || far == Jump::impossible)
            if (const std::optional<Flow> passed = pass_singular_point(t, stays)) {
                if (*passed == Flow::end) return Flow::end;
                continue;
            }
        if (far == Jump::impossible && !hand_over(t, time_scale)) return fail_jump(t);
        if (far == Jump::made && roots_->settle(t, x_.data(), dx_.data(), forward_)) continue;
        if (discrete.empty()) return Flow::proceed;
        const problem::Discrete::Change change =
            discrete.update(problem_.code(), problem_.environment(), t, x_.data(), dx_.data());
        if (change.fails) {
            stepper_->start(t, x_, dx_, h_);
            result_.failure.reason = FailureReason::assertion;
            result_.failure.t = t;
            result_.failure.cause = change.message;
            result_.failure.where = change.where;
            return finish(Outcome::failed);
        }
        if (change.ends && !ends) {
            ends = true;
            result_.message = change.message;
        }
        if (change.values || change.states) {
            acted_ = acted_ || change.states;
            for (const int unknown : change.set) {
                std::erase_if(jumps, [&](const auto& jump) { return jump.first == unknown; });
                jumps.emplace_back(unknown, x_[static_cast<std::size_t>(unknown)]);
            }
            if (!change.set.empty()) lead(jumps, t);
            (void)roots_->settle(t, x_.data(), dx_.data(), forward_);
            continue;
        }
        for (const auto& [unknown, value] : jumps) {
            const auto k = static_cast<std::size_t>(unknown);
            // A value may be put back onto constraints, which those of others obey to the tolerance, but not be lost.
            const double close = std::max(1e-6, 10 * options_.tolerance.relative);
            if (!(std::abs(x_[k] - value) <= close * std::max(std::abs(value), problem_.unknowns()[k].nominal)))
                return fail_reinit(unknown, t);
        }
        if (discrete.end(problem_.code(), problem_.environment(), t)) {
            (void)roots_->settle(t, x_.data(), dx_.data(), forward_);
            discrete.note(problem_.code(), problem_.environment(), t, x_.data(), dx_.data());
        }
        if (!ends) return Flow::proceed;
        stepper_->start(t, x_, dx_, h_);
        return finish(Outcome::terminated);
    }
    last_event_.clear();
    for (int k = 0; k < problem_.hybrid().modes.size; ++k) last_event_.push_back(k);
    return fail_chattering(t);
}

/// Where branches have settled and Newton's iteration has not reached a point on them, or one that is far: other ways.
Driver::Jump Driver::jump(double t, double time_scale, bool reached) {
    if (!consistent_->applicable()) return Jump::none;
    BranchPoint behind{x_, dx_, branches_of(problem_, roots_->sides())};
    if (reached && !jump_->doubt(t, time_scale, before_, behind)) return Jump::none;
    if (!reached && !jump_->find(t, time_scale, before_, behind)) return Jump::impossible;
    x_ = std::move(behind.x);
    dx_ = std::move(behind.dx);
    return Jump::made;
}

/// From the values before the event to those on these sides, if all conditions agree with them.
bool Driver::reach(const std::vector<signed char>& sides, double t, double time_scale) {
    roots_->set_sides(sides);
    x_ = before_.x;
    dx_ = before_.dx;
    consistent_->forget_branches();
    return consistent_->refine(t, time_scale, x_.data(), dx_.data(), false) && roots_->agree(t, x_.data(), dx_.data());
}

/// Ideal diodes hand a current over to each other: where one begins to conduct, others end at once, from any current.
/// The branches that are set have no solution then; those that agree with all conditions are looked for, with as few
/// changes as do.
bool Driver::hand_over(double t, double time_scale) {
    const std::vector<signed char> present = roots_->sides();
    const std::vector<int> others = roots_->decided_elsewhere();
    constexpr int most = 500; // attempts, each of a few iterations
    int attempts = 0;
    for (std::size_t changes = 1; changes <= others.size(); ++changes) {
        std::vector<char> chosen(others.size(), 0);
        std::fill_n(chosen.begin(), changes, 1);
        do {
            std::vector<signed char> sides = present;
            for (std::size_t k = 0; k < others.size(); ++k)
                if (chosen[k] != 0) sides[static_cast<std::size_t>(others[k])] *= -1;
            if (reach(sides, t, time_scale)) {
                handed_over_[{before_.branches.sides, present}] = std::move(sides);
                return true;
            }
        } while (++attempts < most && std::prev_permutation(chosen.begin(), chosen.end()));
    }
    roots_->set_sides(present);
    return false;
}

/// As it was found to do between the same sides: without what is tried before.
bool Driver::hand_over_again(double t, double time_scale) {
    const std::vector<signed char> present = roots_->sides();
    const auto known = handed_over_.find({before_.branches.sides, present});
    if (known == handed_over_.end()) return false;
    const std::vector<double> x = x_, dx = dx_;
    if (reach(known->second, t, time_scale)) return true;
    roots_->set_sides(present);
    x_ = x;
    dx_ = dx;
    return false;
}

/// Where the equations are singular at the event itself, or no step leads to the point before it, the solution may go
/// on a little later: from the point remembered to the branches that are set, to those beyond all conditions that
/// vanish there, or on the same branches. `steep_only`: where steps may do as well, they are to.
std::optional<Driver::Flow> Driver::pass_singular_point(double& t, bool steep_only) {
    if (!consistent_->applicable() || steps() == 0) return {};
    ErrorNorm norm(problem_, options_.tolerance, options_.norm);
    norm.set_weights(before_.x.data(), 1.0);
    const std::vector<signed char> present = roots_->sides(), &same = before_.branches.sides;
    constexpr double root_of_rounding = 1e-6; // unknowns behave as roots there and are no better known
    const std::vector<signed char> other = roots_->other_sides(
        t, before_.x.data(), before_.dx.data(), std::max(options_.tolerance.relative, root_of_rounding), same);
    std::vector<std::vector<signed char>> candidates{present};
    for (const std::vector<signed char>& sides : {other, same})
        if (std::find(candidates.begin(), candidates.end(), sides) == candidates.end()) candidates.push_back(sides);
    const SingularPassage::Point regular{t_start_, {x_start_, dx_start_, before_.branches}};
    std::optional<SingularPassage> passage;
    for (const std::vector<signed char>& sides : candidates) {
        roots_->set_sides(sides);
        passage =
            SingularPassage::find(problem_, *jump_, options_.linear_solver, regular, {t, before_},
                                  branches_of(problem_, sides), next_stop().t - t, smallest_step(), norm.weights());
        if (passage && (passage->steep() || !steep_only)) break;
        passage.reset();
    }
    if (!passage) {
        roots_->set_sides(present);
        return {};
    }
    if (passage->steep()) note({t, passage->undetermined()});
    const double t_before = t, h = passage->behind().t - t;
    t = passage->behind().t;
    x_ = passage->behind().at.x;
    dx_ = passage->behind().at.dx;
    const Interpolant interpolant(*passage, *consistent_, t_before, t, &integrals_);
    const AcceptedStep step{t_before, t, h, 1, 0.0, std::exchange(failures_, 0), x_, dx_, interpolant};
    const Action action = observer_.step(step);
    const bool integrable = integrals_.advance(interpolant);
    if (integrable && action == Action::proceed) return Flow::proceed;
    stepper_->start(t, x_, dx_, h);
    if (action == Action::stop) return finish(Outcome::stopped);
    result_.integrand_failed = true;
    return fail(FailureReason::not_finite, StepStatus::not_finite, h);
}

/// From a point before it that no step leads away from.
std::optional<Driver::Flow> Driver::leave_singular_point() {
    double t = stepper_->t();
    x_.assign(stepper_->x().begin(), stepper_->x().end());
    dx_.assign(stepper_->dx().begin(), stepper_->dx().end());
    remember_point(t);
    const std::optional<Flow> passed = pass_singular_point(t, false);
    if (passed != Flow::proceed) return passed;
    if (settle(t, t - stepper_->t()) == Flow::end) return Flow::end;
    restart(t);
    return Flow::proceed;
}

Driver::Flow Driver::fail_reinit(int unknown, double t) {
    stepper_->start(t, before_.x, before_.dx, h_);
    result_.failure.reason = FailureReason::inconsistent_start;
    result_.failure.t = t;
    result_.failure.cause = "the value that reinit gives to " + problem_.names().variable(unknown) +
                            " contradicts the equations: with it, the other values that are set at this event or kept "
                            "over it cannot hold";
    return finish(Outcome::failed);
}

Driver::Flow Driver::fail_jump(double t) {
    stepper_->start(t, before_.x, before_.dx, h_);
    result_.failure.reason = FailureReason::inconsistent_event;
    result_.failure.t = t;
    std::string rows;
    const std::vector<int>& resisting = jump_->resisting();
    const auto is_link = [&](int row) { return row >= problem_.kernel_rows(); }; // says nothing to anybody
    const bool links_only = std::all_of(resisting.begin(), resisting.end(), is_link);
    for (const int row : resisting) {
        if (is_link(row) && !links_only) continue;
        rows += (rows.empty() ? "" : ", ") + problem_.names().equation(row);
        result_.failure.residual_rows.push_back({row, 1.0});
    }
    result_.failure.cause = "no consistent values were found behind the event at t = " + number(t) +
                            ": with what is continuous there kept as it is, these equations do not hold: " + rows;
    return finish(Outcome::failed);
}

/// The end of a run that has reached it: clauses that wait for it act.
Driver::Flow Driver::last_event(Outcome outcome) {
    const problem::Discrete& discrete = problem_.hybrid().discrete;
    if (discrete.empty() || discrete.last == nullptr) return finish(outcome);
    x_.assign(stepper_->x().begin(), stepper_->x().end());
    dx_.assign(stepper_->dx().begin(), stepper_->dx().end());
    double t = stepper_->t();
    remember_point(t);
    discrete.last(problem_.code(), problem_.environment());
    const Flow flow = settle(t, std::max(std::abs(h_), 1e-300));
    observer_.end(t, x_, dx_);
    if (flow == Flow::end) return Flow::end;
    stepper_->start(t, x_, dx_, h_);
    return finish(outcome);
}

/// What happens at the start itself.
Driver::Flow Driver::first_event() {
    const problem::Discrete& discrete = problem_.hybrid().discrete;
    if (discrete.empty()) {
        // Branches that change at t0 itself: initial values are those before, a run begins behind it.
        if (problem_.hybrid().modes.size == 0) return Flow::proceed;
        std::vector<double> r(x_.size());
        (void)problem_.residual(t0_, x_.data(), dx_.data(), r.data());
        double largest = 0.0, size = 1.0;
        for (std::size_t k = 0; k < r.size(); ++k) {
            largest = std::max(largest, std::abs(r[k]));
            size = std::max({size, std::abs(x_[k]), std::abs(dx_[k])});
        }
        if (largest <= 1e-9 * size) return Flow::proceed;
    } else {
        discrete.begin(problem_.code(), problem_.environment(), t0_, x_.data(), dx_.data());
    }
    remember_point(t0_);
    stepper_->start(t0_, x_, dx_, 0.0);
    double t = t0_;
    return settle(t, std::abs(t1_ - t0_));
}

/// Another method from here on, if that is expected to pay.
bool Driver::change_method(double t, bool stuck) {
    if (!reconsider_) return false;
    const Method* other = reconsider_({t, t0_, t1_, steps(), result_.statistics.counters.restarts,
                                       steps() - method_since_, stepper_->stiff(), stuck});
    if (other == nullptr || other == method_) return false;
    const char* reason = stuck               ? "the method before did not get on"
                         : stepper_->stiff() ? "the problem is stiff there"
                                             : "events are dense, and this one has no start-up phase";
    result_.statistics.counters = totals();
    const std::vector<signed char> sides = roots_->sides();
    method_ = other;
    make_parts();
    watch_.restart();
    method_since_ = steps();
    roots_->set_sides(sides);
    result_.method_changes.push_back({t, other->name, reason});
    return true;
}

/// Where stability limits an explicit method, another one goes on, if one may.
Driver::Flow Driver::leave_stiffness() {
    const bool stuck = hardly_moves();
    if (crawls_)
        if (const std::optional<Flow> passed = leave_singular_point()) return *passed;
    if ((!stepper_->stiff() && !stuck) || stepper_->t() == t1_) return Flow::proceed;
    result_.stiff = result_.stiff || stepper_->stiff();
    const double t = stepper_->t();
    x_.assign(stepper_->x().begin(), stepper_->x().end());
    dx_.assign(stepper_->dx().begin(), stepper_->dx().end());
    if (change_method(t, stuck)) go_on_with_other(t, h_);
    return Flow::proceed;
}

/// Whether many of the latest steps were refused and all of them together went next to nowhere: jumps that nobody
/// announces, or noise.
bool Driver::hardly_moves() {
    crawls_ = false;
    constexpr long looks = 1000; // accepted steps
    constexpr double nowhere = 1e-3, many = 0.05;
    if (steps() - mark_.steps < looks) return false;
    const long rejections = result_.statistics.counters.error_rejections;
    constexpr double crawling = 1e3; // smallest steps
    crawls_ = std::abs(stepper_->t() - mark_.t) < looks * crawling * smallest_step();
    const bool slow = std::abs(stepper_->t() - mark_.t) < nowhere * std::abs(t1_ - t0_) &&
                      static_cast<double>(rejections - mark_.rejections) > many * looks;
    mark_ = {stepper_->t(), steps(), rejections};
    return slow;
}

/// Another method takes over; what began at the last event has not begun anew.
void Driver::go_on_with_other(double t, double h) {
    const double began = t_start_;
    std::vector<double> x = x_start_, dx = dx_start_;
    start(t, h);
    t_start_ = began;
    x_start_ = std::move(x);
    dx_start_ = std::move(dx);
}

/// The method begins anew at t with x_, dx_ (consistent).
void Driver::restart(double t) {
    ++result_.statistics.counters.restarts;
    if (t == t1_) {
        stepper_->start(t, x_, dx_, h_);
        return;
    }
    (void)change_method(t);
    // The step before tells more than the slope behind does, which moves by a few tolerances only in what is chosen
    // from it. Methods with a past begin at order 1 and need that.
    constexpr double part = 0.01;
    const bool one_step = stepper_->remember(stepper_->t()).times.empty();
    start(t, 0.0, {}, one_step ? part * std::abs(h_) : 0.0);
}

Driver::Flow Driver::at_stop() {
    const double t = stepper_->t();
    for (;;) {
        const Stop stop = next_stop();
        const double reached = stop.discontinuity ? std::nextafter(stop.t, t0_) : stop.t;
        if (!beyond_or_at(t, reached) || (stop.t == t1_ && !stop.discontinuity)) break;
        if (stop_ < stops_.size() && stops_[stop_].t == stop.t) ++stop_;
        if (!stop.discontinuity) {
            if (instant_.t == stop.t) instant_ = next_instant(stop.t);
            continue;
        }
        x_.assign(stepper_->x().begin(), stepper_->x().end());
        dx_.assign(stepper_->dx().begin(), stepper_->dx().end());
        remember_point(stop.t);
        const MethodMemory memory = stepper_->remember(t);
        double behind = stop.t;
        if (settle(behind, h_) == Flow::end) return Flow::end;
        go_on_behind(behind, memory);
    }
    return t == t1_ ? last_event(Outcome::finished) : Flow::proceed;
}

} // namespace daedalus::integrate
