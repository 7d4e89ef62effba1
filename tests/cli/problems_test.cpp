// The IVP test set as a user runs it: the model as written, a relative tolerance, and nothing else. The error at the
// end is at most ten tolerances in the variables that the references call significant.
#include "cli/program.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>

namespace cli_test {
namespace {

using nlohmann::json;

const std::string folder = DAEDALUS_SOURCE_DIR "/tests/problems/";

json references() {
    std::ifstream in(folder + "refs.json");
    return json::parse(in);
}

class Unattended : public testing::TestWithParam<const char*> {};

TEST_P(Unattended, TenTolerancesAtMost) {
    const json all = references();
    for (const auto& [name, problem] : all.items()) {
        const Answer r = run({"solve", folder + name + ".mo", "--until", problem["t1"].dump(), "--rtol", GetParam(),
                              "--json", "--points", "2"});
        ASSERT_EQ(r.code, 0) << name << ": " << r.err;
        const json end = json::parse(r.out)["trajectory"]["variables"];
        const double tolerance = std::stod(GetParam());
        // crank3: its published start values are good to four digits (notes of the references).
        const double known = std::pow(10.0, -problem["digits_trusted"].get<double>());
        for (const json& variable : problem["significant"]) {
            const auto id = variable.get<std::string>();
            if (!end.contains(id)) continue;
            const double reference = problem["variables"][id], value = end[id].back();
            EXPECT_LE(std::abs(value - reference), std::max(10 * tolerance, known) * (1 + std::abs(reference)))
                << name << ' ' << id << " at " << GetParam();
        }
    }
}

/// Problems beyond the test set: end values by radau13 at 1e-13 (1e-12 where that is below round-off), confirmed by
/// another method, most by one of another family, and, where there are, published ones. `not_yet` names tolerances at
/// which the error still exceeds ten of them: they are counted, and must stay few.
TEST_P(Unattended, WiderSet) {
    std::ifstream in(folder + "wider/refs.json");
    const json all = json::parse(in);
    const double tolerance = std::stod(GetParam());
    int not_yet = 0;
    for (const auto& [name, problem] : all.items()) {
        if (problem.value("not_yet", json::array()).dump().find(GetParam()) != std::string::npos) {
            ++not_yet;
            continue;
        }
        const Answer r =
            run({"solve", folder + "wider/" + name + ".mo", "--rtol", GetParam(), "--json", "--points", "2"});
        ASSERT_EQ(r.code, 0) << name << ": " << r.err;
        const json end = json::parse(r.out)["trajectory"]["variables"];
        for (const auto& [variable, value] : problem.at("variables").items()) {
            const double reference = value, scale = problem.at("nominal").value(variable, 1.0);
            EXPECT_LE(std::abs(end.at(variable).back().get<double>() - reference),
                      10 * tolerance * (scale + std::abs(reference)))
                << name << ' ' << variable << " at " << GetParam();
        }
    }
    EXPECT_LE(not_yet, 1);
}

/// Digits that were not computed here (Test Set for IVP Solvers, rel. 2.4).
TEST(WiderSet, ReferencesArePublishedOnesWhereThereAreSome) {
    std::ifstream in(folder + "wider/refs.json");
    const json all = json::parse(in);
    const auto near = [&](const char* name, const char* variable, double published) {
        EXPECT_NEAR(all[name]["variables"][variable].get<double>() / published, 1.0, 1e-9) << name << ' ' << variable;
    };
    near("van_der_pol", "y1", 0.1706167732170483e1);
    near("van_der_pol", "y2", -0.8928097010247975);
    near("hires", "y1", 0.7371312573325668e-3);
    near("hires", "y8", 0.2850001604814231e-2);
    near("oregonator", "y1", 0.1000814870318523e1);
    near("oregonator", "y2", 0.1228178521549917e4);
    near("pollution", "y1", 0.5646255480022769e-1);
    near("pollution", "y2", 0.1342484130422339);
}

INSTANTIATE_TEST_SUITE_P(Tolerances, Unattended, testing::Values("1e-4", "1e-6", "1e-8", "1e-10"),
                         [](const auto& info) { return std::string(info.param).replace(1, 2, "em"); });

} // namespace
} // namespace cli_test
