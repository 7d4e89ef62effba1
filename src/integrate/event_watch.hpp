// Events that never end: conditions that push against each other while no time passes (chattering, a sliding motion in
// the sense of Filippov 1988), and events that accumulate in finite time (a ball that bounces lower and lower).
#pragma once

#include "integrate/statistics.hpp"

#include <deque>
#include <vector>

namespace daedalus::integrate {

class EventWatch {
public:
    /// `span`: length of the run.
    EventWatch(bool forward, double t1, double span) : forward_(forward), t1_(t1), span_(span) {}

    void restart() { recent_.clear(); }
    /// For checkpoints.
    [[nodiscard]] std::vector<double> state() const;
    void set_state(const std::vector<double>& state);
    /// After an accepted step: hundreds of steps, refusals and events in next to no time.
    [[nodiscard]] bool chattering(double t, const Counters& counters);
    /// After an event at which states or held values were changed: true if infinitely many would follow before limit().
    [[nodiscard]] bool accumulating(double t);
    [[nodiscard]] double limit() const { return limit_; }

private:
    struct RecentStep {
        double t;
        long trouble; ///< refusals and events until then
    };
    bool forward_;
    double t1_, span_;
    std::deque<RecentStep> recent_;
    double last_ = 0.0, interval_ = 0.0, limit_ = 0.0;
    int shrinking_ = 0; ///< events in a row, each sooner than the one before
};

} // namespace daedalus::integrate
