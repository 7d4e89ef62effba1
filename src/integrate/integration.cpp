#include "integrate/integration.hpp"

#include "integrate/without_entries.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace daedalus::integrate {

const Reconsider Integration::no_change;

Integration::Integration(problem::ImplicitProblem& problem, const Method& method, double t0, double t1,
                         const IntegrationOptions& options, Observer& observer, const Reconsider& reconsider)
    : run_(problem, method, {t0, t1}, options, observer, reconsider), ahead_(problem, options.method.fixed_step),
      dependents_(problem, options.tolerance), bounds_(problem, options), orientation_(problem, options.linear_solver),
      states_(run_), events_(run_, states_), chattering_(events_), stiffness_(events_),
      rescue_(run_, states_, events_) {
    run_.participants = {&dependents_, &bounds_,      &statistics_, &delayed_, &transported_, &run_.integrals,
                         &chattering_, &orientation_, &states_,     &events_,  &stiffness_,   &anchors_};
    moments_.add(dependents_, bounds_, statistics_, delayed_, transported_, run_.integrals, chattering_, orientation_,
                 states_, events_, stiffness_, anchors_);
}

bool Integration::leave_out(std::string_view name) {
    moments_.leave_out(name);
    return std::erase_if(run_.participants, [&](const Participant* p) { return p->name() == name; }) > 0;
}

void Integration::begin(std::span<const double> x0, std::span<const double> dx0) {
    const Interval& interval = run_.interval;
    if (std::string why = unsuitable_without_entries(run_.problem, *run_.method); !why.empty()) {
        run_.x.assign(x0.begin(), x0.end());
        run_.dx.assign(dx0.begin(), dx0.end());
        FailureReport report;
        report.reason = FailureReason::unsuitable;
        report.t = interval.t0;
        report.cause = std::move(why);
        (void)run_.fail(std::move(report));
        return;
    }
    run_.x.assign(x0.begin(), x0.end());
    run_.dx.assign(dx0.begin(), dx0.end());
    run_.roots->begin_modes(interval.t0, run_.x.data(), run_.dx.data(), interval.forward());
    run_.roots->carry(interval.t0, run_.x.data(), run_.dx.data(), run_.options.continuation.sides);
    for (Participant* participant : run_.participants) participant->begin(run_);
    const Flow flow = events_.at_start();
    run_.start(interval.t0, {.h = run_.options.step.first});
    run_.observer.begin(interval.t0, run_.x, run_.dx);
    if (flow == Flow::proceed && interval.t0 == interval.t1) (void)run_.end(Outcome::finished);
}

void Integration::begin(const Checkpoint& from) {
    run_.load(from);
    if (run_.interval.t0 == run_.interval.t1) (void)run_.end(Outcome::finished);
}

template <class Ask>
Flow Integration::ask_all(const std::vector<Participant*>& participants, const Ask& ask) {
    for (Participant* participant : participants)
        if (ask(*participant) == Flow::end) return Flow::end;
    return Flow::proceed;
}

bool Integration::step() {
    if (run_.over || prepare() == Flow::end) return false;
    const double wanted = ahead_.limited(t(), run_.control.wanted(), x().data(), dx().data());
    const auto [h, t_new] = run_.stops.aim(t(), wanted);
    if (t_new == t()) return fail_clock() == Flow::proceed;
    const Verdict verdict = judge(run_.stepper->attempt(h, t_new), h, t_new);
    const Flow flow = verdict.acceptable() ? accept(verdict.attempt, h) : rescue_.after_refusal(verdict, h);
    return flow == Flow::proceed;
}

/// What comes before an attempt: participants, the user's wish to stop, the limit of steps.
Flow Integration::prepare() {
    if (ask_all(moments_.before, [&](Participant& p) { return p.before(run_); }) == Flow::end) return Flow::end;
    const std::atomic<bool>* interrupt = run_.options.interrupt;
    if (interrupt != nullptr && interrupt->load(std::memory_order_relaxed)) return run_.end(Outcome::interrupted);
    if (run_.steps() >= run_.options.step.max_steps)
        return run_.fail(FailureReason::too_many_steps, StepStatus::ok, run_.control.wanted());
    return Flow::proceed;
}

Verdict Integration::judge(const Attempt& attempt, double h, double t_new) {
    Verdict verdict{attempt};
    for (Participant* participant : moments_.judge) {
        if (!verdict.acceptable()) break;
        verdict = participant->judge(run_, verdict.attempt, h, t_new);
    }
    return verdict;
}

/// The step is made: its end, the event in it, the observer, and stops that it has reached.
Flow Integration::accept(const Attempt& attempt, double h) {
    t_before_ = t();
    run_.stepper->accept();
    run_.step_is_kept = true;
    if (!project_step()) return run_.fail(FailureReason::projection, StepStatus::ok, h);
    if (ask_all(moments_.accepted, [&](Participant& p) { return p.accepted(run_, h); }) == Flow::end) return Flow::end;
    const int refusals = run_.control.after_acceptance(attempt, h, run_.stepper->longest_step());

    const bool event = run_.roots->active() && run_.roots->find(*run_.stepper, *run_.consistent, t_before_);
    if (deliver(attempt, h, refusals, event) == Flow::end) return Flow::end;
    if (event && events_.at_root(t_before_) == Flow::end) return Flow::end;
    if (ask_all(moments_.settled, [&](Participant& p) { return p.settled(run_); }) == Flow::end) return Flow::end;
    return pass_stops();
}

/// To the observer, up to the event that ends the step.
Flow Integration::deliver(const Attempt& attempt, double h, int refusals, bool event) {
    const double end = event ? run_.roots->time() : t();
    const Interpolant interpolant(*run_.stepper, *run_.consistent, t_before_, end, &run_.integrals);
    std::span<const double> x = this->x(), dx = this->dx();
    if (event) {
        interpolant.evaluate_with_states(end, run_.x.data(), run_.dx.data()); // as where the roots were found
        x = run_.x;
        dx = run_.dx;
    }
    if (run_.options.progress) run_.options.progress(end, h);
    const AcceptedStep step{t_before_, end, h,  run_.stepper->order(), attempt.error,
                            refusals,  x,   dx, interpolant,           run_.result.statistics.counters.restarts};
    const Action action = run_.observer.step(step);
    if (ask_all(moments_.delivered, [&](Participant& p) { return p.delivered(run_, step); }) == Flow::end)
        return Flow::end;
    return action == Action::stop ? run_.end(Outcome::stopped) : Flow::proceed;
}

/// Returns from the end of an accepted step to the constraints besides F, and lets the method go on from there.
bool Integration::project_step() {
    if (!run_.consistent->projects() || run_.method_projects) return true;
    run_.take_point();
    if (!run_.consistent->project(t(), run_.x.data())) return false;
    // Algebraic unknowns stay as the step left them: made consistent with every round-off of the states they would
    // amplify it (by 1/m for accelerations of small masses), and their history would be noise.
    for (const problem::Link& link : run_.problem.links()) run_.dx[link.state] = run_.x[link.derivative];
    run_.stepper->correct(run_.x, run_.dx);
    return true;
}

/// All stops that the step has come to; the last of them may be the end.
Flow Integration::pass_stops() {
    const double reached = t();
    for (Stop stop = run_.stops.next(); run_.stops.reached(stop, reached); stop = run_.stops.next()) {
        run_.stops.pass(stop);
        if (stop.discontinuity && events_.at_discontinuity(stop.t) == Flow::end) return Flow::end;
    }
    return reached == run_.interval.t1 ? events_.at_end(Outcome::finished) : Flow::proceed;
}

/// Steps that do not move the clock could be repeated for ever.
Flow Integration::fail_clock() {
    FailureReport report;
    report.reason = FailureReason::error_test;
    report.t = t();
    report.h = run_.control.wanted();
    report.cause = "the step that the tolerance asks for is shorter than a rounding of the time";
    return run_.fail(std::move(report));
}

std::optional<Interpolant> Integration::last_step() const {
    if (!run_.step_is_kept) return std::nullopt;
    return Interpolant(*run_.stepper, *run_.consistent, t_before_, t());
}

IntegrationResult Integration::finish() {
    if (!run_.over) (void)run_.end(Outcome::stopped);
    run_.close();
    return std::move(run_.result);
}

IntegrationResult integrate(problem::ImplicitProblem& problem, const Method& method, double t0, double t1,
                            std::span<const double> x0, std::span<const double> dx0, const IntegrationOptions& options,
                            Observer& observer, const Reconsider& reconsider) {
    assert(static_cast<int>(x0.size()) == problem.size() && static_cast<int>(dx0.size()) == problem.size());
    Integration integration(problem, method, t0, t1, options, observer, reconsider);
    if (options.checkpoint.resume != nullptr)
        integration.begin(*options.checkpoint.resume);
    else
        integration.begin(x0, dx0);
    while (integration.step()) {
    }
    return integration.finish();
}

} // namespace daedalus::integrate
