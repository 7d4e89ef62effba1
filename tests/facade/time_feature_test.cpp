// Narrow features of functions of time alone are known before the run: no step passes over them.
#include "facade/solving.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <random>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

// y' = y p(t), p a normalised pulse: ln y is the integral of p, √π for one pulse that lies inside.
TEST(TimeFeature, PulsesOfAnyWidth) {
    std::mt19937 random(7);
    const char* methods[] = {"auto", "radau", "bdf", "dopri5", "dop853", "esdirk4", "rodas4", "limex"};
    for (int k = 0; k < 48; ++k) {
        const double width = 20 * std::pow(10, -1 - 3 * (k % 8) / 7.0) / 4;
        const double at = std::uniform_real_distribution<double>(20 * 0.2, 20 * 0.8)(random);
        const char* method = methods[k / 8 % 8];
        const double rtol = k % 2 == 0 ? 1e-6 : 1e-4;
        const Solution s =
            solved(fmt::format("model P Real y(start = 1, fixed = true); equation der(y) = y*exp(-((time - {:.17g})/"
                               "{:.17g})^2)/{:.17g}; end P;",
                               at, width, width),
                   {.until = 20, .method = method, .rtol = rtol, .points = 10});
        const double inside = 0.5 * std::sqrt(std::numbers::pi) * (std::erf((20 - at) / width) - std::erf(-at / width));
        EXPECT_NEAR(s.final("y"), std::exp(inside), 300 * rtol * std::exp(inside))
            << method << " " << at << " " << width;
    }
}

TEST(TimeFeature, SumsOfPulsesAndSteps) {
    const Solution pulses = solved("model P Real y(start = 0, fixed = true), z(start = 0, fixed = true); equation "
                                   "der(z) = -z; der(y) = z + exp(-((time - 3)/0.01)^2)/0.01 + 2*exp(-((time - "
                                   "14.2)/0.002)^2)/0.002; end P;",
                                   {.until = 20, .quadratures = false});
    EXPECT_NEAR(pulses.final("y"), 3 * std::sqrt(std::numbers::pi), 1e-4);
    // On at 5 and off at 5.1, smoothly.
    const Solution steps = solved("model P Real y(start = 0, fixed = true); equation der(y) = 0.5*(tanh((time - 5)/"
                                  "0.002) - tanh((time - 5.1)/0.002)) - 0*y; end P;",
                                  {.until = 100, .quadratures = false});
    EXPECT_NEAR(steps.final("y"), 0.1, 1e-5);
}

// What is smooth on the scale of the run costs nothing: as many steps as before functions of time were looked at.
TEST(TimeFeature, SmoothForcingCostsNoSteps) {
    struct Case {
        const char* forcing;
        std::int64_t radau5, dop853, limex;
    };
    for (const Case& c :
         {Case{"sin(time)", 191, 44, 35}, Case{"sin(10*time)", 1865, 259, 130}, Case{"exp(-time)", 117, 39, 34},
          Case{"1/(1 + time^2)", 100, 40, 30}, Case{"sin(time^2)", 3622, 523, 283}}) {
        const std::string text = "model K Real y(start = 0, fixed = true), s(start = 0, fixed = true); equation der(s) "
                                 "= 1; der(y) = " +
                                 std::string(c.forcing) + " - y + 0*s; end K;";
        EXPECT_LE(count(solved(text, {.until = 20, .method = "radau5"}), "steps"), c.radau5) << c.forcing;
        EXPECT_LE(count(solved(text, {.until = 20, .method = "dop853"}), "steps"), c.dop853) << c.forcing;
        EXPECT_LE(count(solved(text, {.until = 20, .method = "limex"}), "steps"), c.limex) << c.forcing;
    }
}

} // namespace
