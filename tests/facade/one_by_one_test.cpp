// Conditions that would change for ever if all of them changed at once, and settle when they change one by one.
#include "daedalus/daedalus.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace daedalus {
namespace {

// A wheel of inertia 1/3 slips backward on a dry clutch until it stands at t = 1/33. From the slipping branches sa
// would make it slip forward, from those backward; between them it sticks: 1 + 20 (t − 1) reaches 10 at t = 1.45.
TEST(OneByOne, SlippingEndsInSticking) {
    const auto model = Model::from_string(
        R"(model Stick "friction, parametrised: sa is the torque where it sticks and tells the acceleration where it slips"
  Real w(start = -1, fixed = true), a, sa, tau, d;
  Boolean forward(start = false, fixed = true), backward(start = false, fixed = true), locked(start=false);
  Integer mode(start = -1, fixed = true);
equation
  d = 1 + (if time < 1 then 0 else 20*(time - 1));
  der(w) = a;
  a = 3*(d - tau);
  forward = pre(mode) == 0 and (sa > 10 or pre(forward) and sa > 10);
  backward = pre(mode) == 0 and (sa < -10 or pre(backward) and sa < -10);
  locked = not (pre(mode) == 1 or forward or pre(mode) == -1 or backward);
  a = if locked then 0 else if forward then sa - 10 else if backward then sa + 10 else if pre(mode) == 1 then sa - 10 else sa + 10;
  tau = if locked then sa else if forward then 10 else if backward then -10 else if pre(mode) == 1 then 10 else -10;
  mode = if (pre(mode) == 1 or forward) and w > 0 then 1 else if (pre(mode) == -1 or backward) and w < 0 then -1 else 0;
end Stick;
)");
    ASSERT_TRUE(model);
    SolveOptions options;
    options.until = 2.0;
    options.points = 201;
    const auto s = solve(*model, options);
    ASSERT_TRUE(s.has_value()) << s.error().front().message;
    ASSERT_TRUE(s->success()) << s->message();
    for (std::size_t k = 0; k < s->time().size(); ++k) {
        const double t = s->time()[k];
        const double exact = t < 1.0 / 33 ? -1.0 + 33.0 * t : t < 1.45 ? 0.0 : 30.0 * (t - 1.45) * (t - 1.45);
        EXPECT_NEAR((*s)["w"][k], exact, 1e-5) << t;
    }
}

// An abs that is compared and nothing else makes no events of its own: e is rounding, and changes its sign at random.
TEST(OneByOne, SignsOfRoundingAreNoEvents) {
    const auto model =
        Model::from_string(R"(model Energy "what is conserved is zero up to rounding, and asserted to be so"
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), e;
  Integer far(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  e = (x + v)^2 - x^2 - 2*x*v - v^2;
  assert(abs(e) < 1e-3, "not conserved");
  when abs(x) < 0.5 then far = pre(far) + 1; end when;
end Energy;
)");
    ASSERT_TRUE(model);
    SolveOptions options;
    options.until = 6.283185307179586;
    const auto s = solve(*model, options);
    ASSERT_TRUE(s.has_value() && s->success());
    EXPECT_EQ(s->final("far"), 2.0); // cos t becomes small twice in a turn
    EXPECT_NEAR(s->final("x"), 1.0, 1e-5);
    EXPECT_LT(s->events().size(), 10u);
}

} // namespace
} // namespace daedalus
