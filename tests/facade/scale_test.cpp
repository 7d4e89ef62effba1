// Models larger than a screen: what must not depend on size still holds, and nothing recurses on it.
#include "daedalus/analysis.hpp"
#include "daedalus/solve.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <string>

namespace {

using namespace daedalus;

/// x_1 = -x_2, x_2 = -x_3, …, der(x_n) = -x_n, equations forwards or backwards.
std::string alias_chain(int n, bool backwards) {
    std::string text = "model Aliases\n";
    for (int k = 1; k <= n; ++k)
        text += "Real x" + std::to_string(k) + (k == n ? "(start = 1, fixed = true);\n" : ";\n");
    text += "equation\n";
    for (int i = 1; i < n; ++i) {
        const int k = backwards ? n - i : i;
        text += "x" + std::to_string(k) + " = -x" + std::to_string(k + 1) + ";\n";
    }
    return text + "der(x" + std::to_string(n) + ") = -x" + std::to_string(n) + ";\nend Aliases;\n";
}

/// Rods of length 1 / n hanging from the origin, let go at rest at 30 degrees below the horizontal.
std::string pendulum_chain(int n) {
    const auto s = [](auto value) { return std::to_string(value); };
    std::string text = "model Chain\nparameter Real L = 1/" + s(n) + ";\n";
    for (int k = 1; k <= n; ++k)
        text += "Real x" + s(k) + "(start = " + s(k * std::sqrt(0.75) / n) + "); Real y" + s(k) +
                "(start = " + s(-0.5 * k / n) + ", fixed = true); Real u" + s(k) + "(start = 0); Real v" + s(k) +
                "(start = 0, fixed = true); Real f" + s(k) + ";\n";
    text += "equation\n";
    for (int k = 1; k <= n; ++k) {
        for (const auto& [q, w, gravity] : {std::tuple("x", "u", ""), std::tuple("y", "v", " - 9.81*L")}) {
            const std::string rod = k == 1 ? std::string(q) + "1" : "(" + (q + s(k)) + " - " + q + s(k - 1) + ")";
            const std::string next =
                k < n ? " + f" + s(k + 1) + "*(" + q + s(k + 1) + " - " + q + s(k) + ")" : std::string();
            text += "der(" + (q + s(k)) + ") = " + w + s(k) + ";\n";
            text += "L*der(" + (w + s(k)) + ") = -f" + s(k) + "*" + rod + next + gravity + ";\n";
        }
        text += k == 1 ? "x1^2 + y1^2 = L^2;\n"
                       : "(x" + s(k) + " - x" + s(k - 1) + ")^2 + (y" + s(k) + " - y" + s(k - 1) + ")^2 = L^2;\n";
    }
    return text + "end Chain;\n";
}

TEST(Scale, LongChainsOfAliasesAreResolvedInBothDirections) {
    for (const bool backwards : {false, true}) {
        const auto model = Model::from_string(alias_chain(20'000, backwards));
        ASSERT_TRUE(model);
        const auto analysis = analyze(*model);
        ASSERT_TRUE(analysis);
        int eliminated = 0;
        for (const AnalyzedVariable& v : analysis->variables) eliminated += !v.eliminated_as.empty();
        EXPECT_EQ(eliminated, 19'999);
        const auto solution = solve(*model, {.until = 1.0, .points = 1});
        ASSERT_TRUE(solution);
        EXPECT_TRUE(solution->success());
        EXPECT_NEAR(solution->final("x1"), -std::exp(-1.0), 1e-5); // 19,999 signs
        EXPECT_NEAR(solution->final("x2"), std::exp(-1.0), 1e-5);
    }
}

TEST(Scale, AnalysisAsJsonIsWhole) {
    const auto model = Model::from_string(pendulum_chain(30));
    ASSERT_TRUE(model);
    const auto analysis = analyze(*model);
    ASSERT_TRUE(analysis);
    const auto json = nlohmann::json::parse(analysis->to_json());
    EXPECT_EQ(json["equations"], 150);
    EXPECT_EQ(json["structural_index"], 3);
    EXPECT_EQ(json["degrees_of_freedom"], 60);
    EXPECT_EQ(json["index_per_variable"].size(), 150U);
    EXPECT_EQ(json["hidden_constraints"].size(), 60U);
}

// 180 rows and columns in one block: the sparse choice of states.
TEST(Scale, LongChainOfPendulumsIsStartedAndSolved) {
    const auto model = Model::from_string(pendulum_chain(60));
    ASSERT_TRUE(model);
    const auto solution = solve(*model, {.until = 0.3, .rtol = 1e-6, .points = 3});
    ASSERT_TRUE(solution);
    ASSERT_TRUE(solution->success()) << solution->message();
    const double length = 1.0 / 60;
    for (int k = 1; k <= 60; ++k) {
        const auto at = [&](const char* q, int i) { return i == 0 ? 0.0 : solution->final(q + std::to_string(i)); };
        EXPECT_NEAR(std::hypot(at("x", k) - at("x", k - 1), at("y", k) - at("y", k - 1)), length, 1e-9);
    }
    // The middle of the chain has fallen, and energy is what it was: kinetic = lost potential.
    double energy = 0.0;
    for (int k = 1; k <= 60; ++k) {
        const double u = solution->final("u" + std::to_string(k)), v = solution->final("v" + std::to_string(k));
        energy += length * (0.5 * (u * u + v * v) + 9.81 * (solution->final("y" + std::to_string(k)) + 0.5 * k / 60));
    }
    EXPECT_NEAR(energy, 0.0, 1e-4);
    EXPECT_LT(solution->final("y60"), -0.5);
}

} // namespace
