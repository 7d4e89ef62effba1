// Events that never end, as sequences of times.
#include "integrate/event_watch.hpp"

#include <gtest/gtest.h>

#include <cmath>

using namespace daedalus::integrate;

namespace {

// A ball that keeps the part q of its speed at each impact: intervals shrink geometrically, and all impacts lie before
// a time that the first two tell.
TEST(EventWatch, FindsTheLimitOfAGeometricSequence) {
    for (const double q : {0.3, 0.5, 0.8, 0.95})
        for (const double direction : {1.0, -1.0}) {
            const double limit = direction / (1.0 - q);
            EventWatch watch(direction > 0, 100 * direction, 100);
            double t = 0.0, interval = direction;
            int events = 0;
            while (!watch.accumulating(t) && ++events < 1000) {
                t += interval;
                interval *= q;
            }
            ASSERT_LT(events, 1000) << q;
            EXPECT_GT(events, 12) << q;
            EXPECT_NEAR(watch.limit(), limit, 1e-9 * std::abs(limit)) << q;
        }
}

TEST(EventWatch, LetsEventsBeThatDoNotAccumulateInTheRun) {
    EventWatch regular(true, 1e4, 1e4), late(true, 1.9, 1.9);
    for (int k = 0; k < 2000; ++k) EXPECT_FALSE(regular.accumulating(k)) << k;
    double t = 0.0, interval = 1.0;
    for (int k = 0; k < 30; ++k, interval *= 0.5) { // limit 2, behind the end
        EXPECT_FALSE(late.accumulating(t)) << k;
        t += interval;
    }
}

// Hundreds of events in next to no time are chattering; as many spread over the run are not, nor are small steps
// without events.
TEST(EventWatch, TellsChatteringFromManyEvents) {
    EventWatch dense(true, 1.0, 1.0), spread(true, 1.0, 1.0), quiet(true, 1.0, 1.0);
    Counters counters, one;
    one.events = 1;
    bool seen = false;
    for (int k = 1; k <= 1000; ++k) {
        ++counters.events;
        seen = seen || dense.chattering(1e-8 * k, counters);
        EXPECT_FALSE(spread.chattering(1e-3 * k, counters)) << k;
        EXPECT_FALSE(quiet.chattering(1e-8 * k, one)) << k;
    }
    EXPECT_TRUE(seen);
}

TEST(EventWatch, RemembersOverACheckpoint) {
    EventWatch watch(true, 100, 100);
    double t = 0.0, interval = 1.0;
    for (int k = 0; k < 8; ++k, interval *= 0.5) {
        EXPECT_FALSE(watch.accumulating(t));
        t += interval;
    }
    EventWatch other(true, 100, 100);
    other.set_state(watch.state());
    for (int k = 0; k < 20; ++k, interval *= 0.5) {
        EXPECT_EQ(other.accumulating(t), watch.accumulating(t)) << k;
        t += interval;
    }
    EXPECT_EQ(other.limit(), watch.limit());
}

} // namespace
