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

INSTANTIATE_TEST_SUITE_P(Tolerances, Unattended, testing::Values("1e-4", "1e-6", "1e-8", "1e-10"),
                         [](const auto& info) { return std::string(info.param).replace(1, 2, "em"); });

} // namespace
} // namespace cli_test
