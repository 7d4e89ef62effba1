// The form of a deck: title, comments, continuation, case, numbers.
#include "reading.hpp"

#include <gmock/gmock.h>

using namespace daedalus;
using namespace daedalus::spice;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {
double number(const std::string& text) { return value(deck("R1 1 0 " + text + "\n"), "R1"); }
} // namespace

TEST(SpiceLines, FirstLineIsTheTitle) {
    const auto read = read_netlist(std::make_shared<const SourceFile>("d.cir", "R9 1 0 5\nR1 1 0 7\n"));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->title, "R9 1 0 5");
    EXPECT_EQ(read->elements.size(), 1U);
    EXPECT_THAT(render(read->warnings), HasSubstr("d.cir:1:1: warning: the first line of a deck is its title"));
    const auto plain =
        read_netlist(std::make_shared<const SourceFile>("d.cir", "\xEF\xBB\xBF* divider\r\nR1 1 0 7\r\n"));
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->title, " divider");
    EXPECT_TRUE(plain->warnings.empty());
    EXPECT_EQ(value(*plain, "R1"), 7.0);
    EXPECT_EQ(deck(".title another\nR1 1 0 1\n").title, "another");
}

TEST(SpiceLines, CommentsAndContinuations) {
    const Netlist n = deck(R"(* R0 1 0 1
  * indented
R1 1 0 1k ; behind a semicolon
R2 1 0 2k $ behind a dollar
R3 1 0 3k // behind slashes
$ a whole line
// another
R4 1

* between
+ 0 $ and behind
+
+ 4k
   + tc1=1m
+ tc2=2m;end
R5 a$b 0 5k
)");
    EXPECT_EQ(n.elements.size(), 5U);
    EXPECT_EQ(value(n, "R1"), 1e3);
    EXPECT_EQ(value(n, "R2"), 2e3);
    EXPECT_EQ(value(n, "R3"), 3e3);
    EXPECT_EQ(value(n, "R4"), 4e3);
    EXPECT_EQ(value(n, "R4", "tc1"), 1e-3);
    EXPECT_EQ(value(n, "R4", "tc2"), 2e-3);
    EXPECT_THAT(nodes(n, "R5"), ElementsAre("a$b", "0"));
    EXPECT_TRUE(n.warnings.empty());
}

TEST(SpiceLines, CaseDoesNotMatterAndTheFirstSpellingStays) {
    const Netlist n = deck("r1 In OUT 1K\nR2 in out 2k\nV1 GND in 1\n.MODEL Dx d(IS=1F)\nd1 IN 0 dX\n");
    EXPECT_EQ(n.nodes.size(), 3U);
    EXPECT_EQ(n.nodes[0].name, "0");
    EXPECT_EQ(n.nodes[1].name, "In");
    EXPECT_EQ(element(n, "R1").name, "r1");
    EXPECT_EQ(element(n, "r1").nodes, element(n, "R2").nodes);
    EXPECT_EQ(element(n, "V1").nodes[0], 0) << "gnd is ground";
    EXPECT_EQ(model(n, "D1").values.at("is").number, 1e-15);
}

// Correctly rounded: the literals are the doubles next to what is meant.
TEST(SpiceLines, NumbersHaveScaleFactorsAndUnits) {
    EXPECT_EQ(number("4.7k"), 4700.0);
    EXPECT_EQ(number("1M"), 1e-3) << "milli";
    EXPECT_EQ(number("1MEG"), 1e6);
    EXPECT_EQ(number("2.5Megohm"), 2.5e6);
    EXPECT_EQ(number("100mil"), 2.54e-3);
    EXPECT_EQ(number("10PF"), 1e-11);
    EXPECT_EQ(number("3u"), 3e-6);
    EXPECT_EQ(number("3\xC2\xB5"), 3e-6);
    EXPECT_EQ(number("3\xB5"), 3e-6);
    EXPECT_EQ(number("7n"), 7e-9);
    EXPECT_EQ(number("9fs"), 9e-15);
    EXPECT_EQ(number("2T"), 2e12);
    EXPECT_EQ(number("2Gig"), 2e9);
    EXPECT_EQ(number("5Volts"), 5.0);
    EXPECT_EQ(number("1e-3"), 1e-3);
    EXPECT_EQ(number("1E3k"), 1e6);
    EXPECT_EQ(number(".5"), 0.5);
    EXPECT_EQ(number("5."), 5.0);
    EXPECT_EQ(number("+5"), 5.0);
    EXPECT_EQ(number("-5m"), -5e-3);
    EXPECT_EQ(number("1A"), 1.0) << "no atto, as in ngspice";
    EXPECT_EQ(number("1e-400"), 0.0);
    EXPECT_THAT(messages("R1 1 0 1K5\n"), HasSubstr("digits behind the scale factor"));
    EXPECT_THAT(messages("R1 1 0 1e400\n"), HasSubstr("this is infinite"));
}

TEST(SpiceLines, NamesOfNodesMayHaveNearlyAnything) {
    const Netlist n = deck("R1 +5V n-1 1\nR2 a[3] net#7 1\nR3 x/y 00 1\nR4 a.b \xE3\x81\x9B 1\n");
    EXPECT_THAT(nodes(n, "R1"), ElementsAre("+5V", "n-1"));
    EXPECT_THAT(nodes(n, "R2"), ElementsAre("a[3]", "net#7"));
    EXPECT_THAT(nodes(n, "R3"), ElementsAre("x/y", "00")) << "00 is another node than 0, as in ngspice";
    EXPECT_THAT(nodes(n, "R4"), ElementsAre("a.b", "\xE3\x81\x9B"));
}

TEST(SpiceLines, WhatStandsBehindEndIsIgnored) {
    const Netlist n = deck("R1 1 0 1\n.end\nR2 1 0 2\n");
    EXPECT_EQ(n.elements.size(), 1U);
    EXPECT_THAT(render(n.warnings), HasSubstr("what stands behind .end is ignored"));
}

TEST(SpiceLines, SpansLeadToTheFile) {
    const Netlist n = deck("R1 in\n+ 0 1k\n");
    const auto where = element(n, "R1").values.at("value").span.locate();
    EXPECT_EQ(where.line, 3);
    EXPECT_EQ(where.column, 5);
    EXPECT_EQ(element(n, "R1").node_spans[1].locate().column, 3);
    EXPECT_EQ(n.nodes[1].span.locate().line, 2);
}
