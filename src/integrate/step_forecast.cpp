#include "integrate/step_forecast.hpp"

#include "integrate/run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace daedalus::integrate {

namespace {

constexpr int low_order = 2; // beyond, a digit costs at most twice the steps

// Shares of the user's limit of steps, of which there are ten million by default.
constexpr long sensible = 10; // so many may be made by a method of low order …
constexpr long first = 200;   // … and after so many the past tells what is ahead: transients have shorter steps
constexpr long look = 1000;   // from one look to the next

std::string rounded(double steps) {
    char text[16];
    std::snprintf(text, sizeof text, "%.0e", steps);
    return text;
}

} // namespace

void StepForecast::load(Run&, const Checkpoint& c) { mark_ = {c.t, c.statistics.counters.steps}; }

Flow StepForecast::settled(Run& run) {
    if (run.over || run.result.statistics.highest_order > low_order || run.options.method.fixed_step)
        return Flow::proceed;
    const long limit = run.options.step.max_steps, steps = run.steps();
    if (steps < mark_.steps + std::max(1L, limit / look)) return Flow::proceed;
    const double t = run.stepper->t(), ahead = std::abs(run.interval.t1 - t);
    const double lately = ahead * static_cast<double>(steps - mark_.steps) / std::abs(t - mark_.t);
    const double on_average = ahead * static_cast<double>(steps) / std::abs(t - run.interval.t0);
    const bool known = mark_.steps > 0;
    mark_ = {t, steps};
    const double wanted = static_cast<double>(steps) + std::min(lately, on_average);
    if (!known || steps < limit / first || !(wanted > static_cast<double>(limit / sensible))) return Flow::proceed;
    FailureReport report;
    report.reason = FailureReason::too_many_steps;
    report.t = t;
    report.h = run.control.wanted();
    report.cause = "method '" + run.method->name + "', of order " +
                   std::to_string(run.result.statistics.highest_order) + ", would need some " + rounded(wanted) +
                   " steps for this tolerance, more than the tenth of --max-steps that methods of order 1 and 2 get";
    return run.fail(std::move(report));
}

} // namespace daedalus::integrate
