#include "integrate/consistent_start.hpp"
#include "integrate/lambda_problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

using namespace daedalus;
using namespace daedalus::integrate;
using daedalus::testing::make_initial;
using daedalus::testing::NamedLegend;
using problem::InitialProblem;
using problem::InitialUnknown;
using problem::Strength;
using ::testing::HasSubstr;

namespace {

constexpr auto unspecified = Strength::unspecified;
constexpr auto guess = Strength::guess;
constexpr auto preferred = Strength::preferred;
constexpr auto fixed = Strength::fixed;

InitialUnknown value(double start, Strength strength, int derivative = 0) {
    InitialUnknown unknown;
    unknown.start = start;
    unknown.strength = strength;
    unknown.derivative = derivative;
    return unknown;
}

/// Pendulum of unit length, mass and gravity: u = x, x', x'', y, y', y'', λ; the length constraint with its two
/// derivatives and Newton's equations.
InitialProblem pendulum(std::vector<InitialUnknown> unknowns) {
    for (int j : {1, 4}) unknowns[static_cast<std::size_t>(j)].derivative = 1;
    for (int j : {2, 5}) unknowns[static_cast<std::size_t>(j)].derivative = 2;
    auto p = make_initial(5, std::move(unknowns), [](const auto* u, auto* r) {
        const auto x = u[0], vx = u[1], ax = u[2], y = u[3], vy = u[4], ay = u[5], lambda = u[6];
        r[0] = x * x + y * y - 1.0;
        r[1] = 2.0 * (x * vx + y * vy);
        r[2] = 2.0 * (vx * vx + x * ax + vy * vy + y * ay);
        r[3] = ax + lambda * x;
        r[4] = ay + lambda * y + 1.0;
    });
    p.legend = std::make_shared<NamedLegend>(
        std::vector<std::string>{"x", "der(x)", "der(der(x))", "y", "der(y)", "der(der(y))", "lambda"},
        std::vector<std::string>{"x^2 + y^2 = 1", "d/dt (x^2 + y^2 = 1)", "d2/dt2 (x^2 + y^2 = 1)",
                                 "der(der(x)) = -lambda*x", "der(der(y)) = -lambda*y - 1"});
    p.x_from = {0, 1, 3, 4, 6};
    p.dx_from = {1, 2, 4, 5, -1};
    return p;
}

double largest_residual(const InitialProblem& p, const std::vector<double>& u) {
    std::vector<double> g(static_cast<std::size_t>(p.equations));
    EXPECT_EQ(p.residual(p.binding.call(), p.t0, u.data(), g.data()), problem::EvalStatus::ok);
    double largest = 0.0;
    for (double r : g) largest = std::max(largest, std::abs(r));
    return largest;
}

std::string message_of(const Expected<ConsistentStart>& result) {
    return result.has_value() ? "success" : render(result.error());
}

} // namespace

TEST(ConsistentStart, ConsistentValuesStayExactly) {
    const auto p =
        pendulum({value(0.6, preferred), value(0.0, preferred), value(0, unspecified), value(-0.8, preferred),
                  value(0.0, preferred), value(0, unspecified), value(0, unspecified)});
    const auto start = consistent_start(p);
    ASSERT_TRUE(start.has_value()) << message_of(start);
    EXPECT_EQ(start->u[0], 0.6);
    EXPECT_EQ(start->u[3], -0.8);
    EXPECT_NEAR(start->u[6], 0.8, 1e-14); // λ = v² - y for unit length
    EXPECT_LT(largest_residual(p, start->u), 4e-16);
    EXPECT_TRUE(start->changes.empty());
    EXPECT_EQ(start->degrees_of_freedom, 2);
    EXPECT_EQ(start->redundant_equations, 0);
    EXPECT_EQ(start->free_unknowns.size(), 2u);
    const auto dx = start->dx(p);
    EXPECT_EQ(dx[4], 0.0);
    EXPECT_EQ(dx[0], start->u[1]);
}

TEST(ConsistentStart, OnePreferredValueIsKeptWhileTheOthersAdapt) {
    const auto p = pendulum({value(0.5, preferred), value(0.3, preferred), value(0, unspecified), value(-1, guess),
                             value(0, unspecified), value(0, unspecified), value(0, unspecified)});
    const auto start = consistent_start(p);
    ASSERT_TRUE(start.has_value()) << message_of(start);
    EXPECT_EQ(start->u[0], 0.5);
    EXPECT_EQ(start->u[1], 0.3);
    EXPECT_NEAR(start->u[3], -std::sqrt(0.75), 1e-14);
    EXPECT_LT(largest_residual(p, start->u), 1e-14);
    ASSERT_EQ(start->changes.size(), 1u);
    EXPECT_EQ(start->changes[0].name, "y");
    EXPECT_EQ(start->changes[0].before, -1.0);
    // x and x' were asked for and are an admissible choice
    EXPECT_EQ(start->free_unknowns, (std::vector<int>{0, 1}));
    EXPECT_EQ(start->chosen_freely, (std::vector<int>{0, 1}));
}

TEST(ConsistentStart, ContradictingPreferencesMoveToTheNearestPoint) {
    // (0.9, -1.2) lies on the ray through (0.6, -0.8), the nearest point of the circle.
    const auto p =
        pendulum({value(0.9, preferred), value(0.0, preferred), value(0, unspecified), value(-1.2, preferred),
                  value(0.0, preferred), value(0, unspecified), value(0, unspecified)});
    const auto start = consistent_start(p);
    ASSERT_TRUE(start.has_value()) << message_of(start);
    // -1.2 is measured in units of 1.2: the nearest point in the weighted norm is close to, not at, (0.6, -0.8)
    EXPECT_NEAR(start->u[0], 0.6, 0.1);
    EXPECT_NEAR(start->u[3], -0.8, 0.1);
    // Lagrange condition of the weighted projection: (u - a) ∥ scale² ∇g
    const double left = (start->u[0] - 0.9) * start->u[3] * 1.2 * 1.2;
    const double right = (start->u[3] + 1.2) * start->u[0];
    EXPECT_NEAR(left, right, 1e-5);
    EXPECT_EQ(start->u[1], 0.0);
    EXPECT_EQ(start->u[4], 0.0);
    EXPECT_LT(largest_residual(p, start->u), 1e-14);
    EXPECT_EQ(start->changes.size(), 2u);
}

TEST(ConsistentStart, FixedValuesInConflictAreNamed) {
    const auto p = pendulum({value(1.0, fixed), value(0, unspecified), value(0, unspecified), value(0.5, fixed),
                             value(0, unspecified), value(0, unspecified), value(0, unspecified)});
    const auto start = consistent_start(p);
    ASSERT_FALSE(start.has_value());
    ASSERT_EQ(start.error().size(), 1u);
    const Diagnostic& error = start.error()[0];
    EXPECT_EQ(error.message,
              "x = 1 (fixed, line 1) and y = 0.5 (fixed, line 4) cannot both satisfy x^2 + y^2 = 1 (line 10): "
              "residual 0.25");
    EXPECT_EQ(error.code, "inconsistent-initial-values");
    ASSERT_TRUE(error.where.has_value());
    EXPECT_EQ(error.where->line, 10);
    EXPECT_THAT(error.hint, HasSubstr("x and y"));
    ASSERT_GE(error.notes.size(), 3u);
    EXPECT_EQ(error.notes[0].where->line, 10);
    EXPECT_EQ(error.notes[1].where->line, 1);
    EXPECT_EQ(error.notes[2].where->line, 4);
}

TEST(ConsistentStart, ConflictInAHiddenConstraintIsNamed) {
    const auto p = pendulum({value(0.6, fixed), value(1.0, fixed), value(0, unspecified), value(-0.8, fixed),
                             value(1.0, fixed), value(0, unspecified), value(0, unspecified)});
    const auto start = consistent_start(p);
    ASSERT_FALSE(start.has_value());
    EXPECT_THAT(start.error()[0].message, HasSubstr("cannot all satisfy d/dt (x^2 + y^2 = 1) (line 11): residual 0.4"));
    EXPECT_THAT(start.error()[0].hint, HasSubstr("der(y) = 0.75 would fit"));
}

TEST(ConsistentStart, RedundantFixedValuesAreAccepted) {
    // All four are fixed although two of them follow from the others.
    const auto p = pendulum({value(0.6, fixed), value(0.8, fixed), value(0, unspecified), value(-0.8, fixed),
                             value(0.6, fixed), value(0, unspecified), value(0, unspecified)});
    const auto start = consistent_start(p);
    ASSERT_TRUE(start.has_value()) << message_of(start);
    EXPECT_EQ(start->u[0], 0.6);
    EXPECT_NEAR(start->u[6], 1.0 + 0.8, 1e-14);
    EXPECT_LT(largest_residual(p, start->u), 1e-15);
}

TEST(ConsistentStart, RedundantEquationsAreAccepted) {
    // the same plane thrice, once squared in effect
    const auto p = make_initial(3, {value(3, preferred), value(0, unspecified)}, [](const auto* u, auto* r) {
        r[0] = u[0] + u[1] - 2.0;
        r[1] = 5.0 * u[0] + 5.0 * u[1] - 10.0;
        r[2] = exp(u[0] + u[1] - 2.0) - 1.0;
    });
    const auto start = consistent_start(p);
    ASSERT_TRUE(start.has_value()) << message_of(start);
    EXPECT_EQ(start->u[0], 3.0);
    EXPECT_NEAR(start->u[1], -1.0, 1e-14);
    EXPECT_EQ(start->degrees_of_freedom, 1);
    EXPECT_EQ(start->redundant_equations, 2);
}

TEST(ConsistentStart, EquationsInContradictionAreNamed) {
    auto p = make_initial(3, {value(0, guess), value(0, guess), value(0, guess)}, [](const auto* u, auto* r) {
        r[0] = u[0] + u[1] - 2.0;
        r[1] = u[2] * u[2] + u[2] - 2.0;
        r[2] = 2.0 * u[0] + 2.0 * u[1] - 5.0;
    });
    p.legend = std::make_shared<NamedLegend>(std::vector<std::string>{"a", "b", "c"},
                                             std::vector<std::string>{"a + b = 2", "c^2 + c = 2", "2*a + 2*b = 5"});
    const auto start = consistent_start(p);
    ASSERT_FALSE(start.has_value());
    EXPECT_THAT(start.error()[0].message,
                HasSubstr("the equations a + b = 2 (line 10) and 2*a + 2*b = 5 (line 12) cannot hold together"));
}

TEST(ConsistentStart, NoRealSolutionIsRefused) {
    auto p = make_initial(1, {value(0.3, guess)}, [](const auto* u, auto* r) { r[0] = u[0] * u[0] + 1.0; });
    p.legend = std::make_shared<NamedLegend>(std::vector<std::string>{"x"}, std::vector<std::string>{"x^2 = -1"});
    const auto start = consistent_start(p);
    ASSERT_FALSE(start.has_value());
    EXPECT_THAT(start.error()[0].message, HasSubstr("no values were found that satisfy x^2 = -1"));
}

TEST(ConsistentStart, ZeroStartOnTheCircleIsEscaped) {
    const auto circle = [](const auto* u, auto* r) { r[0] = u[0] * u[0] + u[1] * u[1] - 1.0; };
    auto start = consistent_start(make_initial(1, {value(0, unspecified), value(0, unspecified)}, circle));
    ASSERT_TRUE(start.has_value()) << message_of(start);
    EXPECT_NEAR(std::hypot(start->u[0], start->u[1]), 1.0, 4e-16);
    // x = 0 can be kept: only y moves
    start = consistent_start(make_initial(1, {value(0, preferred), value(0, unspecified)}, circle));
    ASSERT_TRUE(start.has_value()) << message_of(start);
    EXPECT_EQ(start->u[0], 0.0);
    EXPECT_NEAR(std::abs(start->u[1]), 1.0, 4e-16);
    start = consistent_start(pendulum(std::vector<InitialUnknown>(7)));
    ASSERT_TRUE(start.has_value()) << message_of(start);
}

TEST(ConsistentStart, StartWithoutValueIsLeftWhenNothingIsFixedThere) {
    const auto p = make_initial(2, {value(0, unspecified), value(0, unspecified)}, [](const auto* u, auto* r) {
        r[0] = log(u[0]) - 1.0; // log(0)
        r[1] = 1.0 / u[1] - u[0];
    });
    const auto start = consistent_start(p);
    ASSERT_TRUE(start.has_value()) << message_of(start);
    EXPECT_NEAR(start->u[0], std::exp(1.0), 1e-14);
    EXPECT_NEAR(start->u[1], std::exp(-1.0), 1e-15);
    EXPECT_EQ(start->attempts[0].method, "leaving a point without value");
}

TEST(ConsistentStart, FixedStartWithoutValueNamesTheEquation) {
    auto p = make_initial(2, {value(-0.25, fixed), value(1, guess)}, [](const auto* u, auto* r) {
        r[0] = u[1] - 2.0;
        r[1] = sqrt(u[0]) - u[1];
    });
    auto legend = std::make_shared<NamedLegend>(std::vector<std::string>{"x", "y"},
                                                std::vector<std::string>{"y = 2", "sqrt(x) = y"});
    legend->domain = [](int, const double* u) {
        return "sqrt of a negative number (" + std::to_string(u[0]).substr(0, 5) + ")";
    };
    p.legend = legend;
    const auto start = consistent_start(p);
    ASSERT_FALSE(start.has_value());
    EXPECT_EQ(start.error()[0].message,
              "equation sqrt(x) = y has no value at the start: sqrt of a negative number (-0.25)");
    EXPECT_THAT(start.error()[0].hint, HasSubstr("x = -0.25 (fixed)"));
    EXPECT_EQ(start.error()[0].where->line, 11);
}

TEST(ConsistentStart, NotANumberAsStartIsRefused) {
    const auto p = make_initial(1, {value(std::nan(""), guess)}, [](const auto* u, auto* r) { r[0] = u[0]; });
    const auto start = consistent_start(p);
    ASSERT_FALSE(start.has_value());
    EXPECT_EQ(start.error()[0].code, "start-not-finite");
}

TEST(ConsistentStart, IndexFiveChain) {
    // x1 = sin t, x1' = x2, …, x4' = x5 at t = 1, with all derivatives that determine x1 … x5 and x5'.
    // u = x_i^(k), i = 1…5, k = 0…6-i; rows: d^k(x1 - sin t), k = 0…5; d^k(x_i' - x_{i+1}).
    std::vector<std::pair<int, int>> name;
    for (int i = 1; i <= 5; ++i)
        for (int k = 0; k <= 6 - i; ++k) name.emplace_back(i, k);
    const auto index = [name](int i, int k) {
        for (std::size_t j = 0; j < name.size(); ++j)
            if (name[j] == std::pair(i, k)) return j;
        return name.size();
    };
    std::vector<InitialUnknown> unknowns;
    for (const auto& [i, k] : name) unknowns.push_back(value(7.0, k == 0 ? preferred : unspecified, k));
    int rows = 6;
    for (int i = 1; i <= 4; ++i) rows += 6 - i;
    const double derivative[4] = {std::sin(1.0), std::cos(1.0), -std::sin(1.0), -std::cos(1.0)};
    const auto p = make_initial(rows, unknowns, [index, derivative](const auto* u, auto* r) {
        int row = 0;
        for (int k = 0; k <= 5; ++k) r[row++] = u[index(1, k)] - derivative[k % 4];
        for (int i = 1; i <= 4; ++i)
            for (int k = 0; k + 1 <= 6 - i; ++k) r[row++] = u[index(i, k + 1)] - u[index(i + 1, k)];
    });
    const auto start = consistent_start(p);
    ASSERT_TRUE(start.has_value()) << message_of(start);
    EXPECT_EQ(start->degrees_of_freedom, 0);
    EXPECT_TRUE(start->free_unknowns.empty());
    for (int i = 1; i <= 5; ++i) EXPECT_NEAR(start->u[index(i, 0)], derivative[(i - 1) % 4], 2e-16);
    EXPECT_NEAR(start->u[index(5, 1)], derivative[5 % 4], 2e-16);
    EXPECT_EQ(start->changes.size(), 5u);
}

TEST(ConsistentStart, DiodeLoopsNeedDamping) {
    // Two diodes and a transistor-like pair fed from 12 V through resistors: exp(40 v) everywhere.
    const auto p = make_initial(4, std::vector<InitialUnknown>(4), [](const auto* u, auto* r) {
        const auto diode = [](auto v) { return 1e-14 * (exp(v / 0.0259) - 1.0); };
        const auto v1 = u[0], v2 = u[1], v3 = u[2], i = u[3];
        r[0] = (12.0 - v1) / 1000.0 - diode(v1 - v2) - i;
        r[1] = diode(v1 - v2) - diode(v2) - (v2 - v3) / 4700.0;
        r[2] = (12.0 - v3) / 2200.0 - 100.0 * diode(v2) * (1.0 + v3 / 50.0) + (v2 - v3) / 4700.0;
        r[3] = i - v1 / 1e5;
    });
    const auto start = consistent_start(p);
    ASSERT_TRUE(start.has_value()) << message_of(start);
    EXPECT_LT(largest_residual(p, start->u), 1e-13);
    EXPECT_GT(start->u[1], 0.5);
    EXPECT_LT(start->u[1], 0.8);
    EXPECT_EQ(start->degrees_of_freedom, 0);
}

TEST(ConsistentStart, BoundsSelectTheBranch) {
    auto unknown = value(-0.5, guess);
    unknown.min = 0.0;
    const auto square = [](const auto* u, auto* r) { r[0] = u[0] * u[0] - 4.0; };
    auto start = consistent_start(make_initial(1, {unknown}, square));
    ASSERT_TRUE(start.has_value()) << message_of(start);
    EXPECT_NEAR(start->u[0], 2.0, 1e-15);
    EXPECT_TRUE(start->warnings.empty());
    // Where no solution respects the bounds, the solution is kept and the violation reported.
    unknown.max = 1.0;
    start = consistent_start(make_initial(1, {unknown}, square));
    ASSERT_TRUE(start.has_value()) << message_of(start);
    ASSERT_EQ(start->warnings.size(), 1u);
    EXPECT_EQ(start->warnings[0].code, "start-out-of-bounds");
}

TEST(ConsistentStart, NothingToSolve) {
    const auto start = consistent_start(make_initial(0, {value(2, guess)}, [](const auto*, auto*) {}));
    ASSERT_TRUE(start.has_value());
    EXPECT_EQ(start->u[0], 2.0);
    EXPECT_EQ(start->degrees_of_freedom, 1);
    EXPECT_EQ(start->chosen_freely, std::vector<int>{0});
}

TEST(ConsistentStart, BadlyScaledEquationsAndUnknowns) {
    auto farad = value(0, unspecified);
    farad.nominal = 1e-9;
    const auto p = make_initial(2, {farad, value(1e6, preferred)}, [](const auto* u, auto* r) {
        r[0] = 1e30 * (u[0] * u[1] - 1e-3);
        r[1] = 1e-20 * (u[1] - 1e6);
    });
    const auto start = consistent_start(p);
    ASSERT_TRUE(start.has_value()) << message_of(start);
    EXPECT_NEAR(start->u[0], 1e-9, 1e-24);
}

namespace {

/// A ladder of n cells with nonlinear resistors: node voltages v_i, branch currents i_i and capacitor currents
/// C v_i' = i_i - i_{i+1}. Unknowns per node: v, v', i.
struct Ladder {
    int cells;
    SparsityPattern pattern;
    static problem::EvalStatus residual(const problem::Call& call, double, const double* u, double* g) {
        const int n = call.as<Ladder>().cells;
        for (int k = 0; k < n; ++k) {
            const double left = k == 0 ? 5.0 : u[3 * (k - 1)];
            const double drop = left - u[3 * k];
            g[2 * k] = u[3 * k + 2] - drop - 0.1 * drop * drop * drop;
            const double next = k + 1 < n ? u[3 * (k + 1) + 2] : 0.0;
            g[2 * k + 1] = 1e-3 * u[3 * k + 1] - u[3 * k + 2] + next;
        }
        return problem::EvalStatus::ok;
    }
    void visit(const double* u, const auto& entry) const {
        for (int k = 0; k < cells; ++k) {
            const double left = k == 0 ? 5.0 : u[3 * (k - 1)];
            const double slope = 1.0 + 0.3 * (left - u[3 * k]) * (left - u[3 * k]);
            entry(2 * k, 3 * k + 2, 1.0);
            entry(2 * k, 3 * k, slope);
            if (k > 0) entry(2 * k, 3 * (k - 1), -slope);
            entry(2 * k + 1, 3 * k + 1, 1e-3);
            entry(2 * k + 1, 3 * k + 2, -1.0);
            if (k + 1 < cells) entry(2 * k + 1, 3 * (k + 1) + 2, 1.0);
        }
    }
    static problem::EvalStatus jacobian(const problem::Call& call, double, const double* u, double* values) {
        const auto& self = call.as<Ladder>();
        self.visit(u, [&](int row, int col, double v) { values[self.pattern.find(row, col)] = v; });
        return problem::EvalStatus::ok;
    }
};

InitialProblem ladder(int cells, Strength voltage) {
    auto context = std::make_shared<Ladder>(Ladder{cells, {}});
    std::vector<double> zero(static_cast<std::size_t>(3 * cells), 0.0);
    std::vector<std::pair<int, int>> entries;
    context->visit(zero.data(), [&](int row, int col, double) { entries.emplace_back(row, col); });
    context->pattern = SparsityPattern::from_entries(2 * cells, 3 * cells, entries);
    InitialProblem p;
    p.equations = 2 * cells;
    for (int k = 0; k < cells; ++k) {
        p.unknowns.push_back(value(std::sin(0.01 * k), voltage));
        p.unknowns.push_back(value(0.0, unspecified, 1));
        p.unknowns.push_back(value(0.0, unspecified));
        p.x_from.insert(p.x_from.end(), {3 * k, 3 * k + 2});
        p.dx_from.insert(p.dx_from.end(), {3 * k + 1, -1});
    }
    p.pattern = context->pattern;
    p.binding = problem::Binding::to(context);
    p.residual = Ladder::residual;
    p.jacobian = Ladder::jacobian;
    return p;
}

} // namespace

TEST(ConsistentStart, LargeSparseLadder) {
    const int cells = 7000;
    const auto p = ladder(cells, preferred);
    const auto start = consistent_start(p);
    ASSERT_TRUE(start.has_value()) << message_of(start);
    EXPECT_LT(largest_residual(p, start->u), 1e-13);
    EXPECT_TRUE(start->changes.empty());
    ASSERT_TRUE(start->analysed);
    EXPECT_EQ(start->degrees_of_freedom, cells);
    EXPECT_EQ(start->free_unknowns.size(), static_cast<std::size_t>(cells));
    for (int j : start->free_unknowns) ASSERT_EQ(j % 3, 0); // the voltages
}

TEST(ConsistentStart, LargeSparseLadderFromGuesses) {
    const auto p = ladder(3000, guess);
    const auto start = consistent_start(p);
    ASSERT_TRUE(start.has_value()) << message_of(start);
    EXPECT_LT(largest_residual(p, start->u), 1e-13);
}
