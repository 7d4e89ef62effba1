// .param, .func and expressions that are numbers. The values are those of ngspice 39, asked for by hand.
#include "reading.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

using namespace daedalus;
using namespace daedalus::spice;
using testing::HasSubstr;

namespace {
double number(const std::string& expression) {
    const Netlist n = deck(".param x = {" + expression + "}\nR1 1 0 1\n");
    const auto at = n.parameters.find("x");
    return at == n.parameters.end() ? std::nan("") : at->second.number;
}
} // namespace

TEST(SpiceParameters, DependOnEachOtherInAnyOrder) {
    const Netlist n =
        deck(".param a={b*2} b='c+1', c = 3k\n.param d=a+b e=-d\nR1 1 0 {a}\nR2 1 0 'b'\nR3 1 0 d\nR4 1 0 2*c\n"
             "R5 1 0 r=max(a, b)\nC1 1 0 {c/1meg} ic=-{b}\n");
    EXPECT_EQ(value(n, "R1"), 6002.0);
    EXPECT_EQ(value(n, "R2"), 3001.0);
    EXPECT_EQ(value(n, "R3"), 9003.0);
    EXPECT_EQ(value(n, "R4"), 6000.0);
    EXPECT_EQ(value(n, "R5"), 6002.0);
    EXPECT_EQ(value(n, "C1", "ic"), -3001.0);
    EXPECT_EQ(n.parameters.at("e").number, -9003.0);
}

TEST(SpiceParameters, CanBeGivenFromOutside) {
    ReadOptions options;
    options.parameters = {{"r", 7.0}, {"temp", 50.0}};
    const Netlist n = deck(".param r=5 s={2*r}\nR1 1 0 {s}\n", options);
    EXPECT_EQ(value(n, "R1"), 14.0);
    EXPECT_EQ(n.temperature, 50.0);
    options.parameters = {{"gian", 1.0}};
    EXPECT_THAT(messages(".param gain=5\nR1 1 0 {gain}\n", options), HasSubstr("did you mean 'gain'?"));
}

TEST(SpiceParameters, PrecedenceIsThatOfNgspice) {
    EXPECT_EQ(number("1+2*3"), 7.0);
    EXPECT_EQ(number("-2^2"), -4.0);
    EXPECT_EQ(number("2^-1"), 0.5);
    EXPECT_EQ(number("2**3"), 8.0);
    EXPECT_EQ(number("1/4*2"), 0.5);
    EXPECT_EQ(number("7%4"), 3.0);
    EXPECT_EQ(number("2*-3"), -6.0);
    EXPECT_EQ(number("1--1"), 2.0);
    EXPECT_EQ(number("!0 + 1 && 1"), 1.0);
    EXPECT_EQ(number("1 > 2 ? 3 : 4 < 5 ? 6 : 7"), 6.0);
    EXPECT_EQ(number("3 <> 4"), 1.0);
    EXPECT_EQ(number("3 == 4 || 3 <= 3"), 1.0);
    EXPECT_EQ(number("(1 = 1) + 1"), 2.0);
    EXPECT_EQ(number("2^3^2"), 64.0) << "from the left";
    EXPECT_THAT(messages(".param x={2^3^2}\nR1 1 0 1\n"), HasSubstr("a^b^c is read from the left"));
}

TEST(SpiceParameters, Functions) {
    EXPECT_EQ(number("(-2)^3"), 8.0) << "|x|^y";
    EXPECT_EQ(number("pow(-2,3)"), -8.0);
    EXPECT_EQ(number("pwr(-2,3)"), 8.0);
    EXPECT_EQ(number("int(-2.5)"), -2.0);
    EXPECT_EQ(number("nint(2.5)"), 2.0);
    EXPECT_EQ(number("floor(-2.5)"), -3.0);
    EXPECT_EQ(number("ceil(-2.5)"), -2.0);
    EXPECT_EQ(number("sgn(-3)"), -1.0);
    EXPECT_EQ(number("log(10)"), std::log(10.0));
    EXPECT_EQ(number("ln(10)"), std::log(10.0));
    EXPECT_EQ(number("log10(1000)"), 3.0);
    EXPECT_EQ(number("atan2(1,-1)"), std::atan2(1.0, -1.0));
    EXPECT_EQ(number("arctan(1)"), std::atan(1.0));
    EXPECT_EQ(number("min(3,1,2)"), 1.0);
    EXPECT_EQ(number("limit(5,0,2)"), 2.0);
    EXPECT_EQ(number("if(1,2,3)"), 2.0);
    EXPECT_EQ(number("ternary_fcn(0,2,3)"), 3.0);
    EXPECT_EQ(number("u(0)+uramp(-1)+u2(0.25)"), 0.75);
    EXPECT_EQ(number("pwl(3, 0,0, 1,2)"), 6.0) << "goes on along the last line";
    EXPECT_EQ(number("table(3, 0,0, 1,2)"), 2.0) << "stays";
    EXPECT_EQ(number("pi"), std::numbers::pi);
    EXPECT_EQ(number("1 ? 2 : 1/0"), 2.0) << "the other branch does not matter";
    EXPECT_EQ(number("sqrt(2)*'1+1'*{3}"), std::sqrt(2.0) * 6.0);
}

TEST(SpiceParameters, FunctionsOfTheDeck) {
    const Netlist n =
        deck(".func f(x,y) {x*y + g(x)}\n.func g(x) = {x^2 + k}\n.param k=1\n.param p(z)='z*3'\n"
             "R1 1 0 {f(2,3)}\nR2 1 0 {p(4)}\n.subckt s a\n.func g(x) {100*x}\nR1 a 0 {g(1)+f(1,1)}\n.ends\nX1 1 s\n");
    EXPECT_EQ(value(n, "R1"), 11.0);
    EXPECT_EQ(value(n, "R2"), 12.0);
    EXPECT_EQ(value(n, "X1.R1"), 103.0) << "f is defined outside, and so is its g";
}

TEST(SpiceParameters, MistakesAreNamed) {
    EXPECT_THAT(messages(".param a={b} b={c} c={a}\nR1 1 0 {a}\n"),
                HasSubstr("parameter 'a' depends on itself: a → b → c → a"));
    EXPECT_THAT(messages(".func f(x) {g(x)}\n.func g(x) {f(x)}\nR1 1 0 {f(1)}\n"),
                HasSubstr("function 'f' calls itself"));
    EXPECT_THAT(messages("R1 1 0 {gian}\n.param gain=1\n"), HasSubstr("did you mean 'gain'?"));
    EXPECT_THAT(messages("R1 1 0 {1/0}\n"), HasSubstr("this is infinite"));
    EXPECT_THAT(messages("R1 1 0 {sqrt(-1)}\n"), HasSubstr("outside of where it is defined"));
    EXPECT_THAT(messages("R1 1 0 {gauss(1,0.1,3)}\n"), HasSubstr("draws random numbers"));
    EXPECT_THAT(messages("R1 1 0 {sqr(2)}\n"), HasSubstr("did you mean 'sqrt'?"));
    EXPECT_THAT(messages("R1 1 0 {max(1)}\n"), HasSubstr("has 1 argument and needs 2 or more"));
    EXPECT_THAT(messages(".param a={V(1)}\nR1 1 0 {a}\n"), HasSubstr("a number is needed here"));
}

TEST(SpiceParameters, DepthIsBounded) {
    std::string deep = "1";
    for (int k = 0; k < 100'000; ++k) deep = "(" + std::move(deep);
    EXPECT_THAT(messages("R1 1 0 {" + deep + "}\n"), HasSubstr("nested more than 200 deep"));
    std::string minus(100'000, '-');
    EXPECT_EQ(value(deck("R1 1 0 {" + minus + "1}\n"), "R1"), 1.0);
    std::string sum = "1";
    for (int k = 0; k < 100'000; ++k) sum += "+1";
    EXPECT_EQ(value(deck("R1 1 0 {" + sum + "}\n"), "R1"), 100'001.0);
    std::string cases;
    for (int k = 0; k < 50'000; ++k) cases += "0?1:";
    EXPECT_EQ(value(deck("R1 1 0 {" + cases + "7}\n"), "R1"), 7.0);
    std::string chain, forward;
    for (int k = 0; k < 100'000; ++k) chain += ".param p" + std::to_string(k) + "={p" + std::to_string(k + 1) + "}\n";
    EXPECT_THAT(messages(chain + ".param p100000=1\nR1 1 0 {p0}\n"), HasSubstr("more than 500 steps"));
    for (int k = 1; k <= 100'000; ++k)
        forward += ".param p" + std::to_string(k) + "={p" + std::to_string(k - 1) + "+1}\n";
    EXPECT_EQ(value(deck(".param p0=0\n" + forward + "R1 1 0 {p100000}\n"), "R1"), 100'000.0);
    std::string doubling = ".func f0(x) {x}\n";
    for (int k = 1; k <= 60; ++k)
        doubling += ".func f" + std::to_string(k) + "(x) {f" + std::to_string(k - 1) + "(x)+f" + std::to_string(k - 1) +
                    "(x)}\n";
    EXPECT_THAT(messages(doubling + "R1 1 0 {f60(1)}\n"), HasSubstr("more than a million operations"));
    EXPECT_THAT(messages(doubling + "B1 1 0 V=f60(V(1))\n"), HasSubstr("more than a million operations"));
}
