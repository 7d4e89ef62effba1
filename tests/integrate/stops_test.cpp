// Stop times, and how a step is cut or stretched to meet them.
#include "integrate/problems.hpp"
#include "integrate/stops.hpp"

#include <gtest/gtest.h>

using namespace daedalus;
using namespace daedalus::testing;
using integrate::Stops;

namespace {

struct Decay {
    template <class T>
    void operator()(T, const T* x, const T* dx, T* r) const {
        r[0] = dx[0] + x[0];
    }
};

struct Setting {
    problem::ImplicitProblem problem = make_problem(Decay{}, 1);
    integrate::IntegrationOptions options;
    Setting(std::vector<double> stops, std::vector<double> jumps) {
        options.stop_times = std::move(stops);
        problem::Hybrid hybrid;
        hybrid.time_events = std::move(jumps);
        problem.set_facet(std::move(hybrid));
    }
    Stops between(double t0, double t1) { return {problem, options, {t0, t1}}; }
};

TEST(Stops, AreSortedWithinTheIntervalInItsDirection) {
    Setting s({3, 1, 7, 0, -1}, {2, 1});
    Stops forward = s.between(0, 5);
    std::vector<double> order;
    for (int k = 0; k < 3; ++k) {
        order.push_back(forward.next().t);
        EXPECT_EQ(forward.next().discontinuity, order.back() != 3) << order.back(); // at 1 it is both
        forward.pass(forward.next());
    }
    EXPECT_EQ(order, (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(forward.next().t, 5);
    EXPECT_EQ(s.between(5, 0).next().t, 3);
}

TEST(Stops, AStepIsCutStretchedOrHalved) {
    Setting s({1}, {});
    const Stops stops = s.between(0, 2);
    const auto far = stops.aim(0, 0.2), near = stops.aim(0.5, 0.3), at = stops.aim(0.5, 0.49999),
               over = stops.aim(0.5, 9);
    EXPECT_EQ(far.h, 0.2);
    EXPECT_EQ(far.t, 0.2);
    EXPECT_EQ(near.h, 0.25); // two equal steps instead of 0.3 and 0.2
    EXPECT_EQ(at.t, 1.0);
    EXPECT_EQ(over.t, 1.0);
    EXPECT_EQ(over.h, 0.5);
}

// Clocks that tick together do so up to roundings.
TEST(Stops, JumpsSomeRoundingsApartAreReachedTogether) {
    const double second = 0.075, first = std::nextafter(std::nextafter(second, 0.0), 0.0), third = 0.0751;
    ASSERT_LT(first, second);
    Setting s({}, {first, second, third});
    Stops stops = s.between(0, 1);
    const double end = stops.aim(0.0749, 1.0).t; // of the step to the first
    EXPECT_EQ(end, std::nextafter(first, 0.0));
    for (const double jump : {first, second}) {
        ASSERT_EQ(stops.next().t, jump);
        EXPECT_TRUE(stops.reached(stops.next(), end));
        stops.pass(stops.next());
    }
    EXPECT_EQ(stops.next().t, third);
    EXPECT_FALSE(stops.reached(stops.next(), end));
}

// No stage may see the other side of a jump.
TEST(Stops, AStepEndsOneRoundingBeforeAJump) {
    Setting s({}, {1});
    const Stops stops = s.between(0, 2);
    const auto target = stops.aim(0.5, 1);
    EXPECT_EQ(target.t, std::nextafter(1.0, 0.0));
    EXPECT_TRUE(stops.reached(stops.next(), target.t));
    EXPECT_FALSE(stops.reached(stops.next(), 0.99));
}

// At t = 1e9 a step of 1e-7 is rounded by a tenth and more: the method must make the step that the clock makes.
TEST(Stops, TheStepIsWhatTheClockMakes) {
    Setting s({}, {});
    const auto target = s.between(1e9, 2e9).aim(1e9, 3e-7);
    EXPECT_EQ(target.h, target.t - 1e9);
    EXPECT_NE(target.h, 3e-7);
}

TEST(Stops, CanBeAddedAhead) {
    Setting s({2}, {});
    Stops stops = s.between(0, 4);
    stops.add(3, 1);
    stops.add(1.5, 1);
    stops.add(0.5, 1); // behind
    stops.add(4, 1);   // the end itself
    stops.add(2, 1);   // known
    for (const double t : {1.5, 2.0, 3.0, 4.0}) {
        EXPECT_EQ(stops.next().t, t);
        stops.pass(stops.next());
    }
    stops.skip_to(2);
    EXPECT_EQ(stops.next().t, 3);
}

} // namespace
