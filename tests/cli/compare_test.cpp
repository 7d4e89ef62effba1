// `daedalus compare` from the command line.
#include "cli/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace cli_test {
namespace {

using testing::HasSubstr;

const std::string four_bar = std::string(DAEDALUS_SOURCE_DIR) + "/examples/four_bar.mech";

TEST(Compare, APageAndItsNumbers) {
    const Scratch scratch;
    const Answer r = run({"compare", four_bar, "--until", "0.2", "--reduce", "dummy,projection,ggl", "--methods",
                          "dop853,radau", "--tolerances", "1e-4,1e-8", "--output", scratch / "c.html"});
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr("a mechanism with 8 constraints"));
    EXPECT_THAT(r.out, HasSubstr("ggl with dop853: "));
    EXPECT_THAT(r.out, HasSubstr(" reaches 1e-06 in "));
    const std::string page = read(scratch / "c.html");
    EXPECT_THAT(page, HasSubstr("Error against time"));
    EXPECT_THAT(page, HasSubstr("Constraints on positions"));
    EXPECT_THAT(page, testing::Not(HasSubstr("http://www.w3.org/1999/xlink")));
    EXPECT_EQ(nlohmann::json::parse(read(scratch / "c.json"))["runs"].size(), 10U);
}

TEST(Compare, JsonGoesToTheTerminalOrToAFile) {
    const Scratch scratch;
    const std::string model = scratch.model("Real x(start = 1, fixed = true);", "der(x) = -x;");
    const std::vector<std::string> words{"compare", model, "--until", "1", "--methods", "radau,dop853"};
    std::vector<std::string> to_file = words, to_terminal = words;
    to_file.insert(to_file.end(), {"--json", scratch / "c.json"});
    to_terminal.push_back("--json");
    const Answer file = run(to_file), terminal = run(to_terminal);
    EXPECT_EQ(file.code, 0) << file.err;
    EXPECT_EQ(nlohmann::json::parse(read(scratch / "c.json"))["runs"].size(), 8U);
    EXPECT_EQ(nlohmann::json::parse(terminal.out)["runs"].size(), 8U);
}

TEST(Compare, MistakesAreNamed) {
    EXPECT_THAT(run({"compare", four_bar, "--reduce", "dumy"}).err, HasSubstr("did you mean 'dummy'"));
    EXPECT_THAT(run({"compare", four_bar, "--methods", "radua"}).err, HasSubstr("did you mean 'radau'"));
    EXPECT_THAT(run({"compare", four_bar, "--output", four_bar}).err, HasSubstr("four_bar.mech"));
    EXPECT_NE(run({"compare", four_bar, "--output", four_bar}).code, 0);
}

} // namespace
} // namespace cli_test
