// Dynamic choice of dummy derivatives: the assessment by hand, and the pendulum over many full turns.
#include "integrate/problems.hpp"
#include "integrate/state_selection.hpp"

#include <gtest/gtest.h>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

std::vector<double> jacobian_at(const problem::ImplicitProblem& problem, const std::vector<double>& x) {
    std::vector<double> jx(problem.pattern().nonzeros()), jdx(jx.size()), dx(x.size());
    EXPECT_EQ(problem.jacobian(0.0, x.data(), dx.data(), jx.data(), jdx.data()), problem::EvalStatus::ok);
    return jx;
}

TEST(StateSelection, PicksTheColumnWithTheLargerPivot) {
    auto problem = PendulumDummy::make(); // states y, y'
    integrate::StateSelection selection(problem);
    auto at = [&](double angle) {
        return selection.assess(jacobian_at(problem, {std::cos(angle), 0, 0, std::sin(angle), 0, 0, 0}).data());
    };
    // The constraint's pivots are x for the present choice (x', x'' dummies) and y for the other.
    EXPECT_DOUBLE_EQ(at(0.2).quality, 1.0);
    EXPECT_NEAR(at(1.3).quality, std::cos(1.3) / std::sin(1.3), 1e-12);
    const auto links = selection.best_links();
    ASSERT_EQ(links.size(), 2u);
    EXPECT_EQ(links[0], (problem::Link{0, 1}));
    EXPECT_EQ(links[1], (problem::Link{1, 2}));
    problem.set_links(links);
    selection.links_changed();
    EXPECT_DOUBLE_EQ(at(1.3).quality, 1.0);
}

TEST(StateSelection, SaysWhenThereIsNoChoice) {
    auto problem = PendulumDummy::make();
    integrate::StateSelection selection(problem);
    EXPECT_TRUE(selection.assess(jacobian_at(problem, {0, 0, 0, 0, 0, 0, 0}).data()).singular);
}

TEST(StateSelection, HonoursPreferences) {
    auto problem = PendulumDummy::make();
    problem::StateChoice choice = problem.state_choice();
    choice.blocks[0].preference = {2, 0, 0}; // x is to be a state always
    problem.set_facet(std::move(choice));
    integrate::StateSelection selection(problem);
    (void)selection.assess(jacobian_at(problem, {0.9, 0, 0, 0.43, 0, 0, 0}).data());
    EXPECT_EQ(selection.best_links()[0], (problem::Link{0, 1}));
}

// Where definitions took all constraints of a block with them, its unknowns are states whatever others exchange.
TEST(StateSelection, ABlockWithoutConstraintsKeepsItsStates) {
    auto problem = PendulumDummy::make();
    problem::StateChoice choice = problem.state_choice();
    problem::ChoiceBlock free;
    free.top_row = {0};
    free.differentiations = {0};
    free.chain = {{6, 2}}; // λ and an unknown that is said to be its derivative
    free.preference = {0};
    choice.blocks.push_back(free);
    problem.set_facet(std::move(choice));
    integrate::StateSelection selection(problem);
    const double x = std::cos(1.3), y = std::sin(1.3);
    EXPECT_LT(selection.assess(jacobian_at(problem, {x, 0, 0, y, 0, 0, 0}).data()).quality, 1.0);
    const auto links = selection.best_links();
    EXPECT_EQ(links.size(), 3u);
    EXPECT_NE(std::find(links.begin(), links.end(), problem::Link{6, 2}), links.end());
}

class FullTurns : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, FullTurns, ::testing::Values("radau5", "bdf"));

/// Started at the bottom with a speed that carries it over the top again and again.
TEST_P(FullTurns, ConstraintsStayAtRoundOffAndWorkIsThatWithoutSwitching) {
    const double speed = 10.0, g = pendulum_gravity;
    const double b0 = speed * speed; // y'' at the bottom: u² + v² + y y'' = 0
    const double lambda = b0 + g;    // y'' = -y λ - g with y = -1
    struct Watch : integrate::Observer {
        double worst = 0;
        int turns = 0;
        double last_x = 0;
        integrate::Action step(const integrate::AcceptedStep& step) override {
            double x[7], dx[7];
            for (const double theta : {0.37, 1.0}) {
                const double t = step.t_before + theta * (step.t - step.t_before);
                step.interpolant.evaluate_consistent(t, x, dx);
                worst = std::max({worst, std::abs(x[0] * x[0] + x[3] * x[3] - 1), std::abs(x[0] * x[1] + x[3] * x[4])});
            }
            if (last_x < 0 && x[0] >= 0 && x[3] < 0) ++turns;
            last_x = x[0];
            return integrate::Action::proceed;
        }
    } watch;
    auto options = with_tolerance(1e-7);
    auto problem = PendulumDummy::make();
    const std::vector<double> x0{0, speed, 0, -1, 0, b0, lambda}, dx0(7);
    const auto result =
        integrate::integrate(problem, *integrate::find_method(GetParam()), 0, 40, x0, dx0, options, watch);
    ASSERT_TRUE(result.finished()) << result.failure.cause;
    EXPECT_GE(watch.turns, 40);
    EXPECT_GE(static_cast<int>(result.statistics.state_switches.size()), 4 * watch.turns);
    EXPECT_LT(watch.worst, 1e-11);

    auto plain = make_problem(PendulumIndex1{}, 5);
    const auto reference = solve(plain, GetParam(), 0, 40, {0, -1, speed, 0, lambda}, {speed, 0, 0, b0, 0}, options);
    ASSERT_TRUE(reference.finished()) << reference.failure.cause;
    EXPECT_LT(result.statistics.counters.steps, 1.3 * reference.statistics.counters.steps);
    const auto& s = result.statistics.state_switches.front();
    EXPECT_EQ(s.left.size(), 2u);
    EXPECT_EQ(s.entered.size(), 2u);
}

} // namespace
