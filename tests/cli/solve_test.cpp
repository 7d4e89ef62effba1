// What `solve` prints and writes, and how it ends.
#include "cli/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace cli_test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::vector<double> numbers(const std::string& row) {
    std::vector<double> list;
    std::istringstream stream(row);
    for (std::string cell; std::getline(stream, cell, ',');) list.push_back(std::stod(cell));
    return list;
}

struct Example {
    std::string name;
    double end; ///< time reached
    int code;   ///< 1: the solution ends before
    double tolerance;
};

class EveryExample : public testing::TestWithParam<std::tuple<Example, std::string>> {};

TEST_P(EveryExample, IsSolvedUnattended) {
    const auto& [e, method] = GetParam();
    const Scratch scratch;
    const Answer r = run({"solve", example(e.name + ".mo"), "--method", method, "--output", scratch / "r.csv"});
    EXPECT_EQ(r.code, e.code) << r.out << r.err;
    EXPECT_THAT(r.out, HasSubstr(e.code == 0 ? "solved" : "the solution ends"));
    EXPECT_THAT(r.out, HasSubstr("by " + method));
    EXPECT_NEAR(numbers(lines(read(scratch / "r.csv")).back())[0], e.end, e.tolerance);
}

INSTANTIATE_TEST_SUITE_P(
    Cli, EveryExample,
    testing::Combine(testing::Values(Example{"pendulum", 10, 0, 0}, Example{"circle_steering", 1, 0, 0},
                                     Example{"robertson", 4e6, 0, 0}, Example{"transistor_amplifier", 0.2, 0, 0},
                                     Example{"differentiator", 0.1, 0, 0}, Example{"index5_chain", 10, 0, 0},
                                     Example{"robot_arm", 1, 0, 0}, Example{"chain", 1, 0, 0},
                                     Example{"van_der_pol_jumps", 4, 0, 0},
                                     Example{"van_der_pol_dae", 1.5 - std::log(2.0), 1, 1e-5}),
                     testing::Values("radau5", "bdf")),
    [](const auto& one) { return std::get<0>(one.param).name + "_" + std::get<1>(one.param); });

TEST(EveryExampleFile, IsInTheListAbove) {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(example("")))
        count += entry.path().extension() == ".mo";
    EXPECT_EQ(count, 10);
}

TEST(Solve, PrintsASummaryAndWritesNothingUnasked) {
    const Scratch scratch;
    const Answer r = run({"solve", example("pendulum.mo")}, {.folder = scratch.folder()});
    EXPECT_EQ(r.code, 0);
    EXPECT_EQ(r.err, "");
    EXPECT_THAT(r.out, StartsWith("Pendulum  index 3, 2 degrees of freedom\n  solved  t = 0 … 10  by dop853"));
    EXPECT_THAT(r.out, HasSubstr("largest residual"));
    EXPECT_THAT(r.out, EndsWith("  for plots and details: --output pendulum.html\n"));
    EXPECT_THAT(r.out, Not(HasSubstr("\x1b")));
    EXPECT_TRUE(std::filesystem::is_empty(scratch.folder()));
}

TEST(Solve, ColorOnRequest) {
    EXPECT_THAT(run({"solve", example("pendulum.mo"), "--color", "always"}).out, HasSubstr("\x1b[32msolved\x1b[0m"));
    EXPECT_THAT(run({"solve", "no.mo", "--color", "always"}).err, HasSubstr("\x1b[1;31merror:"));
}

TEST(Solve, CsvHasAHeaderAndEndsAtTheEndTime) {
    const Scratch scratch;
    const Answer r =
        run({"solve", example("pendulum.mo"), "--until", "3", "--points", "31", "--output", scratch / "p.csv"});
    EXPECT_EQ(r.code, 0);
    EXPECT_THAT(r.out, HasSubstr("  wrote " + (scratch / "p.csv") + " ("));
    const auto rows = lines(read(scratch / "p.csv"));
    EXPECT_EQ(rows.front(), "time,x,y,u,v,lambda");
    EXPECT_EQ(numbers(rows[1]), (std::vector<double>{0, 1, 0, 0, 0, 0}));
    EXPECT_EQ(numbers(rows.back())[0], 3.0);
    ASSERT_GE(rows.size(), 31U);
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const auto row = numbers(rows[i]);
        ASSERT_EQ(row.size(), 6U);
        EXPECT_NEAR(row[1] * row[1] + row[2] * row[2], 1.0, 1e-9);
    }
}

TEST(Solve, WritesEveryFormat) {
    const Scratch scratch;
    std::vector<std::string> arguments{"solve", example("robertson.mo"), "--quiet"};
    for (const char* name : {"r.csv", "r.json", "r.html", "r.svg"})
        arguments.insert(arguments.end(), {"--output", scratch / name});
    const Answer r = run(arguments);
    EXPECT_EQ(r.code, 0);
    EXPECT_EQ(r.out + r.err, "");
    EXPECT_THAT(read(scratch / "r.json"), StartsWith("{"));
    EXPECT_THAT(read(scratch / "r.html"), HasSubstr("</html>"));
    EXPECT_THAT(read(scratch / "r.svg"), HasSubstr("</svg>"));
}

TEST(Solve, ParametersStartsAndOptionsArrive) {
    const Scratch scratch;
    const Answer r =
        run({"solve", example("pendulum.mo"), "--param", "L=2", "--start", "y=-1.2", "--prefer", "x=1.6", "--until",
             "1", "--method", "bdf", "--max-order", "2", "--max-step", "0.01", "--output", scratch / "p.csv"});
    EXPECT_EQ(r.code, 0) << r.err;
    const auto rows = lines(read(scratch / "p.csv"));
    EXPECT_NEAR(numbers(rows[1])[1], 1.6, 1e-12);
    EXPECT_EQ(numbers(rows[1])[2], -1.2);
    EXPECT_THAT(r.out, HasSubstr("by bdf"));
}

TEST(Solve, ModelFromStandardInput) {
    const Answer r = run({"solve", "-", "--until", "1"}, {.input = read(example("pendulum.mo"))});
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr("--output report.html"));
    const Answer bad = run({"analyze", "-"}, {.input = "model M\n  Real x;\nequation\n  der(x) = -q;\nend M;\n"});
    EXPECT_EQ(bad.code, 3);
    EXPECT_THAT(bad.err, HasSubstr("standard input:4:13: error: 'q' is not declared"));
}

TEST(Solve, BackwardOnPurpose) {
    const Scratch scratch;
    const std::string path = scratch.model("Real x(start=1, fixed=true);", "der(x) = -x;");
    const Answer r = run({"solve", path, "--from", "1", "--until", "0", "--backward", "--output", scratch / "x.csv"});
    EXPECT_EQ(r.code, 0) << r.err;
    const auto last = numbers(lines(read(scratch / "x.csv")).back());
    EXPECT_EQ(last[0], 0.0);
    EXPECT_NEAR(last[1], std::exp(1.0), 1e-5);
}

TEST(Solve, AnEndingSolutionKeepsItsResults) {
    const Scratch scratch;
    const Answer r = run({"solve", example("van_der_pol_dae.mo"), "--output", scratch / "v.csv"});
    EXPECT_EQ(r.code, 1);
    EXPECT_THAT(r.out, HasSubstr("wrote what was computed to "));
    EXPECT_THAT(r.err, HasSubstr("error: the solution ends at t = 0.80685"));
    EXPECT_GT(lines(read(scratch / "v.csv")).size(), 100U);
}

TEST(Solve, TooManySteps) {
    const Answer r = run({"solve", example("pendulum.mo"), "--max-steps", "10"});
    EXPECT_EQ(r.code, 1);
    EXPECT_THAT(r.err, HasSubstr("--max-steps"));
}

class Interrupt : public testing::TestWithParam<int> {};

TEST_P(Interrupt, KeepsPartialResults) {
    const Scratch scratch;
    const Answer r = run({"solve", example("pendulum.mo"), "--until", "1e9", "--points", "0", "--progress", "always",
                          "--output", scratch / "p.csv"},
                         {.signal_when_busy = GetParam()});
    EXPECT_EQ(r.code, 7) << r.err;
    EXPECT_EQ(r.signal, 0);
    EXPECT_THAT(r.out, HasSubstr("interrupted at t = "));
    EXPECT_THAT(r.out, HasSubstr("wrote what was computed to " + (scratch / "p.csv")));
    const auto rows = lines(read(scratch / "p.csv"));
    ASSERT_GT(rows.size(), 10U);
    EXPECT_GT(numbers(rows.back())[0], 0.0);
    EXPECT_EQ(numbers(rows.back()).size(), 6U);
}

INSTANTIATE_TEST_SUITE_P(Cli, Interrupt, testing::Values(SIGINT, SIGTERM, SIGHUP), [](const auto& one) {
    return one.param == SIGINT ? "sigint" : one.param == SIGTERM ? "sigterm" : "sighup";
});

TEST(FullDisk, BehindAFileIsReported) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
    const Scratch scratch;
    std::filesystem::create_symlink("/dev/full", scratch.folder() / "full.csv");
    const Answer r =
        run({"solve", example("pendulum.mo"), "--output", scratch / "full.csv", "--output", scratch / "ok.csv"});
    EXPECT_EQ(r.code, 6);
    EXPECT_THAT(r.out, HasSubstr("solved"));
    EXPECT_THAT(r.err,
                HasSubstr("error: cannot write '" + (scratch / "full.csv") + "': no space left on the device\n"));
    EXPECT_GT(lines(read(scratch / "ok.csv")).size(), 100U) << "the other file is still written";
}

TEST(FullDisk, BehindStandardOutputIsReported) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
    const Answer r = run({"analyze", example("pendulum.mo")}, {.out = "/dev/full"});
    EXPECT_EQ(r.code, 6);
    EXPECT_THAT(r.err, HasSubstr("error: cannot write to standard output: No space left on device"));
}

TEST(Output, ReadOnlyFolderIsRefusedBeforeSolving) {
    if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
    const Scratch scratch;
    chmod(scratch.folder().c_str(), 0500);
    const Answer r = run({"solve", example("pendulum.mo"), "--output", scratch / "p.csv"});
    chmod(scratch.folder().c_str(), 0700);
    EXPECT_EQ(r.code, 6);
    EXPECT_EQ(r.out, "");
    EXPECT_THAT(r.err, HasSubstr("permission denied"));
}

} // namespace
} // namespace cli_test
