// Start values and parameters at the ends of what a number can be: whatever the outcome, it is one, and a success is
// the solution.
#include <daedalus/daedalus.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace daedalus {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
constexpr double denormal = std::numeric_limits<double>::denorm_min();
const double extremes[] = {1e308, -1e308, 1.7e308, 1e-308, 1e-310, denormal, -denormal,
                           1e155, 1e-200, 0.0,     inf,    -inf,   nan};

/// Few enough steps that what cannot be followed ends soon.
SolveOptions short_run(const char* method) { return {.until = 1.0, .method = method, .points = 5, .max_steps = 2000}; }

template <class Build>
void try_everything(const Build& build) {
    for (const double v : extremes) {
        const Model model = build(v);
        (void)analyze(model, {.until = 1.0});
        (void)initialize(model, {});
        (void)explain(model, {});
        for (const char* method : {"auto", "bdf", "radau5", "rodas4", "dopri5"}) {
            const auto solution = solve(model, short_run(method));
            if (!solution) {
                EXPECT_FALSE(render(solution.error()).empty());
                continue;
            }
            (void)solution->to_text(false, 80);
            (void)solution->to_json();
            if (!solution->success()) EXPECT_FALSE(solution->message().empty()) << v << " " << method;
        }
    }
}

TEST(ExtremeValues, OfAStartAndACosine) {
    try_everything([](double v) {
        Model m("M");
        const Expression z = m.variable("z", {.start = v});
        m.equation(der(z) == cos(z));
        return m;
    });
}

TEST(ExtremeValues, OfAnAlgebraicGuess) {
    try_everything([](double v) {
        Model m("M");
        const Expression x = m.variable("x", {.start = 1.0, .fixed = true}), z = m.variable("z", {.start = v});
        m.equation(der(x) == -1.0 * x * z);
        m.equation(z == cos(z) + 0.1 * x);
        return m;
    });
}

// The constraint has no solution near the guess and hides another one: derivative arrays look for a point from there.
TEST(ExtremeValues, OfADifferentialAndAnAlgebraicGuess) {
    try_everything([](double v) {
        Model m("M");
        const Expression x = m.variable("x", {.start = v}), z = m.variable("z", {.start = v});
        m.equation(der(x) == -x);
        m.equation(Expression(0.0) == cos(z) - x);
        return m;
    });
}

// Entries of the Jacobian that are the smallest numbers there are have no finite inverse to scale them by.
TEST(ExtremeValues, OfAProductOfUnknowns) {
    for (const double p : {denormal, -denormal, 1e308})
        try_everything([p](double v) {
            Model m("M");
            const Expression x = m.variable("x", {.start = v}), z = m.variable("z", {.start = p});
            m.equation(der(x) + z == p);
            m.equation(z * (der(x) + z - p) + x == sin(m.time()));
            return m;
        });
}

TEST(ExtremeValues, OfAParameter) {
    try_everything([](double v) {
        Model m("M");
        const Expression p = m.parameter("p", v);
        const Expression x = m.variable("x", {.start = v, .fixed = true}), y = m.variable("y", {.start = v});
        m.equation(der(x) == -1.0 * p * y);
        m.equation(p * y == x + p * p * y * y);
        return m;
    });
}

TEST(ExtremeValues, OfAConstantInAnEquation) {
    try_everything([](double v) {
        Model m("M");
        const Expression x = m.variable("x", {.start = 1.0, .fixed = true}), y = m.variable("y");
        m.equation(der(x) == v * y - (-1.0 * Expression(v)) * Expression(v) * x);
        m.equation(y == x / v);
        return m;
    });
}

TEST(ExtremeValues, OfAPendulum) {
    try_everything([](double v) {
        Model m("M");
        const Expression x = m.variable("x", {.start = v, .fixed = true}), y = m.variable("y", {.start = 0.0}),
                         lambda = m.variable("lambda", {.start = v}), length = m.parameter("L", v);
        m.equation(der(der(x)) == -1.0 * lambda * x);
        m.equation(der(der(y)) == -1.0 * lambda * y - 9.81);
        m.equation(x * x + y * y == length * length);
        return m;
    });
}

TEST(ExtremeValues, OfNominalsAndBounds) {
    try_everything([](double v) {
        Model m("M");
        const Expression x = m.variable("x", {.start = 1.0, .fixed = true, .nominal = v}),
                         y = m.variable("y", {.start = 1.0, .min = -std::abs(v), .max = std::abs(v)});
        m.equation(der(x) == -1.0 * y);
        m.equation(y == x * x * x);
        return m;
    });
}

// What is linear can be solved in any unit that numbers have.
TEST(ExtremeValues, DecayIsRightWhereNumbersAllowIt) {
    for (const double v : {1e-300, 1e-200, 1e200, 1e300}) {
        Model m("M");
        const Expression x = m.variable("x", {.start = v, .fixed = true, .nominal = v});
        m.equation(der(x) == -1.0 * x);
        const auto s = solve(m, {.until = 1.0, .rtol = 1e-8});
        ASSERT_TRUE(s) << render(s.error());
        ASSERT_TRUE(s->success()) << v << " " << s->message();
        EXPECT_NEAR((*s)["x"].back() / v, std::exp(-1.0), 1e-7) << v;
    }
}

} // namespace
} // namespace daedalus
