#include "integrate/rescue.hpp"

#include "integrate/choice_of_states.hpp"
#include "integrate/event_iteration.hpp"
#include "integrate/run.hpp"

#include <cmath>
#include <utility>

namespace daedalus::integrate {

namespace {

// Refusals in a row. Steps are halved or quartered by them: behind four, the point is doubted where a step of at most a
// sixteenth still fails; behind six, where one of at most 1/64 has no value of F.
constexpr int states_doubtful = 2; // Newton's iteration fails: the choice of states may be to blame
constexpr int point_doubtful = 4;  // the point itself may be
constexpr int convinced = 6;       // F has no value beyond the point

} // namespace

void Rescue::count(const Verdict& verdict) {
    Counters& counters = run_.result.statistics.counters;
    if (verdict.refused) {
        ++counters.domain_rejections;
        return;
    }
    switch (verdict.attempt.status) {
    case StepStatus::ok: ++counters.error_rejections; break;
    case StepStatus::not_finite: ++counters.domain_rejections; break;
    default: ++counters.newton_rejections; break;
    }
}

Flow Rescue::after_refusal(const Verdict& verdict, double h) {
    const Attempt& attempt = verdict.attempt;
    count(verdict);
    run_.control.after_rejection(attempt);
    const bool hopeless = run_.control.hopeless(run_.stepper->t());
    const int refusals = run_.control.refusals();
    if (verdict.refused) return hopeless ? explain_refusal() : Flow::proceed;
    if (refusals >= states_doubtful && attempt.status != StepStatus::ok && states_.doubt(run_) == Flow::end)
        return Flow::end;
    if (attempt.status == StepStatus::not_finite && (hopeless || refusals >= convinced) &&
        run_.roots->at_border(*run_.stepper, run_.options.tolerance.relative)) {
        const double t = run_.stepper->t();
        run_.take_point();
        run_.roots->pass_border(run_.x, run_.dx, run_.control.smallest(t), run_.stops.next().t - t);
        return events_.at_root(t);
    }
    if (hopeless) return last_resort(attempt.status, h);
    if (refusals == point_doubtful) restore_consistency();
    return Flow::proceed;
}

/// Those who refuse, however small the step is, say why.
Flow Rescue::explain_refusal() {
    FailureReport report;
    for (const Participant* participant : run_.participants)
        if (participant->explain(run_, report)) break;
    return run_.fail(std::move(report));
}

/// Algebraic unknowns that a step has left too far from where they belong are made up for by no step, however small:
/// estimates of errors see them at any size, and where currents of diodes follow, Newton's iteration for all stages
/// with one matrix does not find back. One that renews its matrices may.
void Rescue::restore_consistency() {
    if (!run_.consistent->applicable()) return;
    const Stepper& stepper = *run_.stepper;
    const double h = run_.control.wanted();
    run_.take_point();
    if (!run_.consistent->follow(stepper.t(), std::abs(h), run_.x.data(), run_.dx.data(), false)) return;
    constexpr double rounding = 1e-14; // what is computed from unknowns may magnify all that is more
    bool moved = false;
    for (std::size_t k = 0; k < run_.x.size(); ++k) {
        const double size = std::abs(run_.x[k]) + std::abs(run_.problem.unknowns()[k].nominal);
        moved = moved || std::abs(run_.x[k] - stepper.x()[k]) > rounding * size;
    }
    if (moved) run_.take_over(stepper.t(), h);
}

Flow Rescue::last_resort(StepStatus status, double h) {
    const double t = run_.stepper->t();
    run_.take_point();
    FailureReport report = diagnose(run_.circumstances(FailureReason::none, status, h));
    if (report.growing < 0)
        if (const std::optional<Flow> passed = events_.leave_singular_point()) return *passed;
    if (run_.change_method(t, true)) {
        stuck_ = {t, std::move(report)};
        if (run_.consistent->applicable())
            (void)run_.consistent->follow(t, std::abs(h), run_.x.data(), run_.dx.data(), false);
        run_.take_over(t, 0.0);
        return Flow::proceed;
    }
    // Where no other method gets on either, the first knows best what is wrong, unless this one sees the end.
    // Errors of a solution move the time at which it ends by about as much of the run.
    const double nowhere = run_.options.tolerance.relative * run_.interval.length();
    const bool same = stuck_.report.reason != FailureReason::none && report.reason != FailureReason::singular_point &&
                      std::abs(t - stuck_.t) <= nowhere;
    return run_.fail(std::move(same ? stuck_.report : report));
}

} // namespace daedalus::integrate
