// Special cases that every method must survive: very stiff, very long, very short, one unknown, nothing happening,
// jumps, zero crossings, bad scales, residuals that are noisy or not defined everywhere.
#include "facade/solving.hpp"

#include <gmock/gmock.h>

#include <cmath>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

struct Case {
    const char* method;
    double tol;            ///< what is asked of it: low orders get less to do
    double allowed = 10.0; ///< errors at the end stay within this many tolerances
    bool stiff = true;     ///< it can; what explicit methods do there, honesty_test.cpp asks
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.method; }

class Extremes : public ::testing::TestWithParam<Case> {
protected:
    [[nodiscard]] static SolveOptions options(double until) {
        return {.until = until, .method = GetParam().method, .rtol = tol(), .atol = tol(), .points = 20};
    }
    [[nodiscard]] static double tol() { return GetParam().tol; }
    [[nodiscard]] static double allowed() { return GetParam().allowed; }
    static void expect_final(const Solution& s, const char* name, double exact, double scale = 1.0) {
        EXPECT_NEAR(s.final(name), exact, allowed() * tol() * (scale + std::abs(exact))) << name;
    }
};
INSTANTIATE_TEST_SUITE_P(Methods, Extremes,
                         ::testing::Values(Case{"radau", 1e-7}, Case{"radau5", 1e-7}, Case{"radau9", 1e-9},
                                           Case{"radau13", 1e-9}, Case{"radau1", 1e-3}, Case{"bdf", 1e-7},
                                           Case{"rodas3", 1e-5}, Case{"rodas4", 1e-7}, Case{"rodas4p", 1e-6},
                                           Case{"rodas5", 1e-8}, Case{"rodas6", 1e-9}, Case{"esdirk3", 1e-5},
                                           Case{"esdirk4", 1e-7}, Case{"esdirk5", 1e-8}, Case{"limex", 1e-7},
                                           Case{"midpoint", 1e-5}, Case{"radau17", 1e-9},
                                           Case{"dop853", 1e-9, 10.0, false}, Case{"dopri5", 1e-7, 10.0, false}),
                         [](const auto& tested) { return std::string(tested.param.method); });

// One unknown, a start far off the slow solution, stiffness 1e12.
TEST_P(Extremes, VeryStiff) {
    if (!GetParam().stiff) return;
    const Solution s = solved("model S Real x(start = 2, fixed = true); equation der(x) = -1e12*(x - cos(time)) - "
                              "sin(time); end S;",
                              options(3));
    expect_final(s, "x", std::cos(3.0));
}

TEST_P(Extremes, VeryShortAndVeryLong) {
    const std::string text = "model S parameter Real k = 1; Real x(start = 1, fixed = true); equation der(x) = -k*x; "
                             "end S;";
    for (const double span : {1e-12, 1e-3, 1e11}) {
        SolveOptions how = options(span);
        how.parameters = {{"k", 1 / span}};
        expect_final(solved(text, how), "x", std::exp(-1.0));
    }
    if (!GetParam().stiff) return;
    expect_final(solved(text, options(1e11)), "x", 0.0); // decays at once, then nothing for 1e11
}

// From zero with a small absolute tolerance, where a rounding of time is 1e-10: first steps must not be smaller.
TEST_P(Extremes, FarFromZero) {
    if (tol() > 1e-4) return; // order 1 would need shorter steps
    SolveOptions how = options(1e6 + 1);
    how.from = 1e6;
    how.atol = 1e-10;
    const Solution s = solved("model S Real x(start = 0, fixed = true); equation der(x) = 10*(1 - x); end S;", how);
    expect_final(s, "x", 1 - std::exp(-10.0));
}

// Where time itself is too coarse for the tolerance, the run ends and says so.
TEST_P(Extremes, TimeTooCoarse) {
    SolveOptions how = options(1e6 + 1e-5);
    how.from = 1e6;
    how.rtol = how.atol = 1e-10;
    how.max_steps = 100;
    const Solution s = run("model S Real x(start = 0, fixed = true); equation der(x) = 1e6*(1 - x); end S;", how);
    EXPECT_FALSE(s.success());
    EXPECT_THAT(s.message(), ::testing::HasSubstr("rounding"));
}

TEST_P(Extremes, NothingHappens) {
    const Solution zero =
        solved("model Z Real x(start = 1.5, fixed = true); equation der(x) = 0; end Z;", options(1e6));
    EXPECT_EQ(zero.final("x"), 1.5);
    // At rest in an equilibrium of stiff and algebraic equations; and at exactly 0.
    const Solution rest =
        solved("model C Real x(start = 2, fixed = true); Real y(start = 0, fixed = true); Real z(start "
               "= 4); equation der(x) = 1e6*(z - x^2) + y; der(y) = -y*z; z = 4 + 0*x; end C;",
               options(100));
    expect_final(rest, "x", 2.0);
    EXPECT_EQ(rest.final("y"), 0.0);
    for (const auto& [name, value] : rest.statistics())
        if (name == "steps") {
            EXPECT_LT(value, 200);
        }
}

// A force that jumps at a time, one that jumps when a state crosses a level, and a kink.
TEST_P(Extremes, DiscontinuousForcing) {
    const Solution s =
        solved("model J Real x(start = 0, fixed = true), y(start = 0, fixed = true), z; equation der(x) = "
               "z - x; z = if time < 1 then 0 else 1; der(y) = if x > 0.5 then -1 else 1; end J;",
               options(3));
    const double crossing = 1 + std::log(2.0);
    expect_final(s, "x", 1 - std::exp(-2.0));
    expect_final(s, "y", crossing - (3 - crossing));
}

TEST_P(Extremes, SolutionsThroughZero) {
    SolveOptions how = options(10);
    how.atol = 1e-3 * tol();
    const Solution s =
        solved("model O Real x(start = 0, fixed = true), v(start = 1, fixed = true), p; equation der(x) = "
               "v; der(v) = -x; p = x*v; end O;",
               how);
    for (std::size_t k = 0; k < s.time().size(); ++k) {
        EXPECT_NEAR(s["x"][k], std::sin(s.time()[k]), allowed() * tol());
        EXPECT_NEAR(s["p"][k], std::sin(s.time()[k]) * std::cos(s.time()[k]), allowed() * tol());
    }
}

TEST_P(Extremes, BadScalesWithNominalValues) {
    const Solution s =
        solved("model B Real big(start = 1e12, fixed = true, nominal = 1e12), small(start = 0, fixed = "
               "true, nominal = 1e-12), sum(nominal = 1e12); equation der(big) = -1e24*small; der(small) "
               "= 1e-24*big; sum = big + 1e24*small; end B;",
               options(4));
    expect_final(s, "big", 1e12 * std::cos(4.0), 1e12);
    expect_final(s, "small", 1e-12 * std::sin(4.0), 1e-12);
    expect_final(s, "sum", 1e12 * (std::cos(4.0) + std::sin(4.0)), 1e12);
}

// sqrt is asked for beyond its domain by steps that overshoot, never by the solution.
TEST_P(Extremes, UndefinedRegionsAreSteppedAround) {
    SolveOptions how = options(20);
    how.rtol = 1e-5;
    how.atol = 1e-9;
    const Solution s =
        solved("model N Real x(start = 1, fixed = true); equation der(x) = -2*sqrt(x) + 1e-3; end N;", how);
    EXPECT_NEAR(s.final("x"), 2.5e-7, 1e-8);
}

// NaN from a black box beyond a wall that the solution touches at no time but comes close to.
TEST_P(Extremes, ResidualsThatAreNotANumberBeyondAWall) {
    BlackBox box;
    box.residual = [](double, std::span<const double> x, std::span<const double> dx, std::span<double> r) {
        r[0] = x[0] > 1.0 ? NAN : dx[0] - 30 * (1 - x[0]);
        r[1] = x[1] - std::sqrt(1 - x[0]);
    };
    box.x0 = {0, 1};
    box.dx0 = {30, 0};
    const auto s = solve(box, options(0.3));
    ASSERT_TRUE(s) << render(s.error());
    ASSERT_TRUE(s->success()) << s->message();
    EXPECT_NEAR(s->final(s->names()[0]), 1 - std::exp(-9.0), allowed() * tol());
}

/// Residuals with relative errors of 1e-8, different at every point but reproducible.
BlackBox noisy() {
    BlackBox box;
    const auto noise = [](double value) { return 1e-8 * std::sin(1e9 * value); };
    box.residual = [noise](double t, std::span<const double> x, std::span<const double> dx, std::span<double> r) {
        r[0] = dx[0] + 50 * (x[0] - std::cos(t)) * (1 + noise(x[0])) + std::sin(t);
        r[1] = x[1] * (1 + noise(x[1])) - x[0] * x[0];
    };
    box.pattern = {{0, 0}, {1, 0}, {1, 1}};
    box.x0 = {1, 1};
    box.dx0 = {0, 0};
    return box;
}

void expect_graceful(const Expected<Solution>& s, double allowance) {
    ASSERT_TRUE(s) << render(s.error());
    ASSERT_TRUE(s->success()) << s->message();
    EXPECT_NEAR(s->final(s->names()[0]), std::cos(5.0), allowance);
    EXPECT_NEAR(s->final(s->names()[1]), std::pow(std::cos(5.0), 2), allowance);
    for (const auto& [name, value] : s->statistics())
        if (name == "steps") {
            EXPECT_LT(value, 20'000);
        }
}

TEST_P(Extremes, NoisyResiduals) {
    BlackBox box = noisy();
    // This is what the noise is added to.
    box.jacobian = [](double, std::span<const double> x, std::span<const double>, std::span<double> jx,
                      std::span<double> jdx) {
        jx[0] = 50;
        jx[1] = -2 * x[0];
        jx[2] = 1;
        jdx[0] = 1;
        jdx[1] = jdx[2] = 0;
    };
    SolveOptions how = options(5);
    how.rtol = how.atol = std::max(tol(), 1e-5);
    expect_graceful(solve(box, how), allowed() * *how.rtol);
}

TEST_P(Extremes, NoisyResidualsWithoutJacobian) {
    SolveOptions how = options(5);
    how.rtol = how.atol = std::max(tol(), 1e-5);
    expect_graceful(solve(noisy(), how), allowed() * *how.rtol);
}

} // namespace
