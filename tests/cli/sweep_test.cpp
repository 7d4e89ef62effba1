// `daedalus sweep`: grids, lists and Latin hypercubes from the command line.
#include "cli/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace cli_test {
namespace {

using testing::HasSubstr;

const std::string declarations = "parameter Real a = 1; parameter Real b = 0; Real x(start = 1, fixed = true);",
                  equations = "der(x) = -a*x + b;";

TEST(Sweep, GridsGoToFiles) {
    const Scratch scratch;
    const std::string model = scratch.model(declarations, equations), csv = scratch / "s.csv";
    const Answer r = run({"sweep", model, "--until", "1", "--param", "a=0:2:3", "--param", "b=1,2", "--output", csv,
                          "--output", scratch / "s.html", "--output", scratch / "s.json"});
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr("6 runs over a, b"));
    const std::string table = read(csv);
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 7);
    EXPECT_THAT(table, testing::StartsWith("a,b,outcome,end_time,x,message\n0,1,success,1,"));
    EXPECT_THAT(read(scratch / "s.html"), HasSubstr("<svg"));
    EXPECT_THAT(read(scratch / "s.json"), HasSubstr("\"parameters\""));
    const std::string again = scratch / "again.csv";
    EXPECT_EQ(run({"sweep", model, "--until", "1", "--param", "a=0:2:3", "--param", "b=1,2", "--threads", "1", "-q",
                   "--output", again})
                  .code,
              0);
    EXPECT_EQ(read(again), table); // whatever the number of threads
}

TEST(Sweep, ListsAndHypercubes) {
    const Scratch scratch;
    const std::string model = scratch.model(declarations, equations), list = scratch / "points.csv";
    std::ofstream(list) << "a,b\n1,0\n2,0.5\n";
    EXPECT_THAT(run({"sweep", model, "--until", "1", "--list", list}).out, HasSubstr("2 runs over a, b"));
    const Answer over = run({"sweep", model, "--until", "1", "--list", list, "--output", list});
    EXPECT_EQ(over.code, 2) << over.err;
    EXPECT_EQ(read(list), "a,b\n1,0\n2,0.5\n");
    EXPECT_THAT(run({"sweep", model, "--until", "1", "--param", "a=1:2", "--latin", "5", "--seed", "3"}).out,
                HasSubstr("5 runs over a"));
}

TEST(Sweep, MistakesAreNamed) {
    const Scratch scratch;
    const std::string model = scratch.model(declarations, equations), bad = scratch / "bad.csv";
    std::ofstream(bad) << "a,b\n1,x\n";
    const auto message = [&](std::vector<std::string> more) {
        std::vector<std::string> words{"sweep", model, "--until", "1"};
        words.insert(words.end(), more.begin(), more.end());
        const Answer r = run(words);
        EXPECT_NE(r.code, 0);
        return r.err;
    };
    EXPECT_THAT(message({}), HasSubstr("nothing varies"));
    EXPECT_THAT(message({"--param", "a=1:2"}), HasSubstr("a range needs a count"));
    EXPECT_THAT(message({"--param", "a=one:2:3"}), HasSubstr("'one' is not a number"));
    EXPECT_THAT(message({"--param", "c=1:2:3"}), HasSubstr("no parameter 'c'"));
    EXPECT_THAT(message({"--param", "a=1:2:3", "--param", "a=1,2"}), HasSubstr("given twice"));
    EXPECT_THAT(message({"--list", bad}), HasSubstr("bad.csv:2: 'x' is not a number"));
    EXPECT_THAT(message({"--list", scratch / "none.csv"}), HasSubstr("cannot read"));
    EXPECT_THAT(message({"--param", "a=1:2:3", "--variables", "y"}), HasSubstr("no variable 'y'"));
    EXPECT_THAT(message({"--param", "a=1:2:3", "--checkpoint", scratch / "c"}), HasSubstr("belong to a single run"));
}

} // namespace
} // namespace cli_test
