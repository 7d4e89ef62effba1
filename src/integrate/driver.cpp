#include "integrate/driver.hpp"

#include "integrate/consistent_derivative.hpp"
#include "integrate/driver_run.hpp"
#include "integrate/error_norm.hpp"
#include "integrate/initial_step.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace daedalus::integrate {

Driver::Driver(problem::ImplicitProblem& problem, const Method& method, double t0, double t1,
               const IntegrationOptions& options, Observer& observer, const Reconsider& reconsider)
    : problem_(problem), options_(options), observer_(observer), t0_(t0), t1_(t1), forward_(t1 >= t0), method_(&method),
      reconsider_(reconsider), dependents_(problem, options.tolerance), orientation_(problem, options.linear_solver),
      integrals_(problem, options.tolerance), watch_(forward_, t1, std::abs(t1 - t0)) {
    collect_stops();
    make_parts();
}

/// All that remembers something of the way.
void Driver::make_parts() {
    stepper_ = method_->make(problem_, options_);
    consistent_ = std::make_unique<ConsistentOutput>(problem_, options_);
    jump_ = std::make_unique<ConsistentJump>(problem_, options_);
    roots_ = std::make_unique<RootFinder>(problem_, options_.events, options_.tolerance);
    selection_ = std::make_unique<StateSelection>(problem_);
    bounds_ = std::make_unique<Bounds>(problem_, options_);
    check_interval_ = options_.state_selection.check_every;
    jacobians_seen_ = 0;
    if (consistent_->projects())
        method_projects_ = stepper_->project_with(
            [this](double t, double h, double* x, double* dx) { return project_within_step(t, h, x, dx); });
}

IntegrationResult Driver::run(std::span<const double> x0, std::span<const double> dx0) {
    Flow flow = Flow::proceed;
    if (options_.checkpoint.resume != nullptr) {
        go_on_from(*options_.checkpoint.resume);
    } else {
        x_.assign(x0.begin(), x0.end());
        dx_.assign(dx0.begin(), dx0.end());
        roots_->begin_modes(t0_, x_.data(), dx_.data(), forward_);
        choose_states_at_start();
        flow = first_event();
        start(t0_, options_.step.first);
        watch_orientation(true);
        observer_.begin(t0_, x_, dx_);
    }
    if (flow == Flow::end)
        (void)finish(result_.outcome);
    else if (t0_ == t1_)
        flow = finish(Outcome::finished);
    while (flow == Flow::proceed) {
        if (options_.interrupt != nullptr && options_.interrupt->load(std::memory_order_relaxed)) {
            (void)finish(Outcome::interrupted);
            break;
        }
        if (steps() >= options_.step.max_steps) {
            (void)fail(FailureReason::too_many_steps, StepStatus::ok, h_);
            break;
        }
        double h = h_, t_new = 0.0;
        aim(h, t_new);
        if (t_new == stepper_->t()) {
            (void)fail_clock();
            break;
        }
        Attempt attempt = stepper_->attempt(h, t_new);
        if (attempt.acceptable() && !options_.method.fixed_step)
            attempt = dependents_.judge(*stepper_, attempt, h, t_new);
        if (!attempt.acceptable()) {
            flow = reject(attempt, h);
            continue;
        }
        if (!bounds_->admit(*stepper_)) {
            flow = refuse_bound(h);
            continue;
        }
        flow = deliver(attempt, h);
        watch_orientation(false);
        if (flow == Flow::proceed) flow = watch_states(false);
        if (flow == Flow::proceed) flow = at_stop();
        if (flow == Flow::proceed) flow = leave_stiffness();
        if (flow == Flow::proceed) make_anchor();
    }
    result_.statistics.counters = totals();
    return std::move(result_);
}

/// What the present parts and those before them did.
Counters Driver::totals() const {
    Counters total = result_.statistics.counters;
    const Counters& own = stepper_->counters();
    total.steps += own.steps;
    total.newton_iterations += own.newton_iterations;
    for (const Counters* part :
         {&own, &consistent_->counters(), &consistent_->projection_counters(), &jump_->counters()}) {
        total.residuals += part->residuals;
        total.jacobians += part->jacobians;
        total.factorizations += part->factorizations;
        total.solves += part->solves;
        total.complex_factorizations += part->complex_factorizations;
        total.complex_solves += part->complex_solves;
    }
    return total;
}

/// Every so many steps a run forgets all but what a checkpoint holds, whether one is written or not: see there.
void Driver::make_anchor() {
    constexpr long distance = 2000; // accepted steps; beginning anew costs one or two of them, and the linear solver
    if (options_.method.fixed_step || steps() - last_anchor_ < distance) return;
    // Where the solution ends, steps shrink and shrink, and what the method has seen of it must not be forgotten.
    constexpr double tiny = 1e-9; // of the run
    if (std::abs(h_) < tiny * std::abs(t1_ - t0_)) return;
    note_noise();
    if (roots_->unresolved()) roots_->list_doubtful(stepper_->t(), result_.statistics.doubtful_conditions);
    Checkpoint c;
    c.t = stepper_->t();
    c.h = h_;
    c.x.assign(stepper_->x().begin(), stepper_->x().end());
    c.dx.assign(stepper_->dx().begin(), stepper_->dx().end());
    c.t_start = t_start_;
    c.x_start = x_start_;
    c.dx_start = dx_start_;
    c.method = method_->name;
    c.method_since = method_since_;
    c.memory = stepper_->remember(c.t);
    c.links = problem_.links();
    c.sides = roots_->sides();
    c.roots = roots_->state();
    c.watch = watch_.state();
    c.integrals.assign(integrals_.values().begin(), integrals_.values().end());
    c.stop = stop_;
    c.environment.assign(problem_.environment().values().begin(), problem_.environment().values().end());
    c.statistics = result_.statistics;
    c.statistics.counters = totals();
    if (options_.checkpoint.save && steps() - last_checkpoint_ >= options_.checkpoint.every) {
        last_checkpoint_ = steps();
        options_.checkpoint.save(c);
    }
    go_on_from(c);
}

/// Forgets everything but the checkpoint.
void Driver::go_on_from(const Checkpoint& c) {
    problem_.set_links(c.links);
    make_parts();
    handed_over_.clear();
    x_ = c.x;
    dx_ = c.dx;
    stop_ = c.stop;
    method_since_ = c.method_since;
    result_.statistics = c.statistics;
    last_anchor_ = c.statistics.counters.steps;
    mark_ = {c.t, c.statistics.counters.steps, c.statistics.counters.error_rejections};
    problem_.environment() = problem::Environment(c.environment);
    roots_->set_sides(c.sides);
    roots_->set_state(c.roots);
    watch_.set_state(c.watch);
    integrals_.set(c.integrals);
    start(c.t, c.h, c.memory);
    t_start_ = c.t_start;
    x_start_ = c.x_start;
    dx_start_ = c.dx_start;
}

/// Unknowns whose accuracy round-off limits, the largest limit of each.
void Driver::note_noise() {
    std::vector<NoiseFloor>& all = result_.statistics.noise;
    for (const NoiseFloor& floor : stepper_->noise()) {
        const auto known = std::find_if(all.begin(), all.end(),
                                        [&](const NoiseFloor& other) { return other.unknown == floor.unknown; });
        if (known == all.end())
            all.push_back(floor);
        else
            known->level = std::max(known->level, floor.level);
    }
}

/// A step that leaves the bounds of an unknown is tried again, smaller.
Driver::Flow Driver::refuse_bound(double h) {
    ++result_.statistics.counters.domain_rejections;
    ++failures_;
    h_ = 0.25 * h;
    if (std::abs(h_) >= smallest_step() && failures_ <= options_.step.max_consecutive_failures) return Flow::proceed;
    return fail_bound();
}

Driver::Flow Driver::fail_bound() {
    result_.failure.reason = FailureReason::bound;
    result_.failure.t = stepper_->t();
    result_.failure.cause = bounds_->complaint();
    result_.failure.error_variables = {{bounds_->worst(), 1.0}};
    return finish(Outcome::failed);
}

/// Puts states that round-off or a tolerated error took over a bound back onto it.
Driver::Flow Driver::return_to_bounds(double h) {
    if (!bounds_->outside(stepper_->x())) return Flow::proceed;
    x_.assign(stepper_->x().begin(), stepper_->x().end());
    dx_.assign(stepper_->dx().begin(), stepper_->dx().end());
    if (!bounds_->clip(x_)) return Flow::proceed;
    if (consistent_->applicable()) (void)consistent_->follow(stepper_->t(), std::abs(h), x_.data(), dx_.data(), false);
    stepper_->correct(x_, dx_);
    return bounds_->pushed_out(dx_, h) ? fail_bound() : Flow::proceed;
}

/// (Re)starts the method at t with x_, dx_. Without a wanted step size one is chosen, no smaller than `at_least`.
void Driver::start(double t, double h_wanted, const MethodMemory& memory, double at_least) {
    ErrorNorm norm(problem_, options_.tolerance, options_.norm);
    norm.set_weights(x_.data(), 1.0);
    instant_ = next_instant(t);
    const double interval = next_stop().t - t;
    consistent_->judge_branches(t, h_wanted != 0.0 ? std::copysign(h_wanted, interval) : interval, x_.data(),
                                dx_.data());
    const auto first = [&] {
        if (!consistent_->applicable())
            return initial_step_direct(problem_, options_.tolerance, x_.data(), dx_.data(), interval);
        return initial_step(norm, dx_.data(), interval, stepper_->order());
    };
    double h = h_wanted != 0.0 ? std::abs(h_wanted) : first();
    if (!consistent_->branches_of_higher_index())
        (void)consistent_derivative(problem_, t, h, x_, dx_, options_.linear_solver, result_.statistics.counters);
    if (h_wanted == 0.0) h = std::max(first(), std::min(at_least, 0.1 * std::abs(interval)));
    // Far from t = 0 the clock must move; no more than that, since a first step of low order may need to be short.
    // Where the tolerance is below the rounding of t, nothing can be promised.
    const double rounding = std::numeric_limits<double>::epsilon() * std::abs(t);
    if (rounding <= options_.tolerance.relative * std::abs(t1_ - t0_)) h = std::max(h, 4 * rounding);
    h = std::min(h, options_.step.max);
    h_ = forward_ ? h : -h;
    if (memory.order > 0)
        stepper_->go_on(t, x_, dx_, h_, memory);
    else
        stepper_->start(t, x_, dx_, h_);
    roots_->begin(t, x_.data(), dx_.data());
    orientation_.reset();
    t_start_ = t;
    x_start_ = x_;
    dx_start_ = dx_;
    failures_ = 0;
    last_check_ = stepper_->counters().steps;
}

double Driver::smallest_step() const {
    constexpr double eps = std::numeric_limits<double>::epsilon();
    // 16 roundings of t; near t = 0 steps may be as small as the interval's 1e-30 part.
    return std::max({options_.step.min, 16 * eps * std::abs(stepper_->t()), 1e-30 * std::abs(t1_ - t0_)});
}

/// Cuts or stretches the wanted step so that stop times are hit exactly, without a tiny last step.
void Driver::aim(double& h, double& t_new) const {
    const double t = stepper_->t();
    const Stop stop = next_stop();
    // End one rounding before a discontinuity: a stage at t = t_stop would already see the other side.
    const double target = stop.discontinuity ? std::nextafter(stop.t, t) : stop.t;
    const double room = target - t;
    if (std::abs(h) >= std::abs(room) * (1.0 - 1e-4)) {
        h = room;
        t_new = target;
    } else if (!options_.method.fixed_step && std::abs(h) > 0.5 * std::abs(room)) {
        h = 0.5 * room; // two equal steps instead of a long and a tiny one
        t_new = t + h;
    } else {
        t_new = t + h;
    }
    // Far from t = 0 the sum is rounded: over many steps the solution would run ahead of the clock, or behind it.
    constexpr double noticeable = 1e-10;
    if (const double way = t_new - t; std::abs(way - h) > noticeable * std::abs(h)) h = way;
}

Driver::Flow Driver::reject(const Attempt& attempt, double h) {
    Counters& counters = result_.statistics.counters;
    switch (attempt.status) {
    case StepStatus::ok: ++counters.error_rejections; break;
    case StepStatus::not_finite: ++counters.domain_rejections; break;
    default: ++counters.newton_rejections; break;
    }
    ++failures_;
    h_ = attempt.next_h;
    const bool hopeless = std::abs(h_) < smallest_step() || failures_ > options_.step.max_consecutive_failures;
    // A badly chosen set of states shows as a singular or ill-conditioned iteration matrix.
    if (failures_ >= 2 && attempt.status != StepStatus::ok && watch_states(true) == Flow::end) return Flow::end;
    constexpr int convinced = 6; // refusals in a row
    if (attempt.status == StepStatus::not_finite && (hopeless || failures_ >= convinced) &&
        roots_->at_border(*stepper_, options_.tolerance.relative)) {
        x_.assign(stepper_->x().begin(), stepper_->x().end());
        dx_.assign(stepper_->dx().begin(), stepper_->dx().end());
        roots_->pass_border(x_, dx_, smallest_step(), next_stop().t - stepper_->t());
        return at_event(stepper_->t());
    }
    constexpr int doubtful = 4; // refusals in a row: the point itself may be to blame
    if (failures_ == doubtful && !hopeless) restore_consistency();
    if (!hopeless) return Flow::proceed;
    const double t = stepper_->t();
    x_.assign(stepper_->x().begin(), stepper_->x().end());
    dx_.assign(stepper_->dx().begin(), stepper_->dx().end());
    FailureReport report = diagnose(circumstances(FailureReason::none, attempt.status, h));
    if (report.growing < 0)
        if (const std::optional<Flow> passed = leave_singular_point()) return *passed;
    if (change_method(t, true)) {
        stuck_ = {t, std::move(report)};
        if (consistent_->applicable()) (void)consistent_->follow(t, std::abs(h), x_.data(), dx_.data(), false);
        go_on_with_other(t, 0.0);
        return Flow::proceed;
    }
    // Where no other method gets on either, the first knows best what is wrong, unless this one sees the end.
    constexpr double nowhere = 1e-6; // of the run
    const bool same = stuck_.report.reason != FailureReason::none && report.reason != FailureReason::singular_point &&
                      std::abs(t - stuck_.t) <= nowhere * std::abs(t1_ - t0_);
    result_.failure = std::move(same ? stuck_.report : report);
    return finish(Outcome::failed);
}

/// No method sees what is singular within a step, unless it meets it.
void Driver::watch_orientation(bool now) {
    constexpr long seldom = 16; // steps
    if (!orientation_.active() || (!now && steps() - looked_ < seldom)) return;
    looked_ = steps();
    if (const std::optional<SingularPoint> point = orientation_.look(stepper_->t(), stepper_->x(), stepper_->dx()))
        note(*point);
}

void Driver::note(const SingularPoint& point) {
    std::vector<SingularPoint>& known = result_.statistics.singular_points;
    if (std::none_of(known.begin(), known.end(), [&](const SingularPoint& other) {
            return other.unknown == point.unknown && other.stepped_over == point.stepped_over;
        }))
        known.push_back(point);
}

/// Algebraic unknowns that a step has left too far from where they belong are made up for by no step, however small:
/// estimates of errors see them at any size, and where currents of diodes follow, Newton's iteration for all stages
/// with one matrix does not find back. One that renews its matrices may.
void Driver::restore_consistency() {
    if (!consistent_->applicable()) return;
    x_.assign(stepper_->x().begin(), stepper_->x().end());
    dx_.assign(stepper_->dx().begin(), stepper_->dx().end());
    if (!consistent_->follow(stepper_->t(), std::abs(h_), x_.data(), dx_.data(), false)) return;
    constexpr double rounding = 1e-14; // what is computed from unknowns may magnify all that is more
    bool moved = false;
    for (std::size_t k = 0; k < x_.size(); ++k) {
        const double size = std::abs(x_[k]) + std::abs(problem_.unknowns()[k].nominal);
        moved = moved || std::abs(x_[k] - stepper_->x()[k]) > rounding * size;
    }
    if (moved) go_on_with_other(stepper_->t(), h_);
}

/// Returns from the end of an accepted step to the constraints besides F, and lets the method go on from there.
bool Driver::project_step() {
    if (!consistent_->projects() || method_projects_) return true;
    x_.assign(stepper_->x().begin(), stepper_->x().end());
    dx_.assign(stepper_->dx().begin(), stepper_->dx().end());
    if (!consistent_->project(stepper_->t(), x_.data())) return false;
    // Algebraic unknowns stay as the step left them: made consistent with every round-off of the states they would
    // amplify it (by 1/m for accelerations of small masses), and their history would be noise.
    for (const problem::Link& link : problem_.links()) dx_[link.state] = x_[link.derivative];
    stepper_->correct(x_, dx_);
    return true;
}

/// The same for methods that do it before they judge a step. All unknowns follow the states: left behind, algebraic
/// ones would jump in the next step, however small.
bool Driver::project_within_step(double t, double h, double* x, double* dx) {
    if (!consistent_->project(t, x)) return false;
    for (const problem::Link& link : problem_.links()) dx[link.state] = x[link.derivative];
    return consistent_->follow(t, std::abs(h), x, dx, true);
}

/// Accepts, looks for events, tells the observer.
Driver::Flow Driver::deliver(const Attempt& attempt, double h) {
    const double t_before = stepper_->t();
    const double wanted = h_;
    stepper_->accept();
    if (!project_step()) return fail(FailureReason::projection, StepStatus::ok, h);
    if (return_to_bounds(h) == Flow::end) return Flow::end;
    const int rejected = std::exchange(failures_, 0);
    // A step that was cut to a stop says little about the next one: go on with what was wanted before.
    h_ = std::abs(h) < 0.9 * std::abs(wanted) && std::abs(attempt.next_h) < std::abs(wanted) && attempt.error < 0.5
             ? wanted
             : attempt.next_h;
    if (const double longest = stepper_->longest_step(); std::abs(h_) > longest) h_ = std::copysign(longest, h_);
    if (options_.method.fixed_step) h_ = wanted;
    if (std::abs(h_) > options_.step.max) h_ = std::copysign(options_.step.max, h_);
    Statistics& statistics = result_.statistics;
    statistics.smallest_step = std::min(statistics.smallest_step, std::abs(h));
    statistics.largest_step = std::max(statistics.largest_step, std::abs(h));
    statistics.highest_order = std::max(statistics.highest_order, stepper_->order());

    const bool event = roots_->active() && roots_->find(*stepper_, *consistent_, t_before);
    const double t = event ? roots_->time() : stepper_->t();
    const Interpolant interpolant(*stepper_, *consistent_, t_before, t, &integrals_);
    std::span<const double> x = stepper_->x(), dx = stepper_->dx();
    if (event) {
        interpolant.evaluate_with_states(t, x_.data(), dx_.data()); // as where the roots were found
        x = x_;
        dx = dx_;
    }
    if (options_.progress) options_.progress(t, h);
    const AcceptedStep step{t_before, t, h, stepper_->order(), attempt.error, rejected, x, dx, interpolant};
    const Action action = observer_.step(step);
    if (!integrals_.advance(interpolant)) {
        result_.integrand_failed = true;
        return fail(FailureReason::not_finite, StepStatus::not_finite, h);
    }
    if (action == Action::stop) return finish(Outcome::stopped);
    if (roots_->active() && watch_.chattering(t, result_.statistics.counters)) {
        if (!roots_->rest(last_event_, t, x.data(), dx.data(), options_.tolerance.relative)) return fail_chattering(t);
        watch_.restart();
    }
    return event ? at_event(t_before) : Flow::proceed;
}

FailureContext Driver::circumstances(FailureReason reason, StepStatus status, double h) const {
    return {problem_,
            *stepper_,
            reason,
            status,
            h,
            t_start_,
            x_start_,
            dx_start_,
            options_.tolerance.relative,
            options_.linear_solver,
            t0_};
}

Driver::Flow Driver::fail(FailureReason reason, StepStatus status, double h) {
    result_.failure = diagnose(circumstances(reason, status, h));
    return finish(Outcome::failed);
}

/// Steps that do not move the clock could be repeated for ever.
Driver::Flow Driver::fail_clock() {
    result_.failure.reason = FailureReason::error_test;
    result_.failure.t = stepper_->t();
    result_.failure.h = h_;
    result_.failure.cause = "the step that the tolerance asks for is shorter than a rounding of the time";
    return finish(Outcome::failed);
}

Driver::Flow Driver::finish(Outcome outcome) {
    watch_orientation(true);
    result_.outcome = outcome;
    result_.statistics.linear_solver = stepper_->linear_solver();
    note_noise();
    result_.t = stepper_->t();
    result_.x.assign(stepper_->x().begin(), stepper_->x().end());
    result_.dx.assign(stepper_->dx().begin(), stepper_->dx().end());
    result_.integrals.assign(integrals_.values().begin(), integrals_.values().end());
    roots_->list_doubtful(result_.t, result_.statistics.doubtful_conditions);
    return Flow::end;
}

IntegrationResult integrate(problem::ImplicitProblem& problem, const Method& method, double t0, double t1,
                            std::span<const double> x0, std::span<const double> dx0, const IntegrationOptions& options,
                            Observer& observer, const Reconsider& reconsider) {
    assert(static_cast<int>(x0.size()) == problem.size() && static_cast<int>(dx0.size()) == problem.size());
    return Driver(problem, method, t0, t1, options, observer, reconsider).run(x0, dx0);
}

} // namespace daedalus::integrate
