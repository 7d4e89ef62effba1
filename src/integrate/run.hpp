// What an integration is at: shared by its loop (integration.hpp), the event iteration and all participants.
//
// Stepper, root finder and their like are workspaces of one method and are made anew with another one; the rest belongs
// to the run. x and dx are the point at hand wherever something is done at a point: an event, a restart, a correction.
#pragma once

#include "integrate/checkpoint.hpp"
#include "integrate/consistent_jump.hpp"
#include "integrate/events.hpp"
#include "integrate/integration_result.hpp"
#include "integrate/interval.hpp"
#include "integrate/participant.hpp"
#include "integrate/running_integrals.hpp"
#include "integrate/step_control.hpp"
#include "integrate/stops.hpp"

#include <memory>
#include <vector>

namespace daedalus::integrate {

struct Run {
    Run(problem::ImplicitProblem& problem, const Method& method, const Interval& interval,
        const IntegrationOptions& options, Observer& observer, const Reconsider& reconsider);
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    problem::ImplicitProblem& problem;
    const IntegrationOptions& options;
    Observer& observer;
    const Reconsider& reconsider;
    const Interval interval;
    const Method* method;
    long method_since = 0; ///< accepted steps when it was chosen
    std::unique_ptr<Stepper> stepper;
    std::unique_ptr<ConsistentOutput> consistent;
    std::unique_ptr<ConsistentJump> jump;
    std::unique_ptr<RootFinder> roots;
    bool method_projects = false; ///< before it judges a step
    StepControl control;
    Stops stops;
    RunningIntegrals integrals;
    std::vector<Participant*> participants; ///< in the order in which they are asked
    IntegrationResult result;
    bool over = false;
    bool step_is_kept = false; ///< the stepper's continuous output is that of the last accepted step
    std::vector<double> x, dx; ///< the point at hand
    struct Point {
        double t = 0.0;
        std::vector<double> x, dx;
    } origin; ///< where a piece of the solution without events began: what failures are compared with

    /// Accepted ones.
    [[nodiscard]] long steps() const { return result.statistics.counters.steps + stepper->counters().steps; }
    /// What the present workspaces and those before them did.
    [[nodiscard]] Counters totals() const;
    /// The point at hand becomes the stepper's.
    void take_point();

    /// A method starts in one of three ways: with a size that is chosen, or given, or with a past as well.
    struct Beginning {
        double h = 0.0;           ///< 0: chosen
        MethodMemory memory = {}; ///< order 0: none
        bool step_before_tells = false;
    };
    /// Starts the method at t with the point at hand.
    void start(double t, const Beginning& beginning);
    /// Where another method takes over, or the same one anew, the piece of the solution goes on.
    void take_over(double t, double h);
    /// The method begins anew at t, behind an event. Another one may.
    void restart_after_event(double t);
    /// The stepper stands at t and will make no step from there: the end of the run, or a point to look at.
    void place(double t, const std::vector<double>& at_x, const std::vector<double>& at_dx, double h);
    void place(double t) { place(t, x, dx, control.wanted()); }
    /// Another method from here on, if that is expected to pay. It has not been started.
    [[nodiscard]] bool change_method(double t, bool stuck = false);
    /// The problem's links were exchanged.
    void links_changed();

    [[nodiscard]] Flow end(Outcome outcome);
    [[nodiscard]] Flow fail(FailureReport report);
    [[nodiscard]] Flow fail(FailureReason reason, StepStatus status, double h);
    /// What a diagnosis looks at.
    [[nodiscard]] FailureContext circumstances(FailureReason reason, StepStatus status, double h) const;
    /// Fills what the result says about the end.
    void close();

    [[nodiscard]] Checkpoint save() const;
    /// Forgets everything but the checkpoint.
    void load(const Checkpoint& c);

private:
    void make_workspaces();
    [[nodiscard]] bool project_within_step(double t, double h, double* x, double* dx) const;
};

} // namespace daedalus::integrate
