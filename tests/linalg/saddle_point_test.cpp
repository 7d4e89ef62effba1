// Saddle-point matrices: implicit Euler for Stokes flow on a staggered grid, with pressures and without a diagonal for
// them. Threshold pivoting can lose every digit on such matrices and still report success.
#include "linalg/klu_solver.hpp"
#include "linalg/linear_solver.hpp"
#include "linalg/solver_checks.hpp"
#include "linalg/umfpack_solver.hpp"

#include <gtest/gtest.h>

#include <map>

namespace daedalus::linalg {
namespace {

struct Saddle {
    SparsityPattern pattern;
    std::vector<double> values;
};

/// [σ + Δ_h, ∇_h; div_h, 0] on m × m cells of width 1/m, the first pressure fixed.
Saddle stokes(int m, double sigma, double viscosity) {
    const int n_u = (m - 1) * m, n_v = m * (m - 1), n = n_u + n_v + m * m;
    const auto u = [&](int i, int j) { return i < 0 || i >= m - 1 || j < 0 || j >= m ? -1 : j * (m - 1) + i; };
    const auto v = [&](int i, int j) { return i < 0 || i >= m || j < 0 || j >= m - 1 ? -1 : n_u + j * m + i; };
    const auto p = [&](int i, int j) { return n_u + n_v + j * m + i; };
    std::map<std::pair<int, int>, double> entries;
    const double h = 1.0 / m, diffusion = viscosity / (h * h);
    const auto add = [&](int row, int col, double value) {
        if (row >= 0 && col >= 0) entries[{row, col}] += value;
    };
    const auto momentum = [&](auto& at, int i, int j, int first, int second) {
        const int row = at(i, j);
        if (row < 0) return;
        add(row, row, sigma + 4 * diffusion);
        for (const auto& [a, b] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) add(row, at(i + a, j + b), -diffusion);
        add(row, first, -1.0 / h);
        add(row, second, 1.0 / h);
        add(first, row, 1.0 / h); // divergence of the cells on both sides
        add(second, row, -1.0 / h);
    };
    for (int j = 0; j < m; ++j)
        for (int i = 0; i < m; ++i) {
            if (i + 1 < m) momentum(u, i, j, p(i, j), p(i + 1, j));
            if (j + 1 < m) momentum(v, i, j, p(i, j), p(i, j + 1));
        }
    // Pressure has a constant too many, and the divergences one equation: their first becomes p = 0.
    for (auto it = entries.begin(); it != entries.end();)
        it = it->first.first == p(0, 0) ? entries.erase(it) : std::next(it);
    entries[{p(0, 0), p(0, 0)}] = 1.0;
    std::vector<std::pair<int, int>> places;
    for (const auto& [place, value] : entries) places.push_back(place);
    Saddle s{SparsityPattern::from_entries(n, n, places), {}};
    s.values.resize(static_cast<std::size_t>(s.pattern.nonzeros()));
    for (const auto& [place, value] : entries)
        s.values[static_cast<std::size_t>(s.pattern.find(place.first, place.second))] = value;
    return s;
}

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
