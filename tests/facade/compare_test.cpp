// Comparisons of formulations and methods: what they claim is true, the order is that of cost, and nothing is left out.
#include "mechanics/pendulum.hpp"

#include <daedalus/daedalus.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace daedalus {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

CompareResult compared(const std::string& text, const CompareOptions& options) {
    auto model = Model::from_string(text);
    EXPECT_TRUE(model) << (model ? "" : render(model.error()));
    const auto compiled = model->compile(options.solve);
    EXPECT_TRUE(compiled);
    auto result = compare(*compiled, options);
    EXPECT_TRUE(result) << (result ? "" : render(result.error()));
    return result ? *std::move(result) : CompareResult{};
}

const CompareResult& pendulums() {
    static const CompareResult result =
        compared(testing::pendulum(), {.solve = {.until = 10.0},
                                       .reductions = {Reduction::dummy, Reduction::projection, Reduction::ggl,
                                                      Reduction::underlying_ode, Reduction::index2},
                                       .methods = {"dop853", "radau", "bdf", "phem56"},
                                       .tolerances = {1e-7, 1e-4}});
    return result;
}

TEST(Compare, EverySuccessIsWithinItsErrorOfThePublishedDigits) {
    const CompareResult& r = pendulums();
    ASSERT_EQ(r.variables, (std::vector<std::string>{"x", "y", "u", "v"}));
    EXPECT_LT(r.reference_error, 1e-8);
    std::size_t judged = 0;
    for (const CompareRun& run : r.runs) {
        if (!run.success()) continue;
        ASSERT_EQ(run.finals.size(), 4U);
        for (std::size_t k = 0; k < 4; ++k) {
            const double largest = k < 2 ? 1.0 : std::sqrt(2.0); // of the variable: |v|² = -2 y
            constexpr double printed = 6e-9;                     // half a unit of the last digit
            EXPECT_LE(std::abs(run.finals[k] - testing::pendulum_at_10[k]), largest * run.error + printed)
                << to_string(run.reduction) << ' ' << run.method;
        }
        ++judged;
    }
    EXPECT_GE(judged, 30U);
}

TEST(Compare, DriftIsThatOfTheFormulation) {
    const CompareResult& r = pendulums();
    for (const CompareRun& run : r.runs) {
        if (run.reduction == Reduction::projection && run.success()) {
            constexpr double converged = 1e-6; // of the tolerance: Newton's iteration, stopped far below it
            EXPECT_LE(run.position_drift, converged * run.tolerance) << run.method;
            EXPECT_LE(run.velocity_drift, converged * run.tolerance) << run.method;
        }
        if (run.reduction == Reduction::underlying_ode && run.tolerance == 1e-4 && run.method == "dop853") {
            EXPECT_GT(run.position_drift, 1e-4 * run.tolerance);
        }
        // H = |v|²/2 + y vanishes at the start.
        const double u = run.finals[2], v = run.finals[3];
        EXPECT_NEAR(run.history.energy.back(), 0.5 * (u * u + v * v) + run.finals[1], 1e-9 + 1e-3 * run.error);
    }
    EXPECT_THAT(r.energy, HasSubstr("recognised masses"));
}

TEST(Compare, TheTableIsSortedByCostAtTheAccuracy) {
    const CompareResult& r = pendulums();
    ASSERT_GE(r.ranking.size(), 12U);
    for (std::size_t k = 1; k < r.ranking.size(); ++k) {
        const CompareRank &before = r.ranking[k - 1], &here = r.ranking[k];
        EXPECT_GE(before.reached, here.reached);
        if (here.reached) {
            EXPECT_LE(before.seconds, here.seconds);
        } else if (!before.reached) {
            EXPECT_LE(before.best_error, here.best_error);
        }
    }
    ASSERT_TRUE(r.choice);
    const CompareRank& best = r.ranking[*r.choice];
    EXPECT_TRUE(best.reached && best.claims_hold);
    EXPECT_LE(best.seconds, 1.25 * r.ranking.front().seconds + 1e-12);
    EXPECT_THAT(r.why, HasSubstr(std::string(to_string(best.reduction))));
}

TEST(Compare, CostsBetweenRunsFollowAPowerOfTheError) {
    const CompareResult& r = pendulums();
    for (const CompareRank& rank : r.ranking) {
        std::vector<const CompareRun*> runs;
        for (const CompareRun& run : r.runs)
            if (run.reduction == rank.reduction && run.method == rank.method && run.success()) runs.push_back(&run);
        if (runs.size() != 2 || !rank.reached || runs[0]->error <= r.accuracy) continue;
        const double share = std::log(runs[0]->error / r.accuracy) / std::log(runs[0]->error / runs[1]->error);
        const auto between = [&](double a, double b) { return a < b ? a * std::pow(b / a, share) : b; };
        EXPECT_NEAR(rank.seconds / between(runs[0]->seconds, runs[1]->seconds), 1.0, 1e-9);
    }
}

TEST(Compare, RefusedCombinationsAreListedWithTheirReason) {
    const CompareResult& r = pendulums();
    const auto refused = std::find_if(r.refused.begin(), r.refused.end(), [](const CompareRefusal& f) {
        return f.reduction == Reduction::ggl && f.method == "dop853";
    });
    ASSERT_NE(refused, r.refused.end());
    EXPECT_THAT(refused->reason, HasSubstr("index"));
    EXPECT_THAT(r.to_text(), HasSubstr(refused->reason));
    EXPECT_THAT(r.to_html(), HasSubstr("Combinations that do not exist"));
    for (const CompareRun& run : r.runs) EXPECT_FALSE(run.reduction == Reduction::ggl && run.method == "dop853");
}

TEST(Compare, JsonParsesAndHasWhatTheResultHas) {
    const CompareResult& r = pendulums();
    const nlohmann::json json = nlohmann::json::parse(r.to_json());
    EXPECT_EQ(json["runs"].size(), r.runs.size());
    EXPECT_EQ(json["ranking"].size(), r.ranking.size());
    EXPECT_EQ(json["refused"].size(), r.refused.size());
    EXPECT_EQ(json["runs"][0]["error"].get<double>(), r.runs[0].error);
    EXPECT_EQ(json["choice"]["method"], r.ranking[*r.choice].method);
    EXPECT_EQ(json["runs"][0]["history"]["time"].size(), r.runs[0].history.time.size());
}

TEST(Compare, HostileNamesAreEscaped) {
    const CompareResult r = compared("model M Real '<img src=x onerror=alert(1)>'(start = 1, fixed = true); equation "
                                     "der('<img src=x onerror=alert(1)>') = -'<img src=x onerror=alert(1)>'; end M;",
                                     {.solve = {.until = 1.0}, .methods = {"radau", "dop853"}, .tolerances = {1e-5}});
    ASSERT_EQ(r.runs.size(), 2U);
    EXPECT_THAT(r.to_html(), Not(HasSubstr("<img")));
    EXPECT_NO_THROW((void)nlohmann::json::parse(r.to_json()));
}

TEST(Compare, MethodsWithConstantStepsAreComparedByTheirSteps) {
    const CompareResult r = compared(testing::pendulum(), {.solve = {.until = 10.0},
                                                           .reductions = {Reduction::automatic},
                                                           .methods = {"rattle", "radau"},
                                                           .tolerances = {1e-3, 1e-5, 1e-7}});
    std::vector<double> errors;
    for (const CompareRun& run : r.runs)
        if (run.step > 0.0) {
            EXPECT_EQ(run.method, "rattle");
            EXPECT_EQ(run.tolerance, 0.0);
            errors.push_back(run.error);
        }
    ASSERT_EQ(errors.size(), 3U);
    EXPECT_NEAR(std::log(errors[1] / errors[2]) / std::log(4.0), 2.0, 0.2); // order 2, steps of a fourth
}

TEST(Compare, MistakesAndUselessReferencesAreRefused) {
    const auto model = Model::from_string(testing::pendulum());
    const auto compiled = model->compile();
    const auto said = [&](const CompareOptions& options) {
        const auto result = compare(*compiled, options);
        return result ? std::string() : render(result.error());
    };
    EXPECT_THAT(said({.solve = {.until = 1.0}, .methods = {"radua"}}), HasSubstr("did you mean 'radau'"));
    EXPECT_THAT(said({.solve = {.until = 1.0}, .tolerances = {2.0}}), HasSubstr("tolerance of 2"));
    EXPECT_THAT(said({.solve = {.until = 1.0}, .accuracy = -1.0}), HasSubstr("accuracy of -1"));
    EXPECT_THAT(said({.solve = {.until = 1.0, .fixed_step = 0.1}}), HasSubstr("constant steps"));
    // Lorenz's equations: two solutions of ten digits have nothing in common after t = 60.
    const auto chaos = Model::from_string(
        "model L Real x(start = 1, fixed = true), y(start = 1, fixed = true), z(start = 1, fixed = true); equation "
        "der(x) = 10*(y - x); der(y) = x*(28 - z) - y; der(z) = x*y - 8/3*z; end L;");
    const auto lorenz = chaos->compile();
    const auto result = compare(*lorenz, {.solve = {.until = 60.0}, .tolerances = {1e-6}});
    ASSERT_FALSE(result);
    EXPECT_THAT(render(result.error()), HasSubstr("do not agree"));
}

TEST(Compare, FilesAreWrittenAndTheModelIsNotReplaced) {
    const CompareResult& r = pendulums();
    const auto folder = std::filesystem::temp_directory_path() / "daedalus_compare_test";
    std::filesystem::create_directories(folder);
    for (const char* extension : {".html", ".json", ".csv"}) {
        const auto written = r.write((folder / ("c" + std::string(extension))).string());
        ASSERT_TRUE(written) << render(written.error());
        EXPECT_EQ(*written, std::filesystem::file_size(folder / ("c" + std::string(extension))));
    }
    EXPECT_FALSE(r.write((folder / "c.pdf").string()));
    std::filesystem::remove_all(folder);
}

} // namespace
} // namespace daedalus
