#include "output/atomic_file.hpp"
#include "output/base64.hpp"
#include "output/html_report.hpp"
#include "output/report_assets.hpp"
#include "output/svg.hpp"
#include "sample_data.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <limits>

using namespace daedalus;
using namespace daedalus::output;
namespace {

std::size_t count(std::string_view text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; at += part.size()) ++found;
    return found;
}

// Not a matcher: its failure would print the whole page.
bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

nlohmann::json embedded(const std::string& page) {
    const std::string opening = "id=\"daedalus-data\">";
    const std::size_t begin = page.find(opening) + opening.size();
    return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

} // namespace

TEST(Base64, KnownVectors) { // RFC 4648, section 10
    EXPECT_EQ(base64(""), "");
    EXPECT_EQ(base64("f"), "Zg==");
    EXPECT_EQ(base64("fo"), "Zm8=");
    EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
    EXPECT_EQ(base64_float64(std::vector<double>{1.0}), "AAAAAAAA8D8=");
    EXPECT_EQ(base64_float32(std::vector<double>{1.0, -2.0}), "AACAPwAAAMA=");
}

TEST(Base64, SinglePrecisionOnlyWhereItShowsTheCurve) {
    EXPECT_TRUE(float32_suffices(std::vector<double>{-1, 0.5, 1}));
    EXPECT_FALSE(float32_suffices(std::vector<double>{1, 1 + 1e-9}));
    EXPECT_FALSE(float32_suffices(std::vector<double>{0, 1e300}));
    EXPECT_FALSE(float32_suffices(std::vector<double>{0, 1e-40}));
    EXPECT_TRUE(float32_suffices(std::vector<double>{0, std::nan(""), 1}));
    EXPECT_TRUE(float32_suffices(std::vector<double>{}));
}

// Written to <build>/samples, to be looked at in a browser.
TEST(HtmlReport, SamplesToLookAt) {
    const std::filesystem::path folder = std::filesystem::path(DAEDALUS_BINARY_DIR) / "samples";
    std::filesystem::create_directories(folder);
    const std::string page = html_report(sample::pendulum(), sample::pendulum_report());
    EXPECT_TRUE(write_atomically((folder / "pendulum.html").string(), page));
    const std::string large = html_report(sample::many(200, 5000), {});
    EXPECT_TRUE(write_atomically((folder / "many.html").string(), large));
    EXPECT_LT(large.size(), 6'000'000U);
    EXPECT_TRUE(write_atomically((folder / "pendulum.svg").string(), svg_plot(sample::pendulum(), {0, 1, 4})));
}

TEST(HtmlReport, IsOneFileThatNeedsNoNetwork) {
    const std::string page = html_report(sample::pendulum(), sample::pendulum_report());
    EXPECT_TRUE(holds(page, "default-src 'none'"));
    for (const char* reference : {"src=", "<link", "@import", "url(", "fetch(", "XMLHttpRequest", "import("})
        EXPECT_EQ(count(page, reference), 0U) << reference;
    EXPECT_EQ(count(page, "<script"), 3U);
    EXPECT_EQ(count(page, "</script"), 3U);
    EXPECT_TRUE(holds(page, "Leon Sorokin")); // the licence travels with the code
}

TEST(HtmlReport, AssetsCanBeEmbedded) {
    for (const std::string_view script : {assets::report_js, assets::uplot_js}) {
        EXPECT_GT(script.size(), 1000U);
        EXPECT_EQ(script.find("</script"), std::string_view::npos);
        EXPECT_EQ(script.find("<!--"), std::string_view::npos);
    }
    EXPECT_EQ(assets::report_css.find("</style"), std::string_view::npos);
    EXPECT_EQ(assets::uplot_license.find("--"), std::string_view::npos);
}

TEST(HtmlReport, TellsEverything) {
    const std::string page = html_report(sample::pendulum(), sample::pendulum_report());
    for (const char* part :
         {"Planar pendulum in Cartesian coordinates (index 3)", "Hidden constraints", "follows from equation", "<math",
          "radau5", "set by the user", "State switches", "close to singular", "signature_method",
          "residual evaluations", "the start value of y was changed", "</span> (above)", "g++ 12.2"})
        EXPECT_TRUE(holds(page, part)) << part;
    ReportData stopped = sample::pendulum_report();
    stopped.outcome = {OutcomeKind::stopped_early, "interrupted by the user", 0, 4.5, 10};
    EXPECT_TRUE(holds(html_report(sample::pendulum(), stopped), "stopped early"));
    EXPECT_TRUE(holds(html_report(sample::pendulum(), stopped), "reached t = 4.5 of 10"));
}

TEST(HtmlReport, UserTextCannotInject) {
    const std::string evil = "</script><script>alert('1')</script>\"><img src=x onerror=alert(2)>&amp;<!--";
    Trajectory trajectory = sample::pendulum(20);
    ReportData report = sample::pendulum_report();
    trajectory.variables[0] = {evil, evil, evil, VariableKind::algebraic, 1};
    trajectory.residuals[0].name = trajectory.residuals[0].text = evil;
    trajectory.residuals[0].where->file = evil;
    trajectory.events[0].text = evil;
    trajectory.state_switches[0] = {1, {evil}, {evil}, evil};
    ModelSummary& model = report.model;
    model.name = model.description = model.source_name = model.source_text = evil;
    model.variables[0] = trajectory.variables[0];
    model.equations[0] = {evil, evil, evil, Location{evil, 1, 1, 2, evil}};
    model.equations[1].latex = "\\text{" + evil + "}";
    model.hidden_constraints[0].text = model.hidden_constraints[0].latex = evil;
    model.blocks[0].variables[0] = model.blocks[0].torn[0] = evil;
    model.parameters[0] = {evil, 1, evil, evil, true};
    report.method = report.command_line = report.created = report.outcome.reason = evil;
    report.initial_values[0].name = report.initial_values[0].unit = evil;
    report.options = {{evil, evil, evil, evil}};
    report.statistics = report.versions = report.options;
    report.passes = {{evil, evil, evil, {evil}, 1}};
    Diagnostic diagnostic = make_error(evil, evil, evil);
    diagnostic.where = Location{evil, 1, 1, 2, evil};
    diagnostic.notes = {diagnostic};
    report.diagnostics = {diagnostic};

    const std::string page = html_report(trajectory, report);
    EXPECT_EQ(count(page, "<script"), 3U);
    EXPECT_EQ(count(page, "</script"), 3U);
    EXPECT_EQ(count(page, "<img"), 0U);
    // Unescaped quotes only inside the JSON, where they are part of strings: three texts of a variable and the name
    // of a residual.
    EXPECT_EQ(count(page, "alert('"), 4U);
    EXPECT_EQ(embedded(page)["variables"][0]["name"], evil);
    const std::filesystem::path folder = std::filesystem::path(DAEDALUS_BINARY_DIR) / "samples";
    std::filesystem::create_directories(folder);
    EXPECT_TRUE(write_atomically((folder / "evil.html").string(), page));
}

TEST(HtmlReport, StaysSmall) {
    Trajectory trajectory = sample::many(20, 10000);
    EXPECT_LT(html_report(trajectory, {}).size(), 3'000'000U);
    for (std::vector<double>& column : trajectory.values) // worst case: double precision needed everywhere
        for (double& value : column) value = 1 + 1e-9 * value;
    EXPECT_LT(html_report(trajectory, {}).size(), 3'000'000U);
}

TEST(HtmlReport, LimitsLargeResultsAndSaysSo) {
    Trajectory trajectory = sample::many(50, 100);
    ReportData report;
    for (int i = 0; i < 30; ++i) report.model.equations.push_back({"x = " + std::to_string(i), "", "", {}});
    for (int k = 0; k < 1000; ++k) trajectory.steps.push_back({0.01 * (k + 1), k == 500 ? 1e-7 : 0.01, 2, 0});
    trajectory.residuals.push_back({"eq 1", "x = 0", 0, {}, {}, {}});
    for (int k = 0; k < 1000; ++k) trajectory.residuals[0].record(k == 700 ? 1e-3 : 1e-9, 1e-9);
    const HtmlLimits limits{.values = 1000, .table_rows = 10, .residual_rows = 5, .step_points = 100};
    const std::string page = html_report(trajectory, report, limits);
    EXPECT_TRUE(holds(page, "Plots of the first 10 of 50 variables"));
    EXPECT_TRUE(holds(page, "The first 10 of 30 are shown"));
    EXPECT_TRUE(holds(page, "Each point stands for 10 steps"));
    const nlohmann::json data = embedded(page);
    EXPECT_EQ(data["variables"].size(), 10U);
    std::vector<double> smallest(100, 0.01);
    smallest[50] = 1e-7;
    EXPECT_EQ(data["steps"]["h"]["data"], base64_float64(smallest));
    std::vector<double> largest(100, 1e-9);
    largest[70] = 1e-3;
    EXPECT_EQ(data["residuals"]["rows"]["0"]["steps"]["data"], base64_float32(largest));
}

// A stiff equation has residuals far above the tolerance where its unknowns are as accurate as was asked for.
TEST(HtmlReport, ResidualsThatTheToleranceExplainsAreNotMarked) {
    Trajectory t = sample::many(1, 2);
    t.residuals.push_back({"eq 1", "x = 0", 0, {}, {}, {}});
    t.residuals[0].note(3e-4, 2e-4);
    t.residual_tolerance = 1e-6;
    EXPECT_TRUE(holds(html_report(t, {}), "class=\"over\""));
    t.residuals_explained = true;
    const std::string page = html_report(t, {});
    EXPECT_FALSE(holds(page, "class=\"over\""));
    EXPECT_TRUE(holds(page, "explained by the tolerance"));
}

TEST(HtmlReport, AnythingMayBeMissing) {
    EXPECT_TRUE(holds(html_report({}, {}), "Unnamed model"));
    Trajectory one = sample::many(1, 2);
    one.values[0] = {std::nan(""), std::numeric_limits<double>::infinity()};
    EXPECT_TRUE(holds(html_report(one, {}), "</html>"));
    one.residuals.push_back({"eq 1", "x = 0", 0, {}, {}, {}}); // maxima only
    one.residuals[0].note(1e-9, std::nan(""));
    one.residual_tolerance = 1e-6;
    const std::string page = html_report(one, {});
    EXPECT_TRUE(holds(page, "nan (above)"));
    EXPECT_FALSE(holds(page, "id=\"residual-plots\""));
}
