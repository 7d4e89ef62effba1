// Output points are found when somebody asks for them, from the pieces of the solution. They are those that a run
// records on the way, which is the other formulation they are compared with here.
#include "facade/solving.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

namespace daedalus {
namespace {

constexpr const char* pendulum = R"(model Pendulum
  Real x(start = 1), y(start = 0), u(start = 0), v(start = 0), lambda;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -lambda*x;
  der(v) = -lambda*y - 9.81;
  x^2 + y^2 = 1;
end Pendulum;
)";
constexpr const char* ball = R"(model Ball
  Real h(start = 1), v(start = 0), height;
equation
  der(h) = v;
  der(v) = -9.81;
  height = h + 0.5;
  when h < 0 then
    reinit(v, -0.8*pre(v));
  end when;
end Ball;
)";
constexpr const char* robertson = R"(model Robertson
  Real a(start = 1), b(start = 0), c(start = 0);
equation
  der(a) = -0.04*a + 1e4*b*c;
  der(b) = 0.04*a - 1e4*b*c - 3e7*b^2;
  a + b + c = 1;
end Robertson;
)";

void expect_same_columns(const char* text, SolveOptions options, double tolerance) {
    const Model model = testing::read(text);
    const Solution later = testing::run(model, options);
    options.dense = false;
    const Solution at_once = testing::run(model, options);
    ASSERT_TRUE(later.success() && at_once.success());
    // Before columns are asked for.
    for (const std::string& name : later.names())
        EXPECT_NEAR(later.final(name), at_once.final(name), 1e-12 * std::abs(at_once.final(name))) << name;
    ASSERT_EQ(later.time().size(), at_once.time().size());
    EXPECT_TRUE(std::equal(later.time().begin(), later.time().end(), at_once.time().begin()));
    for (const std::string& name : later.names()) {
        double size = 0.0;
        for (const double value : at_once[name]) size = std::max(size, std::abs(value));
        for (std::size_t k = 0; k < later.time().size(); ++k)
            ASSERT_NEAR(later[name][k], at_once[name][k], tolerance * size) << name << " at " << later.time()[k];
        EXPECT_EQ(later[name].back(), later.final(name));
    }
    EXPECT_TRUE(later.success());
}

TEST(PendingPoints, AreThoseOfTheRunExplicit) {
    expect_same_columns(pendulum, {.until = 3, .method = "dop853"}, 1e-11);
}
TEST(PendingPoints, AreThoseOfTheRunByDefault) { expect_same_columns(pendulum, {.until = 3}, 1e-11); }
TEST(PendingPoints, AreThoseOfTheRunStiff) {
    expect_same_columns(robertson, {.until = 100, .method = "bdf"}, 1e-10);
    expect_same_columns(robertson, {.until = 100, .method = "radau"}, 1e-10);
}
TEST(PendingPoints, AreThoseOfTheRunWithEvents) { expect_same_columns(ball, {.until = 2}, 1e-11); }
TEST(PendingPoints, AreThoseOfTheRunBackward) { expect_same_columns(pendulum, {.from = 1, .until = 0}, 1e-11); }

TEST(PendingPoints, KeepTheVariablesAskedFor) {
    const Solution s = testing::run(pendulum, {.until = 1, .variables = {"lambda", "x"}});
    EXPECT_EQ(s.names(), (std::vector<std::string>{"lambda", "x"}));
    EXPECT_EQ(s.final("x"), s["x"].back());
    EXPECT_EQ(s["lambda"].size(), 501U);
}

TEST(PendingPoints, SeveralThreadsMayAskFirst) {
    const Solution s = testing::run(pendulum, {.until = 1});
    std::vector<std::vector<double>> read(4);
    std::vector<std::thread> threads;
    for (std::vector<double>& column : read)
        threads.emplace_back([&] {
            (void)s.outcome();
            const auto x = s["x"];
            column.assign(x.begin(), x.end());
        });
    for (std::thread& thread : threads) thread.join();
    for (const std::vector<double>& column : read) EXPECT_EQ(column, read.front());
    EXPECT_EQ(read.front().size(), 501U);
}

// What was checked is said: every step, and a sample of what lies between them.
TEST(PendingPoints, TheReportSaysWhatWasChecked) {
    const Solution s = testing::run(pendulum, {.until = 10});
    std::int64_t steps = 0, at_steps = 0, between = 0;
    for (const auto& [name, value] : s.statistics()) {
        if (name == "steps") steps = value;
        if (name == "certified_steps") at_steps = value;
        if (name == "certified_between") between = value;
    }
    EXPECT_EQ(at_steps, steps);
    EXPECT_GE(between, steps / 8);
    EXPECT_LE(between, steps);
}

} // namespace
} // namespace daedalus
