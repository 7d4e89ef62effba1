// Circuits from decks, through the public headers, against closed forms.
#include "daedalus/analysis.hpp"
#include "daedalus/circuit.hpp"
#include "daedalus/solve.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace daedalus;
using testing::HasSubstr;

namespace {

constexpr double pi = std::numbers::pi;

Circuit circuit(const std::string& text) {
    auto c = Circuit::from_string(text, "test.cir");
    if (!c) throw std::runtime_error(render(c.error()));
    return *std::move(c);
}
Solution transient(const std::string& text, const SolveOptions& options = {}) {
    auto s = solve(circuit(text).model(), options);
    if (!s) throw std::runtime_error(render(s.error()));
    return *std::move(s);
}
const CircuitTable::Column& column(const CircuitTable& table, const std::string& name) {
    const auto at =
        std::find_if(table.columns.begin(), table.columns.end(), [&](const auto& c) { return c.name == name; });
    if (at == table.columns.end()) throw std::runtime_error("no column " + name);
    return *at;
}

class CircuitMethods : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, CircuitMethods, ::testing::Values("auto", "radau5", "bdf", "gauss-2"));

// A step through R C, and its corners at exact times.
TEST_P(CircuitMethods, StepResponse) {
    const Solution s =
        transient("step\nV1 in 0 PULSE(0 5 1u 1n 1n 1 2)\nR1 in out 1k\nC1 out 0 1n\n.tran 10n 6u\n.end\n",
                  {.method = GetParam(), .rtol = 1e-7});
    ASSERT_TRUE(s.success());
    // ramp of 1 ns, then e^{-t/τ}
    const double tau = 1e-6, rise = 1e-9, t = 5e-6;
    const double after_ramp = 5 - 5 * tau / rise * (1 - std::exp(-rise / tau)); // what is missing behind the ramp
    EXPECT_NEAR(s.final("V(out)"), 5 - (5 - after_ramp) * std::exp(-(t - rise) / tau), 5e-6);
    EXPECT_NEAR(s.final("I(V1)"), -(5 - s.final("V(out)")) / 1e3, 1e-9);
}

// An ideal operational amplifier with an inductor in its feedback: six equations without freedom, index 2,
// V_out = −(L/R) V'  (S 2.3).
TEST(Circuits, DifferentiatorHasNoFreedom) {
    const std::string text =
        "differentiator\nV1 in 0 SIN(0 1 1k)\nR1 in m 2k\nL1 m out 1m\nE1 out 0 OPAMP 0 m\n.tran 1u 2.3m\n.end\n";
    const Solution s = transient(text, {.rtol = 1e-8});
    ASSERT_TRUE(s.success());
    const auto t = s.time(), out = s["V(out)"];
    for (std::size_t k = 0; k < t.size(); ++k)
        EXPECT_NEAR(out[k], -1e-3 / 2e3 * 2e3 * pi * std::cos(2e3 * pi * t[k]), 1e-8) << t[k];
    const auto a = analyze(circuit(text).model());
    ASSERT_TRUE(a);
    EXPECT_EQ(a->degrees_of_freedom, 0);
    EXPECT_EQ(a->structural_index, 2);
}

// A source in a loop of capacitors: its current is that of C dV/dt from the first point on.
TEST(Circuits, CurrentsOfIndexTwoAreRightFromTheStart) {
    const Solution s =
        transient("loop\nV1 in 0 SIN(0 1 1k)\nC1 in x 1u\nC2 x 0 3u\n.tran 1u 1m\n.end\n", {.rtol = 1e-7});
    ASSERT_TRUE(s.success());
    const auto t = s.time(), i = s["I(V1)"], x = s["V(x)"];
    for (std::size_t k = 0; k < t.size(); ++k) {
        EXPECT_NEAR(i[k], -0.75e-6 * 2e3 * pi * std::cos(2e3 * pi * t[k]), 1e-8);
        EXPECT_NEAR(x[k], 0.25 * std::sin(2e3 * pi * t[k]), 1e-6);
    }
}

// Charge on a node between nonlinear capacitors: what Newton's iteration leaves does not add up over periods, where a
// capacitance that multiplies a rate drifts with every one of them.
class Charges : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, Charges, ::testing::Values("auto", "radau5", "bdf"));
TEST_P(Charges, AreKept) {
    const auto imbalance = [&](const std::string& element, double until) {
        const Solution s = transient("charge\nV1 in 0 SIN(0 2 1k)\n" + element + "C2 x 0 1n\n.tran 1u 50m\n.end\n",
                                     {.until = until, .method = GetParam(), .rtol = 1e-3, .points = 50});
        EXPECT_TRUE(s.success());
        const double v = s.final("V(x)") - s.final("V(in)");
        return std::abs(1e-9 * (v + 0.2 * v * v) + 1e-9 * s.final("V(x)")) / 1e-9;
    };
    const std::string stated = "C1 x in Q='1n*(V(x,in)+0.2*V(x,in)*V(x,in))'\n";
    EXPECT_LT(imbalance(stated, 5e-3), 1e-4);      // 5 periods
    EXPECT_LT(imbalance(stated, 50e-3), 1e-4);     // 50 periods
    if (GetParam() == std::string("auto")) return; // has no quantity to keep below, and may take an explicit method
    const std::string chained = "C1 x in C='1n*(1+0.4*V(x,in))'\n";
    const double few = imbalance(chained, 5e-3), many = imbalance(chained, 50e-3);
    EXPECT_GT(many, 4 * few);
    EXPECT_GT(many, 1e-4);
}

TEST(Circuits, SwitchesHaveHysteresis) {
    const Solution s = transient("switch\nVC c 0 PWL(0 0 1m 2 2m 0)\nV1 a 0 1\nR1 a x 1k\nS1 x 0 c 0 SW\n"
                                 ".model SW SW(VT=1 VH=0.5 RON=1k ROFF=1e12)\n.tran 1u 2m\n.end\n",
                                 {.rtol = 1e-6, .stop_times = {0.7e-3, 0.8e-3, 1.7e-3, 1.8e-3}});
    ASSERT_TRUE(s.success());
    EXPECT_NEAR(*s.at(0.7e-3, "V(x)"), 1.0, 1e-6); // on above 1.5 V, at 0.75 ms
    EXPECT_NEAR(*s.at(0.8e-3, "V(x)"), 0.5, 1e-6);
    EXPECT_NEAR(*s.at(1.7e-3, "V(x)"), 0.5, 1e-6); // off below 0.5 V, at 1.75 ms
    EXPECT_NEAR(*s.at(1.8e-3, "V(x)"), 1.0, 1e-6);
}

TEST(Circuits, InitialConditions) {
    const Solution s = transient("ic\nR1 a 0 1k\nC1 a 0 1u IC=3\n.tran 1u 1m UIC\n.end\n", {.rtol = 1e-8});
    EXPECT_NEAR(s.final("V(a)"), 3 * std::exp(-1.0), 1e-6);
    const Solution held =
        transient("ic\nV1 b 0 1\nR0 b a 1k\nR1 a 0 1k\nC1 a 0 1u\n.ic V(a)=2\n.tran 1u 1m\n.end\n", {.rtol = 1e-8});
    EXPECT_NEAR(held.final("V(a)"), 0.5 + 1.5 * std::exp(-2.0), 1e-6);
}

// |H| and phase of a resonant circuit.
TEST(Circuits, SmallSignals) {
    const auto table =
        circuit("resonance\nV1 in 0 DC 1 AC 2 30\nR1 in a 10\nL1 a out 1m\nC1 out 0 1u\n.ac dec 20 100 100k\n.end\n")
            .ac();
    ASSERT_TRUE(table) << render(table.error());
    const auto &f = column(*table, "frequency"), &size = column(*table, "|V(out)|"),
               &phase = column(*table, "phase V(out)");
    ASSERT_EQ(f.values.size(), 61U);
    for (std::size_t k = 0; k < f.values.size(); ++k) {
        const double w = 2 * pi * f.values[k];
        const std::complex<double> h = std::polar(2.0, pi / 6) / std::complex<double>(1 - w * w * 1e-9, w * 10 * 1e-6);
        EXPECT_NEAR(size.values[k], std::abs(h), 1e-9 * std::abs(h));
        EXPECT_NEAR(std::remainder(phase.values[k] - std::arg(h) * 180 / pi, 360.0), 0.0, 1e-7);
        if (k > 0) EXPECT_LT(std::abs(phase.values[k] - phase.values[k - 1]), 180); // no jumps
    }
}

// A trigger of two inverting limiters remembers where it came from: both branches of its curve are seen.
TEST(Circuits, SweepsShowMemory) {
    const std::string trigger = "trigger\nV1 in 0 0\nR1 in p 1k\nR2 out p 1k\nB1 out 0 V=5*tanh(20*V(p))\n";
    const auto up = circuit(trigger + ".dc V1 -8 8 0.1\n.end\n").dc(),
               down = circuit(trigger + ".dc V1 8 -8 -0.1\n.end\n").dc();
    ASSERT_TRUE(up) << render(up.error());
    ASSERT_TRUE(down) << render(down.error());
    const auto middle = up->columns[0].values.size() / 2; // V1 = 0
    EXPECT_NEAR(column(*up, "V(out)").values[middle], -5, 0.01);
    EXPECT_NEAR(column(*down, "V(out)").values[middle], 5, 0.01);
}

TEST(Circuits, MessagesNameTheElement) {
    const auto loop = Circuit::from_string("loop\nV1 a 0 1\nV2 a 0 2\nR1 a 0 1\n.end\n", "loop.cir");
    ASSERT_FALSE(loop);
    EXPECT_THAT(render(loop.error()), HasSubstr("loop.cir:3:"));
    EXPECT_THAT(render(loop.error()), HasSubstr("V2, V1 form a loop of voltage sources"));
    const auto none = circuit("none\nV1 a 0 1\nR1 a 0 1\n.end\n").ac();
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error()[0].message, HasSubstr("no such .ac"));
}

} // namespace
