// Runs that the caller drives: exact solutions between changes of parameters and states.
#include <daedalus/daedalus.hpp>
#include <gtest/gtest.h>

#include <cmath>

namespace daedalus {
namespace {

CompiledModel compiled(const char* text) {
    auto model = Model::from_string(text);
    EXPECT_TRUE(model) << render(model.error());
    auto made = model->compile();
    EXPECT_TRUE(made) << render(made.error());
    return *std::move(made);
}

const char* const decay = R"(
model Decay
  parameter Real u = 0;
  parameter Real twice = 2*u;
  Real x(start = 1, fixed = true), z;
equation
  der(x) = -x + u;
  z = x + twice;
end Decay;
)";

TEST(Stepwise, ReachesTimesExactly) {
    auto run = compiled(decay).begin({.until = 5.0, .rtol = 1e-9});
    ASSERT_TRUE(run) << render(run.error());
    for (const double t : {0.1, 0.7, 0.70001, 3.0, 5.0}) {
        ASSERT_TRUE(run->advance_to(t)) << run->message();
        EXPECT_EQ(run->time(), t);
        EXPECT_NEAR(run->value("x"), std::exp(-t), 1e-7);
    }
    EXPECT_FALSE(run->step());
    EXPECT_TRUE(run->over());
    EXPECT_EQ(run->outcome(), Outcome::success);
}

TEST(Stepwise, InputsChangeBetweenSteps) {
    auto run = compiled(decay).begin({.until = 10.0, .method = "bdf", .rtol = 1e-9});
    ASSERT_TRUE(run);
    double x = 1.0, u = 0.0;
    for (int k = 1; k <= 10; ++k) {
        ASSERT_TRUE(run->advance_to(k)) << run->message();
        x = u + (x - u) * std::exp(-1.0);
        EXPECT_NEAR(run->value("x"), x, 1e-6) << k;
        if (k == 10) break;
        u = std::sin(k);
        EXPECT_FALSE(run->set_parameter("u", u));
        EXPECT_NEAR(run->value("z"), x + 2 * u, 1e-6); // what depends on it follows at once
    }
}

TEST(Stepwise, SavedStatesAreReturnedToAsOftenAsOneLikes) {
    auto run = compiled(decay).begin({.until = 4.0, .rtol = 1e-8});
    ASSERT_TRUE(run);
    ASSERT_TRUE(run->advance_to(1.0));
    const auto saved = run->save();
    ASSERT_TRUE(run->advance_to(2.0));
    const double first = run->value("x");
    EXPECT_FALSE(run->set_parameter("u", 7.0));
    ASSERT_TRUE(run->advance_to(4.0));
    for (int again = 0; again < 2; ++again) {
        run->restore(saved);
        EXPECT_EQ(run->time(), 1.0);
        EXPECT_FALSE(run->over());
        ASSERT_TRUE(run->advance_to(2.0));
        EXPECT_NEAR(run->value("x"), first, 1e-7);
    }
}

TEST(Stepwise, StatesOfMechanismsAreSetAndConstraintsFollow) {
    auto run = compiled(R"(
model Pendulum
  Real x(start = 1, fixed = true), y(start = 0), u(start = 0, fixed = true), v, lambda;
equation
  der(x) = u; der(y) = v; der(u) = -lambda*x; der(v) = -lambda*y - 9.81; x^2 + y^2 = 1;
end Pendulum;
)")
                   .begin({.until = 2.0, .method = "radau", .rtol = 1e-8});
    ASSERT_TRUE(run) << render(run.error());
    ASSERT_TRUE(run->advance_to(0.3));
    const auto refused = run->set_state("lambda", 1.0);
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->code, "not-a-state");
    // One of the two coordinates is a state; the other follows it.
    const bool by_x = !run->set_state("x", 0.8);
    if (!by_x) {
        EXPECT_FALSE(run->set_state("y", -0.6));
    }
    EXPECT_NEAR(std::hypot(run->value("x"), run->value("y")), 1.0, 1e-9);
    ASSERT_TRUE(run->advance_to(2.0)) << run->message();
    EXPECT_NEAR(std::hypot(run->value("x"), run->value("y")), 1.0, 1e-9);
}

TEST(Stepwise, SaysWhatCannotBe) {
    const CompiledModel model = compiled(decay);
    auto run = model.begin({.until = 1.0});
    ASSERT_TRUE(run);
    EXPECT_TRUE(run->set_parameter("nobody", 1.0));
    EXPECT_TRUE(run->set_parameter("u", std::nan("")));
    EXPECT_TRUE(std::isnan(run->value("nobody")));
    EXPECT_FALSE(model.begin({.until = -1.0}));
    EXPECT_FALSE(model.begin({.until = 1.0, .method = "nonsense"}));
    auto pole =
        compiled("model M Real x(start = 1, fixed = true); equation der(x) = x^2; end M;").begin({.until = 2.0});
    ASSERT_TRUE(pole);
    EXPECT_FALSE(pole->advance_to(1.5));
    EXPECT_TRUE(pole->over());
    EXPECT_NE(pole->outcome(), Outcome::success);
    EXPECT_FALSE(pole->message().empty());
}

} // namespace
} // namespace daedalus
