// Models that cannot be solved: the message names the culprit, the exit code its kind.
#include "cli/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cli_test {
namespace {

using testing::HasSubstr;
using testing::Not;

Answer solve(const std::string& path) { return run({"solve", path, "--until", "1"}); }

TEST(BadModel, MissingEquation) {
    const Scratch scratch;
    const Answer r = solve(scratch.model("Real x, y;", "der(x) = -y;"));
    EXPECT_EQ(r.code, 4);
    EXPECT_EQ(r.out, "");
    EXPECT_THAT(r.err, HasSubstr("error: model M has 1 equation for 2 variables: 1 equation is missing\n"));
    EXPECT_THAT(r.err, HasSubstr("M.mo:2:8: error: 'x' and 'y' occur only in 1 equation"));
}

TEST(BadModel, OneEquationTooMany) {
    const Scratch scratch;
    const Answer r = solve(scratch.model("Real x;", "der(x) = -x;\n  x = 1;"));
    EXPECT_EQ(r.code, 4);
    EXPECT_THAT(r.err, HasSubstr("error: model M has 2 equations for 1 variable: 1 equation is too many\n"));
    EXPECT_THAT(r.err, HasSubstr("M.mo:5:3: note: x = 1"));
}

TEST(BadModel, VariableInNoEquation) {
    const Scratch scratch;
    const Answer r = solve(scratch.model("Real x;\n  Real y;", "der(x) = -x;\n  x = 2*time;"));
    EXPECT_EQ(r.code, 4);
    EXPECT_THAT(r.err, HasSubstr("M.mo:3:8: error: variable 'y' occurs in no equation\n    Real y;\n         ^\n"));
}

TEST(BadModel, AnalyzeSaysTheSame) {
    const Scratch scratch;
    const std::string path = scratch.model("Real x, y;", "der(x) = -y;");
    const Answer r = run({"analyze", path});
    EXPECT_EQ(r.code, 4);
    EXPECT_EQ(r.err, solve(path).err);
}

TEST(BadModel, ConstraintContradictsInitialValues) {
    const Scratch scratch;
    const Answer r = solve(scratch.model("Real x(start=1, fixed=true);\n  Real y(start=0.5, fixed=true);",
                                         "der(x) = -x;\n  x^2 + y^2 = 1;"));
    EXPECT_EQ(r.code, 5);
    EXPECT_EQ(r.out, "");
    EXPECT_THAT(r.err, HasSubstr("M.mo:6:3: error: x = 1 (fixed, line 2) and y = 0.5 (fixed, line 3) cannot both "
                                 "satisfy x^2 + y^2 = 1 (line 6): residual 0.25\n"));
    EXPECT_THAT(r.err, HasSubstr("hint: set fixed = false for one of x and y"));
    EXPECT_THAT(r.err, HasSubstr("M.mo:2:8: note: x = 1 (fixed, line 2)"));
    EXPECT_THAT(r.err, HasSubstr("M.mo:3:8: note: y = 0.5 (fixed, line 3)"));
}

TEST(BadModel, StartFromTheCommandLineContradicts) {
    const Answer r = run({"solve", example("pendulum.mo"), "--start", "x=2"});
    EXPECT_EQ(r.code, 5);
    EXPECT_THAT(r.err, HasSubstr("x = 2 (fixed for this run)"));
}

TEST(BadModel, DivisionByZeroAtTheStart) {
    const Scratch scratch;
    const Answer r = solve(scratch.model("Real x(start=0, fixed=true);", "der(x) = 1/x;"));
    EXPECT_EQ(r.code, 5);
    EXPECT_THAT(r.err, HasSubstr("M.mo:4:3: error: equation der(x) = 1/x has no value at the start: "
                                 "division by zero in 1/x\n"));
    EXPECT_THAT(r.err, HasSubstr("x = 0 (fixed)"));
}

TEST(BadModel, SquareRootOfANegativeNumberInATrialStepRecovers) {
    const Scratch scratch;
    const std::string path = scratch.model("Real x(start=1, fixed=true);", "der(x) = -sqrt(x);");
    const std::string csv = scratch / "x.csv";
    const Answer r = run({"solve", path, "--until", "1.9", "--method", "radau", "--first-step", "1.9", "--output",
                          scratch / "x.json", "--output", csv});
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr("solved"));
    EXPECT_THAT(read(scratch / "x.json"), Not(HasSubstr("\"rejected_by_domain\": 0")));
    const std::string last = lines(read(csv)).back(); // x = (1 - t/2)^2
    EXPECT_NEAR(std::stod(last.substr(last.find(',') + 1)), 0.0025, 1e-5);
}

TEST(BadModel, NanParameter) {
    const Scratch scratch;
    const Answer r = solve(scratch.model("parameter Real g = 0/0;\n  Real x;", "der(x) = -g;"));
    EXPECT_EQ(r.code, 3);
    EXPECT_THAT(r.err, HasSubstr("M.mo:2:18: error: parameter 'g' = 0/0 is not a finite number\n"));
    EXPECT_THAT(r.err, HasSubstr("hint: division by zero in 0/0"));
}

TEST(BadModel, UnknownIdentifier) {
    const Scratch scratch;
    const Answer r = solve(scratch.model("Real velocity(start=1);", "der(velocity) = -velocty;"));
    EXPECT_EQ(r.code, 3);
    EXPECT_THAT(r.err, HasSubstr("M.mo:4:20: error: 'velocty' is not declared\n"
                                 "    der(velocity) = -velocty;\n"
                                 "                     ^~~~~~~\n"
                                 "  hint: did you mean 'velocity'?\n"));
}

TEST(BadModel, UnbalancedEnd) {
    const Scratch scratch;
    const Answer wrong = solve(scratch.file("a.mo", "model M\n  Real x;\nequation\n  der(x) = -x;\nend N;\n"));
    EXPECT_EQ(wrong.code, 3);
    EXPECT_THAT(wrong.err, HasSubstr("a.mo:5:5: error: 'end N' closes the model 'M'\n"));
    const Answer open = solve(scratch.file("b.mo", "model M\n  Real x;\nequation\n  der(x) = -x;\n"));
    EXPECT_EQ(open.code, 3);
    EXPECT_THAT(open.err, HasSubstr("b.mo:"));
    EXPECT_THAT(open.err, HasSubstr("end M"));
}

TEST(BadModel, BinaryFile) {
    const Answer r = solve(DAEDALUS_PROGRAM);
    EXPECT_EQ(r.code, 3);
    EXPECT_THAT(r.err, HasSubstr("is not a text file\n"));
    EXPECT_LT(r.err.size(), 2000U);
}

TEST(BadModel, DirectoryAndMissingFile) {
    const Scratch scratch;
    const Answer folder = solve(scratch.folder().string());
    EXPECT_EQ(folder.code, 3);
    EXPECT_THAT(folder.err, HasSubstr(": error: this is a directory, not a model file\n"));
    const Answer missing = solve(scratch / "no.mo");
    EXPECT_EQ(missing.code, 3);
    EXPECT_THAT(missing.err, HasSubstr("no.mo: error: cannot be read: No such file or directory\n"));
}

TEST(BadModel, SeveralErrorsInOneRun) {
    const Scratch scratch;
    const Answer r = solve(scratch.model("Real x;\n  Reel y;", "der(x) = -z;\n  y = 1;"));
    EXPECT_EQ(r.code, 3);
    EXPECT_THAT(r.err, HasSubstr("M.mo:3:"));
    EXPECT_THAT(r.err, HasSubstr("M.mo:5:"));
}

TEST(BadModel, ClassNames) {
    const Scratch scratch;
    const std::string path =
        scratch.file("two.mo", "model First\n  Real x(start=1);\nequation\n  der(x) = -x;\nend First;\n"
                               "model Second\n  Real y(start=2);\nequation\n  der(y) = -y;\nend Second;\n");
    EXPECT_THAT(solve(path).out, HasSubstr("Second"));
    EXPECT_THAT(run({"solve", path, "--until", "1", "--class", "First"}).out, HasSubstr("First"));
    const Answer r = run({"analyze", path, "--class", "Frist"});
    EXPECT_EQ(r.code, 3);
    EXPECT_THAT(r.err, HasSubstr("did you mean 'First'?"));
}

} // namespace
} // namespace cli_test
