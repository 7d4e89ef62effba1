#include "integrate/stiffness_watch.hpp"

#include "integrate/event_iteration.hpp"
#include "integrate/run.hpp"

#include <cmath>

namespace daedalus::integrate {

namespace {

// Found to work on the test problems; not derived.
constexpr long looks = 1000;     // accepted steps from one look to the next
constexpr double nowhere = 1e-3; // of the run, for all of them together
constexpr double many = 0.05;    // of them refused by the error test: jumps that nobody announces, or noise
constexpr double crawling = 1e3; // smallest possible steps, on the average

} // namespace

void StiffnessWatch::load(Run&, const Checkpoint& c) {
    mark_ = {c.t, c.statistics.counters.steps, c.statistics.counters.error_rejections};
}

StiffnessWatch::Pace StiffnessWatch::look(const Run& run) {
    if (run.steps() - mark_.steps < looks) return {};
    const double t = run.stepper->t(), way = std::abs(t - mark_.t);
    const long rejections = run.result.statistics.counters.error_rejections;
    Pace pace;
    pace.crawls = way < looks * crawling * run.control.smallest(t);
    pace.slow =
        way < nowhere * run.interval.length() && static_cast<double>(rejections - mark_.rejections) > many * looks;
    mark_ = {t, run.steps(), rejections};
    return pace;
}

Flow StiffnessWatch::before(Run& run) {
    const Pace pace = look(run);
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
