// Growth exponents from made-up measurements.
#include "analysis/perturbation_index.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace daedalus::analysis {
namespace {

/// Three variables: one that does not grow, one with `power` derivatives of δ, one below what can be measured.
std::vector<PerturbationLevel> levels(double power, int count) {
    std::vector<PerturbationLevel> out;
    for (int k = 1; k <= count; ++k) {
        PerturbationLevel level{k, {}};
        for (const double omega : {10.0, 20.0, 40.0, 80.0})
            level.samples.push_back({omega, {1e-4, 1e-6 * std::pow(omega, power + 1 - k), 1e-14}});
        out.push_back(level);
    }
    return out;
}

constexpr double noise[] = {1e-12, 1e-12, 1e-12};

TEST(PerturbationIndex, IsTheFirstLevelWithoutGrowth) {
    const PerturbationIndex p = perturbation_index(levels(2.0, 3), noise);
    ASSERT_TRUE(p.index) << p.reason;
    EXPECT_EQ(*p.index, 3);
    EXPECT_EQ(p.per_variable, (std::vector<int>{1, 3, 1}));
    EXPECT_NEAR(p.exponent[1], 2.0, 1e-12);
}

TEST(PerturbationIndex, BetweenGrowthAndNoneIsUndecided) {
    EXPECT_FALSE(perturbation_index(levels(0.4, 1), noise).index);
    EXPECT_FALSE(perturbation_index(levels(1.4, 2), noise).index);
    EXPECT_FALSE(perturbation_index(levels(5.0, 3), noise).index); // grows at all levels that were tried
    EXPECT_FALSE(perturbation_index({}, noise).index);
}

} // namespace
} // namespace daedalus::analysis
