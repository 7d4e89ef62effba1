#include "integrate/stops.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::integrate {

Stops::Stops(const problem::ImplicitProblem& problem, const IntegrationOptions& options, const Interval& interval)
    : problem_(problem), interval_(interval), fixed_step_(options.method.fixed_step) {
    for (const double t : options.stop_times)
        if (interval.inside(t)) list_.push_back({t, false});
    for (const double t : problem.hybrid().time_events)
        if (interval.inside(t)) list_.push_back({t, true});
    std::sort(list_.begin(), list_.end(), [&](const Stop& a, const Stop& b) {
        if (a.t != b.t) return interval.forward() ? a.t < b.t : a.t > b.t;
        return a.discontinuity && !b.discontinuity;
    });
    list_.erase(std::unique(list_.begin(), list_.end(), [](const Stop& a, const Stop& b) { return a.t == b.t; }),
                list_.end());
}

Stop Stops::next() const {
    const Stop stop = at_ < list_.size() ? list_[at_] : Stop{interval_.t1, false};
    if (!std::isfinite(instant_.t) || interval_.beyond_or_at(instant_.t, interval_.t1)) return stop;
    if (instant_.t == stop.t) return {stop.t, stop.discontinuity || instant_.discontinuity};
    return interval_.beyond_or_at(instant_.t, stop.t) ? stop : Stop{instant_.t, instant_.discontinuity};
}

void Stops::add(double t_stop, double t) {
    if (interval_.beyond_or_at(t, t_stop) || interval_.beyond_or_at(t_stop, interval_.t1)) return;
    const auto place = std::find_if(list_.begin() + static_cast<std::ptrdiff_t>(at_), list_.end(),
                                    [&](const Stop& stop) { return interval_.beyond_or_at(stop.t, t_stop); });
    if (place == list_.end() || place->t != t_stop) list_.insert(place, {t_stop, false});
}

void Stops::look_ahead(double t) {
    const auto next = problem_.hybrid().next_instant;
    instant_ = next == nullptr ? problem::Instant{} : next(problem_.code(), problem_.environment(), t, interval_.t1);
    if (!fixed_step_) features_.look(problem_, t, interval_);
}

Stops::Target Stops::aim(double t, double wanted) const {
    double h = features_.limited(t, wanted);
    for (const double longest : longest_)
        if (std::abs(h) > longest) h = std::copysign(longest, h);
    constexpr double next_to = 1e-4; // of the way left: stretching by so little changes no error estimate
    const Stop stop = next();
    // End one rounding before a discontinuity: a stage at its time would already see the other side.
    const double end = stop.discontinuity ? std::nextafter(stop.t, t) : stop.t;
    const double room = end - t;
    Target target{h, t + h};
    if (std::abs(h) >= std::abs(room) * (1.0 - next_to)) {
        target = {room, end};
    } else if (!fixed_step_ && std::abs(h) > 0.5 * std::abs(room)) {
        target.h = 0.5 * room; // two equal steps instead of a long and a tiny one
        target.t = t + target.h;
    }
    // Far from t = 0 the sum is rounded: over many steps the solution would run ahead of the clock, or behind it. A
    // size that is kept saves a factorisation; what it is off by adds up to this part of the run at most, however many
    // steps there are.
    constexpr double noticeable = 1e-10;
    const double way = target.t - t;
    if (std::abs(way - target.h) > noticeable * std::abs(target.h)) target.h = way;
    return target;
}

/// Discontinuities some roundings of the clock ahead have been reached: two clocks that tick together do so up to that
/// (k/f and k times the rounded 1/f), and there is no step from one to the other.
bool Stops::reached(const Stop& stop, double t) const {
    constexpr double clock_roundings = 4; // as for zeros that are one event (root_search)
    double end = stop.t;
    if (stop.discontinuity) {
        const double rounding = clock_roundings * std::numeric_limits<double>::epsilon() * std::abs(stop.t);
        end = interval_.forward() ? std::min(stop.t - rounding, std::nextafter(stop.t, interval_.t0))
                                  : std::max(stop.t + rounding, std::nextafter(stop.t, interval_.t0));
    }
    return interval_.beyond_or_at(t, end) && (stop.t != interval_.t1 || stop.discontinuity);
}

void Stops::pass(const Stop& stop) {
    if (at_ < list_.size() && list_[at_].t == stop.t) ++at_;
    if (!stop.discontinuity && instant_.t == stop.t) look_ahead(stop.t); // else the start behind it looks
}

void Stops::skip_to(double t) {
    at_ = 0;
    while (at_ < list_.size() && interval_.beyond_or_at(t, list_[at_].t)) ++at_;
}

} // namespace daedalus::integrate
