// The loop: stop times, direction of time, interrupts, discontinuities, events, domain errors, failure reports.
#include "integrate/problems.hpp"

#include <gtest/gtest.h>

#include <atomic>

using namespace daedalus;
using namespace daedalus::testing;
using integrate::IntegrationResult;

namespace {

struct Decay {
    template <class T>
    void operator()(T, const T* x, const T* dx, T* r) const {
        r[0] = dx[0] + x[0];
    }
};

struct Recorder : integrate::Observer {
    std::vector<double> times;
    std::vector<double> event_times;
    std::vector<int> directions;
    double worst_interpolation = 0.0;
    double (*exact)(double) = nullptr;
    integrate::Action at_event = integrate::Action::proceed;
    integrate::Action step(const integrate::AcceptedStep& step) override {
        times.push_back(step.t);
        if (exact != nullptr) {
            double x[8], dx[8];
            for (const double theta : {0.0, 0.3, 0.7, 1.0}) {
                const double t = step.t_before + theta * (step.t - step.t_before);
                step.interpolant.evaluate(t, x, dx);
                worst_interpolation = std::max(worst_interpolation, std::abs(x[0] - exact(t)));
            }
        }
        return integrate::Action::proceed;
    }
    integrate::Action event(const integrate::EventPoint& point) override {
        event_times.push_back(point.t);
        directions.push_back(point.direction[0]);
        return at_event;
    }
};

class EveryMethod : public ::testing::TestWithParam<const char*> {
protected:
    const integrate::Method& method() { return *integrate::find_method(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, ::testing::Values("radau5", "bdf", "radau9"));

TEST_P(EveryMethod, HitsStopTimesExactly) {
    auto problem = make_problem(Decay{}, 1);
    auto options = with_tolerance(1e-6);
    options.stop_times = {0.7, 0.1, 3.0, 1.0 / 3.0};
    Recorder recorder;
    const double x0[] = {1}, dx0[] = {-1};
    const auto result = integrate::integrate(problem, method(), 0, 2, x0, dx0, options, recorder);
    ASSERT_TRUE(result.finished());
    EXPECT_EQ(result.t, 2.0);
    for (const double stop : {0.1, 1.0 / 3.0, 0.7, 2.0})
        EXPECT_EQ(std::count(recorder.times.begin(), recorder.times.end(), stop), 1) << stop;
    EXPECT_TRUE(std::is_sorted(recorder.times.begin(), recorder.times.end()));
}

TEST_P(EveryMethod, RunsBackward) {
    auto problem = make_problem(Decay{}, 1);
    Recorder recorder;
    recorder.exact = [](double t) { return std::exp(-t); };
    const double x0[] = {std::exp(-2.0)}, dx0[] = {-std::exp(-2.0)};
    const auto result = integrate::integrate(problem, method(), 2, 0, x0, dx0, with_tolerance(1e-8), recorder);
    ASSERT_TRUE(result.finished());
    EXPECT_NEAR(result.x[0], 1.0, 1e-7);
    EXPECT_LT(recorder.worst_interpolation, 1e-7);
}

TEST_P(EveryMethod, InterpolatesToTolerance) {
    auto problem = make_problem(Decay{}, 1);
    Recorder recorder;
    recorder.exact = [](double t) { return std::exp(-t); };
    const double x0[] = {1}, dx0[] = {-1};
    const auto result = integrate::integrate(problem, method(), 0, 5, x0, dx0, with_tolerance(1e-7), recorder);
    ASSERT_TRUE(result.finished());
    EXPECT_LT(recorder.worst_interpolation, 1e-6);
}

TEST_P(EveryMethod, RespectsStepLimits) {
    auto problem = make_problem(Decay{}, 1);
    auto options = with_tolerance(1e-3);
    options.step.max = 0.01;
    options.step.first = 0.001;
    auto result = solve(problem, GetParam(), 0, 1, {1}, {-1}, options);
    ASSERT_TRUE(result.finished());
    EXPECT_LE(result.statistics.largest_step, 0.01 * (1 + 1e-12));
    options.step.max_steps = 10;
    result = solve(problem, GetParam(), 0, 1, {1}, {-1}, options);
    EXPECT_EQ(result.outcome, integrate::Outcome::failed);
    EXPECT_EQ(result.failure.reason, integrate::FailureReason::too_many_steps);
    EXPECT_EQ(result.statistics.counters.steps, 10);
}

TEST_P(EveryMethod, StopsWhenInterrupted) {
    auto problem = make_problem(Decay{}, 1);
    std::atomic<bool> flag{false};
    auto options = with_tolerance(1e-6);
    options.interrupt = &flag;
    options.progress = [&](double t, double) {
        if (t > 0.5) flag = true;
    };
    const auto result = solve(problem, GetParam(), 0, 10, {1}, {-1}, options);
    EXPECT_EQ(result.outcome, integrate::Outcome::interrupted);
    EXPECT_GT(result.t, 0.5);
    EXPECT_LT(result.t, 10.0);
    EXPECT_NEAR(result.x[0], std::exp(-result.t), 1e-5);
}

/// x' = 1 before t = 1 and -2 after: exact for every method if, and only if, the kink is a step end.
struct Kink {
    void operator()(double t, const double*, const double* dx, double* r) const {
        r[0] = dx[0] - (t < 1.0 ? 1.0 : -2.0);
    }
    void operator()(Complex t, const Complex*, const Complex* dx, Complex* r) const {
        r[0] = dx[0] - (t.real() < 1.0 ? 1.0 : -2.0);
    }
};

TEST_P(EveryMethod, TakesTimeEventsExactly) {
    auto problem = make_problem(Kink{}, 1);
    problem::Hybrid hybrid;
    hybrid.time_events = {1.0};
    problem.set_facet(std::move(hybrid));
    const auto result = solve(problem, GetParam(), 0, 2, {0}, {1}, with_tolerance(1e-6));
    ASSERT_TRUE(result.finished());
    EXPECT_NEAR(result.x[0], -1.0, 1e-13);
    EXPECT_EQ(result.statistics.counters.error_rejections, 0);
}

/// Height of a falling body: root at the ground, x = 1 - t²/2.
struct Fall {
    template <class T>
    void operator()(T, const T* x, const T* dx, T* r) const {
        r[0] = dx[0] - x[1];
        r[1] = dx[1] + 1.0;
    }
};

problem::Hybrid root_at_the_ground() {
    problem::Hybrid hybrid;
    hybrid.roots = {1, [](const problem::Call&, double, const double* x, const double*, double* g) {
                        g[0] = x[0];
                        return problem::EvalStatus::ok;
                    }};
    return hybrid;
}

TEST_P(EveryMethod, LocatesRootsToRoundOff) {
    auto problem = make_problem(Fall{}, 2);
    problem.set_facet(root_at_the_ground());
    Recorder recorder;
    recorder.at_event = integrate::Action::stop;
    const double x0[] = {1, 0}, dx0[] = {0, -1};
    const auto result = integrate::integrate(problem, method(), 0, 5, x0, dx0, with_tolerance(1e-9), recorder);
    EXPECT_EQ(result.outcome, integrate::Outcome::stopped);
    ASSERT_EQ(recorder.event_times.size(), 1u);
    EXPECT_NEAR(recorder.event_times[0], std::sqrt(2.0), 1e-8);
    EXPECT_EQ(recorder.directions[0], -1);
    EXPECT_EQ(result.t, recorder.event_times[0]);
    EXPECT_NEAR(result.x[0], 0.0, 1e-14);
}

/// A ball that bounces: the observer turns the velocity around.
TEST_P(EveryMethod, GoesOnAfterAnEvent) {
    struct Bounce : Recorder {
        integrate::Action event(const integrate::EventPoint& point) override {
            event_times.push_back(point.t);
            point.x[0] = 0.0;
            point.x[1] = -0.5 * point.x[1];
            return integrate::Action::proceed;
        }
    } observer;
    auto problem = make_problem(Fall{}, 2);
    problem.set_facet(root_at_the_ground());
    const double x0[] = {1, 0}, dx0[] = {0, -1};
    const auto result = integrate::integrate(problem, method(), 0, 4, x0, dx0, with_tolerance(1e-9), observer);
    ASSERT_TRUE(result.finished());
    // Impacts at √2, then after 2·(v/2^k) more: √2 (1 + 1 + 1/2 + …)
    ASSERT_GE(observer.event_times.size(), 2u);
    EXPECT_NEAR(observer.event_times[0], std::sqrt(2.0), 1e-8);
    EXPECT_NEAR(observer.event_times[1], 2 * std::sqrt(2.0), 1e-7);
}

/// x' = -√x … is not defined for x < 0: trial steps that land there must be repeated, not believed.
struct Torricelli {
    template <class T>
    void operator()(T, const T* x, const T* dx, T* r) const {
        using std::sqrt;
        r[0] = dx[0] + sqrt(x[0]);
        r[1] = x[1] - sqrt(x[0] - 0.2);
    }
};

TEST_P(EveryMethod, RecoversFromTrialStepsOutsideTheDomain) {
    auto problem = make_problem(Torricelli{}, 2);
    auto options = with_tolerance(1e-6);
    options.step.first = 1.5; // x would go below 0.2
    const auto result = solve(problem, GetParam(), 0, 1, {1, std::sqrt(0.8)}, {-1, 0}, options);
    ASSERT_TRUE(result.finished()) << result.failure.cause;
    EXPECT_NEAR(result.x[0], 0.25, 1e-5);
    EXPECT_GT(result.statistics.counters.domain_rejections, 0);
}

TEST_P(EveryMethod, SaysWhereTheDomainEnds) {
    auto problem = make_problem(Torricelli{}, 2);
    const auto result = solve(problem, GetParam(), 0, 3, {1, std::sqrt(0.8)}, {-1, 0}, with_tolerance(1e-6));
    EXPECT_EQ(result.outcome, integrate::Outcome::failed);
    EXPECT_NEAR(result.t, 2 * (1 - std::sqrt(0.2)), 1e-4); // √x = 1 - t/2 reaches √0.2
    EXPECT_FALSE(result.failure.cause.empty());
}

TEST_P(EveryMethod, ReportsTheFoldAsTheEndOfTheSolution) {
    for (const double tolerance : {1e-4, 1e-7, 1e-10}) {
        auto problem = make_problem(VanDerPolFold{}, 2);
        const auto result = solve(problem, GetParam(), 0, 10, {2.0 / 3.0, 2}, {-2, 0}, with_tolerance(tolerance));
        EXPECT_EQ(result.outcome, integrate::Outcome::failed);
        EXPECT_EQ(result.failure.reason, integrate::FailureReason::singular_point) << result.failure.cause;
        EXPECT_NEAR(result.t, 1.5 - std::log(2.0), 20 * tolerance + 1e-6); // dt = -dz (z² - 1)/z from 2 to 1
        ASSERT_FALSE(result.failure.null_unknowns.empty());
        EXPECT_NE(result.failure.cause.find("the solution ends here: dF/d(x[1]"), std::string::npos)
            << result.failure.cause;
        ASSERT_FALSE(result.failure.null_rows.empty());
        EXPECT_EQ(result.failure.null_rows[0].index, 1);
    }
}

TEST_P(EveryMethod, AllMethodsAreListedByNameAndAlias) {
    ASSERT_NE(integrate::find_method(GetParam()), nullptr);
    EXPECT_EQ(integrate::find_method("dassl"), integrate::find_method("bdf"));
    EXPECT_EQ(integrate::find_method("nonsense"), nullptr);
    for (const auto& m : integrate::methods()) EXPECT_FALSE(m.description.empty());
}

} // namespace
