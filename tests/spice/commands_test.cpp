// What begins with a dot, and blocks of .control.
#include "reading.hpp"

#include <gmock/gmock.h>

#include <cmath>

using namespace daedalus;
using namespace daedalus::spice;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {
const std::string circuit = "V1 in 0 1\nR1 in out 1k\nL1 out 0 1m\n";
using Kind = Analysis::Kind;
std::vector<std::string> shown(const Netlist& n) {
    std::vector<std::string> list;
    for (const Wanted& w : n.wanted) list.push_back(w.analysis + ":" + w.text);
    return list;
}
} // namespace

TEST(SpiceCommands, Analyses) {
    const Netlist n =
        deck(circuit + ".param t=1m\n.op\n.tran 1u {t} 2u 3u UIC\n.tran 5m\n.dc V1 0 5 0.1 R1 1k 2k 100\n.dc V1 list 1 "
                       "2 5\n.dc temp -40 120 10\n"
                       ".ac dec 10 1 1meg\n.AC LIN 100 0 1k\n.ac oct 3 10 1k\n.pz in 0 out 0 vol pz\n.sens v(out)\n");
    ASSERT_EQ(n.analyses.size(), 11U);
    EXPECT_EQ(n.analyses[0].kind, Kind::operating_point);
    const Analysis& t = n.analyses[1];
    EXPECT_EQ(t.kind, Kind::transient);
    EXPECT_EQ(t.step, 1e-6);
    EXPECT_EQ(t.stop, 1e-3);
    EXPECT_EQ(t.start, 2e-6);
    EXPECT_EQ(t.largest_step, 3e-6);
    EXPECT_TRUE(t.use_initial_conditions);
    EXPECT_EQ(n.analyses[2].stop, 5e-3);
    EXPECT_EQ(n.analyses[2].step, 0.0);
    ASSERT_EQ(n.analyses[3].sweeps.size(), 2U);
    EXPECT_EQ(n.analyses[3].sweeps[1].source, "r1");
    EXPECT_EQ(n.analyses[3].sweeps[1].element, 1);
    EXPECT_EQ(n.analyses[3].sweeps[1].step, 100.0);
    EXPECT_THAT(n.analyses[4].sweeps[0].list, ElementsAre(1, 2, 5));
    EXPECT_EQ(n.analyses[5].sweeps[0].source, "temp");
    EXPECT_EQ(n.analyses[6].points, 10);
    EXPECT_EQ(n.analyses[6].to, 1e6);
    EXPECT_EQ(n.analyses[7].spacing, Analysis::Spacing::linear);
    EXPECT_EQ(n.analyses[8].spacing, Analysis::Spacing::octaves);
    EXPECT_THAT(n.analyses[9].words, testing::Contains("vol"));
    EXPECT_EQ(n.analyses[10].kind, Kind::sensitivity);
}

TEST(SpiceCommands, MistakesOfAnalyses) {
    EXPECT_THAT(messages(circuit + ".tran 1u 1m 2m\n"), HasSubstr("the start before the stop"));
    EXPECT_THAT(messages(circuit + ".tran\n"), HasSubstr("they are: step, stop"));
    EXPECT_THAT(messages(circuit + ".tran 1u 1m steady\n"), HasSubstr("'steady' of .tran is not read"));
    EXPECT_THAT(messages(circuit + ".dc V2 0 1 0.1\n"), HasSubstr("there is no source, resistor or parameter 'V2'"));
    EXPECT_THAT(messages(circuit + ".dc V1 0 1 -0.1\n"), HasSubstr("never leads to its last value"));
    EXPECT_THAT(messages(circuit + ".dc L1 0 1 0.1\n"), HasSubstr("cannot be swept"));
    EXPECT_THAT(messages(circuit + ".ac 10 1 1k\n"), HasSubstr(".ac needs dec, oct or lin"));
    EXPECT_THAT(messages(circuit + ".ac dec 10 1k 1\n"), HasSubstr("must be positive and increase"));
    EXPECT_THAT(messages(circuit + ".tarn 1u 1m\n"), HasSubstr("did you mean '.tran'?"));
    EXPECT_THAT(messages(circuit + ".op now\n"), HasSubstr("'now' is not expected here"));
    EXPECT_THAT(messages(circuit + ".param t={temper}\nR2 in 0 {t}\n.dc temp 0 1 1\n"),
                HasSubstr("computed from 'temper'"));
}

TEST(SpiceCommands, StepsAreSweepsOfTheWholeDeck) {
    const Netlist n = deck(circuit + ".param k=1\n.step param k 1 5 2\n.step k list 1 10 100\n.step dec param k 1 100 "
                                     "2\n.step V1 0 1 0.5\n.step temp 0 50 25\n.step oct k 1 8 1\n");
    ASSERT_EQ(n.steps.size(), 6U);
    EXPECT_EQ(n.steps[0].source, "k");
    EXPECT_EQ(n.steps[0].to, 5.0);
    EXPECT_THAT(n.steps[1].list, ElementsAre(1, 10, 100));
    ASSERT_EQ(n.steps[2].list.size(), 5U);
    EXPECT_NEAR(n.steps[2].list[1], std::sqrt(10.0), 1e-14);
    EXPECT_NEAR(n.steps[2].list[4], 100.0, 1e-12);
    EXPECT_EQ(n.steps[3].element, 0);
    EXPECT_EQ(n.steps[4].source, "temp");
    EXPECT_THAT(n.steps[5].list, ElementsAre(1, 2, 4, 8));
}

TEST(SpiceCommands, OptionsAndTemperatures) {
    const Netlist n = deck(circuit + ".options RELTOL=1e-6 acct method=gear, gmin={1e-10}\n.option tnom=20\n.temp 50 "
                                     "60\n.param t={temper}\nR2 in 0 {t}\n");
    EXPECT_EQ(n.options.at("reltol").number, 1e-6);
    EXPECT_EQ(n.options.at("acct").number, 1.0);
    EXPECT_EQ(n.options.at("gmin").number, 1e-10);
    EXPECT_EQ(n.nominal_temperature, 20.0);
    EXPECT_EQ(n.temperature, 50.0);
    EXPECT_EQ(value(n, "R2"), 50.0);
    ASSERT_EQ(n.steps.size(), 1U);
    EXPECT_THAT(n.steps[0].list, ElementsAre(50, 60));
    EXPECT_THAT(render(n.warnings), HasSubstr("option 'method=gear' is ignored"));
    EXPECT_EQ(deck(circuit + ".options temp=85\n").temperature, 85.0);
}

TEST(SpiceCommands, InitialValues) {
    const Netlist n = deck(circuit + ".ic V(in)=1 v(out,in)={2*2} I(L1)=3m\n.nodeset v(OUT)=-1, V(in) = 2\n.ic "
                                     "v(x1.m)=7 v(typo)=1\n.subckt s a\nR1 a m 1\nR2 m 0 1\n.ends\nX1 in s\n");
    ASSERT_EQ(n.initial.size(), 3U);
    EXPECT_EQ(n.nodes[static_cast<std::size_t>(n.initial[1].node)].name, "out");
    EXPECT_EQ(n.nodes[static_cast<std::size_t>(n.initial[1].reference)].name, "in");
    EXPECT_EQ(n.initial[1].value.number, 4.0);
    EXPECT_EQ(n.nodes[static_cast<std::size_t>(n.initial[2].node)].name, "X1.m");
    ASSERT_EQ(n.node_set.size(), 2U);
    EXPECT_EQ(n.node_set[0].value.number, -1.0);
    EXPECT_EQ(value(n, "L1", "ic"), 3e-3);
    EXPECT_THAT(render(n.warnings), HasSubstr("there is no node 'typo': this is ignored"));
    EXPECT_THAT(messages(circuit + ".ic in=1\n"), HasSubstr("initial values are written V(node)=value"));
}

TEST(SpiceCommands, WantedOutputs) {
    const Netlist n = deck(circuit + ".print tran v(in) v( in , out ) i(V1) (0,5)\n.plot ac vdb(out) vp(out)\n.save "
                                     "all @r1[i] out\n.probe V(out)-V(in)\n"
                                     ".print dc v(nowhere) i(V7)\n.print noise onoise\n.meas tran peak MAX V(out) "
                                     "from=1u to=2u\n.measure t1 TRIG v(in) VAL={0.5} RISE=1 TARG v( out ) VAL=0.5\n");
    EXPECT_THAT(shown(n), ElementsAre("tran:v(in)", "tran:v(in,out)", "tran:i(V1)", "ac:vdb(out)", "ac:vp(out)", ":all",
                                      ":@r1[i]", ":out", ":V(out)-V(in)"));
    const std::string warnings = render(n.warnings);
    EXPECT_THAT(warnings, HasSubstr("there is no node 'nowhere' to show"));
    EXPECT_THAT(warnings, HasSubstr("there is no element 'V7' to show"));
    EXPECT_THAT(warnings, HasSubstr("what is wanted of 'noise' is ignored"));
    ASSERT_EQ(n.measures.size(), 2U);
    EXPECT_EQ(n.measures[0].analysis, "tran");
    EXPECT_EQ(n.measures[0].name, "peak");
    EXPECT_THAT(n.measures[0].words, ElementsAre("MAX", "V(out)", "from=1u", "to=2u"));
    EXPECT_THAT(n.measures[1].words, ElementsAre("TRIG", "v(in)", "VAL={0.5}", "RISE=1", "TARG", "v(out)", "VAL=0.5"));
}

TEST(SpiceCommands, ControlBlocks) {
    const Netlist n =
        deck(circuit +
             ".control\n* comment\nset color0=white\nop\nrun\ntran 1u 1m uic\nac dec 10 1 1k\nplot v(out) vs v(in) "
             "xlimit 0 1m\nprint all\nwrdata file.txt v(in)\nlet x = 1\nmeas tran m1 max v(out)\nquit\n.endc\n");
    ASSERT_EQ(n.analyses.size(), 3U);
    EXPECT_EQ(n.analyses[1].kind, Kind::transient);
    EXPECT_TRUE(n.analyses[1].use_initial_conditions);
    EXPECT_THAT(shown(n), ElementsAre(":v(out)", ":all", ":v(in)"));
    EXPECT_EQ(n.measures.size(), 1U);
    EXPECT_THAT(render(n.warnings), HasSubstr("these commands of .control are ignored: set, let"));
    EXPECT_THAT(messages(circuit + ".control\nop\n"), HasSubstr("this .control has no .endc"));
}

TEST(SpiceCommands, WhatIsIgnoredIsNamed) {
    const std::string said = render(deck(circuit + ".noise v(out) V1 dec 10 1 1k\n.four 1k v(out)\n.backanno\n.subckt "
                                                   "s a\n.ic v(a)=1\nR1 a 0 1\n.ends\nX1 in s\n")
                                        .warnings);
    EXPECT_THAT(said, HasSubstr("'.noise' is ignored"));
    EXPECT_THAT(said, HasSubstr("'.four' is ignored"));
    EXPECT_THAT(said, HasSubstr("'.ic' inside of a subcircuit is ignored"));
}
