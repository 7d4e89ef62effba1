// Expressions with voltages, currents and time.
#include "reading.hpp"

#include <gmock/gmock.h>

using namespace daedalus;
using namespace daedalus::spice;
using testing::HasSubstr;

namespace {
std::string of(const std::string& expression) {
    const Netlist n = deck(
        "V1 a 0 1\nR1 a b 1\nR2 b 0 1\nD1 b 0 dm\n.model dm d\n.param k=3\n.func sq(x) {x*x}\nB1 b 0 V=" + expression +
        "\n");
    return formula(n, "B1");
}
} // namespace

TEST(SpiceFormulas, StructureAndPrecedence) {
    EXPECT_EQ(of("V(a)*2 + V(a,b)"), "+(*(V(a,0),2),V(a,b))");
    EXPECT_EQ(of("-V(a)^2"), "neg(^(V(a,0),2))");
    EXPECT_EQ(of("V(a)**V(b)"), "^(V(a,0),V(b,0))");
    EXPECT_EQ(of("1-V(a)-V(b)"), "-(-(1,V(a,0)),V(b,0))");
    EXPECT_EQ(of("V(a) < k ? V(b) : time"), "?:(<(V(a,0),3),V(b,0),time)");
    EXPECT_EQ(of("V(a)>1 && !V(b) || I(V1) != 0"), "||(&&(>(V(a,0),1),!(V(b,0))),!=(I(V1),0))");
    EXPECT_EQ(of("{sq(V(a)+1)}"), "*(+(V(a,0),1),+(V(a,0),1))");
    EXPECT_EQ(of("'k*V(a)'"), "*(3,V(a,0))");
    EXPECT_EQ(of("2*k*V(a)"), "*(6,V(a,0))") << "numbers are computed";
    EXPECT_EQ(of("k > 2 ? V(a) : V(b)"), "V(a,0)") << "a condition that is known is decided";
    EXPECT_EQ(of("k > 2 ? V(b) + I(V1) : I(D1)"), "+(V(b,0),I(V1))");
    EXPECT_EQ(of("k + 1"), "4");
    EXPECT_EQ(of("temper + V(0,a)"), "+(temper,V(0,a))");
}

TEST(SpiceFormulas, FunctionsHaveOneNameEach) {
    EXPECT_EQ(of("ln(V(a))+log(V(a))+log10(V(a))"), "+(+(log(V(a,0)),log(V(a,0))),log10(V(a,0)))");
    EXPECT_EQ(of("pow(V(a),2)+pwr(V(a),2)"), "+(^(V(a,0),2),pwr(V(a,0),2))");
    EXPECT_EQ(of("if(V(a),1,2)+ternary_fcn(V(a),1,2)"), "+(?:(V(a,0),1,2),?:(V(a,0),1,2))");
    EXPECT_EQ(of("ddt(V(a))+idt(I(R1))+sdt(V(b),1)"), "+(+(ddt(V(a,0)),idt(I(R1))),idt(V(b,0),1))");
    EXPECT_EQ(of("pwl(V(a), 0,0, 1,k)"), "pwl(V(a,0),0,0,1,3)");
    EXPECT_EQ(of("min(V(a),V(b),1)"), "min(V(a,0),V(b,0),1)");
    EXPECT_EQ(of("pow(0-2,3)*V(a)"), "*(8,V(a,0))") << "pow of B sources is |x|^y, also of numbers";
    EXPECT_EQ(of("pwr(0-2,3)*V(a)"), "*(-8,V(a,0))");
}

TEST(SpiceFormulas, NamesOfNodesAndElements) {
    const Netlist n = deck("R1 in+ n-1 1\nR2 in+ 0 1\nRz n-1 0 1\nX1 in+ s\n.subckt s p\nR1 p q 1\nV1 q 0 1\nB1 p 0 "
                           "I=V(q)+I(V1)+V(p)\n.ends\n"
                           "B1 in+ 0 V=V(in+,n-1)+V(x1.q)+I(X1.V1)+I(v.x1.v1)\n");
    EXPECT_EQ(formula(n, "B1"), "+(+(+(V(in+,n-1),V(X1.q,0)),I(X1.V1)),I(X1.V1))");
    EXPECT_EQ(formula(n, "X1.B1"), "+(+(V(X1.q,0),I(X1.V1)),V(in+,0))");
}

TEST(SpiceFormulas, PassiveElementsAndControlledSources) {
    const Netlist n = deck(
        "V1 a 0 1\nR1 a 0 r={1k*(1+V(a)^2)} tc1=2\nR2 a 0 'V(a)+1'\nC1 a 0 C='1p*(1+V(a))'\nC2 a 0 Q={1p*V(a)} ic=3\n"
        "L1 a b flux={tanh(I(L1))}\nE1 b 0 VALUE={V(a)*2}\nG1 b 0 value = 'V(a)+1' m=2\nE2 c 0 vol='2*V(a)'\nG2 c 0 "
        "cur='3*V(a)'\n"
        "E3 d 0 TABLE {V(a,b)} = (-1,0) (0,0.5) (1 , 2)\nB2 e 0 I=V(a)/2 m=3\nRe e 0 1\n");
    EXPECT_EQ(formula(n, "R1"), "*(1000,+(1,^(V(a,0),2)))");
    EXPECT_EQ(value(n, "R1", "tc1"), 2.0);
    EXPECT_EQ(formula(n, "R2"), "+(V(a,0),1)");
    EXPECT_EQ(formula(n, "C1"), "*(1e-12,+(1,V(a,0)))");
    EXPECT_FALSE(element(n, "C1").is_charge);
    EXPECT_TRUE(element(n, "C2").is_charge);
    EXPECT_EQ(value(n, "C2", "ic"), 3.0);
    EXPECT_TRUE(element(n, "L1").is_charge);
    EXPECT_EQ(formula(n, "L1"), "tanh(I(L1))");
    EXPECT_EQ(element(n, "E1").kind, ElementKind::voltage_controlled_voltage);
    EXPECT_EQ(element(n, "E1").nodes.size(), 2U);
    EXPECT_EQ(formula(n, "E1"), "*(V(a,0),2)");
    EXPECT_EQ(formula(n, "G1"), "+(V(a,0),1)");
    EXPECT_EQ(value(n, "G1", "m"), 2.0);
    EXPECT_EQ(formula(n, "E2"), "*(2,V(a,0))");
    EXPECT_EQ(formula(n, "G2"), "*(3,V(a,0))");
    EXPECT_EQ(formula(n, "E3"), "V(a,b)");
    ASSERT_EQ(element(n, "E3").table.size(), 6U);
    EXPECT_EQ(element(n, "E3").table[5].number, 2.0);
    EXPECT_EQ(element(n, "B2").kind, ElementKind::behavioural_current);
    EXPECT_EQ(value(n, "B2", "m"), 3.0);
}

TEST(SpiceFormulas, MistakesAreNamed) {
    const std::string rest = "V1 out 0 1\nR1 out 0 1\n";
    EXPECT_THAT(messages(rest + "B1 out 0 V=V(ouy)\n"), HasSubstr("no element is connected to node 'ouy'"));
    EXPECT_THAT(messages(rest + "B1 out 0 V=V(ouy)\n"), HasSubstr("did you mean 'out'?"));
    EXPECT_THAT(messages(rest + "B1 out 0 V=I(V2)\n"), HasSubstr("there is no element 'V2'"));
    EXPECT_THAT(messages(rest + "Q1 out out 0 q\n.model q npn\nB1 out 0 V=I(Q1)\n"), HasSubstr("more than two ends"));
    EXPECT_THAT(messages(rest + "B1 out 0 V=hertz*V(out)\n"), HasSubstr("depend on the frequency"));
    EXPECT_THAT(messages(rest + "B1 out 0 V=V(out\n"), HasSubstr("V needs one node or two"));
    EXPECT_THAT(messages(rest + "B1 out 0 V=V(out)+\n"), HasSubstr("a value is missing at the end"));
    EXPECT_THAT(messages(rest + "B1 out 0 V=(V(out)\n"), HasSubstr("'(' is never closed"));
    EXPECT_THAT(messages(rest + "B1 out 0 V=pwl(V(out),1,1,0,0)\n"), HasSubstr("must increase"));
    EXPECT_THAT(messages(rest + "B1 out 0 V=@m1[id]\n"), HasSubstr("quantities inside of devices"));
    EXPECT_THAT(messages(rest + "B1 out 0 2\n"), HasSubstr("needs V= or I="));
}
