// Each participant on its own: what it does, and what goes wrong without it.
#include "integrate/leave_out.hpp"

#include <algorithm>
#include <limits>

using namespace daedalus;
using namespace daedalus::testing;
using integrate::FailureReason;
using integrate::Outcome;

namespace {

/// Keeps the sizes of accepted steps and the worst error of a function of x.
struct Watcher : integrate::Observer {
    double (*exact)(double) = nullptr;
    double (*seen)(const double*) = [](const double* x) { return x[0]; };
    double worst = 0.0, smallest = 1e300, largest = 0.0, least = 1e300;
    integrate::Action step(const integrate::AcceptedStep& step) override {
        smallest = std::min(smallest, std::abs(step.h));
        largest = std::max(largest, std::abs(step.h));
        least = std::min(least, *std::min_element(step.x.begin(), step.x.end()));
        if (exact != nullptr) worst = std::max(worst, std::abs(seen(step.x.data()) - exact(step.t)));
        return integrate::Action::proceed;
    }
};

// ---- bounds

/// x' = -x² from 1, solution 1/(1 + t). Errors that the tolerance allows take x below zero sooner or later, and from
/// there it falls to -∞ in finite time.
struct Vanishes {
    template <class T>
    void operator()(T, const T* x, const T* dx, T* r) const {
        r[0] = dx[0] + x[0] * x[0];
    }
};
TEST(BoundsGuard, KeepsAnErrorWithinTheToleranceFromRunningAway) {
    problem::System system = make_system(Vanishes{}, 1);
    system.unknowns[0].min = 0.0;
    const problem::ImplicitProblem problem{system};
    for (const char* method : {"radau5", "esdirk4"}) {
        Given given{.method = method, .t1 = 1e11, .x0 = {1}, .dx0 = {-1}};
        given.options = with_tolerance(1e-4);
        Watcher with, without;
        for (Watcher* watcher : {&with, &without}) watcher->exact = [](double t) { return 1.0 / (1.0 + t); };
        const auto kept = run_without("", problem, given, &with);
        ASSERT_TRUE(kept.finished()) << method << ": " << kept.failure.cause;
        EXPECT_LT(with.worst, 20e-4) << method;
        EXPECT_GE(with.least, 0.0) << method;
        const auto lost = run_without("bounds", problem, given, &without);
        EXPECT_EQ(lost.failure.reason, FailureReason::escape) << method << ": " << lost.failure.cause;
        EXPECT_LT(without.least, -1.0) << method;
    }
}

/// x' = -1 from 1: the bound 0 is reached at t = 1.
struct Falls {
    template <class T>
    void operator()(T, const T*, const T* dx, T* r) const {
        r[0] = dx[0] + 1.0;
    }
};
TEST(BoundsGuard, TellsWhenTheEquationsLeaveThem) {
    problem::System system = make_system(Falls{}, 1);
    system.unknowns[0].min = 0.0;
    const problem::ImplicitProblem problem{system};
    const Given given{.t1 = 2, .x0 = {1}, .dx0 = {-1}};
    const auto with = run_without("", problem, given);
    EXPECT_EQ(with.outcome, Outcome::failed);
    EXPECT_EQ(with.failure.reason, FailureReason::bound);
    EXPECT_NEAR(with.t, 1.0, 1e-4);
    ASSERT_EQ(with.failure.error_variables.size(), 1u);
    EXPECT_EQ(with.failure.error_variables[0].index, 0);
    const auto without = run_without("bounds", problem, given);
    ASSERT_TRUE(without.finished());
    EXPECT_NEAR(without.x[0], -1.0, 1e-9);
}

// ---- dependent errors

/// x = 1 + sin(t)/K, of which only y = K (x - 1) = sin t is of interest, K = 10⁵: an error of x counts K-fold.
struct SmallRipple {
    template <class T>
    void operator()(T t, const T* x, const T* dx, T* r) const {
        using std::cos;
        using std::sin;
        r[0] = dx[0] - 1e-5 * cos(t) + (x[0] - 1.0 - 1e-5 * sin(t));
    }
};
TEST(DependentErrorsGuard, HoldsWhatFollowsFromUnknownsToTheTolerance) {
    problem::ImplicitProblem problem = make_problem(SmallRipple{}, 1);
    problem::Dependents dependents;
    dependents.pattern = SparsityPattern::dense(1, 1);
    dependents.nominal = {1.0};
    dependents.linearize = [](const problem::Call&, double, const double* x, double* values) {
        values[0] = 1e5 * (x[0] - 1.0);
        values[1] = 1e5;
        return problem::EvalStatus::ok;
    };
    problem.set_facet(std::move(dependents));
    for (const char* method : {"radau5", "bdf"}) {
        Given given{.method = method, .t1 = 20, .x0 = {1}, .dx0 = {1e-5}};
        given.options = with_tolerance(1e-5);
        Watcher with, without;
        for (Watcher* watcher : {&with, &without}) {
            watcher->exact = [](double t) { return std::sin(t); };
            watcher->seen = [](const double* x) { return 1e5 * (x[0] - 1.0); };
        }
        ASSERT_TRUE(run_without("", problem, given, &with).finished());
        ASSERT_TRUE(run_without("dependent errors", problem, given, &without).finished());
        EXPECT_LT(with.worst, 20e-5) << method; // the tolerance, and what steps add up to
        EXPECT_GT(without.worst, 100e-5) << method;
    }
}

// ---- orientation watch

/// (t - 1)(x' + x) = 0 : at t = 1 nothing determines x', and no step sees it. Solutions from there on may be any.
struct Turning {
    template <class T>
    void operator()(T t, const T* x, const T* dx, T* r) const {
        r[0] = (t - 1.0) * (dx[0] + x[0]);
    }
};
problem::ImplicitProblem turning() {
    problem::System system = make_system(Turning{}, 1);
    system.kernels.varying = {0, 1};
    system.kernels.linearize = [](const problem::Call&, double t, const double* x, const double* dx, double* values) {
        values[0] = (t - 1.0) * (dx[0] + x[0]);
        values[1] = values[2] = t - 1.0;
        return problem::EvalStatus::ok;
    };
    return problem::ImplicitProblem(system);
}
TEST(OrientationWatchGuard, TellsOfASingularPointThatStepsDoNotSee) {
    Given given{.method = "radau5", .t1 = 2, .x0 = {1}, .dx0 = {-1}};
    given.options = with_tolerance(1e-8);
    const auto with = run_without("", turning(), given);
    ASSERT_TRUE(with.finished()) << with.failure.cause;
    ASSERT_EQ(with.statistics.singular_points.size(), 1u);
    const integrate::SingularPoint& point = with.statistics.singular_points[0];
    EXPECT_NEAR(point.t, 1.0, 1e-9);
    EXPECT_EQ(point.unknown, 0);
    EXPECT_TRUE(point.stepped_over);
    const auto without = run_without("orientation watch", turning(), given);
    ASSERT_TRUE(without.finished());
    EXPECT_TRUE(without.statistics.singular_points.empty()); // success without a word of doubt
}

// ---- chattering watch

/// x' = -sign(x): each branch drives to the other one, and x slides along 0 from t = 1 on.
struct Slides {
    void operator()(double, const double* x, const double* dx, double* r) const {
        r[0] = dx[0] + (x[0] > 0.0 ? 1.0 : -1.0);
    }
    void operator()(Complex, const Complex* x, const Complex* dx, Complex* r) const {
        r[0] = dx[0] + (x[0].real() > 0.0 ? 1.0 : -1.0);
    }
};
TEST(ChatteringWatchGuard, EndsARunThatCannotGoOn) {
    problem::ImplicitProblem problem = make_problem(Slides{}, 1);
    problem::Hybrid hybrid;
    hybrid.roots = {1, [](const problem::Call&, double, const double* x, const double*, double* g) {
                        g[0] = x[0];
                        return problem::EvalStatus::ok;
                    }};
    problem.set_facet(std::move(hybrid));
    Given given{.t1 = 3, .x0 = {1}, .dx0 = {-1}};
    given.options.step.max_steps = 20'000;
    const auto with = run_without("", problem, given);
    EXPECT_EQ(with.failure.reason, FailureReason::chattering) << with.failure.cause;
    EXPECT_NEAR(with.t, 1.0, 1e-3);
    EXPECT_LT(with.statistics.counters.steps, 1000);
    const auto without = run_without("chattering watch", problem, given);
    EXPECT_EQ(without.failure.reason, FailureReason::too_many_steps) << without.failure.cause;
    EXPECT_NEAR(without.t, 1.0, 1e-2); // 20,000 steps later
}

// ---- stiffness watch

/// Prothero & Robinson 1974: x' = λ (x - cos t) - sin t with λ = -1e5, solution cos t.
struct FastDecay {
    template <class T>
    void operator()(T t, const T* x, const T* dx, T* r) const {
        using std::cos;
        using std::sin;
        r[0] = dx[0] + 1e5 * (x[0] - cos(t)) + sin(t);
    }
};
TEST(StiffnessWatchGuard, LeavesAnExplicitMethod) {
    Given given{.method = "dopri5", .t1 = 1, .x0 = {1}, .dx0 = {0}};
    given.options = with_tolerance(1e-6);
    given.reconsider = [](const integrate::RunSoFar& run) {
        return run.stiff ? integrate::find_method("radau5") : nullptr;
    };
    const auto with = run_without("", make_problem(FastDecay{}, 1), given);
    ASSERT_TRUE(with.finished());
    EXPECT_TRUE(with.stiff);
    ASSERT_EQ(with.method_changes.size(), 1u);
    EXPECT_EQ(with.method_changes[0].name, integrate::find_method("radau5")->name);
    EXPECT_NEAR(with.x[0], std::cos(1.0), 1e-5);
    const auto without = run_without("stiffness watch", make_problem(FastDecay{}, 1), given);
    ASSERT_TRUE(without.finished());
    // Stability allows |λ h| ≤ 3.3.
    EXPECT_GT(without.statistics.counters.steps, 1e5 / 3.4);
    EXPECT_LT(20 * with.statistics.counters.steps, without.statistics.counters.steps);
}

/// x' = ±1, which jumps 20,000 times per unit of time and announces none of it: a method with a past begins anew at
/// each.
struct Jumps {
    static double rate(double t) { return std::sin(2e4 * 3.14159265358979323846 * t) > 0.0 ? 1.0 : -1.0; }
    void operator()(double t, const double*, const double* dx, double* r) const { r[0] = dx[0] - rate(t); }
    void operator()(Complex t, const Complex*, const Complex* dx, Complex* r) const { r[0] = dx[0] - rate(t.real()); }
};
TEST(StiffnessWatchGuard, LeavesAMethodThatHardlyMoves) {
    Given given{.method = "bdf", .t1 = 10, .x0 = {0}, .dx0 = {1}};
    given.options = with_tolerance(1e-8);
    given.options.step.max_steps = 20'000;
    given.reconsider = [](const integrate::RunSoFar& run) {
        return run.stuck ? integrate::find_method("radau5") : nullptr;
    };
    const auto with = run_without("", make_problem(Jumps{}, 1), given);
    const auto without = run_without("stiffness watch", make_problem(Jumps{}, 1), given);
    EXPECT_EQ(with.method_changes.size(), 1u);
    EXPECT_TRUE(without.method_changes.empty());
    EXPECT_GT(with.t, 2 * without.t); // for as many steps
}

/// The same with 2e9 jumps per unit of time: no method gets on, and the end would take some 1e10 steps.
struct ManyJumps {
    static double rate(double t) { return std::sin(2e9 * 3.14159265358979323846 * t) > 0.0 ? 1.0 : -1.0; }
    void operator()(double t, const double*, const double* dx, double* r) const { r[0] = dx[0] - rate(t); }
    void operator()(Complex t, const Complex*, const Complex* dx, Complex* r) const { r[0] = dx[0] - rate(t.real()); }
};
TEST(StiffnessWatchGuard, EndsWhatWouldTakeYears) {
    Given given{.method = "bdf", .t1 = 1, .x0 = {0}, .dx0 = {1}};
    given.options = with_tolerance(1e-12);
    given.options.step.max_steps = 100'000;
    given.reconsider = [](const integrate::RunSoFar& run) {
        return run.stuck ? integrate::find_method("radau5") : nullptr;
    };
    const auto with = run_without("", make_problem(ManyJumps{}, 1), given);
    EXPECT_EQ(with.failure.reason, integrate::FailureReason::error_test);
    EXPECT_LT(with.statistics.counters.steps, 30'000);
    const auto without = run_without("stiffness watch", make_problem(ManyJumps{}, 1), given);
    EXPECT_EQ(without.failure.reason, integrate::FailureReason::too_many_steps);
    EXPECT_LT(without.t, 1e-4);
}

/// z³ = cos t, y' = z: slopes of z are infinite where it passes zero, and steps that are small enough crawl there.
struct CubeRoot {
    template <class T>
    void operator()(T t, const T* x, const T* dx, T* r) const {
        using std::cos;
        r[0] = x[0] * x[0] * x[0] - cos(t);
        r[1] = dx[1] - x[0];
    }
};
TEST(StiffnessWatchGuard, PassesASingularPointInsteadOfCrawlingTowardIt) {
    problem::System system = make_system(CubeRoot{}, 2);
    system.unknowns[0].differential = false;
    const problem::ImplicitProblem problem{system};
    Given given{.method = "rodas4", .t1 = 4, .x0 = {1, 0}, .dx0 = {0, 1}};
    given.options.tolerance.relative = 1e-9;
    given.options.tolerance.absolute = 1e-12;
    const auto with = run_without("", problem, given);
    ASSERT_TRUE(with.finished()) << with.failure.cause;
    EXPECT_NEAR(with.x[0], std::cbrt(std::cos(4.0)), 1e-8);
    const auto without = run_without("stiffness watch", problem, given);
    EXPECT_TRUE(!without.finished() || 2 * without.statistics.counters.steps > 3 * with.statistics.counters.steps)
        << with.statistics.counters.steps << " " << without.statistics.counters.steps;
}

// ---- choice of states

// The pendulum swings through x = 0, where y is a double-valued function of x. Left alone, the states of the start end
// there; refused steps alone may still find others, but late.
TEST(ChoiceOfStatesGuard, ExchangesStatesBeforeTheyFail) {
    Given given{.t1 = 4, .x0 = PendulumDummy::x0(), .dx0 = std::vector<double>(7)};
    given.options = with_tolerance(1e-7);
    const auto with = run_without("", PendulumDummy::make(), given);
    ASSERT_TRUE(with.finished()) << with.failure.cause;
    EXPECT_GE(with.statistics.state_switches.size(), 4u);
    EXPECT_NEAR(with.x[0], 1.0, 1e-4); // after two periods
    const auto without = run_without("choice of states", PendulumDummy::make(), given);
    EXPECT_TRUE(!without.finished() ||
                without.statistics.counters.newton_rejections > 2 * with.statistics.counters.newton_rejections + 10);
}

// ---- running integrals

struct Decay {
    template <class T>
    void operator()(T, const T* x, const T* dx, T* r) const {
        r[0] = dx[0] + x[0];
    }
};
problem::Quadratures of(problem::EvalStatus (*rate)(const problem::Call&, double, const double*, const double*,
                                                    double*)) {
    problem::Quadratures q;
    q.rates = {1, rate};
    q.start = {0.5};
    q.nominal = {1.0};
    q.output = {0};
    q.unknowns = {0};
    return q;
}
TEST(RunningIntegralsParticipant, AdvanceWithEachStep) {
    problem::ImplicitProblem problem = make_problem(Decay{}, 1);
    problem.set_facet(of([](const problem::Call&, double, const double* x, const double*, double* rate) {
        rate[0] = x[0];
        return problem::EvalStatus::ok;
    }));
    Given given{.t1 = 3, .x0 = {1}, .dx0 = {-1}};
    given.options = with_tolerance(1e-8);
    const auto with = run_without("", problem, given);
    ASSERT_TRUE(with.finished());
    EXPECT_NEAR(with.integrals.at(0), 0.5 + 1.0 - std::exp(-3.0), 1e-7);
    EXPECT_EQ(run_without("running integrals", problem, given).integrals.at(0), 0.5);
}
TEST(RunningIntegralsParticipant, EndsTheRunWhereThereIsNone) {
    problem::ImplicitProblem problem = make_problem(Decay{}, 1);
    problem.set_facet(of([](const problem::Call&, double t, const double*, const double*, double* rate) {
        rate[0] = std::sqrt(1.0 - t);
        return std::isfinite(rate[0]) ? problem::EvalStatus::ok : problem::EvalStatus::not_finite;
    }));
    const auto result = run_without("", problem, {.t1 = 3, .x0 = {1}, .dx0 = {-1}});
    EXPECT_EQ(result.outcome, Outcome::failed);
    EXPECT_TRUE(result.integrand_failed);
    EXPECT_GT(result.t, 0.9);
}

// ---- statistics

TEST(StepStatisticsParticipant, IsWhatTheObserverSees) {
    Given given{.t1 = 5, .x0 = {1}, .dx0 = {-1}};
    given.options = with_tolerance(1e-6);
    Watcher watcher;
    const auto result = run_without("", make_problem(Decay{}, 1), given, &watcher);
    EXPECT_EQ(result.statistics.smallest_step, watcher.smallest);
    EXPECT_EQ(result.statistics.largest_step, watcher.largest);
    EXPECT_EQ(result.statistics.highest_order, 5);
}

// ---- anchors

int steppers_made = 0;
/// BDF, and how often one was made.
integrate::Method counted() {
    integrate::Method method = *integrate::find_method("bdf");
    method.make = [](const problem::ImplicitProblem& problem, const integrate::IntegrationOptions& options) {
        ++steppers_made;
        return integrate::find_method("bdf")->make(problem, options);
    };
    return method;
}
struct Swing {
    template <class T>
    void operator()(T, const T* x, const T* dx, T* r) const {
        r[0] = dx[0] - x[1];
        r[1] = dx[1] + x[0];
    }
};
TEST(AnchorsParticipant, OnlyRunsWithCheckpointsBeginAnew) {
    const integrate::Method method = counted();
    integrate::Observer silent;
    auto options = with_tolerance(1e-8);
    const std::vector<double> x0{0, 1}, dx0{1, 0};
    auto problem = make_problem(Swing{}, 2);
    steppers_made = 0;
    const auto plain = integrate::integrate(problem, method, 0, 200, x0, dx0, options, silent);
    ASSERT_TRUE(plain.finished());
    ASSERT_GT(plain.statistics.counters.steps, 4500);
    EXPECT_EQ(steppers_made, 1);

    std::vector<integrate::Checkpoint> kept;
    options.checkpoint.save = [&](const integrate::Checkpoint& c) { kept.push_back(c); };
    auto again = make_problem(Swing{}, 2);
    steppers_made = 0;
    const auto whole = integrate::integrate(again, method, 0, 200, x0, dx0, options, silent);
    ASSERT_TRUE(whole.finished());
    ASSERT_GE(kept.size(), 2u);
    EXPECT_EQ(steppers_made, 1 + static_cast<int>(kept.size()));

    // From any of them the same follows, bit for bit.
    for (const integrate::Checkpoint& c : kept) {
        auto resumed = options;
        resumed.checkpoint.save = {};
        resumed.checkpoint.resume = &c;
        auto fresh = make_problem(Swing{}, 2);
        const auto rest = integrate::integrate(fresh, method, 0, 200, x0, dx0, resumed, silent);
        ASSERT_TRUE(rest.finished());
        EXPECT_EQ(rest.x, whole.x);
        EXPECT_EQ(rest.statistics.counters.steps, whole.statistics.counters.steps);
        EXPECT_EQ(rest.statistics.counters.residuals, whole.statistics.counters.residuals);
    }
}

} // namespace
