// Units as texts, and where they do not fit.
#include "modelica/units.hpp"

#include <daedalus/daedalus.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace daedalus;
using modelica::parse_units;
using testing::HasSubstr;

namespace {

/// The warnings about units of a model with these declarations and equations, each by its first line.
std::string warnings(const std::string& declarations, const std::string& equations) {
    CheckOptions options;
    options.units = true;
    const ModelCheck found =
        check_text("model M " + declarations + " equation " + equations + " end M;", "m.mo", options);
    std::string out;
    for (const Diagnostic& d : found.diagnostics)
        if (d.code == "unit-mismatch") out += d.message + "\n";
    return out;
}

const std::string mechanics =
    "parameter Real m(unit = \"kg\") = 1; parameter Real k(unit = \"N/m\") = 2; parameter Real any = 3; "
    "Real x(unit = \"m\", start = 1), v(unit = \"m/s\", start = 0);";

} // namespace

TEST(Units, AreRead) {
    const auto exponents = [](const char* text) { return parse_units(text)->exponents; };
    EXPECT_EQ(exponents("kg.m2/s2"), exponents("J"));
    EXPECT_EQ(exponents("N.m/rad"), exponents("J"));
    EXPECT_EQ(exponents("W/(m2.K)"), exponents("kg/(s3.K)"));
    EXPECT_EQ(exponents("V.A"), exponents("J.s-1"));
    EXPECT_EQ(exponents("1/(Ohm.m)"), exponents("S/m"));
    EXPECT_EQ(exponents("m.s^-2"), exponents("m/s2"));
    EXPECT_DOUBLE_EQ(parse_units("km/h")->scale, 1000.0 / 3600.0);
    EXPECT_DOUBLE_EQ(parse_units("mm2")->scale, 1e-6);
    EXPECT_DOUBLE_EQ(parse_units("kg")->scale, 1.0);
    EXPECT_DOUBLE_EQ(parse_units("deg")->scale, std::acos(-1.0) / 180.0);
    EXPECT_EQ(parse_units("min")->scale, 60.0); // not milli-inches
    for (const char* const wrong : {"", "furlong", "m/", "(m", "m s", "m//s", "m^"})
        EXPECT_FALSE(parse_units(wrong)) << wrong;
}

TEST(Units, AreWritten) {
    EXPECT_EQ(parse_units("kg.m2/s3")->text(), "W");
    EXPECT_EQ(parse_units("J/(kg.K)")->text(), "m2/(s2.K)");
    EXPECT_EQ(parse_units("mm")->text(), "0.001 m");
    EXPECT_EQ(parse_units("rad")->text(), "1");
}

TEST(CheckUnits, FindsWhatDoesNotFit) {
    EXPECT_EQ(warnings(mechanics, "der(x) = v; m*der(v) = -k*x;"), "");
    EXPECT_EQ(warnings(mechanics, "der(x) = v; m*der(v) = -k*v;"),
              "units do not fit: 'm*der(v)' is in N, but '-k*v' in kg.m/s3, and they are equal\n");
    EXPECT_EQ(warnings(mechanics, "der(x) = v; m*der(v) = -k*(x + v);"),
              "units do not fit: 'x' is in m, but 'v' in m/s\n");
    EXPECT_EQ(warnings(mechanics, "der(x) = if x > v then v else 0; m*der(v) = -k*x;"),
              "units do not fit: 'x' is in m, but 'v' in m/s, which it is compared with\n");
    EXPECT_EQ(warnings(mechanics, "der(x) = v; m*der(v) = -k*x*sin(x);"),
              "'sin' takes a number or an angle in rad, but 'x' is in m\n");
}

TEST(CheckUnits, LeavesAloneWhatIsNotKnown) {
    EXPECT_EQ(warnings(mechanics, "der(x) = 3; m*der(v) = -any*v;"), "");     // no unit, no conclusion
    EXPECT_EQ(warnings(mechanics, "der(x) = v + 1; m*der(v) = -2*k*x;"), ""); // numbers fit in sums
    EXPECT_EQ(warnings(mechanics + "Real a(unit = \"mm\");", "der(x) = v; m*der(v) = -k*x; a = 1000*x;"), "");
    EXPECT_EQ(warnings(mechanics + "Real a(unit = \"mm\");", "der(x) = v; m*der(v) = -k*x; a = x;"),
              "units do not fit: 'a' is in 0.001 m, but 'x' in m, and they are equal\n");
}

TEST(CheckUnits, FollowsRootsPowersFunctionsAndBindings) {
    const std::string f =
        "function f input Real u(unit = \"m\"); output Real y(unit = \"s\"); algorithm y := u; end f;";
    EXPECT_EQ(warnings(mechanics + "Real w(unit = \"1/s\") = sqrt(k/m), e(unit = \"J\") = 0.5*m*v^2 + k*x^2/2;",
                       "der(x) = v; m*der(v) = -k*x;"),
              "");
    EXPECT_EQ(warnings(mechanics + "Real w(unit = \"Hz\") = k/m;", "der(x) = v; m*der(v) = -k*x;"),
              "units do not fit: 'w' is in 1/s, but 'k/m' in 1/s2, and they are equal\n");
    EXPECT_EQ(warnings(f + mechanics + "Real t(unit = \"s\") = f(v);", "der(x) = v; m*der(v) = -k*x;"),
              "units do not fit: the input 'u' of 'f' is in m, but 'v' in m/s\n");
}

TEST(CheckUnits, LooksThroughConnections) {
    CheckOptions options;
    options.units = true;
    const ModelCheck found =
        check_text("package P connector C Real v(unit = \"V\"); flow Real i(unit = \"A\"); end C; "
                   "connector D Real v(unit = \"K\"); flow Real i(unit = \"A\"); end D; model A C c; "
                   "equation c.v = 1; end A; model B D c; equation c.i = 1; end B; model M A a; B b; "
                   "equation connect(a.c, b.c); end M; end P;",
                   "m.mo", options);
    EXPECT_TRUE(found.passed());
    EXPECT_THAT(render(found.diagnostics),
                HasSubstr("units do not fit: 'a.c.v' is in V, but 'b.c.v' in K, and they are connected"));
}
