// --json everywhere: one JSON value on stdout, for results and for errors.
#include "cli/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace cli_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json parsed(const Answer& r) {
    const json value = json::parse(r.out, nullptr, false);
    EXPECT_FALSE(value.is_discarded()) << r.out << r.err;
    return value;
}

TEST(Json, Analyze) {
    const Answer r = run({"analyze", example("pendulum.mo"), "--json"});
    EXPECT_EQ(r.code, 0);
    EXPECT_EQ(r.err, "");
    const json a = parsed(r);
    EXPECT_EQ(a["equations"], 5);
    EXPECT_EQ(a["variables"], 5);
    EXPECT_EQ(a["structural_index"], 3);
    EXPECT_EQ(a["degrees_of_freedom"], 2);
    EXPECT_EQ(a["index_per_variable"], (json{{"x", 1}, {"y", 1}, {"u", 2}, {"v", 2}, {"lambda", 3}}));
    ASSERT_EQ(a["hidden_constraints"].size(), 2U);
    EXPECT_TRUE(a["hidden_constraints"][0].is_string());
    ASSERT_TRUE(a["blocks"].is_array());
    EXPECT_GE(a["blocks"].size(), 1U);
}

TEST(Json, AnalyzeWithParameters) {
    const Answer r = run({"analyze", example("pendulum.mo"), "--json", "--param", "L=2"});
    EXPECT_EQ(r.code, 0);
    EXPECT_EQ(parsed(r)["structural_index"], 3);
}

TEST(Json, Explain) {
    const Answer r = run({"explain", example("pendulum.mo"), "--json"});
    EXPECT_EQ(r.code, 0);
    const json e = parsed(r);
    EXPECT_GE(e["passes"].size(), 3U);
    EXPECT_FALSE(e["passes"][0]["name"].get<std::string>().empty());
    EXPECT_GE(e["unknowns"].size(), 5U);
}

TEST(Json, Solve) {
    const Scratch scratch;
    const Answer r = run({"solve", example("robertson.mo"), "--json", "--output", scratch / "r.json"});
    EXPECT_EQ(r.code, 0);
    EXPECT_THAT(r.err, HasSubstr("wrote " + (scratch / "r.json")));
    const json s = parsed(r);
    EXPECT_EQ(s["outcome"]["kind"], "success");
    EXPECT_EQ(s["outcome"]["t_reached"], 4e6);
    EXPECT_GT(s["statistics"]["steps"], 10);
    EXPECT_THAT(s["statistics"]["linear_solver"].get<std::string>(), HasSubstr("straight-line LU, 3 unknowns"));
    EXPECT_EQ(json::parse(read(scratch / "r.json"))["outcome"], s["outcome"]);
}

TEST(Json, SolutionThatEnds) {
    const Answer r = run({"solve", example("van_der_pol_dae.mo"), "--json"});
    EXPECT_EQ(r.code, 1);
    EXPECT_EQ(r.err, "");
    const json s = parsed(r);
    EXPECT_EQ(s["outcome"]["kind"], "stopped early");
    EXPECT_EQ(s["diagnostics"].back()["code"], "solution-ends");
}

TEST(Json, ErrorsInTheModel) {
    const Scratch scratch;
    const std::string path = scratch.model("Real velocity(start=1);", "der(velocity) = -velocty;");
    for (const char* command : {"solve", "analyze", "explain"}) {
        const Answer r = run({command, path, "--json"});
        EXPECT_EQ(r.code, 3);
        EXPECT_EQ(r.err, "");
        const json e = parsed(r);
        EXPECT_EQ(e["exit_code"], 3);
        ASSERT_EQ(e["diagnostics"].size(), 1U);
        const json d = e["diagnostics"][0];
        EXPECT_EQ(d["severity"], "error");
        EXPECT_EQ(d["code"], "unknown-identifier");
        EXPECT_EQ(d["message"], "'velocty' is not declared");
        EXPECT_EQ(d["hint"], "did you mean 'velocity'?");
        EXPECT_EQ(d["location"]["file"], path);
        EXPECT_EQ(d["location"]["line"], 4);
        EXPECT_EQ(d["location"]["column"], 20);
    }
}

TEST(Json, ErrorsInTheUsage) {
    const Answer flag = run({"solve", example("pendulum.mo"), "--json", "--methd", "bdf"});
    EXPECT_EQ(flag.code, 2);
    EXPECT_EQ(parsed(flag)["diagnostics"][0]["hint"], "did you mean '--method'?");
    const Answer value = run({"solve", example("pendulum.mo"), "--json", "--param", "g=x"});
    EXPECT_EQ(value.code, 2);
    EXPECT_EQ(parsed(value)["exit_code"], 2);
    EXPECT_EQ(value.err, "");
}

TEST(Json, Lists) {
    const json methods = parsed(run({"list", "methods", "--json"}));
    ASSERT_GE(methods.size(), 3U);
    EXPECT_EQ(methods[0]["name"], "auto");
    const json functions = parsed(run({"list", "functions", "--json"}));
    EXPECT_GE(functions.size(), 19U);
    const json examples = parsed(run({"list", "examples", "--json"}));
    EXPECT_EQ(examples.size(), 28U);
    for (const json& e : examples) {
        EXPECT_TRUE(std::filesystem::exists(e["path"].get<std::string>()));
        EXPECT_FALSE(e["title"].get<std::string>().empty());
    }
}

} // namespace
} // namespace cli_test
