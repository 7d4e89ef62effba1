// Bad scaling is not singularity; a matrix that is singular within the errors of its entries is.
#include "linalg/regular_within.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

using namespace daedalus::linalg;

namespace {

// Conductances of a chain of n nodes, 1 between neighbours, `leak` to ground at each: det > 0 for every leak > 0.
std::vector<double> chain(int n, double leak, std::vector<double>& errors) {
    const auto size = static_cast<std::size_t>(n);
    // Unknowns: potentials v and leaking currents g, so that `leak` is an entry and not lost in a sum.
    std::vector<double> a(4 * size * size, 0.0);
    const auto at = [&](std::size_t i, std::size_t j) -> double& { return a[j * 2 * size + i]; };
    for (std::size_t k = 0; k < size; ++k) {
        at(k, size + k) = 1.0; // g_k + Σ (v_k − v_neighbour)
        if (k > 0) at(k, k) += 1.0, at(k, k - 1) -= 1.0;
        if (k + 1 < size) at(k, k) += 1.0, at(k, k + 1) -= 1.0;
        at(size + k, size + k) = 1.0; // g_k = leak v_k
        at(size + k, k) = -leak;
    }
    errors.clear();
    for (const double v : a) errors.push_back(1e-15 * std::abs(v));
    return a;
}

TEST(RegularWithin, LeaksOfAnySizeKeepTheMatrixRegular) {
    for (const double leak : {1.0, 1e-6, 1e-10, 1e-12}) {
        std::vector<double> errors;
        const auto a = chain(12, leak, errors);
        EXPECT_TRUE(regular_within({a, 24, 24}, errors)) << leak;
    }
    std::vector<double> errors;
    const auto a = chain(12, 0.0, errors);
    EXPECT_FALSE(regular_within({a, 24, 24}, errors));
}

TEST(RegularWithin, TheAnswerIsTheSameInOtherUnits) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> decades(-30.0, 30.0);
    for (const double leak : {1e-12, 0.0}) {
        std::vector<double> errors;
        auto a = chain(6, leak, errors);
        for (std::size_t i = 0; i < 12; ++i) {
            const double row = std::exp2(std::round(decades(random))), column = std::exp2(std::round(decades(random)));
            for (std::size_t j = 0; j < 12; ++j) {
                a[j * 12 + i] *= row, errors[j * 12 + i] *= row;
                a[i * 12 + j] *= column, errors[i * 12 + j] *= column;
            }
        }
        EXPECT_EQ(regular_within({a, 12, 12}, errors), leak > 0.0);
    }
}

// [1 1; 1 1 + d] becomes singular by a change of d/4 in each of its four entries, and not by less.
TEST(RegularWithin, ErrorsThatReachASingularMatrixCount) {
    const double d = 1e-6;
    const std::vector<double> a{1.0, 1.0, 1.0, 1.0 + d};
    EXPECT_TRUE(regular_within({a, 2, 2}, std::vector<double>(4, 0.2 * d)));
    EXPECT_FALSE(regular_within({a, 2, 2}, std::vector<double>(4, 0.26 * d)));
}

} // namespace
