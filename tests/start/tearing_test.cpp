// Torn Newton: a few unknowns are iterated, the others follow exactly; it starts where Newton on the whole block
// cannot.
#include <daedalus/daedalus.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace daedalus;
using ::testing::HasSubstr;

namespace {

InitialValues started(const std::string& text, bool tear) {
    auto model = Model::from_string(text, "test.mo");
    EXPECT_TRUE(model) << (model ? "" : render(model.error()));
    SolveOptions options;
    options.tear = tear;
    auto values = initialize(*model, options);
    EXPECT_TRUE(values) << (values ? "" : render(values.error()));
    return values ? *std::move(values) : InitialValues{};
}

const InitialAttempt* torn_attempt(const InitialValues& values) {
    const auto it = std::find_if(values.attempts.begin(), values.attempts.end(),
                                 [](const auto& a) { return a.method.starts_with("torn Newton"); });
    return it == values.attempts.end() ? nullptr : &*it;
}

// Rachford-Rice: with all x and y guessed as 0 the whole block is singular, yet V alone determines them.
const char* const flash = R"(model Flash
  parameter Real z1 = 0.4, z2 = 0.35, z3 = 0.25, K1 = 4.2, K2 = 1.75, K3 = 0.1;
  Real V(start = 0.5, min = 0, max = 1), s(start = 0);
  Real x1(start = 0), x2(start = 0), x3(start = 0), y1(start = 0), y2(start = 0), y3(start = 0);
equation
  x1*(1 + V*(K1 - 1)) = z1 + 0*s;
  x2*(1 + V*(K2 - 1)) = z2;
  x3*(1 + V*(K3 - 1)) = z3 + 0.01*time;
  y1 = K1*x1;
  y2 = K2*x2;
  y3 = K3*x3;
  y1 + y2 + y3 = x1 + x2 + x3;
  der(s) = V - s;
end Flash;)";

} // namespace

TEST(TornNewton, IteratesOnOneUnknownOfSeven) {
    const InitialValues values = started(flash, true);
    const InitialAttempt* attempt = torn_attempt(values);
    ASSERT_NE(attempt, nullptr);
    EXPECT_TRUE(attempt->success);
    EXPECT_THAT(attempt->note, HasSubstr("1 torn: 1 of "));
    EXPECT_LE(attempt->iterations, 10);
    EXPECT_LE(values.relative_residual, 1e-14);
    // Rachford & Rice's function, bisected.
    double low = 0, high = 1;
    for (int k = 0; k < 60; ++k) {
        const double V = 0.5 * (low + high);
        const double f = 0.4 * 3.2 / (1 + V * 3.2) + 0.35 * 0.75 / (1 + V * 0.75) - 0.25 * 0.9 / (1 - V * 0.9);
        (f > 0 ? low : high) = V;
    }
    EXPECT_NEAR(*values["V"], low, 1e-12);
}

TEST(TornNewton, IsTheSecondAttemptWhenNotAskedFor) {
    const InitialValues values = started(flash, false);
    ASSERT_GE(values.attempts.size(), 2U);
    EXPECT_THAT(values.attempts[0].method, testing::StartsWith("Newton"));
    EXPECT_FALSE(values.attempts[0].success);
    ASSERT_NE(torn_attempt(values), nullptr);
    EXPECT_TRUE(torn_attempt(values)->success);
}

TEST(TornNewton, FallsBackToTheWholeBlock) {
    // y follows from the first equation as (4 - x)/x, which has no value at the guess x = 0.
    const InitialValues values = started("model M Real x(start=0), y(start=1), s(start=0, fixed=true); equation "
                                         "x*y + x = 4 + s; x^2 + exp(y - 1) - x*y^3 = 3; der(s) = 0.5; end M;",
                                         true);
    EXPECT_LE(values.relative_residual, 1e-11);
    const double x = *values["x"], y = *values["y"];
    EXPECT_NEAR(x * y + x, 4.0, 1e-9);
    EXPECT_NEAR(x * x + std::exp(y - 1) - x * y * y * y, 3.0, 1e-9);
}

TEST(TornNewton, AgreesWithTheWholeBlockOnALadderOfDiodes) {
    std::string text = "model Diodes Real s(start=0, fixed=true);";
    constexpr int n = 40;
    for (int k = 1; k <= n; ++k) text += " Real v" + std::to_string(k) + ", i" + std::to_string(k) + ";";
    text += " equation der(s) = 1;";
    for (int k = 1; k <= n; ++k) {
        const std::string here = std::to_string(k), below = k == 1 ? "(1 + s)" : "v" + std::to_string(k - 1);
        text += " i" + here + " = (" + below + " - v" + here + ")/100; i" + here + " = 1e-9*(exp(v" + here +
                "/0.05) - 1)" + (k < n ? " + i" + std::to_string(k + 1) : "") + ";";
    }
    text += " end Diodes;";
    const InitialValues torn = started(text, true), whole = started(text, false);
    ASSERT_NE(torn_attempt(torn), nullptr);
    for (std::size_t k = 0; k < whole.values.size(); ++k)
        EXPECT_NEAR(torn.values[k].after, whole.values[k].after, 1e-9) << whole.values[k].name;
}
