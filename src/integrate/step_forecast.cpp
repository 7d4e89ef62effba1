#include "integrate/step_forecast.hpp"

#include "integrate/run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace daedalus::integrate {

namespace {

constexpr int low_order = 2; // beyond, a digit costs at most twice the steps

constexpr long sensible = 10;  // this share of the user's limit, ten million by default, is for methods of low order
constexpr long look = 5'000;   // steps from one look to the next
constexpr double few = 10'000; // that nobody minds: methods of variable order begin with a low one

/// Steps after which the past tells what is ahead. A transient e^(-λt) that is followed takes
///     ∫ λ e^(-λt/q) / (q! ε)^(1/q) dt ≈ 3 tol^(-1/p) ,   ε = O(tol^(q/p)), q = p + 1
/// steps, in no time; twice that is awaited, unless it is too many already.
double telling(double tolerance, int order, long limit) {
    const double transient = 6.0 * std::pow(tolerance, -1.0 / order);
    return transient < static_cast<double>(limit / sensible) ? std::max(few, transient) : few;
}

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
    if (steps < mark_.steps + look) return Flow::proceed;
    const double t = run.stepper->t(), ahead = std::abs(run.interval.t1 - t);
    const double lately = ahead * static_cast<double>(steps - mark_.steps) / std::abs(t - mark_.t);
    const double on_average = ahead * static_cast<double>(steps) / std::abs(t - run.interval.t0);
    const bool known = mark_.steps > 0;
    mark_ = {t, steps};
    const double wanted = static_cast<double>(steps) + std::min(lately, on_average);
    if (!known || !(wanted > static_cast<double>(limit / sensible))) return Flow::proceed;
    const Tolerance& asked = run.options.tolerance;
    const int order = run.result.statistics.highest_order;
    if (static_cast<double>(steps) < telling(asked.relative > 0.0 ? asked.relative : asked.absolute, order, limit))
        return Flow::proceed;
    FailureReport report;
    report.reason = FailureReason::too_many_steps;
    report.t = t;
    report.h = run.control.wanted();
    report.cause = "method '" + run.method->name + "', of order " + std::to_string(order) + ", would need some " +
                   rounded(wanted) +
                   " steps for this tolerance, more than the tenth of --max-steps that methods of order 1 and 2 get";
    return run.fail(std::move(report));
}

} // namespace daedalus::integrate
