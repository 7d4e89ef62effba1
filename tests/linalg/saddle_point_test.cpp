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

INSTANTIATE_TEST_SUITE_P(Solvers, SaddlePoint,
                         ::testing::Values(SolverKind::klu, SolverKind::umfpack, SolverKind::automatic));

} // namespace
} // namespace daedalus::linalg
