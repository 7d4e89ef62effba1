#include "integrate/chattering_watch.hpp"

#include "integrate/event_failures.hpp"
#include "integrate/event_iteration.hpp"
#include "integrate/run.hpp"

namespace daedalus::integrate {

Flow ChatteringWatch::delivered(Run& run, const AcceptedStep& step) {
    if (!run.roots->active() || !events_.watch().chattering(step.t, run.result.statistics.counters))
        return Flow::proceed;
    if (!run.roots->rest(events_.conditions(), step.t, step.x.data(), step.dx.data(), run.options.tolerance.relative))
        return run.fail(chattering_report(run, events_.conditions(), step.t));
    events_.watch().restart();
    return Flow::proceed;
}

} // namespace daedalus::integrate
