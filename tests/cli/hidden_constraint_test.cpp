// Constraints that structure does not show, from the command line: started, solved and refused.
#include "cli/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace cli_test {
namespace {

using testing::HasSubstr;

// Index 2 from t = 1 on, where structure says 1; x = sin t, z = exp(-t).
std::string late(int others) {
    std::string declarations = "model Late\n  Real x(start = 0), z(start = 1);\n", equations = R"(equation
  der(x) + z = cos(time) + exp(-time);
  z*(der(x) + z - (cos(time) + exp(-time))) + x - (if time < 1 then 1 else 0)*(z - exp(-time)) = sin(time);
)";
    for (int i = 0; i < others; ++i) {
        declarations += "  Real y" + std::to_string(i) + "(start = 1);\n";
        equations += "  der(y" + std::to_string(i) + ") = -y" + std::to_string(i) + ";\n";
    }
    return declarations + equations + "end Late;\n";
}

TEST(CliHiddenConstraint, StartsByDerivativeArrays) {
    const Scratch scratch;
    const std::string model = scratch.file("chain.mo", R"(model Chain
  Real x(start = 0), y(start = 1), z(start = 1);
equation
  der(x) + y = cos(time) + exp(-time);
  der(y) + z = -exp(-time) + 1/(1 + time);
  z*(der(y) + z + exp(-time) - 1/(1 + time)) + x = sin(time);
end Chain;
)");
    const Answer r = run({"start", model});
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_THAT(r.err, HasSubstr("derivative arrays find index 3"));
    EXPECT_THAT(r.out, HasSubstr("degrees of freedom  0"));
}

TEST(CliHiddenConstraint, FoundOnTheWay) {
    const Scratch scratch;
    const Answer r = run({"solve", scratch.file("late.mo", late(0)), "--until", "2"});
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_THAT(r.err, HasSubstr("derivative arrays are used"));
    EXPECT_THAT(r.out, HasSubstr("0.90929"));
    EXPECT_THAT(r.out, HasSubstr("0.13533"));
}

TEST(CliHiddenConstraint, TooLargeForArraysIsRefusedQuietlyToo) {
    const Scratch scratch;
    const Answer r = run({"solve", scratch.file("late.mo", late(250)), "--until", "2", "-q"});
    EXPECT_EQ(r.code, 1);
    EXPECT_THAT(r.err, HasSubstr("hide a constraint that their structure does not show"));
    EXPECT_THAT(r.err, HasSubstr("late.mo"));
}

} // namespace
} // namespace cli_test
