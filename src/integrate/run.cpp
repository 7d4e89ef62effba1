#include "integrate/run.hpp"

#include "integrate/consistent_derivative.hpp"
#include "integrate/error_norm.hpp"
#include "integrate/initial_step.hpp"

#include <cmath>
#include <utility>

namespace daedalus::integrate {

Run::Run(problem::ImplicitProblem& problem_, const Method& method_, const Interval& interval_,
         const IntegrationOptions& options_, Observer& observer_, const Reconsider& reconsider_)
    : problem(problem_), options(options_), observer(observer_), reconsider(reconsider_), interval(interval_),
      method(&method_), control(options_, interval_), stops(problem_, options_, interval_),
      integrals(problem_, options_.tolerance) {
    make_workspaces();
}

void Run::make_workspaces() {
    stepper = method->make(problem, options);
    consistent = std::make_unique<ConsistentOutput>(problem, options);
    jump = std::make_unique<ConsistentJump>(problem, options);
    roots = std::make_unique<RootFinder>(problem, options.events, options.tolerance);
    step_is_kept = false;
    if (consistent->projects())
        method_projects = stepper->project_with(
            [this](double t, double h, double* at_x, double* at_dx) { return project_within_step(t, h, at_x, at_dx); });
    for (Participant* participant : participants) participant->forget(*this);
}

/// For methods that project onto constraints besides F before they judge a step. All unknowns follow the states: left
/// behind, algebraic ones would jump in the next step, however small.
bool Run::project_within_step(double t, double h, double* at_x, double* at_dx) const {
    if (!consistent->project(t, at_x)) return false;
    for (const problem::Link& link : problem.links()) at_dx[link.state] = at_x[link.derivative];
    return consistent->follow(t, std::abs(h), at_x, at_dx, true);
}

Counters Run::totals() const {
    Counters total = result.statistics.counters;
    const Counters& own = stepper->counters();
    total.steps += own.steps;
    total.newton_iterations += own.newton_iterations;
    for (const Counters& part : {own, consistent->counters(), jump->counters()}) total.add_work(part);
    return total;
}

void Run::take_point() {
    x.assign(stepper->x().begin(), stepper->x().end());
    dx.assign(stepper->dx().begin(), stepper->dx().end());
}

void Run::start(double t, const Beginning& beginning) {
    ErrorNorm norm(problem, options.tolerance, options.norm);
    norm.set_weights(x.data(), 1.0);
    stops.look_ahead(t);
    const double room = stops.next().t - t;
    const bool chosen = beginning.h == 0.0;
    consistent->judge_branches(t, chosen ? room : std::copysign(beginning.h, room), x.data(), dx.data());
    const auto suggested = [&] {
        if (!consistent->applicable())
            return initial_step_direct(problem, options.tolerance, x.data(), dx.data(), room);
        return initial_step(norm, dx.data(), room, stepper->order());
    };
    double h = chosen ? suggested() : std::abs(beginning.h);
    if (!consistent->branches_of_higher_index()) {
        ConsistentDerivative derivative(problem, options.linear_solver);
        (void)derivative.find(t, h, x, dx);
        result.statistics.counters.add_work(derivative.counters());
    }
    if (chosen) h = std::max(suggested(), beginning.step_before_tells ? control.after_event(room) : 0.0);
    control.first(t, h);
    if (beginning.memory.order > 0)
        stepper->go_on(t, x, dx, control.wanted(), beginning.memory);
    else
        stepper->start(t, x, dx, control.wanted());
    step_is_kept = false;
    roots->begin(t, x.data(), dx.data());
    origin = {t, x, dx};
    for (Participant* participant : participants) participant->started(*this);
}

void Run::take_over(double t, double h) {
    Point began = origin;
    start(t, {.h = h});
    origin = std::move(began);
}

void Run::restart_after_event(double t) {
    ++result.statistics.counters.restarts;
    if (t == interval.t1) return place(t);
    (void)change_method(t);
    // The step before tells more than the slope behind does, which moves by a few tolerances only in what is chosen
    // from it. Methods with a past begin at order 1 and need that.
    const bool one_step = stepper->remember(stepper->t()).times.empty();
    start(t, {.step_before_tells = one_step});
}

void Run::place(double t, const std::vector<double>& at_x, const std::vector<double>& at_dx, double h) {
    stepper->start(t, at_x, at_dx, h);
    step_is_kept = false;
}

bool Run::change_method(double t, bool stuck) {
    if (!reconsider) return false;
    const Method* other = reconsider({t, interval.t0, interval.t1, steps(), result.statistics.counters.restarts,
                                      steps() - method_since, stepper->stiff(), stuck});
    if (other == nullptr || other == method) return false;
    const char* reason = stuck              ? "the method before did not get on"
                         : stepper->stiff() ? "the problem is stiff there"
                                            : "events are dense, and this one has no start-up phase";
    result.statistics.counters = totals();
    const std::vector<signed char> sides = roots->sides();
    method = other;
    make_workspaces();
    method_since = steps();
    roots->set_sides(sides);
    result.method_changes.push_back({t, other->name, reason});
    return true;
}

void Run::links_changed() {
    stepper->links_changed();
    consistent->links_changed();
    jump->links_changed();
}

Flow Run::end(Outcome outcome) {
    result.outcome = outcome;
    over = true;
    return Flow::end;
}

Flow Run::fail(FailureReport report) {
    result.failure = std::move(report);
    return end(Outcome::failed);
}

Flow Run::fail(FailureReason reason, StepStatus status, double h) {
    return fail(diagnose(circumstances(reason, status, h)));
}

FailureContext Run::circumstances(FailureReason reason, StepStatus status, double h) const {
    return {problem,
            *stepper,
            reason,
            status,
            h,
            origin.t,
            origin.x,
            origin.dx,
            options.tolerance.relative,
            options.linear_solver,
            interval.t0};
}

void Run::close() {
    for (Participant* participant : participants) participant->finish(*this);
    result.statistics.linear_solver = stepper->linear_solver();
    result.t = stepper->t();
    result.x.assign(stepper->x().begin(), stepper->x().end());
    result.dx.assign(stepper->dx().begin(), stepper->dx().end());
    result.integrals.assign(integrals.values().begin(), integrals.values().end());
    roots->list_doubtful(result.t, result.statistics.doubtful_conditions);
    result.statistics.counters = totals();
}

Checkpoint Run::save() const {
    Checkpoint c;
    c.t = stepper->t();
    c.h = control.wanted();
    c.x.assign(stepper->x().begin(), stepper->x().end());
    c.dx.assign(stepper->dx().begin(), stepper->dx().end());
    c.t_start = origin.t;
    c.x_start = origin.x;
    c.dx_start = origin.dx;
    c.method = method->name;
    c.method_since = method_since;
    c.memory = stepper->remember(c.t);
    c.links = problem.links();
    c.sides = roots->sides();
    c.roots = roots->state();
    c.environment.assign(problem.environment().values().begin(), problem.environment().values().end());
    c.statistics = result.statistics;
    c.statistics.counters = totals();
    if (roots->unresolved()) roots->list_doubtful(c.t, c.statistics.doubtful_conditions);
    for (const Participant* participant : participants) participant->save(*this, c);
    return c;
}

void Run::load(const Checkpoint& c) {
    over = false;
    problem.set_links(c.links);
    make_workspaces();
    x = c.x;
    dx = c.dx;
    method_since = c.method_since;
    result.statistics = c.statistics;
    problem.environment() = problem::Environment(c.environment);
    roots->set_sides(c.sides);
    roots->set_state(c.roots);
    stops.skip_to(c.t);
    for (Participant* participant : participants) participant->load(*this, c);
    start(c.t, {.h = c.h, .memory = c.memory});
    origin = {c.t_start, c.x_start, c.dx_start};
}

} // namespace daedalus::integrate
