#include "output/json.hpp"
#include "sample_data.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

using namespace daedalus::output;
using nlohmann::json;

TEST(JsonWriter, WritesWhatAnIndependentParserReads) {
    std::string text;
    const Sink sink = [&](std::string_view piece) { text += piece; };
    {
        JsonWriter writer(sink);
        writer.begin_object();
        writer.field("text", "quote \" back \\ line \n tab \t bell \x07 λ \xFF");
        writer.field("tenth", 0.1);
        writer.field("flag", true);
        writer.field("count", 42);
        writer.field("infinite", std::numeric_limits<double>::infinity());
        writer.key("empty");
        writer.begin_array();
        writer.end_array();
        writer.key("numbers");
        writer.numbers(std::vector<double>{1, std::nan(""), 1e300});
        writer.end_object();
    }
    const json parsed = json::parse(text);
    EXPECT_EQ(parsed["text"], "quote \" back \\ line \n tab \t bell \x07 λ \uFFFD");
    EXPECT_EQ(parsed["tenth"].get<double>(), 0.1);
    EXPECT_EQ(parsed["flag"], true);
    EXPECT_EQ(parsed["count"], 42);
    EXPECT_TRUE(parsed["infinite"].is_null());
    EXPECT_TRUE(parsed["empty"].empty());
    EXPECT_EQ(parsed["numbers"][2].get<double>(), 1e300);
    EXPECT_TRUE(parsed["numbers"][1].is_null());
}

TEST(JsonWriter, ScriptSafeHasNoMarkup) {
    std::string text;
    const Sink sink = [&](std::string_view piece) { text += piece; };
    {
        JsonWriter writer(sink, {.pretty = false, .script_safe = true});
        writer.begin_array();
        writer.value("</script><!-- & -->");
        writer.end_array();
    }
    EXPECT_EQ(text.find_first_of("<>&"), std::string::npos);
    EXPECT_EQ(json::parse(text)[0], "</script><!-- & -->");
}

TEST(Json, HoldsTheWholeResultExactly) {
    const Trajectory trajectory = sample::pendulum(200);
    const json parsed = json::parse(json_text(trajectory, sample::pendulum_report()));
    EXPECT_EQ(parsed["trajectory"]["time"].get<std::vector<double>>(), trajectory.time);
    for (std::size_t i = 0; i < trajectory.variables.size(); ++i)
        EXPECT_EQ(parsed["trajectory"]["variables"][trajectory.variables[i].name].get<std::vector<double>>(),
                  trajectory.values[i]);
    EXPECT_EQ(parsed["trajectory"]["non_finite_values"], 0);
    EXPECT_EQ(parsed["steps"]["h"].size(), trajectory.steps.size());
    EXPECT_EQ(parsed["residuals"]["tolerance"].get<double>(), 1e-8);
    EXPECT_EQ(parsed["residuals"]["rows"][4]["differentiations"], 2);
    EXPECT_EQ(parsed["residuals"]["rows"][4]["at_midpoints"].get<std::vector<double>>(),
              trajectory.residuals[4].at_midpoints);
    EXPECT_EQ(parsed["outcome"]["kind"], "success");
    EXPECT_EQ(parsed["statistics"]["jacobians"], 48);
    EXPECT_EQ(parsed["options"]["rtol"].get<double>(), 1e-9);
    EXPECT_EQ(parsed["initial_values"][0]["strength"], "fixed");
    EXPECT_EQ(parsed["diagnostics"][0]["location"]["line"], 4);
    EXPECT_EQ(parsed["state_switches"][0]["after"][0], "y");
}

TEST(Json, DescribesTheModel) {
    const json model = json::parse(json_text({}, sample::pendulum_report()))["model"];
    EXPECT_EQ(model["equations"][4], "x^2 + y^2 = L^2");
    EXPECT_EQ(model["variables"].size(), 6U);
    EXPECT_EQ(model["structural_index"], 3);
    EXPECT_EQ(model["degrees_of_freedom"], 2);
    EXPECT_EQ(model["index_per_variable"]["lambda"], 3);
    EXPECT_EQ(model["hidden_constraints"][0], "2*x*vx + 2*y*vy = 0");
    EXPECT_EQ(model["blocks"][0]["equations"].size(), 5U);
    EXPECT_EQ(model["blocks"][0]["equations"][0], 1) << "positions count from 1";
    EXPECT_TRUE(json::parse(json_text({}, {}))["model"]["structural_index"].is_null());
}

TEST(Json, CountsWhatItCannotExpress) {
    Trajectory trajectory = sample::pendulum(10);
    trajectory.values[1][3] = std::nan("");
    trajectory.values[2][9] = -std::numeric_limits<double>::infinity();
    const json parsed = json::parse(json_text(trajectory, {}));
    EXPECT_EQ(parsed["trajectory"]["non_finite_values"], 2);
    EXPECT_TRUE(parsed["trajectory"]["variables"]["y"][3].is_null());
}
