// What explicit methods evaluate depends on what is given alone.
#include "daedalus/daedalus.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace daedalus {
namespace {

// Sums in which an unknown cancels mention it and do not depend on it: n = time, c − n = −w/960, so that with
// a = 1/480000 and w = v − 0.002 t the solution is v = 0.002 (t − 1/a) + (48 + 0.002/a) exp(−a t).
TEST(ExplicitForm, WhatCancelsInARowIsNotTakenForKnown) {
    const auto model = Model::from_string(R"(model Form
  Real v(start = 48, fixed = true), w, n, c, q, e;
equation
  500*der(v) = c - n;
  n - (c - n + n - c) = time;
  w = v + (c - n + n - c) - 0.002*n;
  c = n - w/960;
  q = w*w/960;
  e = q*w;
end Form;
)");
    ASSERT_TRUE(model);
    for (const char* method : {"dop853", "dopri5", "radau"}) {
        SolveOptions options;
        options.until = 100.0;
        options.method = method;
        const auto s = solve(*model, options);
        ASSERT_TRUE(s.has_value() && s->success());
        const double a = 1.0 / 480000, v = 0.002 * (100 - 1 / a) + (48 + 0.002 / a) * std::exp(-a * 100), w = v - 0.2;
        EXPECT_NEAR(s->final("v"), v, 1e-8) << method;
        EXPECT_NEAR(s->final("q"), w * w / 960, 1e-8) << method;
        EXPECT_NEAR(s->final("e"), w * w * w / 960, 1e-6) << method;
    }
}

} // namespace
} // namespace daedalus
