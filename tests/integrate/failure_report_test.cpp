// Which equation a failure names: the one that resists, in whatever units the equations are written.
#include "integrate/problems.hpp"

#include <gtest/gtest.h>

#include <complex>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

/// x' = -1 - 1e-6 y² and y + 2 sign(y) = x, which has no solution for |x| < 2: Newton's iteration jumps to and fro in
/// y. The first row is written in units that make what these jumps do to it larger than all that is wrong with the
/// second.
struct NoSolutionBehindTwo {
    double unit;
    template <class T>
    void operator()(T, const T* x, const T* dx, T* r) const {
        r[0] = unit * (dx[0] + 1.0 + 1e-6 * x[1] * x[1]);
        r[1] = x[1] + (std::real(x[1]) > 0.0 ? 2.0 : -2.0) - x[0];
    }
};

TEST(FailureReport, RanksRowsInUnitsOfTheTolerance) {
    for (const char* method : {"radau5", "bdf", "radau9"})
        for (const double unit : {1e-9, 1.0, 1e9, 1e15}) {
            auto problem = make_problem(NoSolutionBehindTwo{unit}, 2);
            const auto result = solve(problem, method, 0, 3, {3, 1}, {-1 - 1e-6, -1 - 1e-6}, with_tolerance(1e-6));
            EXPECT_EQ(result.outcome, integrate::Outcome::failed);
            EXPECT_NEAR(result.t, 1.0, 1e-3) << method << " " << unit;
            ASSERT_FALSE(result.failure.residual_rows.empty()) << method << " " << unit;
            EXPECT_EQ(result.failure.residual_rows[0].index, 1) << method << " " << unit << result.failure.cause;
        }
}

} // namespace
