#include "integrate/consistent_start.hpp"
#include "problem/black_box.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

using namespace daedalus;
using namespace daedalus::problem;
using ::testing::HasSubstr;

namespace {

/// Robertson's problem with the conservation law as third equation (index 1).
BlackBox robertson() {
    BlackBox box;
    box.residual = [](double, auto x, auto dx, auto r) {
        r[0] = dx[0] + 0.04 * x[0] - 1e4 * x[1] * x[2];
        r[1] = dx[1] - 0.04 * x[0] + 1e4 * x[1] * x[2] + 3e7 * x[1] * x[1];
        r[2] = x[0] + x[1] + x[2] - 1.0;
        return true;
    };
    box.x0 = {1.0, 0.0, 0.3}; // x3 is wrong
    box.names = {"a", "b", "c"};
    return box;
}

} // namespace

TEST(BlackBox, ProbingFindsTheDependence) {
    const auto depends = probe_dependence(robertson());
    // x2 = 0 at the start hides ∂/∂x3 and the quadratic term there; probing elsewhere sees them.
    EXPECT_EQ(depends.on_x, SparsityPattern::dense(3, 3));
    EXPECT_EQ(depends.on_dx, SparsityPattern::from_entries(3, 3, {{0, 0}, {1, 1}}));
}

TEST(BlackBox, ImplicitProblemByDifferences) {
    const auto problem = make_implicit_problem(robertson());
    ASSERT_TRUE(problem.has_value());
    EXPECT_EQ(problem->size(), 3);
    EXPECT_TRUE(problem->unknowns()[0].differential);
    EXPECT_FALSE(problem->unknowns()[2].differential);
    EXPECT_EQ(problem->names().variable(1), "b");
    const double x[3] = {0.9, 1e-4, 0.1}, dx[3] = {-0.03, 0.01, 0.0};
    double r[3];
    ASSERT_EQ(problem->residual(0.0, x, dx, r), EvalStatus::ok);
    std::vector<double> jx(problem->pattern().row_index.size()), jdx(jx.size());
    ASSERT_EQ(problem->jacobian(0.0, x, dx, jx.data(), jdx.data()), EvalStatus::ok);
    const auto entry = [&](const std::vector<double>& j, int row, int col) {
        return j[static_cast<std::size_t>(problem->pattern().find(row, col))];
    };
    EXPECT_NEAR(entry(jx, 0, 0), 0.04, 1e-6);
    EXPECT_NEAR(entry(jx, 0, 1), -1e3, 1e-3);
    EXPECT_NEAR(entry(jx, 0, 2), -1.0, 1e-6);
    EXPECT_NEAR(entry(jx, 1, 1), 1e3 + 6e3, 1.0); // 3e7 h with h = 1.5e-8: the curvature is what limits it
    EXPECT_NEAR(entry(jdx, 0, 0), 1.0, 1e-7);
    EXPECT_NEAR(entry(jdx, 1, 1), 1.0, 1e-7);
    EXPECT_EQ(entry(jdx, 2, 2), 0.0);
}

TEST(BlackBox, UsersJacobianAndPatternAreUsed) {
    BlackBox box;
    int calls = 0;
    box.residual = [](double, auto x, auto dx, auto r) {
        r[0] = dx[0] - x[1];
        r[1] = x[0] * x[1] - 1.0;
        return true;
    };
    box.jacobian = [&calls](double, auto x, auto, auto jx, auto jdx) {
        ++calls;
        // pattern (0,0) (1,0) (0,1) (1,1)
        jx[0] = 0.0, jx[1] = x[1], jx[2] = -1.0, jx[3] = x[0];
        jdx[0] = 1.0, jdx[1] = jdx[2] = jdx[3] = 0.0;
        return true;
    };
    box.pattern = SparsityPattern::dense(2, 2);
    box.x0 = {2.0, 1.0};
    const auto initial = make_initial_problem(box);
    ASSERT_TRUE(initial.has_value());
    const auto start = integrate::consistent_start(*initial);
    ASSERT_TRUE(start.has_value()) << render(start.error());
    EXPECT_GT(calls, 0);
    EXPECT_EQ(start->u, (std::vector<double>{2.0, 0.5, 0.5}));
    EXPECT_EQ(start->degrees_of_freedom, 1);
    EXPECT_EQ(start->free_unknowns, std::vector<int>{0});
}

TEST(BlackBox, ConsistentStartOfRobertson) {
    const auto initial = make_initial_problem(robertson());
    ASSERT_TRUE(initial.has_value());
    EXPECT_EQ(initial->unknowns.size(), 5u); // x and two derivatives
    const auto start = integrate::consistent_start(*initial);
    ASSERT_TRUE(start.has_value()) << render(start.error());
    const auto x = start->x(*initial), dx = start->dx(*initial);
    EXPECT_EQ(x[0], 1.0);
    EXPECT_EQ(x[1], 0.0);
    EXPECT_NEAR(x[2], 0.0, 1e-15);
    EXPECT_NEAR(dx[0], -0.04, 1e-15);
    EXPECT_NEAR(dx[1], 0.04, 1e-15);
    EXPECT_EQ(dx[2], 0.0);
    EXPECT_EQ(start->degrees_of_freedom, 2);
    ASSERT_EQ(start->changes.size(), 1u);
    EXPECT_EQ(start->changes[0].name, "c");
}

TEST(BlackBox, LargeSparseSystemKeepsItsSparsity) {
    const int n = 300;
    BlackBox box;
    box.x0.assign(n, 0.0);
    box.residual = [](double, auto x, auto dx, auto r) {
        const std::size_t m = x.size();
        for (std::size_t i = 0; i < m; ++i)
            r[i] = dx[i] - (i > 0 ? x[i - 1] : 1.0) + 2.0 * x[i] - (i + 1 < m ? x[i + 1] : 0.0);
        return true;
    };
    const auto problem = make_implicit_problem(box);
    ASSERT_TRUE(problem.has_value());
    EXPECT_EQ(problem->pattern().nonzeros(), 3 * n - 2);
}

TEST(BlackBox, BadInputIsExplained) {
    BlackBox box;
    box.x0 = {1.0};
    EXPECT_THAT(make_implicit_problem(box).error()[0].message, HasSubstr("no residual function"));
    box.residual = [](double, auto, auto, auto) { return false; };
    box.dx0 = {0.0, 0.0};
    EXPECT_THAT(make_implicit_problem(box).error()[0].message, HasSubstr("dx0 has 2 entries but x0 has 1"));
    box.dx0.clear();
    box.pattern = SparsityPattern::dense(2, 2);
    EXPECT_THAT(make_implicit_problem(box).error()[0].message, HasSubstr("2 by 2"));
    box.pattern.reset();
    box.x0 = {std::nan("")};
    EXPECT_EQ(make_initial_problem(box).error()[0].code, "start-not-finite");
    // no value anywhere: the start is refused with the equation named
    box.x0 = {1.0};
    const auto initial = make_initial_problem(box);
    ASSERT_TRUE(initial.has_value());
    const auto start = integrate::consistent_start(*initial);
    ASSERT_FALSE(start.has_value());
    EXPECT_THAT(start.error()[0].message, HasSubstr("residual[0] = 0 has no value at the start"));
}

TEST(BlackBox, WherePatternAndJacobianAreGivenNothingIsProbed) {
    // x_i' = x_{i+1} - x_i, and a last, algebraic, unknown whose equation has a factor that vanishes at the start.
    constexpr int n = 200;
    int residuals = 0, jacobians = 0;
    BlackBox box;
    box.x0.assign(n, 0.0);
    box.residual = [&residuals](double, auto x, auto dx, auto r) {
        ++residuals;
        for (std::size_t i = 0; i + 1 < n; ++i) r[i] = (i == 3 ? x[i] : 1.0) * dx[i] - x[i + 1] + x[i];
        r[n - 1] = x[n - 1] - x[0] - 1.0;
        return true;
    };
    std::vector<std::pair<int, int>> places{{n - 1, n - 1}, {n - 1, 0}};
    for (int i = 0; i + 1 < n; ++i) {
        places.emplace_back(i, i);
        places.emplace_back(i, i + 1);
    }
    const auto pattern = SparsityPattern::from_entries(n, n, places);
    box.pattern = pattern;
    box.jacobian = [&, pattern](double, auto x, auto dx, auto jx, auto jdx) {
        ++jacobians;
        std::fill(jx.begin(), jx.end(), 0.0);
        std::fill(jdx.begin(), jdx.end(), 0.0);
        const auto at = [&](int i, int j) { return static_cast<std::size_t>(pattern.find(i, j)); };
        for (int i = 0; i + 1 < n; ++i) {
            const auto k = static_cast<std::size_t>(i);
            jx[at(i, i)] = 1.0 + (i == 3 ? dx[k] : 0.0);
            jx[at(i, i + 1)] = -1.0;
            jdx[at(i, i)] = i == 3 ? x[k] : 1.0;
        }
        jx[at(n - 1, n - 1)] = 1.0;
        jx[at(n - 1, 0)] = -1.0;
        return true;
    };
    const auto problem = make_implicit_problem(box);
    ASSERT_TRUE(problem.has_value());
    EXPECT_EQ(residuals, 0);
    EXPECT_LE(jacobians, 4);
    for (std::size_t j = 0; j < n; ++j) EXPECT_EQ(problem->unknowns()[j].differential, j + 1 < n) << j;
    ASSERT_TRUE(make_initial_problem(box).has_value());
    EXPECT_EQ(residuals, 0);
}

TEST(BlackBox, WithAPatternProbingTakesColumnsTogether) {
    // The same chain without a Jacobian: three columns share a row at most.
    constexpr int n = 2000;
    int residuals = 0;
    BlackBox box;
    box.x0.assign(n, 0.0);
    box.residual = [&residuals](double, auto x, auto dx, auto r) {
        ++residuals;
        for (std::size_t i = 0; i + 1 < n; ++i) r[i] = (i == 3 ? x[i] : 1.0) * dx[i] - x[i + 1] + x[i];
        r[n - 1] = x[n - 1] - x[0] - 1.0;
        return true;
    };
    std::vector<std::pair<int, int>> places{{n - 1, n - 1}, {n - 1, 0}};
    for (int i = 0; i + 1 < n; ++i) {
        places.emplace_back(i, i);
        places.emplace_back(i, i + 1);
    }
    box.pattern = SparsityPattern::from_entries(n, n, places);
    const Dependence found = found_dependence(box);
    EXPECT_LE(residuals, 4 + 5 * 3); // a value in each of four rounds, three groups moved in each, in one also made NaN
    EXPECT_EQ(found.on_x, *box.pattern);
    for (std::size_t j = 0; j < n; ++j)
        EXPECT_EQ(found.on_dx.column_start[j + 1] - found.on_dx.column_start[j], j + 1 < n ? 1 : 0) << j;
    // As column by column.
    BlackBox alone = box;
    alone.pattern.reset();
    EXPECT_EQ(probe_dependence(alone).on_dx, found.on_dx);
    residuals = 0;
    box.dependence = found;
    const auto problem = make_implicit_problem(box);
    ASSERT_TRUE(problem.has_value());
    ASSERT_TRUE(make_initial_problem(box).has_value());
    EXPECT_LE(residuals, 2 * 11); // the noise of the residual
}
