// What bounds steps, with every method: largest and first step, how many, stop times, the direction of time, and who
// watches.
#include "facade/solving.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

Model oscillator() {
    auto model = Model::from_string(R"(
model Oscillator
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), e;
equation
  der(x) = v;
  der(v) = -x;
  e = 0.5*(x^2 + v^2);
end Oscillator;)");
    EXPECT_TRUE(model) << (model ? "" : render(model.error()));
    return *std::move(model);
}

class Steps : public ::testing::TestWithParam<std::string> {
protected:
    [[nodiscard]] SolveOptions until(double t) const {
        return {
            .until = t, .method = GetParam(), .rtol = GetParam() == "midpoint" || GetParam() == "radau1" ? 1e-3 : 1e-6};
    }
    [[nodiscard]] double accuracy() const { return *until(1).rtol * 10; }
};

TEST_P(Steps, LargestAndFirst) {
    SolveOptions options = until(3);
    options.max_step = 0.03;
    options.first_step = 1e-4;
    std::vector<double> h;
    options.progress = [&](double, double step) { h.push_back(step); };
    const auto s = solve(oscillator(), options);
    ASSERT_TRUE(s && s->success());
    ASSERT_GE(h.size(), 100U); // 3/0.03
    EXPECT_LE(h.front(), 1e-4);
    for (const double step : h) EXPECT_LE(step, 0.03 * (1 + 1e-12));
    EXPECT_NEAR(s->final("x"), std::cos(3.0), accuracy());
}

TEST_P(Steps, HowMany) {
    SolveOptions options = until(3);
    options.max_steps = 5;
    options.max_step = 0.01;
    const auto s = solve(oscillator(), options);
    ASSERT_TRUE(s);
    EXPECT_EQ(s->outcome(), Outcome::failed);
    EXPECT_NE(s->message().find("too many steps"), std::string::npos) << s->message();
    EXPECT_GT(s->end_time(), 0.0);
    EXPECT_LE(s->end_time(), 0.05 * (1 + 1e-12));
}

TEST_P(Steps, StopTimesAreHit) {
    SolveOptions options = until(3);
    options.stop_times = {0.7, 1.9};
    std::vector<double> t;
    options.progress = [&](double time, double) { t.push_back(time); };
    const auto s = solve(oscillator(), options);
    ASSERT_TRUE(s && s->success());
    for (const double stop : options.stop_times) EXPECT_EQ(std::count(t.begin(), t.end(), stop), 1) << stop;
}

TEST_P(Steps, Backward) {
    SolveOptions options = until(-2);
    const auto s = solve(oscillator(), options);
    ASSERT_TRUE(s && s->success()) << s->message();
    EXPECT_EQ(s->time().front(), 0.0);
    EXPECT_EQ(s->time().back(), -2.0);
    EXPECT_NEAR(s->final("x"), std::cos(2.0), accuracy());
    EXPECT_NEAR(s->final("v"), std::sin(2.0), accuracy());
}

TEST_P(Steps, BackwardThroughEvents) {
    auto model =
        Model::from_string("model M Real x(start = 1, fixed = true), y(start = 0, fixed = true); equation "
                           "der(x) = 1; der(y) = if x > 0.25 then 2 else if time < -1.5 then 5 else -1; end M;");
    ASSERT_TRUE(model);
    const auto s = solve(*model, until(-2));
    ASSERT_TRUE(s && s->success()) << s->message();
    EXPECT_NEAR(s->final("y"), -(0.75 * 2 - 0.75 * 1 + 0.5 * 5), accuracy());
}

TEST_P(Steps, InterruptKeepsWhatThereIs) {
    std::atomic<bool> stop = false;
    SolveOptions options = until(10);
    double last = 0.0;
    options.interrupt = &stop;
    options.progress = [&](double t, double) {
        EXPECT_GT(t, last);
        last = t;
        stop = t > 1.0;
    };
    const auto s = solve(oscillator(), options);
    ASSERT_TRUE(s);
    EXPECT_EQ(s->outcome(), Outcome::interrupted);
    EXPECT_EQ(s->end_time(), last);
    EXPECT_NEAR(s->final("x"), std::cos(last), 10 * accuracy());
}

/// Errors of x, in units of its start value, without and with a tolerance of its own beside that of y.
struct OwnTolerance {
    double without, with;
};
template <class Set>
OwnTolerance errors_of_x(double start, SolveOptions options, Set set) {
    const Model model =
        read("model M Real x(start = " + std::to_string(start * 1e9) +
             "*1e-9, fixed = true), y(start = 1, fixed = true); equation der(x) = -x*(1 + cos(3*time)); "
             "der(y) = -y; end M;");
    const auto error = [&] {
        return std::abs(solved(model, options).final("x") / start - std::exp(-3 - std::sin(9.0) / 3));
    };
    const double without = error();
    set(options, "x");
    const double with = error();
    set(options, "nobody");
    EXPECT_FALSE(solve(model, options));
    return {without, with};
}

// A variable far below the absolute tolerance is not computed to any accuracy unless that is asked for, for it alone.
TEST_P(Steps, ToleranceOfOneVariable) {
    SolveOptions options = until(3);
    options.atol = 1e-6;
    const OwnTolerance error = errors_of_x(1e-9, options, [](SolveOptions& o, const char* name) {
        o.atol_each = {{name, 1e-6 * 1e-9}};
    });
    EXPECT_LE(error.with, accuracy());
    EXPECT_LE(error.with, error.without);
}

// One of two variables more accurately than the other.
TEST_P(Steps, RelativeToleranceOfOneVariable) {
    SolveOptions options = until(3);
    options.atol = 1e-12;
    const double finer = *options.rtol * (GetParam() == "midpoint" || GetParam() == "radau1" ? 0.1 : 1e-3);
    const OwnTolerance error = errors_of_x(1.0, options, [&](SolveOptions& o, const char* name) {
        o.rtol_each = {{name, finer}};
    });
    EXPECT_LE(error.with, 0.5 * error.without);
}

INSTANTIATE_TEST_SUITE_P(Methods, Steps, ::testing::ValuesIn(every_method()),
                         [](const auto& test) { return test.param; });

} // namespace
