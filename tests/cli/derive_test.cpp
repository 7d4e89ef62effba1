// `daedalus derive` as a process: what it prints is a model again.
#include "cli/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace cli_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json analysis_of(const Scratch& scratch, const std::string& text) {
    const Answer a = run({"analyze", scratch.file("derived.mo", text), "--json"});
    EXPECT_EQ(a.code, 0) << a.err;
    return json::parse(a.out);
}

TEST(DeriveCommand, PrintsModelsThatCanBeAnalysed) {
    const Scratch scratch;
    const std::string plant = scratch.file("plant.mo", "model Plant\n  Real x(start=1);\n  Real u;\nequation\n"
                                                       "  der(x) = -x + u;\nend Plant;\n");
    const Answer optimal = run({"derive", plant, "--minimize", "x^2 + u^2"});
    ASSERT_EQ(optimal.code, 0) << optimal.err;
    EXPECT_EQ(analysis_of(scratch, optimal.out)["differentiation_index"], 1);
    EXPECT_EQ(json::parse(run({"derive", plant, "--minimize", "x^2 + u^2", "--json"}).out)["modelica"], optimal.out);
    const Answer singular = run({"derive", plant, "--minimize", "x^2"});
    ASSERT_EQ(singular.code, 0) << singular.err;
    EXPECT_EQ(analysis_of(scratch, singular.out)["differentiation_index"], 3);

    const std::string fast = scratch.file("fast.mo", "model Fast\n  parameter Real eps = 0.01;\n  Real x(start=1);\n"
                                                     "  Real y;\nequation\n  der(x) = -y;\n"
                                                     "  eps*der(y) = x - y - y^3;\nend Fast;\n");
    const Answer expanded = run({"derive", fast, "--expand", "eps", "--order", "2"});
    ASSERT_EQ(expanded.code, 0) << expanded.err;
    EXPECT_EQ(analysis_of(scratch, expanded.out)["differentiation_index"], 3);

    const std::string nearly =
        scratch.file("nearly.mo", "model Nearly\n  Real x(start=1);\n  Real y;\nequation\n"
                                  "  der(x) = -y;\n  0 = x - 1e-6*y - cos(time);\nend Nearly;\n");
    const Answer stable = run({"derive", nearly, "--stabilized"});
    ASSERT_EQ(stable.code, 0) << stable.err;
    EXPECT_THAT(stable.out, HasSubstr("mu1"));
}

TEST(DeriveCommand, Refusals) {
    const Scratch scratch;
    const std::string model = scratch.file("m.mo", "model M\n  Real x(start=1);\nequation\n  der(x) = -x;\nend M;\n");
    const Answer nothing = run({"derive", model});
    EXPECT_NE(nothing.code, 0);
    EXPECT_THAT(nothing.err, HasSubstr("one of --stabilized, --lagrange, --minimize and --expand"));
    EXPECT_NE(run({"derive", model, "--expand", "eps"}).code, 0);
    EXPECT_NE(run({"derive", model, "--minimize", "z"}).code, 0);
    const Answer energies = run({"derive", "--lagrange", model});
    EXPECT_NE(energies.code, 0);
    EXPECT_THAT(energies.err, HasSubstr("ends in .lagrange"));
}

TEST(DeriveCommand, LagrangePrintsTheEquationsOfMotion) {
    const Answer a = run({"derive", "--lagrange", example("spherical_pendulum.lagrange")});
    EXPECT_EQ(a.code, 0) << a.err;
    EXPECT_THAT(a.out, HasSubstr("der(x) = v_x \"velocity of x\";"));
    EXPECT_THAT(a.out, HasSubstr("- 2*x*lambda_rod"));
    const Scratch scratch;
    EXPECT_EQ(run({"solve", scratch.file("p.mo", a.out), "--until", "1"}).code, 0);
}

} // namespace
} // namespace cli_test
