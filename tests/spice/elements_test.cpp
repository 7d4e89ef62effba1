// Every element in its forms.
#include "reading.hpp"

#include <gmock/gmock.h>

using namespace daedalus;
using namespace daedalus::spice;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {
std::vector<double> numbers(const std::vector<Value>& list) {
    std::vector<double> out;
    for (const Value& v : list) out.push_back(v.number);
    return out;
}
std::vector<std::string> others(const Netlist& n, const std::string& name) {
    std::vector<std::string> list;
    for (const int k : element(n, name).others) list.push_back(n.elements[static_cast<std::size_t>(k)].name);
    return list;
}
std::vector<double> waveform(const Netlist& n, const std::string& name) {
    return numbers(element(n, name).waveform.numbers);
}
Waveform::Kind shape(const Netlist& n, const std::string& name) { return element(n, name).waveform.kind; }
} // namespace

TEST(SpiceElements, Resistors) {
    const Netlist n = deck(
        "R1 1 0 1k tc=1m,2u temp=30 m=2 noisy=0\nR2 1 0 rm l=2u w=3u\nR3 1 0 10 rm\nR4 1 0 rm 20\nR5 1 0 r=5 ac=2\n"
        "R6 1 0 tc1=1m r=6\nR7 1 0 -5\nR8 1 0 0\n.model rm r(tc1=1)\n");
    EXPECT_EQ(value(n, "R1"), 1e3);
    EXPECT_EQ(value(n, "R1", "tc1"), 1e-3);
    EXPECT_EQ(value(n, "R1", "tc2"), 2e-6);
    EXPECT_EQ(value(n, "R1", "temp"), 30.0);
    EXPECT_EQ(value(n, "R1", "m"), 2.0);
    EXPECT_FALSE(element(n, "R1").values.contains("noisy"));
    EXPECT_THAT(render(n.warnings), HasSubstr("'noisy' of 'R1' is ignored"));
    EXPECT_EQ(model(n, "R2").type, "r");
    EXPECT_FALSE(element(n, "R2").values.contains("value"));
    EXPECT_EQ(value(n, "R2", "l"), 2e-6);
    EXPECT_EQ(value(n, "R3"), 10.0);
    EXPECT_EQ(model(n, "R3").name, "rm");
    EXPECT_EQ(value(n, "R4"), 20.0);
    EXPECT_EQ(value(n, "R5"), 5.0);
    EXPECT_EQ(value(n, "R5", "ac"), 2.0);
    EXPECT_EQ(value(n, "R6"), 6.0);
    EXPECT_EQ(value(n, "R7"), -5.0);
    EXPECT_EQ(value(n, "R8"), 0.0);
}

TEST(SpiceElements, CapacitorsAndInductors) {
    const Netlist n =
        deck("C1 1 0 1u ic=2\nC2 1 0 c=3p m=4\nC3 1 0 cm w=1u l=2u\nL1 1 2 1m ic=3\nL2 2 0 l=2m\n.model cm C cj=1\n");
    EXPECT_EQ(value(n, "C1", "ic"), 2.0);
    EXPECT_EQ(value(n, "C2"), 3e-12);
    EXPECT_EQ(model(n, "C3").values.at("cj").number, 1.0);
    EXPECT_EQ(value(n, "C3", "l"), 2e-6);
    EXPECT_EQ(value(n, "L1", "ic"), 3.0);
    EXPECT_EQ(value(n, "L2"), 2e-3);
}

TEST(SpiceElements, CouplingsOfAnyNumberOfCoils) {
    const std::string coils = "L1 1 0 1\nL2 2 0 1\nL3 3 0 1\nR1 1 0 1\n";
    const Netlist n = deck("K1 L3 L1 L2 0.9\nK2 L4 L3 k=-0.2\nL4 4 0 1\n" + coils);
    EXPECT_THAT(others(n, "K1"), ElementsAre("L3", "L1", "L2"));
    EXPECT_EQ(value(n, "K1", "k"), 0.9);
    EXPECT_EQ(value(n, "K2", "k"), -0.2);
    EXPECT_TRUE(read_deck(coils + "K1 L1 L2 L3 1\n")) << "ideal, and consistent";
    // det = 1 + 2·0.9·0.9·(−0.9) − 3·0.81 < 0
    const std::string refused = messages(coils + "K1 L1 L2 0.9\nK2 L2 L3 0.9\nK3 L1 L3 -0.9\n");
    EXPECT_THAT(refused, HasSubstr("would store negative energy"));
    EXPECT_THAT(refused, HasSubstr("'L3', 'L1', 'L2'"));
    // det = 1 − k² − k² ≥ 0 up to k = 1/√2
    EXPECT_TRUE(read_deck(coils + "K1 L1 L2 0.7071\nK2 L2 L3 0.7071\n"));
    EXPECT_FALSE(read_deck(coils + "K1 L1 L2 0.7072\nK2 L2 L3 0.7072\n"));
    EXPECT_FALSE(read_deck(coils + "K1 L1 L2 1\nK2 L2 L3 1\n")) << "1 with both is 1 between them";
    EXPECT_THAT(messages(coils + "K1 L1 L2 1.1\n"), HasSubstr("larger than 1"));
    EXPECT_THAT(messages(coils + "K1 L1 L2 0.1\nK2 L1 L2 0.1\n"), HasSubstr("coupled twice"));
    EXPECT_THAT(messages(coils + "K1 L1 L1 0.1\n"), HasSubstr("with itself"));
    EXPECT_THAT(messages(coils + "K1 L1 R1 0.1\n"), HasSubstr("'R1' is none"));
    EXPECT_THAT(messages(coils + "K1 L1 0.1\n"), HasSubstr("couples at least two inductors"));
    EXPECT_THAT(messages(coils + "K1 L1 L9 0.1\n"), HasSubstr("there is no element 'L9'"));
}

TEST(SpiceElements, SourcesHaveTheirPartsInAnyOrder) {
    const Netlist n = deck("V1 1 0 5\nV2 2 0 DC 5 AC 2 45\nV3 3 0 AC SIN(0 1 1k) DC=3\nV4 4 0\nI1 1 0 {2*2} m=3\nV6 5 "
                           "0 dc\nV7 6 0 ac=3,90 dc 1\n");
    EXPECT_EQ(value(n, "V1"), 5.0);
    EXPECT_EQ(value(n, "V2", "ac"), 2.0);
    EXPECT_EQ(value(n, "V2", "acphase"), 45.0);
    EXPECT_EQ(value(n, "V3", "ac"), 1.0);
    EXPECT_EQ(value(n, "V3"), 3.0);
    EXPECT_EQ(shape(n, "V3"), Waveform::Kind::sine);
    EXPECT_FALSE(element(n, "V4").values.contains("value"));
    EXPECT_EQ(value(n, "I1"), 4.0);
    EXPECT_EQ(value(n, "I1", "m"), 3.0);
    EXPECT_EQ(value(n, "V6"), 0.0);
    EXPECT_EQ(value(n, "V7", "acphase"), 90.0);
}

TEST(SpiceElements, WaveformsWithAndWithoutParenthesesAndCommas) {
    const Netlist n = deck("V1 1 0 SIN(0 1 1k 1m 0.1 90)\nV2 2 0 sin 0 1 1k ac 1\nV3 3 0 PULSE(0, 5, 1n, 2n, 3n, 4n, "
                           "10n)\nV4 4 0 pulse (0 {vh})\n"
                           "I1 5 0 PWL(0 0 1u 5 2u\n+ 3) r=1u td=2u\nV6 6 0 pwl 0 0, 1 1 r=-1\nV7 7 0 EXP(0 1 2n 3n 4n "
                           "5n)\nV8 8 0 SFFM(0 1 1k 5 100)\n"
                           "V9 9 0 AM(1 2 3 4 5)\nV10 10 0 PWL((0,0) (1,2))\nV11 11 0 DC 0 EXP ( 0 1 )\n.param vh=3\n");
    EXPECT_THAT(waveform(n, "V1"), ElementsAre(0, 1, 1e3, 1e-3, 0.1, 90));
    EXPECT_THAT(waveform(n, "V2"), ElementsAre(0, 1, 1e3));
    EXPECT_EQ(value(n, "V2", "ac"), 1.0);
    EXPECT_THAT(waveform(n, "V3"), ElementsAre(0, 5, 1e-9, 2e-9, 3e-9, 4e-9, 1e-8));
    EXPECT_EQ(shape(n, "V3"), Waveform::Kind::pulse);
    EXPECT_THAT(waveform(n, "V4"), ElementsAre(0, 3));
    EXPECT_THAT(waveform(n, "I1"), ElementsAre(0, 0, 1e-6, 5, 2e-6, 3));
    EXPECT_EQ(element(n, "I1").waveform.repeat->number, 1e-6);
    EXPECT_EQ(value(n, "I1", "td"), 2e-6);
    EXPECT_EQ(shape(n, "V6"), Waveform::Kind::piecewise_linear);
    EXPECT_FALSE(element(n, "V6").waveform.repeat) << "-1 is once";
    EXPECT_EQ(shape(n, "V7"), Waveform::Kind::exponential);
    EXPECT_EQ(shape(n, "V8"), Waveform::Kind::single_frequency_fm);
    EXPECT_EQ(shape(n, "V9"), Waveform::Kind::amplitude_modulated);
    EXPECT_THAT(waveform(n, "V10"), ElementsAre(0, 0, 1, 2));
    EXPECT_THAT(waveform(n, "V11"), ElementsAre(0, 1));
    EXPECT_THAT(messages("V1 1 0 SIN(1)\n"), HasSubstr("they are: VO VA FREQ TD THETA PHASE"));
    EXPECT_THAT(messages("V1 1 0 PWL(0 0 1)\n"), HasSubstr("has no value"));
    EXPECT_THAT(messages("V1 1 0 PWL(0 0 2 1 1 1)\n"), HasSubstr("decrease here"));
    EXPECT_THAT(messages("V1 1 0 SIN(0 1 1k\n"), HasSubstr("never closed"));
    EXPECT_THAT(messages("V1 1 0 SIN(0 1) PULSE(0 1)\n"), HasSubstr("two waveforms"));
    EXPECT_THAT(messages("V1 1 0 TRNOISE(1 2 3 4)\n"), HasSubstr("'trnoise' is not read"));
    EXPECT_THAT(messages("V1 1 0 1 Rser=5\n"), HasSubstr("has no parameter 'Rser'"));
    EXPECT_THAT(messages("V1 1 0 PWL(0 0 +1u 1)\nR1 1 0 1\n"), HasSubstr("a time of its own"));
}

TEST(SpiceElements, ControlledSources) {
    const Netlist n = deck(
        "E1 o 0 a b 10\nG1 o 0 (a,b) {2m}\nF1 o 0 V1 5\nH1 p 0 V1 gain=7\nV1 a 0 1\nRb b 0 1\n"
        "E2 q 0 POLY(2) a 0 b 0 1 2 3\nE3 q2 0 POLY(1) (a,b) 4\nF2 o 0 POLY(2) V1 H2 0 1 2\nH2 r 0 POLY(1) V1 (0,1)\n"
        "E9 u 0 OPAMP a b\n");
    EXPECT_THAT(nodes(n, "E1"), ElementsAre("o", "0", "a", "b"));
    EXPECT_EQ(value(n, "E1", "gain"), 10.0);
    EXPECT_THAT(nodes(n, "G1"), ElementsAre("o", "0", "a", "b"));
    EXPECT_EQ(value(n, "G1", "gain"), 2e-3);
    EXPECT_THAT(others(n, "F1"), ElementsAre("V1"));
    EXPECT_EQ(value(n, "F1", "gain"), 5.0);
    EXPECT_EQ(element(n, "E2").dimension, 2);
    EXPECT_EQ(element(n, "E2").nodes.size(), 6U);
    EXPECT_THAT(numbers(element(n, "E2").polynomial), ElementsAre(1, 2, 3));
    EXPECT_THAT(numbers(element(n, "E3").polynomial), ElementsAre(0, 4))
        << "one coefficient in one dimension is the gain";
    EXPECT_THAT(others(n, "F2"), ElementsAre("V1", "H2"));
    EXPECT_EQ(element(n, "E9").kind, ElementKind::nullor);
    EXPECT_THAT(nodes(n, "E9"), ElementsAre("u", "0", "a", "b"));
    EXPECT_THAT(messages("F1 1 0 R1 2\nR1 1 0 1\n"), HasSubstr("must be that of a voltage source"));
    EXPECT_THAT(messages("F1 1 0 V9 2\nR1 1 0 1\n"), HasSubstr("there is no element 'V9'"));
    EXPECT_THAT(messages("E1 1 0 2 0 LAPLACE\n"), HasSubstr("'LAPLACE'"));
    EXPECT_THAT(messages("E1 1 0 LAPLACE {V(1)} {1/s}\n"), HasSubstr("'laplace' of 'E1' is not read"));
    EXPECT_THAT(messages("E1 1 0 TABLE {V(1)} = (1,0) (0,1)\n"), HasSubstr("must increase"));
    EXPECT_THAT(messages("E1 1 0 POLY(0) 1\n"), HasSubstr("needs the number of its arguments"));
}

TEST(SpiceElements, Devices) {
    const Netlist n = deck("D1 a 0 dm 2 off ic=0.5 temp=50\nD2 a 0 dm area=3 m=2\nQ1 c b e qn\nQ2 c b e s qn 2 off\nQ3 "
                           "c b e qn 1.5 ic=0.6,5\n"
                           "Q4 c b e qp area=4\nJ1 d g s jn 2 ic=1,2\nM1 d g s b mn l=1u w=2u ad=1p as=2p pd=3u ps=4u "
                           "nrd=5 nrs=6 off ic=1,2,3 m=7\n"
                           "M2 d g s b mp w='2*w0' l=w0\n.param w0=1u\nS1 a 0 c 0 sw1 on\nW1 a 0 V1 cs OFF\nV1 x 0 "
                           "1\nT1 a 0 b 0 z0=50 td=1n ic=1,2,3,4\nT2 a 0 b 0 Z0=75 f=1g nl=0.5\n"
                           ".model dm d\n.model qn npn\n.model qp pnp\n.model jn njf\n.model mn nmos level=1\n.model "
                           "mp pmos\n.model sw1 vswitch(ron=1)\n.model cs iswitch\n");
    EXPECT_EQ(value(n, "D1", "area"), 2.0);
    EXPECT_EQ(value(n, "D1", "off"), 1.0);
    EXPECT_EQ(value(n, "D1", "ic"), 0.5);
    EXPECT_EQ(value(n, "D2", "area"), 3.0);
    EXPECT_THAT(nodes(n, "Q1"), ElementsAre("c", "b", "e"));
    EXPECT_THAT(nodes(n, "Q2"), ElementsAre("c", "b", "e", "s"));
    EXPECT_EQ(value(n, "Q2", "area"), 2.0);
    EXPECT_EQ(value(n, "Q3", "area"), 1.5);
    EXPECT_EQ(value(n, "Q3", "ic2"), 5.0);
    EXPECT_EQ(model(n, "Q4").type, "pnp");
    EXPECT_EQ(value(n, "J1", "ic2"), 2.0);
    EXPECT_EQ(value(n, "M1", "ic3"), 3.0);
    EXPECT_EQ(value(n, "M1", "nrs"), 6.0);
    EXPECT_EQ(value(n, "M1", "m"), 7.0);
    EXPECT_EQ(value(n, "M2", "w"), 2e-6);
    EXPECT_EQ(value(n, "M2", "l"), 1e-6);
    EXPECT_EQ(model(n, "S1").type, "sw");
    EXPECT_EQ(value(n, "S1", "on"), 1.0);
    EXPECT_EQ(model(n, "W1").type, "csw");
    EXPECT_THAT(others(n, "W1"), ElementsAre("V1"));
    EXPECT_EQ(value(n, "W1", "off"), 1.0);
    EXPECT_EQ(value(n, "T1", "z0"), 50.0);
    EXPECT_EQ(value(n, "T1", "ic4"), 4.0);
    EXPECT_EQ(value(n, "T2", "nl"), 0.5);
}

TEST(SpiceElements, MistakesOfDevicesAreNamed) {
    const std::string models = ".model dm d\n.model qn npn\n.model mn nmos\n";
    EXPECT_THAT(messages(models + "M1 d g s mn\n"), HasSubstr("'M1' has 3 nodes before its model 'mn' and needs 4"));
    EXPECT_THAT(messages(models + "M1 d g s mn\n"), HasSubstr("drain, gate, source and bulk"));
    EXPECT_THAT(messages(models + "Q1 c b qn\n"), HasSubstr("'Q1' has 2 nodes before its model 'qn' and needs 3 or 4"));
    EXPECT_THAT(messages(models + "D1 a b c dm\n"), HasSubstr("'D1' has 3 nodes"));
    EXPECT_THAT(messages(models + "D1 a 0 dn\n"), HasSubstr("there is no model 'dn' for 'D1'"));
    EXPECT_THAT(messages(models + "D1 a 0 dn\n"), HasSubstr("did you mean 'dm'?"));
    EXPECT_THAT(messages(models + "D1 a 0 mn\n"), HasSubstr("model 'mn' is of type nmos, and 'D1' needs d"));
    EXPECT_THAT(messages(models + "D1 a 0\n"), HasSubstr("the model of 'D1' is missing"));
    EXPECT_THAT(messages(models + "M1 a b c d mn widht=3\n"), HasSubstr("'M1' has no parameter 'widht'"));
    EXPECT_THAT(messages(models + "Q1 c b e qm\n"), HasSubstr("there is no model 'qm' for 'Q1'"));
    EXPECT_THAT(messages("T1 a 0 b 0 z0=50\n"), HasSubstr("the delay of 'T1' is missing"));
    EXPECT_THAT(messages("T1 a 0 b 0 td=1n\n"), HasSubstr("the impedance z0 of 'T1' is missing"));
    EXPECT_THAT(messages("A1 1 2 gain\n"), HasSubstr("'A1' is a code model of XSPICE, which is not read"));
    EXPECT_THAT(messages("O1 1 0 2 0 line\n"), HasSubstr("E1 out+ out- OPAMP in+ in-"));
    EXPECT_THAT(messages("%1 1 0 2\n"), HasSubstr("'%1' is no element: none begins with '%'"));
}

TEST(SpiceElements, Models) {
    const Netlist n = deck("D1 a 0 d1\nD2 a 0 d2\nD3 a 0 D1\n.model d1 D(is=1f, n={k} mfg=some_firm)\n.model d2 AKO:d1 "
                           "(n=3 rs=1)\n.param k=2\n"
                           ".model unused vdmos(vto=3)\n");
    EXPECT_EQ(n.models.size(), 2U);
    EXPECT_EQ(model(n, "D1").values.at("n").number, 2.0);
    EXPECT_EQ(element(n, "D1").model, element(n, "D3").model);
    EXPECT_EQ(model(n, "D2").type, "d");
    EXPECT_EQ(model(n, "D2").values.at("is").number, 1e-15);
    EXPECT_EQ(model(n, "D2").values.at("n").number, 3.0);
    EXPECT_THAT(render(n.warnings), HasSubstr("'mfg' of model 'd1' is ignored"));
    const Netlist twice = deck("D1 a 0 d1\n.model d1 D(is=1f)\n.model d1 D(is=2f)\n");
    EXPECT_EQ(model(twice, "D1").values.at("is").number, 1e-15) << "the first one counts, as in ngspice";
    EXPECT_THAT(render(twice.warnings), HasSubstr("this one is ignored"));
    EXPECT_THAT(messages("D1 a 0 d1\n.model d1 ako:d2\n.model d2 ako:d1\n"), HasSubstr("made from itself"));
    EXPECT_THAT(messages("D1 a 0 d1\n.model d1 d is\n"), HasSubstr("'is' in model 'd1' is no name=value"));
}
