// Feedback that is stronger than what it feeds back to: the output of an amplifier jumps where the branch that it is on
// ends and the next one would lead back.
#include "facade/solving.hpp"

#include <cmath>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

/// A Schmitt trigger switches at ±x₁, where the amplifier leaves its limit: (1.5 x - 15)/2.5 = -15/A.
constexpr double amplification = 15000, x1 = 10 - 25 / amplification;

/// x rises and falls by 400 per second between the two.
double triangle(double t) {
    const double phase = std::fmod(400 * t / x1, 4.0);
    return x1 * (phase < 1 ? phase : phase < 3 ? 2 - phase : phase - 4);
}

std::string trigger(const std::string& output) {
    return "model M Real x(start = 0, fixed = true), y, u; equation u = (1.5*x + y)/2.5; der(x) = -400*y/15; "
           "y = homotopy(" +
           output + ", -15); end M;";
}

TEST(Fold, OutputJumpsWhereItsBranchTurnsBack) {
    for (const char* output :
         {"if 15000*u > 15 then 15 elseif 15000*u < -15 then -15 else 15000*u", "max(min(15000*u, 15), -15)",
          "if 15000*u < -15 then -15 else if 15000*u > 15 then 15 else 15000*u"}) {
        const Solution s = solved(trigger(output), {.until = 1.0, .points = 50});
        const auto t = s.time(), x = s["x"];
        for (std::size_t k = 0; k < t.size(); ++k) EXPECT_NEAR(x[k], triangle(t[k]), 1e-4) << output << " " << t[k];
        EXPECT_LT(s.events().size(), 100U) << output; // 20 switches
    }
}

// Where states alone decide there is nothing to jump to: a sliding motion is named as before.
TEST(Fold, SlidingIsNoFold) {
    const Solution s = run("model M Real x(start = 1, fixed = true), y; equation der(x) = -y; "
                           "y = if x > 0 then 1 else -1; end M;",
                           {.until = 3.0});
    EXPECT_FALSE(s.success());
    EXPECT_NE(s.message().find("x > 0"), std::string::npos) << s.message();
}

} // namespace
