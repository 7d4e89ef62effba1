// The part of the event iteration that goes over singular points.
#include "integrate/error_norm.hpp"
#include "integrate/event_iteration.hpp"
#include "integrate/orientation_watch.hpp"
#include "integrate/run.hpp"

#include <algorithm>

namespace daedalus::integrate {

/// Where the equations are singular at the event itself, or no step leads to the point before it, the solution may go
/// on a little later: from the point remembered to the branches that are set, to those beyond all conditions that
/// vanish there, or on the same branches. `steep_only`: where steps may do as well, they are to.
std::optional<Flow> EventIteration::pass_singular_point(double& t, bool steep_only) {
    if (!run_.consistent->applicable() || run_.steps() == 0) return {};
    ErrorNorm norm(run_.problem, run_.options.tolerance, run_.options.norm);
    norm.set_weights(before_.x.data(), 1.0);
    const std::vector<signed char> present = run_.roots->sides(), &same = before_.branches.sides;
    constexpr double root_of_rounding = 1e-6; // unknowns behave as roots there and are no better known
    const std::vector<signed char> other = run_.roots->other_sides(
        t, before_.x.data(), before_.dx.data(), std::max(run_.options.tolerance.relative, root_of_rounding), same);
    std::vector<std::vector<signed char>> candidates{present};
    for (const std::vector<signed char>& sides : {other, same})
        if (std::find(candidates.begin(), candidates.end(), sides) == candidates.end()) candidates.push_back(sides);
    const SingularPassage::Point regular{run_.origin.t, {run_.origin.x, run_.origin.dx, before_.branches}};
    std::optional<SingularPassage> passage;
    for (const std::vector<signed char>& sides : candidates) {
        run_.roots->set_sides(sides);
        passage = SingularPassage::find(run_.problem, *run_.jump, run_.options.linear_solver, regular, {t, before_},
                                        branches_of(run_.problem, sides), run_.stops.next().t - t,
                                        run_.control.smallest(run_.stepper->t()), norm.weights());
        if (passage && (passage->steep() || !steep_only)) break;
        passage.reset();
    }
    if (!passage) {
        run_.roots->set_sides(present);
        return {};
    }
    if (passage->steep()) note_singular_point(run_.result.statistics, {t, passage->undetermined()});
    const double t_before = t;
    t = passage->behind().t;
    run_.x = passage->behind().at.x;
    run_.dx = passage->behind().at.dx;
    return deliver_passage(*passage, t_before);
}

/// To the observer and the integrals, as a step.
Flow EventIteration::deliver_passage(const SingularPassage& passage, double t_before) {
    const double t = passage.behind().t, h = t - t_before;
    const Interpolant interpolant(passage, *run_.consistent, t_before, t, &run_.integrals);
    const AcceptedStep step{t_before,    t,
                            h,           1,
                            0.0,         run_.control.forget_refusals(),
                            run_.x,      run_.dx,
                            interpolant, run_.result.statistics.counters.restarts};
    const Action action = run_.observer.step(step);
    const bool integrable = run_.integrals.advance(interpolant);
    if (integrable && action == Action::proceed) return Flow::proceed;
    run_.place(t, run_.x, run_.dx, h);
    if (action == Action::stop) return run_.end(Outcome::stopped);
    run_.result.integrand_failed = true;
    return run_.fail(FailureReason::not_finite, StepStatus::not_finite, h);
}

std::optional<Flow> EventIteration::leave_singular_point() {
    double t = run_.stepper->t();
    run_.take_point();
    remember_point(t);
    const std::optional<Flow> passed = pass_singular_point(t, false);
    if (passed != Flow::proceed) return passed;
    if (iterate(t, t - run_.stepper->t()) == Flow::end) return Flow::end;
    run_.restart_after_event(t);
    return Flow::proceed;
}

} // namespace daedalus::integrate
