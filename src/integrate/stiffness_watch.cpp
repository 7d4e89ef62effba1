#include "integrate/stiffness_watch.hpp"

#include "integrate/event_iteration.hpp"
#include "integrate/run.hpp"

#include <cmath>

namespace daedalus::integrate {

namespace {

// A thousand steps for a thousandth of the run: it would take a million. Of runs that get on, nine in ten have fewer
// than 6 percent of their steps refused (docs/experiments/constants.md). The smallest steps are 16 roundings of the
// time: in steps of a thousand of these it is known to 1e-4 of a step.
constexpr long looks = 1000;     // accepted steps from one look to the next
constexpr double nowhere = 1e-3; // of the run, for all of them together
constexpr double many = 0.05;    // of them refused by the error test: jumps that nobody announces, or noise
constexpr double crawling = 1e3; // smallest possible steps, on the average
// So many slow steps that go no further than this would have to be followed by more than 1e10, for months; where
// another method did not get on either, more than 1e8 are too many.
constexpr long patience = 20000;
constexpr double hopeless = 2e-6, hopeless_again = 2e-4; // of the run

} // namespace

void StiffnessWatch::load(Run&, const Checkpoint& c) {
    mark_ = {c.t, c.statistics.counters.steps, c.statistics.counters.error_rejections};
}

StiffnessWatch::Pace StiffnessWatch::look(const Run& run) {
    if (run.steps() - mark_.steps < looks) return {};
    const double t = run.stepper->t(), way = std::abs(t - mark_.t);
    const long rejections = run.result.statistics.counters.error_rejections;
    Pace pace{true, way < nowhere * run.interval.length()};
    pace.crawls = way < looks * crawling * run.control.smallest(t);
    pace.slow = pace.short_way && static_cast<double>(rejections - mark_.rejections) > many * looks;
    mark_ = {t, run.steps(), rejections};
    return pace;
}

/// Slow from look to look, for so long that the end is out of reach.
bool StiffnessWatch::endless(const Run& run, const Pace& pace) {
    if (!pace.looked) return false;
    if (!pace.slow) {
        slow_since_.reset();
        return false;
    }
    if (!slow_since_) slow_since_ = mark_;
    const bool long_enough = run.steps() - slow_since_->steps >= patience;
    const double least = run.result.method_changes.empty() ? hopeless : hopeless_again;
    const bool moved = std::abs(mark_.t - slow_since_->t) > least * run.interval.length();
    if (long_enough && moved) slow_since_ = mark_;
    return long_enough && !moved;
}

Flow StiffnessWatch::before(Run& run) {
    const Pace pace = look(run);
    if (endless(run, pace)) {
        run.take_point();
        return run.fail(diagnose(run.circumstances(FailureReason::none, StepStatus::ok, run.control.wanted())));
    }
    if (pace.short_way) run.stepper->suspect_noise();
    if (pace.crawls)
        if (const std::optional<Flow> passed = events_.leave_singular_point()) return *passed;
    if (!run.stepper->stiff() && !pace.slow) return Flow::proceed;
    run.result.stiff = run.result.stiff || run.stepper->stiff();
    const double t = run.stepper->t();
    run.take_point();
    if (run.change_method(t, pace.slow)) run.take_over(t, run.control.wanted());
    return Flow::proceed;
}

} // namespace daedalus::integrate
