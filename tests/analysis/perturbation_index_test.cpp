// Growth exponents from made-up measurements.
#include "analysis/perturbation_index.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace daedalus::analysis {
namespace {

std::vector<PerturbationSample> growing(double power) {
    std::vector<PerturbationSample> samples;
    for (const double omega : {10.0, 20.0, 40.0, 80.0})
        samples.push_back({omega, {1e-4, 1e-6 * std::pow(omega, power), 1e-14}});
    return samples;
}

TEST(PerturbationIndex, IsOneMoreThanTheLargestExponent) {
    const double floor[] = {1e-9, 1e-9, 1e-9};
    const PerturbationIndex p = perturbation_index(growing(2.0), floor);
    ASSERT_TRUE(p.index);
    EXPECT_EQ(*p.index, 3);
    EXPECT_EQ(p.per_variable, (std::vector<int>{1, 3, 1})); // the last one is below what can be measured
    EXPECT_NEAR(p.exponent[1], 2.0, 1e-12);
}

TEST(PerturbationIndex, BetweenWholeNumbersIsUndecided) {
    const double floor[] = {1e-9, 1e-9, 1e-9};
    EXPECT_FALSE(perturbation_index(growing(1.5), floor).index);
    EXPECT_FALSE(perturbation_index({}, floor).index);
}

} // namespace
} // namespace daedalus::analysis
