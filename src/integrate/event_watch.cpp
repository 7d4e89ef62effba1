#include "integrate/event_watch.hpp"

#include <cmath>

namespace daedalus::integrate {

std::vector<double> EventWatch::state() const {
    std::vector<double> s{last_, interval_, limit_, static_cast<double>(shrinking_)};
    for (const RecentStep& step : recent_) {
        s.push_back(step.t);
        s.push_back(static_cast<double>(step.trouble));
    }
    return s;
}

void EventWatch::set_state(const std::vector<double>& s) {
    if (s.size() < 4) return;
    last_ = s[0];
    interval_ = s[1];
    limit_ = s[2];
    shrinking_ = static_cast<int>(s[3]);
    recent_.clear();
    for (std::size_t k = 4; k + 1 < s.size(); k += 2) recent_.push_back({s[k], static_cast<long>(s[k + 1])});
}

bool EventWatch::chattering(double t, const Counters& c) {
    constexpr std::size_t many = 200;        // accepted steps looked back at
    constexpr double next_to_nothing = 1e-4; // of the run, for all of them together
    if (c.events == 0) return false;
    recent_.push_back({t, c.newton_rejections + c.error_rejections + c.events});
    if (recent_.size() <= many) return false;
    const RecentStep before = recent_.front();
    recent_.pop_front();
    return recent_.back().trouble - before.trouble > static_cast<long>(many) / 3 &&
           std::abs(t - before.t) < next_to_nothing * span_;
}

bool EventWatch::accumulating(double t) {
    constexpr int long_enough = 12; // events whose intervals shrink by the same ratio: chance does not make a dozen
    // Of the run. A model may have a rule of its own for coming to rest, and is given the chance to; at intervals that
    // are much shorter than this, what happens between two events is less than what the tolerance resolves.
    constexpr double short_enough = 1e-5;
    const double interval = std::abs(t - last_), ratio = interval / interval_;
    shrinking_ = ratio > 0.02 && ratio < 0.98 ? shrinking_ + 1 : 0;
    last_ = t;
    interval_ = interval;
    if (shrinking_ < long_enough || interval > short_enough * span_) return false;
    const double rest = interval * ratio / (1.0 - ratio); // of a geometric sequence
    limit_ = forward_ ? t + rest : t - rest;
    return forward_ ? limit_ < t1_ : limit_ > t1_;
}

} // namespace daedalus::integrate
