// Wrong usage: exit code 2 (6 for outputs), a message that names the flag and the value, and nothing on stdout.
#include "cli/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cli_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Case {
    std::string name;
    std::vector<std::string> arguments; ///< "PENDULUM" stands for the example
    int code;
    std::string message;
    std::string hint;
};

class WrongUsage : public testing::TestWithParam<Case> {};

TEST_P(WrongUsage, IsExplained) {
    std::vector<std::string> arguments = GetParam().arguments;
    for (std::string& word : arguments)
        if (word == "PENDULUM") word = example("pendulum.mo");
    const Answer r = run(arguments);
    EXPECT_EQ(r.code, GetParam().code);
    EXPECT_EQ(r.out, "");
    EXPECT_THAT(r.err, HasSubstr("error: " + GetParam().message + "\n"));
    if (!GetParam().hint.empty()) {
        EXPECT_THAT(r.err, HasSubstr("  hint: " + GetParam().hint));
    }
}

const std::vector<Case> cases{
    {"unknown_flag", {"solve", "PENDULUM", "--methd", "bdf"}, 2, "unknown flag '--methd'", "did you mean '--method'?"},
    {"unknown_command", {"slve", "PENDULUM"}, 2, "unknown command 'slve'", "did you mean 'solve'?"},
    {"unknown_topic", {"list", "method"}, 2, "the topic 'method' is not known", "did you mean 'methods'?"},
    {"unknown_method",
     {"solve", "PENDULUM", "--method", "radu5"},
     2,
     "there is no method 'radu5'",
     "did you mean 'radau5'?"},
    {"unknown_reduction",
     {"solve", "PENDULUM", "--reduce", "dumy"},
     2,
     "--reduce dumy: 'dumy' is not known",
     "did you mean 'dummy'?"},
    {"tolerance_of_an_unknown_variable",
     {"solve", "PENDULUM", "--rtol-of", "lambd=1e-9"},
     2,
     "relative tolerance 1e-09 for 'lambd' cannot be used",
     "did you mean 'lambda'?"},
    {"no_model", {"solve"}, 2, "no model is given", "see ./daedalus solve --help"},
    {"no_value", {"solve", "PENDULUM", "--until"}, 2, "--until needs a value", ""},
    {"no_number", {"solve", "PENDULUM", "--param", "g=abc"}, 2, "--param g=abc: 'abc' is not a number", ""},
    {"half_a_number", {"solve", "PENDULUM", "--rtol", "1e-3x"}, 2, "--rtol 1e-3x: '1e-3x' is not a number", ""},
    {"decimal_comma",
     {"solve", "PENDULUM", "--until", "0,5"},
     2,
     "--until 0,5: '0,5' is not a number",
     "decimals follow a point: 0.5"},
    {"nan_parameter", {"solve", "PENDULUM", "--param", "g=nan"}, 2, "--param g=nan: 'nan' is not a finite number", ""},
    {"infinite_start", {"solve", "PENDULUM", "--start", "x=inf"}, 2, "--start x=inf: 'inf' is not a finite number", ""},
    {"too_large",
     {"solve", "PENDULUM", "--until", "1e999"},
     2,
     "--until 1e999: '1e999' is too large or too small for a number",
     ""},
    {"no_equals_sign", {"solve", "PENDULUM", "--param", "g"}, 2, "--param g: 'g' has no '='", "write NAME=VALUE"},
    {"no_name", {"solve", "PENDULUM", "--guess", "=1"}, 2, "--guess =1: '=1' has no name before '='", ""},
    {"fraction_of_points",
     {"solve", "PENDULUM", "--points", "1.5"},
     2,
     "--points 1.5: '1.5' is not a whole number",
     ""},
    {"negative_tolerance",
     {"solve", "PENDULUM", "--rtol", "-1"},
     2,
     "--rtol -1: -1 is not possible: it must be at least 0",
     ""},
    {"order_out_of_range",
     {"solve", "PENDULUM", "--max-order", "7"},
     2,
     "--max-order 7: 7 is not possible: it must be between 1 and 6",
     ""},
    {"step_zero",
     {"solve", "PENDULUM", "--max-step", "0"},
     2,
     "--max-step 0: 0 is not possible: it must be greater than 0",
     ""},
    {"twice", {"solve", "PENDULUM", "--rtol", "1e-3", "--rtol", "1e-4"}, 2, "--rtol is given 2 times: 1e-3, 1e-4", ""},
    {"unknown_parameter",
     {"solve", "PENDULUM", "--param", "gg=1"},
     2,
     "model Pendulum has no parameter 'gg'",
     "did you mean 'g'?"},
    {"parameter_as_start",
     {"solve", "PENDULUM", "--start", "g=1"},
     2,
     "model Pendulum has no variable 'g'",
     "'g' is a parameter; set it with --param g=VALUE"},
    {"unknown_variable",
     {"solve", "PENDULUM", "--start", "lamda=1"},
     2,
     "model Pendulum has no variable 'lamda'",
     "did you mean 'lambda'?"},
    {"until_before_start",
     {"solve", "PENDULUM", "--until", "-1"},
     2,
     "the end time -1 lies before the start time 0",
     "to integrate backward on purpose: --from 0 --until -1 --backward"},
    {"backward_forward",
     {"solve", "PENDULUM", "--until", "1", "--backward"},
     2,
     "--backward is given, but the end time 1 lies after the start time 0",
     ""},
    {"directory_as_output",
     {"solve", "PENDULUM", "--output", "/tmp"},
     6,
     "cannot write '/tmp': it is a directory",
     "name a file, for example /tmp/result.csv"},
    {"folder_missing",
     {"solve", "PENDULUM", "--output", "no/such/a.csv"},
     6,
     "cannot write 'no/such/a.csv': the folder does not exist",
     "create it first: mkdir -p no/such"},
    {"unknown_format",
     {"solve", "PENDULUM", "--output", "a.xyz"},
     2,
     "unknown output format '.xyz' of 'a.xyz'",
     "use .csv, .json, .html, .mat or .svg"},
    {"output_twice",
     {"solve", "PENDULUM", "--output", "/tmp/a.csv", "--output", "/tmp/a.csv"},
     2,
     "--output /tmp/a.csv is given twice",
     ""},
    {"color", {"analyze", "PENDULUM", "--color", "alway"}, 2, "--color 'alway' is not known", "did you mean 'always'?"},
};

INSTANTIATE_TEST_SUITE_P(Cli, WrongUsage, testing::ValuesIn(cases), [](const auto& one) { return one.param.name; });

TEST(Usage, EveryMistakeIsReportedAtOnce) {
    const Answer r = run({"solve", example("pendulum.mo"), "--param", "g=abc", "--rtol", "x", "--points", "1.5"});
    EXPECT_EQ(r.code, 2);
    EXPECT_THAT(r.err, HasSubstr("--param g=abc"));
    EXPECT_THAT(r.err, HasSubstr("--rtol x"));
    EXPECT_THAT(r.err, HasSubstr("--points 1.5"));
}

TEST(Usage, NoArgumentsShowsTheHelpAsAnError) {
    const Answer r = run({});
    EXPECT_EQ(r.code, 2);
    EXPECT_EQ(r.out, "");
    EXPECT_THAT(r.err, HasSubstr("Usage: ./daedalus"));
}

TEST(Usage, NoEndTime) {
    const Scratch scratch;
    const Answer r = run({"solve", scratch.model("Real x(start=1);", "der(x) = -x;")});
    EXPECT_EQ(r.code, 2);
    EXPECT_THAT(r.err, HasSubstr("no end time is given"));
}

TEST(Usage, NumbersDoNotDependOnTheLocale) {
    const Scratch scratch;
    const Answer r = run({"solve", example("pendulum.mo"), "--until", "0.5", "--output", scratch / "a.csv"},
                         {.environment = {"LC_ALL=de_DE.UTF-8"}});
    EXPECT_EQ(r.code, 0);
    EXPECT_THAT(lines(read(scratch / "a.csv")).back(), StartsWith("0.5,"));
}

TEST(Help, VersionIsOneLine) {
    const Answer r = run({"--version"});
    EXPECT_EQ(r.code, 0);
    EXPECT_THAT(r.out, StartsWith("daedalus "));
    EXPECT_EQ(lines(r.out).size(), 1U);
}

/// Lines of a help text that are commands to paste.
std::vector<std::string> pasted_commands(const std::string& help) {
    std::vector<std::string> commands;
    for (const std::string& line : lines(help))
        if (line.starts_with("  ./daedalus ")) commands.push_back(line.substr(2));
    return commands;
}

TEST(Help, TeachesAtEveryLevelAndItsExamplesRun) {
    const Scratch scratch;
    std::filesystem::create_symlink(DAEDALUS_PROGRAM, scratch.folder() / "daedalus");
    std::filesystem::create_directory_symlink(std::string(DAEDALUS_SOURCE_DIR) + "/examples",
                                              scratch.folder() / "examples");
    int count = 0;
    for (const char* command : {"", "solve", "analyze", "explain", "list"}) {
        std::vector<std::string> words{"--help"};
        if (*command) words.insert(words.begin(), command);
        const Answer help = run(words);
        EXPECT_EQ(help.code, 0);
        EXPECT_EQ(help.err, "");
        EXPECT_THAT(help.out, HasSubstr("Examples:\n"));
        EXPECT_THAT(help.out, HasSubstr("Exit codes:\n   0  success\n"));
        EXPECT_THAT(help.out, HasSubstr("  70  internal error"));
        for (const std::string& text : pasted_commands(help.out)) {
            const Answer r = run({}, {.folder = scratch.folder(), .command = {"/bin/sh", "-c", text}});
            EXPECT_EQ(r.code, 0) << text << "\n" << r.err;
            ++count;
        }
    }
    EXPECT_GE(count, 10);
}

TEST(Help, ExitCodesAreThoseOfTheGuide) {
    const std::string guide = read(std::string(DAEDALUS_SOURCE_DIR) + "/docs/getting_started.md");
    for (const std::string& line : lines(run({"--help"}).out)) {
        if (line.size() < 6 || line[0] != ' ' || !isdigit(static_cast<unsigned char>(line[3]))) continue;
        const std::string code =
            line.substr(line.find_first_not_of(' '), line.find("  ", 3) - line.find_first_not_of(' '));
        EXPECT_THAT(guide, HasSubstr("| " + code + " | "));
    }
}

} // namespace
} // namespace cli_test
