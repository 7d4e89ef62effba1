// What happens between steps: located events, stops and known instants, the event iteration, and what begins anew
// there.
#include "integrate/driver_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace daedalus::integrate {

void Driver::collect_stops() {
    const auto inside = [&](double t) { return forward_ ? t > t0_ && t < t1_ : t < t0_ && t > t1_; };
    for (const double t : options_.stop_times)
        if (inside(t)) stops_.push_back({t, false});
    for (const double t : problem_.time_events)
        if (inside(t)) stops_.push_back({t, true});
    std::sort(stops_.begin(), stops_.end(), [&](const Stop& a, const Stop& b) {
        if (a.t != b.t) return forward_ ? a.t < b.t : a.t > b.t;
        return a.discontinuity && !b.discontinuity;
    });
    stops_.erase(std::unique(stops_.begin(), stops_.end(), [](const Stop& a, const Stop& b) { return a.t == b.t; }),
                 stops_.end());
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
    for (const int root : last_event_) list += (list.empty() ? "" : ", ") + problem_.roots_legend->equation(root);
    return list;
}

Driver::Flow Driver::fail_chattering(double t) {
    result_.failure.reason = FailureReason::chattering;
    result_.failure.t = t;
    result_.failure.cause = "the condition " + conditions() +
                            " switches back and forth: each branch drives the solution over to the other one, so that "
                            "it can only slide along the border between them (Filippov 1988)";
    return finish(Outcome::failed);
}

Driver::Flow Driver::fail_accumulation(double t) {
    const Flow flow = fail_chattering(t);
    char text[32];
    std::snprintf(text, sizeof text, "%.8g", watch_.limit());
    result_.failure.cause = "the events of " + conditions() +
                            " come faster and faster and would be infinitely many before t = " + text +
                            "; the model does not say how it goes on from there";
    return flow;
}

Driver::Flow Driver::at_event(double t_before) {
    ++result_.statistics.counters.events;
    last_event_.assign(roots_->which().begin(), roots_->which().end());
    const double t = roots_->time();
    const EventPoint point{t, roots_->which(), roots_->direction(), x_, dx_};
    const Action action = observer_.event(point);
    roots_->cross();
    if (settle(t, t - t_before) == Flow::end) return Flow::end;
    if (acted_ && watch_.accumulating(t)) return fail_accumulation(t);
    restart(t);
    if (action == Action::stop) return finish(Outcome::stopped);
    return t == t1_ ? finish(Outcome::finished) : Flow::proceed;
}

/// Event iteration: everything but the states follows the new branches, and branches that this decides follow in turn;
/// then clauses act, which may change both.
Driver::Flow Driver::settle(double t, double time_scale) {
    const int most = 2 * problem_.modes.size + 50;
    const problem::Discrete& discrete = problem_.discrete;
    bool ends = false;
    acted_ = false;
    for (int pass = 0; pass < most; ++pass) {
        if (pass == 0) (void)roots_->settle(t, x_.data(), dx_.data(), forward_);
        (void)consistent_->refine(t, time_scale, x_.data(), dx_.data(), false);
        if (roots_->settle(t, x_.data(), dx_.data(), forward_)) continue;
        if (discrete.empty()) return Flow::proceed;
        const problem::Discrete::Change change = discrete.update(discrete.context, t, x_.data(), dx_.data());
        if (change.ends && !ends) {
            ends = true;
            result_.message = change.message;
        }
        if (change.values || change.states) {
            acted_ = acted_ || change.states;
            (void)roots_->settle(t, x_.data(), dx_.data(), forward_);
            continue;
        }
        if (discrete.end(discrete.context, t)) {
            (void)roots_->settle(t, x_.data(), dx_.data(), forward_);
            discrete.note(discrete.context, t, x_.data(), dx_.data());
        }
        if (!ends) return Flow::proceed;
        stepper_->start(t, x_, dx_, h_);
        return finish(Outcome::terminated);
    }
    last_event_.clear();
    for (int k = 0; k < problem_.modes.size; ++k) last_event_.push_back(k);
    return fail_chattering(t);
}

/// What happens at the start itself.
Driver::Flow Driver::first_event() {
    const problem::Discrete& discrete = problem_.discrete;
    if (discrete.empty()) {
        // Branches that change at t0 itself: initial values are those before, a run begins behind it.
        if (problem_.modes.size == 0) return Flow::proceed;
        std::vector<double> r(x_.size());
        (void)problem_.residual(t0_, x_.data(), dx_.data(), r.data());
        double largest = 0.0, size = 1.0;
        for (std::size_t k = 0; k < r.size(); ++k) {
            largest = std::max(largest, std::abs(r[k]));
            size = std::max({size, std::abs(x_[k]), std::abs(dx_[k])});
        }
        if (largest <= 1e-9 * size) return Flow::proceed;
    } else {
        discrete.begin(discrete.context, t0_, x_.data(), dx_.data());
    }
    stepper_->start(t0_, x_, dx_, 0.0);
    return settle(t0_, std::abs(t1_ - t0_));
}

/// Another method from here on, if that is expected to pay.
bool Driver::change_method(double t) {
    if (!reconsider_) return false;
    const Method* other = reconsider_(
        {t, t0_, t1_, steps(), result_.statistics.counters.restarts, stepper_->counters().steps, stepper_->stiff()});
    if (other == nullptr || other == method_) return false;
    result_.statistics.counters = totals();
    const std::vector<signed char> sides = roots_->sides();
    method_ = other;
    make_parts();
    roots_->set_sides(sides);
    result_.method_changes.push_back({t, other->name});
    return true;
}

/// Where stability limits an explicit method, another one goes on, if one may.
void Driver::leave_stiffness() {
    if (!stepper_->stiff() || stepper_->t() == t1_) return;
    result_.stiff = true;
    const double t = stepper_->t();
    x_.assign(stepper_->x().begin(), stepper_->x().end());
    dx_.assign(stepper_->dx().begin(), stepper_->dx().end());
    if (change_method(t)) start(t, h_);
}

/// The method begins anew at t with x_, dx_ (consistent).
void Driver::restart(double t) {
    ++result_.statistics.counters.restarts;
    if (t == t1_) {
        stepper_->start(t, x_, dx_, h_);
        return;
    }
    (void)change_method(t);
    start(t, 0.0);
}

Driver::Flow Driver::at_stop() {
    const double t = stepper_->t();
    for (;;) {
        const Stop stop = next_stop();
        const double reached = stop.discontinuity ? std::nextafter(stop.t, t0_) : stop.t;
        if (!beyond_or_at(t, reached) || (stop.t == t1_ && !stop.discontinuity)) break;
        if (stop_ < stops_.size() && stops_[stop_].t == stop.t) ++stop_;
        if (!stop.discontinuity) {
            if (instant_.t == stop.t) instant_ = problem_.instants.next(problem_.instants.context, stop.t, t1_);
            continue;
        }
        x_.assign(stepper_->x().begin(), stepper_->x().end());
        dx_.assign(stepper_->dx().begin(), stepper_->dx().end());
        if (settle(stop.t, h_) == Flow::end) return Flow::end;
        restart(stop.t);
    }
    return t == t1_ ? finish(Outcome::finished) : Flow::proceed;
}

} // namespace daedalus::integrate
