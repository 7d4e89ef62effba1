// Operating points against closed forms: what a decent iteration finds is not compared with itself.
#include "simulation/operating_point.hpp"
#include "spice/netlist.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

namespace {

using namespace daedalus;
using testing::HasSubstr;

Expected<circuit::Circuit> circuit_of(const std::string& elements) {
    auto netlist = spice::read_netlist(std::make_shared<SourceFile>("test.cir", "test\n" + elements + ".end\n"));
    EXPECT_TRUE(netlist) << render(netlist.error());
    if (!netlist) return Unexpected{netlist.error()};
    return circuit::make_circuit(std::make_shared<const spice::Netlist>(*std::move(netlist)));
}
Expected<simulation::OperatingPointResult> find(const std::string& elements,
                                                const simulation::OperatingPoint::Request& request = {}) {
    auto made = circuit_of(elements);
    if (!made) return Unexpected{made.error()};
    simulation::OperatingPoint solver(std::make_shared<const circuit::Circuit>(*std::move(made)));
    return solver.find(request);
}
double value(const std::string& elements, const std::string& name) {
    auto made = circuit_of(elements);
    if (!made) return NAN;
    const auto variable = made->operating_point.model->find_variable(name);
    simulation::OperatingPoint solver(std::make_shared<const circuit::Circuit>(*std::move(made)));
    const auto found = solver.find({});
    EXPECT_TRUE(found) << render(found.error());
    if (!found || !variable) return NAN;
    return found->values[static_cast<std::size_t>(*variable)];
}

TEST(OperatingPoint, DividersAndControlledSources) {
    EXPECT_NEAR(value("V1 a 0 10\nR1 a b 1k\nR2 b 0 3k\n", "V(b)"), 7.5, 1e-12);
    EXPECT_NEAR(value("V1 a 0 10\nR1 a b 1k\nR2 b 0 3k\n", "I(V1)"), -2.5e-3, 1e-15);
    EXPECT_NEAR(value("V1 a 0 2\nE1 b 0 a 0 3\nR1 b 0 1\nF1 0 c V1 1\nR2 a 0 1\nR3 c 0 2\n", "V(c)"), -4.0, 1e-12);
    EXPECT_NEAR(value("I1 0 a 1m\nL1 a b 1m\nR1 b 0 1k\nC1 b 0 1n\n", "V(a)"), 1.0, 1e-12);
}

// Without gmin v = n V_t ln(1 + I/I_s).
TEST(OperatingPoint, DiodeAtItsCurrent) {
    const double vt = 1.38064852e-23 * 300.15 / 1.6021766208e-19;
    const double v = value("I1 0 a 1m\nD1 a 0 DX\n.model DX D(IS=2e-14 N=1.5)\n.options gmin=1e-30\n", "V(a)");
    EXPECT_NEAR(v, 1.5 * vt * std::log(1.0 + 1e-3 / 2e-14), 1e-9);
}

// A chain of diodes with 100 V across: Newton's method without limits overflows at once.
TEST(OperatingPoint, JunctionsAreLimited) {
    const auto found = find("V1 a 0 100\nR1 a b 1\nD1 b c DX\nD2 c d DX\nD3 d 0 DX\n.model DX D\n");
    ASSERT_TRUE(found) << render(found.error());
    EXPECT_LT(found->iterations(), 60);
    EXPECT_LT(found->residual, 1e-9);
}

// Between capacitors a voltage is what charges make of it: nothing, or the initial condition.
TEST(OperatingPoint, NodesBetweenCapacitors) {
    EXPECT_DOUBLE_EQ(value("V1 a 0 1\nC1 a b 1n\nC2 b 0 1n\n", "V(b)"), 0.0);
    EXPECT_DOUBLE_EQ(value("V1 a 0 1\nC1 a b 1n\nC2 b 0 1n\n.ic v(b)=0.25\n", "V(b)"), 0.25);
    const auto charged = find("V1 a 0 1\nC1 a b 1n\nR1 b c 1\nC2 c 0 1n\nG1 0 b a 0 2\n");
    ASSERT_FALSE(charged);
    EXPECT_THAT(charged.error()[0].message, HasSubstr("a current of 2 A flows into node b"));
}

// A transistor that is on while nothing flows: its drop is round-off of the supply, and so is its current.
TEST(OperatingPoint, InverterAtRest) {
    const std::string inverter = "VDD vdd 0 3.3\nMP out in vdd vdd P W=10u L=1u\nMN out in 0 0 N W=5u L=1u\n"
                                 ".model N NMOS(VTO=0.7 KP=100u)\n.model P PMOS(VTO=-0.7 KP=50u)\n";
    EXPECT_NEAR(value(inverter + "VIN in 0 0\n", "V(out)"), 3.3, 1e-7);
    EXPECT_NEAR(value(inverter + "VIN in 0 3.3\n", "V(out)"), 0.0, 1e-7);
    // equal β: in the middle both are saturated, and λ = 0 leaves the output to gmin
    EXPECT_NEAR(value(inverter + "VIN in 0 1.65\n", "V(out)"), 1.65, 1e-6);
}

// A mirror without Early effect: I_out = I_in/(1 + 2/β).
TEST(OperatingPoint, MirrorOfBipolars) {
    const double i = value("VCC c 0 5\nIIN 0 b 1m\nQ1 b b 0 QN\nQ2 c b 0 QN\n.model QN NPN(IS=1e-16 BF=50)\n"
                           ".options gmin=1e-30\n",
                           "I(VCC)");
    EXPECT_NEAR(i, -1e-3 / (1.0 + 2.0 / 50.0), 1e-12);
}

// Gate at −½ of the pinch-off through a source resistance: I = β (V_GS − V_T)², V_GS = −R I.
TEST(OperatingPoint, SelfBiasedJfet) {
    const double i = value("VDD d 0 10\nJ1 d 0 s JN\nR1 s 0 1k\n.model JN NJF(VTO=-2 BETA=1m)\n"
                           ".options gmin=1e-30\n",
                           "I(VDD)");
    EXPECT_NEAR(i, -1e-3, 1e-11); // 1 mA · 1 kΩ = 1 V, (2 − 1)² · 1 mA
}

} // namespace
