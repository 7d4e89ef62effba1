// What a black box is asked for: residuals are somebody's program, and may take minutes each.
#include "daedalus/black_box.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace daedalus {
namespace {

constexpr std::size_t n = 1500;

/// Heat on a line of n points with a flux at the left end that an algebraic unknown prescribes; x_k(0) = sin.
BlackBox heat(long& residuals) {
    BlackBox box;
    for (std::size_t i = 0; i < n; ++i) box.x0.push_back(std::sin(3.14159265358979 * static_cast<double>(i) / n));
    box.residual = [&residuals](double, std::span<const double> x, std::span<const double> dx, std::span<double> r) {
        ++residuals;
        r[0] = x[0] - x[1] * x[1];
        for (std::size_t i = 1; i < n; ++i) r[i] = dx[i] - (x[i - 1] - 2.0 * x[i] + (i + 1 < n ? x[i + 1] : 0.0));
    };
    for (int i = 0; i < static_cast<int>(n); ++i)
        for (int j = std::max(0, i - 1); j < std::min(static_cast<int>(n), i + 2); ++j) box.pattern.emplace_back(i, j);
    return box;
}

TEST(BlackBoxCost, WithAPatternAHandfulOfResidualsPerJacobian) {
    long residuals = 0;
    SolveOptions options;
    options.until = 1.0;
    const auto solution = solve(heat(residuals), options);
    ASSERT_TRUE(solution.has_value());
    // Three groups of columns for x, as many for x', and a probe of four rounds; the steps and their checks ask for
    // more than a thousand. Column by column it would be 20 n before the first step.
    EXPECT_LT(residuals, 2 * static_cast<long>(n));
}

TEST(BlackBoxCost, WithPatternAndJacobianNothingIsProbed) {
    long residuals = 0;
    BlackBox box = heat(residuals);
    box.jacobian = [](double, std::span<const double> x, std::span<const double>, std::span<double> jx,
                      std::span<double> jdx) {
        std::size_t k = 0; // column by column
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t i = j == 0 ? 0 : j - 1; i < std::min(n, j + 2); ++i, ++k) {
                jx[k] = i == 0 ? (j == 0 ? 1.0 : -2.0 * x[1]) : i == j ? 2.0 : -1.0;
                jdx[k] = i > 0 && i == j ? 1.0 : 0.0;
            }
    };
    SolveOptions options;
    options.until = 1.0;
    const auto solution = solve(box, options);
    ASSERT_TRUE(solution.has_value());
    long by_differences = 0;
    const auto again = solve(heat(by_differences), options);
    ASSERT_TRUE(again.has_value());
    EXPECT_LT(residuals, by_differences);
    for (const char* name : {"x[0]", "x[1]", "x[700]"})
        EXPECT_NEAR(solution->final(name), again->final(name), 1e-5) << name;
}

} // namespace
} // namespace daedalus
