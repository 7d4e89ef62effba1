// An integration made one step at a time: the same as at once, and open to wishes in between.
#include "integrate/integration.hpp"
#include "integrate/problems.hpp"

#include <gtest/gtest.h>

#include <bit>

using namespace daedalus;
using namespace daedalus::testing;
using integrate::Integration;

namespace {

struct Decay {
    template <class T>
    void operator()(T, const T* x, const T* dx, T* r) const {
        r[0] = dx[0] + x[0];
    }
};

void expect_same_bits(const std::vector<double>& a, const std::vector<double>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k)
        EXPECT_EQ(std::bit_cast<std::uint64_t>(a[k]), std::bit_cast<std::uint64_t>(b[k])) << k;
}

class Stepwise : public ::testing::TestWithParam<const char*> {
protected:
    const integrate::Method& method() { return *integrate::find_method(GetParam()); }
    integrate::Observer silent;
    const std::vector<double> x0{1}, dx0{-1};
};
INSTANTIATE_TEST_SUITE_P(Methods, Stepwise, ::testing::Values("radau5", "bdf", "radau9", "dopri5", "rodas5"));

TEST_P(Stepwise, IsTheSameAsAtOnce) {
    const auto options = with_tolerance(1e-7);
    auto once = make_problem(Robertson{}, 3), stepped = make_problem(Robertson{}, 3);
    if (std::string_view(GetParam()) == "dopri5") return; // not for index 1
    const std::vector<double> start{1, 0, 0}, slope{-0.04, 0.04, 0};
    const auto whole = integrate::integrate(once, method(), 0, 100, start, slope, options, silent);
    Integration integration(stepped, method(), 0, 100, options, silent);
    integration.begin(start, slope);
    long attempts = 0;
    double last = 0.0;
    do {
        EXPECT_GE(integration.t(), last);
        last = integration.t();
        ++attempts;
    } while (integration.step());
    EXPECT_TRUE(integration.over());
    EXPECT_FALSE(integration.step());
    const auto result = integration.finish();
    ASSERT_TRUE(whole.finished() && result.finished());
    expect_same_bits(result.x, whole.x);
    const auto &a = result.statistics.counters, &b = whole.statistics.counters;
    EXPECT_EQ(a.steps, b.steps);
    EXPECT_EQ(a.residuals, b.residuals);
    EXPECT_EQ(a.solves, b.solves);
    EXPECT_EQ(attempts, b.steps + b.error_rejections + b.newton_rejections + b.domain_rejections);
}

// As a caller does who wants the solution at times that are decided on the way. The cut steps do not slow it down.
TEST_P(Stepwise, ReachesStopsThatAreSetBetweenSteps) {
    const auto options = with_tolerance(1e-7);
    auto problem = make_problem(Decay{}, 1);
    Integration integration(problem, method(), 0, 10, options, silent);
    integration.begin(x0, dx0);
    double stop = 0.05;
    int stops = 0;
    for (; stop < 10; stop *= 1.7, ++stops) {
        integration.stop_at(stop);
        while (integration.t() < stop) ASSERT_TRUE(integration.step());
        EXPECT_EQ(integration.t(), stop);
        EXPECT_NEAR(integration.x()[0], std::exp(-stop), 2e-6);
    }
    integration.stop_at(1.0); // behind
    integration.stop_at(11);  // beyond the end
    while (integration.step()) {
    }
    const auto result = integration.finish();
    EXPECT_TRUE(result.finished());
    EXPECT_EQ(result.t, 10.0);
    auto plain = make_problem(Decay{}, 1);
    const auto free = integrate::integrate(plain, method(), 0, 10, x0, dx0, options, silent);
    EXPECT_LE(result.statistics.counters.steps, free.statistics.counters.steps + 3 * stops);
}

TEST_P(Stepwise, InterpolatesTheLastStep) {
    const auto options = with_tolerance(1e-7);
    auto problem = make_problem(Decay{}, 1);
    Integration integration(problem, method(), 0, 3, options, silent);
    integration.begin(x0, dx0);
    EXPECT_FALSE(integration.last_step());
    double x = 0, dx = 0, end = 0;
    for (bool goes_on = true; goes_on;) {
        goes_on = integration.step();
        const auto step = integration.last_step();
        ASSERT_TRUE(step);
        EXPECT_EQ(step->end(), integration.t());
        EXPECT_EQ(step->begin(), integration.t() > end ? end : step->begin());
        end = integration.t();
        for (const double theta : {0.0, 0.4, 1.0}) {
            const double t = step->begin() + theta * (step->end() - step->begin());
            step->evaluate(t, &x, &dx);
            EXPECT_NEAR(x, std::exp(-t), 1e-6);
        }
    }
}

// Two continuations of one checkpoint are the same, bit for bit, also in another object; stops that are behind do not
// come again.
TEST_P(Stepwise, GoesOnFromWhereItWasSaved) {
    auto options = with_tolerance(1e-8);
    options.stop_times = {0.3, 0.7, 2.5};
    auto problem = make_problem(Decay{}, 1), other = make_problem(Decay{}, 1);
    Integration integration(problem, method(), 0, 4, options, silent);
    integration.begin(x0, dx0);
    while (integration.t() < 0.7) ASSERT_TRUE(integration.step());
    const integrate::Checkpoint saved = integration.save();
    EXPECT_EQ(saved.t, 0.7);
    integration.begin(saved);
    while (integration.step()) {
    }
    Integration second(other, method(), 0, 4, options, silent);
    second.begin(saved);
    bool at_stop = false;
    while (second.step()) {
        EXPECT_GT(second.t(), 0.7);
        at_stop = at_stop || second.t() == 2.5;
    }
    EXPECT_TRUE(at_stop);
    const auto a = integration.finish(), b = second.finish();
    ASSERT_TRUE(a.finished() && b.finished());
    expect_same_bits(a.x, b.x);
    EXPECT_EQ(a.statistics.counters.residuals, b.statistics.counters.residuals);
    EXPECT_NEAR(a.x[0], std::exp(-4.0), 1e-7);
}

// A ball that falls on ground which turns its velocity round: behind the event the method has begun anew, and a stop in
// flight is reached all the same.
struct Fall {
    template <class T>
    void operator()(T, const T* x, const T* dx, T* r) const {
        r[0] = dx[0] - x[1];
        r[1] = dx[1] + 1.0;
    }
};
TEST_P(Stepwise, SeesEventsAsPointsAtWhichTheMethodBeginsAnew) {
    struct Bounce : integrate::Observer {
        double last = 0.0;
        integrate::Action event(const integrate::EventPoint& point) override {
            last = point.t;
            point.x[0] = 0.0;
            point.x[1] = -point.x[1];
            return integrate::Action::proceed;
        }
    } observer;
    auto problem = make_problem(Fall{}, 2);
    problem::Hybrid hybrid;
    hybrid.roots = {1, [](const problem::Call&, double, const double* x, const double*, double* g) {
                        g[0] = x[0];
                        return problem::EvalStatus::ok;
                    }};
    problem.set_facet(std::move(hybrid));
    const auto options = with_tolerance(1e-8);
    Integration integration(problem, method(), 0, 4, options, observer);
    integration.begin(std::vector<double>{0.5, 0}, std::vector<double>{0, -1});
    integration.stop_at(1.5);
    while (observer.last == 0.0) ASSERT_TRUE(integration.step());
    EXPECT_NEAR(integration.t(), 1.0, 1e-7); // ½ - t²/2 = 0
    EXPECT_NEAR(integration.x()[1], 1.0, 1e-7);
    EXPECT_FALSE(integration.last_step());
    while (integration.t() < 1.5) ASSERT_TRUE(integration.step());
    EXPECT_EQ(integration.t(), 1.5);
    EXPECT_NEAR(integration.x()[0], 0.5 - 0.125, 1e-6); // s - s²/2 at s = ½
    EXPECT_TRUE(integration.last_step());
}

TEST_P(Stepwise, CanBeGivenUp) {
    const auto options = with_tolerance(1e-6);
    auto problem = make_problem(Decay{}, 1);
    Integration integration(problem, method(), 0, 4, options, silent);
    integration.begin(x0, dx0);
    while (integration.t() < 1) ASSERT_TRUE(integration.step());
    const double t = integration.t();
    const auto result = integration.finish();
    EXPECT_EQ(result.outcome, integrate::Outcome::stopped);
    EXPECT_EQ(result.t, t);
    EXPECT_NEAR(result.x[0], std::exp(-t), 1e-5);
}

} // namespace
