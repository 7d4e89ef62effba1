// Methods of order 1 and 2, and others whose estimate has another power of h than their error: the error of the
// solution, not that of a step, is near the tolerance.
#include "integrate/leave_out.hpp"

#include <gmock/gmock.h>

#include <cmath>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

/// (cos t, -sin t), with factors that keep Newton from ending in one iteration.
struct Oscillator {
    template <class T>
    void operator()(T, const T* x, const T* dx, T* r) const {
        r[0] = (1.0 + x[1] * x[1]) * (dx[0] - x[1]);
        r[1] = (1.0 + dx[0] * dx[0]) * (dx[1] + x[0]);
    }
};

struct Case {
    const char* method;
    int max_order;
    double tolerance;
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
    return out << c.method << ' ' << c.max_order << ' ' << c.tolerance;
}

class LowOrder : public ::testing::TestWithParam<Case> {};
// The last: their estimates are O(h²), their errors less, so that what Newton leaves could add up to more.
INSTANTIATE_TEST_SUITE_P(All, LowOrder,
                         ::testing::Values(Case{"radau1", 5, 1e-2}, Case{"radau1", 5, 1e-4}, Case{"radau2a-1", 5, 1e-2},
                                           Case{"radau2a-1", 5, 1e-4}, Case{"bdf", 1, 1e-2}, Case{"bdf", 1, 1e-4},
                                           Case{"bdf", 2, 1e-3}, Case{"bdf", 2, 1e-6}, Case{"sdirk2", 5, 1e-4},
                                           Case{"sdirk2", 5, 1e-8}, Case{"dirk2", 5, 1e-4}, Case{"dirk2", 5, 1e-8},
                                           Case{"gauss-1", 5, 1e-7}, Case{"lobatto3c-2", 5, 1e-7},
                                           Case{"radau1a-2", 5, 1e-8}));

TEST_P(LowOrder, ErrorOfTheSolutionIsNearTheTolerance) {
    const auto [method, max_order, tol] = GetParam();
    auto problem = make_problem(Oscillator{}, 2);
    auto options = with_tolerance(tol);
    options.method.max_order = max_order;
    const auto result = solve(problem, method, 0, 5, {1, 0}, {0, -1}, options);
    ASSERT_TRUE(result.finished()) << result.failure.cause;
    EXPECT_NEAR(result.x[0], std::cos(5.0), 10 * tol);
    EXPECT_NEAR(result.x[1], -std::sin(5.0), 10 * tol);
}

/// A transient of some 3/tol steps before a slow solution: x = e^(-10⁶t) + cos t.
struct Transient {
    template <class T>
    void operator()(T t, const T* x, const T* dx, T* r) const {
        using std::cos;
        using std::sin;
        r[0] = dx[0] + 1e6 * (x[0] - cos(t)) + sin(t);
    }
};
TEST(LowOrderTransient, EndsBeforeASlowSolution) {
    auto problem = make_problem(Transient{}, 1);
    const auto result = solve(problem, "radau1", 0, 1, {2}, {-1e6}, with_tolerance(1e-4));
    ASSERT_TRUE(result.finished()) << result.failure.cause;
    EXPECT_NEAR(result.x[0], std::cos(1.0), 1e-3);
}

} // namespace
