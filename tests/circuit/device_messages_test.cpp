// Cards that cannot be: refused at their place, once per card; names that mean nothing: warnings.
#include "circuit/circuit.hpp"
#include "spice/netlist.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace daedalus {
namespace {

using testing::HasSubstr;

Expected<circuit::Circuit> circuit_of(const std::string& deck) {
    auto netlist = spice::read_netlist(std::make_shared<SourceFile>("test.cir", "test\n" + deck + ".end\n"));
    EXPECT_TRUE(netlist) << render(netlist.error());
    if (!netlist) return Unexpected{netlist.error()};
    return circuit::make_circuit(std::make_shared<const spice::Netlist>(*std::move(netlist)));
}
/// The one error, or a failure.
Diagnostic refused(const std::string& deck) {
    const auto made = circuit_of(deck);
    if (made) {
        ADD_FAILURE() << "not refused: " << deck;
        return {};
    }
    EXPECT_EQ(made.error().size(), 1U) << render(made.error());
    return made.error().front();
}

TEST(DeviceMessages, NumbersThatCannotBe) {
    const std::string three = "V1 a 0 1\nV2 b 0 1\n";
    const Diagnostic saturation = refused(three + "D1 a 0 DX\nD2 b 0 DX\n.model DX D(N=1 IS=-1e-14)\n");
    EXPECT_EQ(saturation.code, "device-parameter");
    EXPECT_THAT(saturation.message, HasSubstr("is of DX"));
    EXPECT_EQ(saturation.where->line, 6);
    EXPECT_THAT(refused(three + "Q1 a b 0 QX\n.model QX NPN(BF=0)\n").message, HasSubstr("bf of QX"));
    EXPECT_THAT(refused(three + "Q1 a b 0 QX -2\n.model QX NPN\n").message, HasSubstr("area of Q1"));
    EXPECT_THAT(refused(three + "M1 a b 0 0 MX\n.model MX NMOS(PHI=0)\n").message, HasSubstr("phi of MX"));
    EXPECT_THAT(refused(three + "M1 a b 0 0 MX L=1u W=1u\n.model MX NMOS(LD=0.6u)\n").message,
                HasSubstr("no effective length"));
    EXPECT_THAT(refused(three + "M1 a b 0 0 MX\n.model MX NMOS(LEVEL=2 NSUB=1e9)\n").message, HasSubstr("intrinsic"));
    EXPECT_THAT(refused(three + "J1 a b 0 JX\n.model JX NJF(BETA=-1)\n").message, HasSubstr("beta of JX"));
}

TEST(DeviceMessages, LevelsThatDoNotExistHere) {
    const std::string three = "V1 a 0 1\nV2 b 0 1\n";
    for (const std::string& device : {"M1 a b 0 0 X\n.model X NMOS(LEVEL=8)\n", "Q1 a b 0 X\n.model X NPN(LEVEL=4)\n",
                                      "J1 a b 0 X\n.model X NJF(LEVEL=2)\n", "D1 a b X\n.model X D(LEVEL=2)\n"}) {
        const Diagnostic d = refused(three + device);
        EXPECT_EQ(d.code, "unsupported-level") << device;
        EXPECT_EQ(d.where->line, 5);
    }
}

TEST(DeviceMessages, WhatIsIgnoredIsSaidOnce) {
    const auto made = circuit_of("V1 a 0 1\nQ1 a a 0 QX\nQ2 a a 0 QX\n.model QX NPN(RCO=10 PTF=20 CJE=1p)\n");
    ASSERT_TRUE(made) << render(made.error());
    const Diagnostics& said = made->transient.model->warnings;
    const auto about = [&](const char* name) {
        return std::count_if(said.begin(), said.end(),
                             [&](const Diagnostic& d) { return d.message.find(name) != std::string::npos; });
    };
    EXPECT_EQ(about("rco"), 1);
    EXPECT_EQ(about("ptf"), 1);
    EXPECT_EQ(about("cje"), 0);
}

} // namespace
} // namespace daedalus
