// Events that accumulate in finite time (Zeno): the run ends there and names the time, whatever the method, unless the
// model says itself how it comes to rest.
#include "facade/solving.hpp"

#include <cmath>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

class Zeno : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, Zeno,
                         ::testing::Values("auto", "radau", "bdf", "esdirk4", "rodas4", "limex", "dopri5", "dop853"));

double named_time(const std::string& message) {
    const auto at = message.find("before t = ");
    return at == std::string::npos ? std::nan("") : std::stod(message.substr(at + 11));
}

// Impacts at t0 (1 + 2 q + 2 q² + …) with t0 = √(2 h/g): the limit is t0 (1 + q)/(1 - q).
TEST_P(Zeno, ABallThatBouncesLowerAndLower) {
    for (const double q : {0.5, 0.7, 0.9}) {
        const Solution s = run("model B parameter Real q = 0.7; Real h(start = 1, fixed = true), v(start = 0, fixed = "
                               "true); equation der(h) = v; der(v) = -9.81; when h < 0 then reinit(v, -q*pre(v)); end "
                               "when; end B;",
                               {.until = 20, .method = GetParam(), .parameters = {{"q", q}}});
        const double limit = std::sqrt(2 / 9.81) * (1 + q) / (1 - q);
        EXPECT_EQ(s.outcome(), Outcome::failed) << q;
        EXPECT_NEAR(named_time(s.message()), limit, 1e-4 * limit) << q << s.message();
        EXPECT_LE(s.end_time(), limit * (1 + 1e-4));
        EXPECT_GE(s.final("h"), -1e-6);
        // Accumulation is not chattering: what helps is another thing.
        EXPECT_EQ(s.message().find("chattering"), std::string::npos) << s.message();
        bool told = false;
        for (const Diagnostic& d : s.diagnostics())
            if (d.code == "integration-failed") {
                told = d.hint.find("infinitely many events") != std::string::npos;
                EXPECT_EQ(d.hint.find("hysteresis"), std::string::npos) << d.hint;
            }
        EXPECT_TRUE(told);
    }
}

// Its own rule: an impact slower than 0.01 is the last one.
TEST_P(Zeno, ABallThatComesToRest) {
    const Solution s = solved(R"(
model B
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  discrete Boolean flying(start = true);
equation
  der(h) = v;
  der(v) = if flying then -9.81 else 0;
  when h < 0 then
    flying = -0.7*pre(v) > 0.01;
    reinit(v, if -0.7*pre(v) > 0.01 then -0.7*pre(v) else 0);
  end when;
end B;)",
                              {.until = 20, .method = GetParam()});
    EXPECT_NEAR(s.final("h"), 0, 1e-6);
    EXPECT_EQ(s.final("v"), 0);
    EXPECT_EQ(s.final("flying"), 0);
}

// Two tanks that leak more together than the inflow brings, which goes to the one that is empty: both are empty when
// 2 - 0.2 t = 0.
TEST_P(Zeno, TwoTanksFilledInTurn) {
    const Solution s = run(R"(
model T
  Real x1(start = 1, fixed = true), x2(start = 1, fixed = true);
  discrete Boolean first(start = true);
equation
  der(x1) = (if first then 1.0 else 0.0) - 0.6;
  der(x2) = (if first then 0.0 else 1.0) - 0.6;
  when x2 < 0 then
    first = false;
  elsewhen x1 < 0 then
    first = true;
  end when;
end T;)",
                           {.until = 20, .method = GetParam()});
    EXPECT_EQ(s.outcome(), Outcome::failed);
    EXPECT_NEAR(named_time(s.message()), 10, 1e-3) << s.message();
    EXPECT_NEAR(s.final("x1") + s.final("x2"), 0, 1e-3);
}

} // namespace
