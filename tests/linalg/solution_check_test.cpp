// Factors that do not belong to their matrix, made wrong on purpose: the check tells how far.
#include "linalg/solution_check.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace daedalus::linalg {
namespace {

/// A diagonal matrix, and a "factorisation" that is off by a factor.
struct Diagonal {
    SparsityPattern pattern;
    std::vector<double> values;
    explicit Diagonal(int n) {
        std::vector<std::pair<int, int>> places;
        for (int i = 0; i < n; ++i) places.emplace_back(i, i);
        pattern = SparsityPattern::from_entries(n, n, places);
        for (int i = 0; i < n; ++i) values.push_back(i % 2 == 0 ? 2.0 : -3.0);
    }
    [[nodiscard]] auto solver(double off) const {
        return [this, off](std::span<double> b) {
            for (std::size_t i = 0; i < b.size(); ++i) b[i] = b[i] / values[i] * (1.0 + off);
        };
    }
};

TEST(SolutionCheck, TellsHowGoodFactorsAre) {
    const Diagonal d(50);
    SolutionCheck<double> check(50);
    const auto verdict = [&](double off) {
        return check.judge(d.pattern, std::span<const double>(d.values), d.solver(off));
    };
    EXPECT_EQ(verdict(0.0), Factors::accurate);
    EXPECT_EQ(verdict(1e-10), Factors::accurate);
    EXPECT_EQ(verdict(1e-4), Factors::to_be_refined); // 1e-4 → 1e-8 → 1e-12
    EXPECT_EQ(verdict(0.9), Factors::useless);
    EXPECT_EQ(verdict(std::numeric_limits<double>::quiet_NaN()), Factors::useless);
    EXPECT_EQ(verdict(std::numeric_limits<double>::infinity()), Factors::useless);
}

TEST(SolutionCheck, RefinementWinsTheDigitsBack) {
    const Diagonal d(50);
    SolutionCheck<double> check(50);
    std::vector<double> b(50);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = 1.0 + static_cast<double>(i);
    std::vector<double> x = b;
    for (const bool transposed : {false, true}) {
        x = b;
        check.solve(d.pattern, std::span<const double>(d.values), std::span<double>(x), d.solver(1e-4), transposed);
        for (std::size_t i = 0; i < b.size(); ++i) EXPECT_NEAR(x[i] * d.values[i] / b[i], 1.0, 1e-14);
    }
}

} // namespace
} // namespace daedalus::linalg
