// The one loop that all methods run in, as an object: driver.cpp makes the steps, driver_events.cpp what happens
// between them, driver_states.cpp the choice of states. Nothing else includes this.
#pragma once

#include "integrate/bounds.hpp"
#include "integrate/checkpoint.hpp"
#include "integrate/consistent_jump.hpp"
#include "integrate/dependent_errors.hpp"
#include "integrate/driver.hpp"
#include "integrate/event_watch.hpp"
#include "integrate/events.hpp"
#include "integrate/orientation_watch.hpp"
#include "integrate/running_integrals.hpp"
#include "integrate/state_selection.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace daedalus::integrate {

class Driver {
public:
    Driver(problem::ImplicitProblem& problem, const Method& method, double t0, double t1,
           const IntegrationOptions& options, Observer& observer, const Reconsider& reconsider);
    IntegrationResult run(std::span<const double> x0, std::span<const double> dx0);

private:
    enum class Flow { proceed, end };

    // The pieces of run(), in order of appearance.
    void make_parts();
    [[nodiscard]] long steps() const { return result_.statistics.counters.steps + stepper_->counters().steps; }
    [[nodiscard]] Counters totals() const;
    void make_anchor();
    void go_on_from(const Checkpoint& c);
    [[nodiscard]] Flow refuse_bound(double h);
    [[nodiscard]] Flow fail_bound();
    [[nodiscard]] Flow return_to_bounds(double h);
    void collect_stops();
    void choose_states_at_start();
    void start(double t, double h_wanted, const MethodMemory& memory = {}, double at_least = 0.0);
    struct Stop {
        double t;
        bool discontinuity; ///< the method starts afresh behind it
    };
    [[nodiscard]] Stop next_stop() const;
    [[nodiscard]] problem::Instant next_instant(double t) const;
    void aim(double& h, double& t_new) const;
    [[nodiscard]] Flow reject(const Attempt& attempt, double h);
    [[nodiscard]] Flow deliver(const Attempt& attempt, double h);
    void restore_consistency();
    void watch_orientation(bool now);
    void note(const SingularPoint& point);
    [[nodiscard]] std::optional<Flow> pass_singular_point(double& t, bool steep_only);
    [[nodiscard]] std::optional<Flow> leave_singular_point();
    [[nodiscard]] bool project_step();
    [[nodiscard]] bool project_within_step(double t, double h, double* x, double* dx);
    [[nodiscard]] Flow at_event(double t_before);
    [[nodiscard]] Flow settle(double& t, double time_scale);
    enum class Jump { none, made, impossible };
    [[nodiscard]] Jump jump(double t, double time_scale, bool reached);
    [[nodiscard]] bool reach(const std::vector<signed char>& sides, double t, double time_scale);
    [[nodiscard]] bool hand_over(double t, double time_scale);
    [[nodiscard]] bool hand_over_again(double t, double time_scale);
    [[nodiscard]] Flow fail_jump(double t);
    [[nodiscard]] Flow fail_clock();
    [[nodiscard]] Flow last_event(Outcome outcome);
    void remember_point(double t);
    [[nodiscard]] bool same_equations(double t) const;
    [[nodiscard]] bool smooth_there(double h) const;
    void lead(const std::vector<std::pair<int, double>>& set, double t);
    [[nodiscard]] Flow fail_reinit(int unknown, double t);
    void note_noise();
    [[nodiscard]] Flow first_event();
    [[nodiscard]] Flow at_stop();
    [[nodiscard]] Flow watch_states(bool forced);
    void exchange_links(double t);
    void go_on_behind(double t, const MethodMemory& memory);
    void restart(double t);
    [[nodiscard]] bool change_method(double t, bool stuck = false);
    [[nodiscard]] Flow leave_stiffness();
    [[nodiscard]] bool hardly_moves();
    void go_on_with_other(double t, double h);
    [[nodiscard]] Flow fail_chattering(double t);
    [[nodiscard]] Flow fail_accumulation(double t);
    [[nodiscard]] std::string conditions() const;
    [[nodiscard]] FailureContext circumstances(FailureReason reason, StepStatus status, double h) const;
    [[nodiscard]] Flow fail(FailureReason reason, StepStatus status, double h);
    [[nodiscard]] Flow finish(Outcome outcome);
    [[nodiscard]] bool beyond_or_at(double a, double b) const { return forward_ ? a >= b : a <= b; }
    [[nodiscard]] double smallest_step() const;

    problem::ImplicitProblem& problem_;
    const IntegrationOptions& options_;
    Observer& observer_;
    double t0_, t1_;
    bool forward_;
    std::unique_ptr<Stepper> stepper_;
    std::unique_ptr<ConsistentOutput> consistent_;
    std::unique_ptr<ConsistentJump> jump_;
    std::unique_ptr<RootFinder> roots_;
    std::unique_ptr<StateSelection> selection_;
    const Method* method_;
    const Reconsider& reconsider_;
    DependentErrors dependents_;
    OrientationWatch orientation_;
    long looked_ = 0; ///< at it, after so many steps
    std::unique_ptr<Bounds> bounds_;
    RunningIntegrals integrals_;
    long last_anchor_ = 0;     ///< accepted steps at it
    long last_checkpoint_ = 0; ///< … and at the last one that was saved
    long method_since_ = 0;    ///< … and when the method was chosen
    IntegrationResult result_;
    std::vector<Stop> stops_;
    std::size_t stop_ = 0;
    problem::Instant instant_; ///< the next one that the problem knows of
    std::vector<double> x_, dx_, jx_, jdx_;
    double h_ = 0.0; ///< wanted next step, signed, before it is cut to a stop
    int failures_ = 0;
    bool method_projects_ = false; ///< before it judges a step
    EventWatch watch_;
    std::vector<int> last_event_;
    BranchPoint before_;                  ///< the point on the branches before the present event
    std::vector<double> residual_before_; ///< of F there, where the index is higher than 1
    using Sides = std::vector<signed char>;
    std::map<std::pair<Sides, Sides>, Sides> handed_over_; ///< before the event, with what was located: to these
    bool acted_ = false;                                   ///< clauses did something at the present event
    long jacobians_seen_ = 0;
    long last_check_ = 0;
    int check_interval_ = 1; ///< accepted steps until the choice of states is looked at again
    struct {
        double t = 0.0;
        FailureReport report;
    } stuck_; ///< where a method did not get on, and another one was tried
    struct Mark {
        double t = 0.0;
        long steps = 0, rejections = 0;
    } mark_;               ///< where it was last looked how the method gets on
    bool crawls_ = false;  ///< all steps since then were next to the smallest possible
    double t_start_ = 0.0; ///< of the last (re)start
    std::vector<double> x_start_, dx_start_;
};

} // namespace daedalus::integrate
