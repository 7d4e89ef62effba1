// Subcircuits: names, parameters, models, nesting, conditions.
#include "reading.hpp"

#include <gmock/gmock.h>

using namespace daedalus;
using namespace daedalus::spice;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(SpiceSubcircuits, NamesCarryThePath) {
    const Netlist n = deck(".global vdd\n.subckt inner a b\nR1 a m 1\nR2 m vdd 2\nR3 b 0 3\n.ends\n.subckt outer p "
                           "q\nX2 p x inner\nC1 x q 1\n.ends outer\n"
                           "X1 in out outer\nV1 vdd 0 1\nR1 in 0 1\nR2 out 0 1\n");
    EXPECT_THAT(nodes(n, "X1.X2.R1"), ElementsAre("in", "X1.X2.m"));
    EXPECT_THAT(nodes(n, "x1.x2.r2"), ElementsAre("X1.X2.m", "vdd"));
    EXPECT_THAT(nodes(n, "X1.X2.R3"), ElementsAre("X1.x", "0"));
    EXPECT_THAT(nodes(n, "X1.C1"), ElementsAre("X1.x", "out"));
}

TEST(SpiceSubcircuits, Parameters) {
    const Netlist n = deck(".param w=1 k=10\n.subckt s a PARAMS: w=2 l={w*2}\n.param h={l+1}\nR1 a 0 {w}\nR2 a 0 "
                           "{l}\nR3 a 0 {h}\nR4 a 0 {k}\n.ends\n"
                           "X1 1 s\nX2 1 s w=5\nX3 1 s params: l={w*100} w=7\nX4 1 s PARAMS : w = 9\nX5 1 s h=4\n");
    EXPECT_EQ(value(n, "X1.R1"), 2.0);
    EXPECT_EQ(value(n, "X1.R2"), 4.0);
    EXPECT_EQ(value(n, "X1.R3"), 5.0);
    EXPECT_EQ(value(n, "X1.R4"), 10.0);
    EXPECT_EQ(value(n, "X2.R1"), 5.0);
    EXPECT_EQ(value(n, "X2.R2"), 10.0);
    EXPECT_EQ(value(n, "X3.R2"), 100.0) << "the instance computes with its own w";
    EXPECT_EQ(value(n, "X3.R1"), 7.0);
    EXPECT_EQ(value(n, "X4.R1"), 9.0);
    EXPECT_EQ(value(n, "X5.R3"), 4.0) << "what an instance gives stands";
    EXPECT_THAT(messages(".subckt s a gain=1\nR1 a 0 {gain}\n.ends\nX1 1 s gian=2\n"),
                HasSubstr("subcircuit 's' has no parameter 'gian'"));
    EXPECT_EQ(value(deck(".subckt s a\nR1 a 0 {gain}\n.ends\nX1 1 s gain=2\n"), "X1.R1"), 2.0)
        << "not declared, but used";
}

// Both as ngspice 39 does.
TEST(SpiceSubcircuits, ParametersFollowInstancesAndModelsFollowTheText) {
    const Netlist n = deck(".param w=1\n.subckt b a\nR1 a 0 {w}\nD1 a 0 dm\n.ends\n.subckt a n\n.param w=2\n.model dm "
                           "d is=1e-12\nX1 n b\nD2 n 0 dm\n.ends\n.model dm d is=1e-15\n"
                           "X1 1 a\nX2 1 b\n");
    EXPECT_EQ(value(n, "X1.X1.R1"), 2.0);
    EXPECT_EQ(value(n, "X2.R1"), 1.0);
    EXPECT_EQ(model(n, "X1.X1.D1").values.at("is").number, 1e-15);
    EXPECT_EQ(model(n, "X1.D2").values.at("is").number, 1e-12);
    EXPECT_EQ(model(n, "X1.D2").name, "X1.dm");
}

TEST(SpiceSubcircuits, ModelsThatDependOnParametersAreSharedWhereTheyAreEqual) {
    const Netlist n =
        deck(".subckt s a w=1\nD1 a 0 dm\n.model dm d is={w*1f}\n.ends\nX1 1 s\nX2 1 s w=2\nX3 1 s w=1\n");
    EXPECT_EQ(n.models.size(), 2U);
    EXPECT_EQ(element(n, "X1.D1").model, element(n, "X3.D1").model);
    EXPECT_EQ(model(n, "X2.D1").values.at("is").number, 2e-15);
}

TEST(SpiceSubcircuits, NestedDefinitionsAreLocal) {
    const Netlist n = deck(
        ".subckt a p\n.subckt c q\nR1 q 0 1\n.ends c\nX1 p c\n.ends a\n.subckt c q\nR1 q 0 2\n.ends\nX1 1 a\nX2 1 c\n");
    EXPECT_EQ(value(n, "X1.X1.R1"), 1.0);
    EXPECT_EQ(value(n, "X2.R1"), 2.0);
    EXPECT_THAT(messages(".subckt a p\n.subckt c q\nR1 q 0 1\n.ends\nR1 p 0 1\n.ends\nX1 1 c\n"),
                HasSubstr("there is no subcircuit 'c'"));
}

// m copies side by side.
TEST(SpiceSubcircuits, Multiplicity) {
    const Netlist n = deck(".subckt s a b\nR1 a b 1\nM1 a b 0 0 mn m=2\nV1 b x 0\nF1 a 0 V1 2\nH1 h 0 V1 6\nE1 e 0 a b "
                           "5\nT1 a 0 b 0 z0=60 td=1\nRh h 0 1\nRe e 0 1\nRx x 0 1\n.ends\n.model mn nmos\n"
                           "X1 1 2 s m=3\nX2 1 2 t m=2\n.subckt t a b\nX1 a b s m=5\n.ends\n");
    EXPECT_EQ(value(n, "X1.R1", "m"), 3.0);
    EXPECT_EQ(value(n, "X1.M1", "m"), 6.0);
    EXPECT_EQ(value(n, "X2.X1.R1", "m"), 10.0);
    EXPECT_EQ(value(n, "X1.F1", "gain"), 2.0) << "the current of V1 is that of all";
    EXPECT_EQ(value(n, "X1.H1", "gain"), 2.0);
    EXPECT_EQ(value(n, "X1.E1", "gain"), 5.0);
    EXPECT_EQ(value(n, "X1.T1", "z0"), 20.0);
    EXPECT_EQ(value(deck(".subckt s a m=1\nR1 a 0 {m}\n.ends\nX1 1 s m=3\n"), "X1.R1"), 3.0)
        << "a parameter of its own";
    EXPECT_FALSE(element(deck(".subckt s a m=1\nR1 a 0 {m}\n.ends\nX1 1 s m=3\n"), "X1.R1").values.contains("m"));
    EXPECT_THAT(messages(".subckt s a\nR1 a 0 1\nB1 a 0 I=I(R1)\n.ends\nX1 1 s m=3\n"),
                HasSubstr("reads a current inside of an instance"));
    EXPECT_THAT(messages(".subckt s a\nR1 a 0 1\n.ends\nX1 1 s m=0\n"), HasSubstr("must be positive"));
}

TEST(SpiceSubcircuits, Conditions) {
    const std::string text = ".param k=2\n.if (k==1)\nR1 1 0 1\n.elseif (k==2)\nR1 1 0 2\n.if (k>5)\nR2 1 0 "
                             "5\n.else\nR2 1 0 6\n.endif\n.else\nR1 1 0 3\n.endif\n"
                             ".subckt s a w=1\n.if (w>1)\nR1 a 0 10\n.model d d is=1\n.else\nR1 a 0 20\n.model d d "
                             "is=2\n.endif\nD1 a 0 d\n.ends\nX1 1 s\nX2 1 s w=2\n";
    const Netlist n = deck(text);
    EXPECT_EQ(value(n, "R1"), 2.0);
    EXPECT_EQ(value(n, "R2"), 6.0);
    EXPECT_EQ(value(n, "X1.R1"), 20.0);
    EXPECT_EQ(value(n, "X2.R1"), 10.0);
    EXPECT_EQ(model(n, "X1.D1").values.at("is").number, 2.0);
    EXPECT_EQ(model(n, "X2.D1").values.at("is").number, 1.0);
    ReadOptions options;
    options.parameters = {{"k", 3.0}};
    EXPECT_EQ(value(deck(text, options), "R1"), 3.0);
    EXPECT_THAT(messages(".if (1)\nR1 1 0 1\n"), HasSubstr("this .if has no .endif"));
    EXPECT_THAT(messages("R1 1 0 1\n.endif\n"), HasSubstr("'.endif' without an .if"));
    EXPECT_THAT(messages("R1 1 0 1\n.if (1)\n.param k=1\n.endif\n"),
                HasSubstr("'.param' cannot depend on a condition"));
}

TEST(SpiceSubcircuits, NodesThatNothingUsesAreLeftOut) {
    const Netlist n =
        deck(".subckt s a b c\nR1 a 0 1\nB1 a 0 I=V(a)\n.ends\nX1 nc0 nc1 nc2 s\nR9 last 0 1\nB2 last 0 I=V(last)\n");
    EXPECT_EQ(n.nodes.size(), 3U);
    EXPECT_THAT(nodes(n, "R9"), ElementsAre("last", "0"));
    EXPECT_EQ(formula(n, "B2"), "V(last,0)");
}

TEST(SpiceSubcircuits, MistakesAreNamed) {
    const std::string s = ".subckt amp in out\nR1 in out 1\n.ends\n";
    EXPECT_THAT(messages(s + "X1 1 2 anp\n"), HasSubstr("did you mean 'amp'?"));
    EXPECT_THAT(messages(s + "X1 1 amp\n"), HasSubstr("'X1' has 1 node, and subcircuit 'amp' has 2"));
    EXPECT_THAT(messages(s + "X1 1 amp\n"), HasSubstr("they are: in out"));
    EXPECT_THAT(messages(s + "X1 1 0 amp\nX1 2 0 amp\n"), HasSubstr("there are two instances 'X1'"));
    EXPECT_THAT(messages(s + "X1 1 0 amp\nR1 1 0 1\nr1 1 0 2\n"), HasSubstr("there are two elements 'r1'"));
    EXPECT_THAT(
        messages(".subckt a p\nX1 p b\n.ends\n.subckt b p\nX1 p c\n.ends\n.subckt c p\nX1 p a\n.ends\nX1 1 a\n"),
        HasSubstr("subcircuit 'a' contains itself: a → b → c → a"));
    EXPECT_THAT(messages(".subckt a p\nR1 p 0 1\nX1 1 a\n"), HasSubstr("subcircuit 'a' has no .ends"));
    EXPECT_THAT(messages("R1 1 0 1\n.ends\n"), HasSubstr(".ends without a .subckt"));
    EXPECT_THAT(messages(s + s + "X1 1 0 amp\n"), HasSubstr("there are two subcircuits 'amp'"));
    EXPECT_THAT(messages(".subckt s a a\nR1 a 0 1\n.ends\nX1 1 2 s\n"), HasSubstr("stands twice among those of 's'"));
    // In each instance the same line is wrong: said once.
    const auto read = read_deck(".subckt s a\nR1 a 0\n.ends\nX1 1 s\nX2 1 s\nX3 1 s\n");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().size(), 1U);
}
