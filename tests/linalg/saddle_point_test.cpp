// Saddle-point matrices: implicit Euler for Stokes flow on a staggered grid, with pressures and without a diagonal for
// them. Threshold pivoting can lose every digit on such matrices and still report success.
#include "linalg/klu_solver.hpp"
#include "linalg/linear_solver.hpp"
#include "linalg/saddle_matrices.hpp"
#include "linalg/solver_checks.hpp"
#include "linalg/umfpack_solver.hpp"

#include <gtest/gtest.h>

namespace daedalus::linalg {
namespace {

class SaddlePoint : public ::testing::TestWithParam<SolverKind> {};

TEST_P(SaddlePoint, IsSolvedAccurately) {
    if (GetParam() == SolverKind::umfpack && !umfpack_available()) GTEST_SKIP() << "built without UMFPACK";
    std::mt19937 rng(3);
    for (const int m : {6, 17, 40})
        for (const double sigma : {1e-2, 1.0, 1e3, 1e7}) {
            const Saddle s = stokes(m, sigma, 1.0);
            const auto solver = make_linear_solver<double>(s.pattern, GetParam());
            ASSERT_EQ(solver->factor(s.values), FactorStatus::ok) << m << " " << sigma;
            std::vector<double> b(static_cast<std::size_t>(s.pattern.cols));
            for (double& value : b) value = random_scalar<double>(rng);
            std::vector<double> x = b;
            solver->solve(x);
            EXPECT_LT(backward_error(s.pattern, s.values, x, b), 1e-8) << m << " " << sigma << " " << solver->name();
            x = b;
            solver->solve_transposed(x);
            EXPECT_LT(backward_error(s.pattern, s.values, x, b, true), 1e-8) << m << " " << sigma;
        }
}

/// The choice of `automatic`, and that the pivots which UMFPACK found serve the matrices that follow.
TEST(SaddlePointChoice, HeavyFillWithoutADiagonalGoesToUmfpack) {
    if (!umfpack_available()) GTEST_SKIP() << "built without UMFPACK";
    const Saddle s = stokes(30, 1.0, 1.0);
    const auto solver = make_linear_solver<double>(s.pattern);
    std::mt19937 rng(4);
    std::vector<double> values = s.values;
    for (int k = 0; k < 5; ++k) {
        expect_solves(*solver, s.pattern, values, rng, 1e6);
        for (double& v : values) v *= 1.0 + 0.1 * random_scalar<double>(rng);
    }
    EXPECT_EQ(solver->name(), "umfpack");
    EXPECT_NE(solver->description().find("used again in"), std::string::npos) << solver->description();
    // Singular all the same: the pressure is not fixed. KLU tells which unknown is free.
    for (int j = 0; j < s.pattern.cols; ++j)
        for (int k = s.pattern.column_start[static_cast<std::size_t>(j)];
             k < s.pattern.column_start[static_cast<std::size_t>(j) + 1]; ++k)
            if (j == s.pattern.cols - 1) values[static_cast<std::size_t>(k)] = 0.0;
    const auto fresh = make_linear_solver<double>(s.pattern);
    EXPECT_EQ(fresh->factor(values), FactorStatus::singular);
    EXPECT_GE(fresh->singular_column(), 0);
    EXPECT_EQ(solver->factor(values), FactorStatus::singular);
    expect_solves(*solver, s.pattern, s.values, rng, 1e6); // and goes on
}

INSTANTIATE_TEST_SUITE_P(Solvers, SaddlePoint,
                         ::testing::Values(SolverKind::klu, SolverKind::umfpack, SolverKind::automatic));

} // namespace
} // namespace daedalus::linalg
