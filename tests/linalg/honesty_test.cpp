// Whatever a solver says it has factorised it solves: random saddle-point matrices, badly scaled ones, and matrices on
// which elimination with pivots of moderate size loses every digit, fresh and with the pivots of an earlier matrix.
#include "linalg/linear_solver.hpp"
#include "linalg/saddle_matrices.hpp"
#include "linalg/solver_checks.hpp"
#include "linalg/umfpack_solver.hpp"

#include <gtest/gtest.h>

#include <map>

namespace daedalus::linalg {
namespace {

// Half of the digits: what the solvers themselves call acceptable, and Newton's iteration asks for.
constexpr double acceptable = 1e-8;

template <class Scalar>
std::vector<Scalar> as(const std::vector<double>& values, std::mt19937& rng) {
    std::vector<Scalar> v(values.begin(), values.end());
    if constexpr (!std::is_same_v<Scalar, double>) // phases
        for (Scalar& a : v) a *= std::polar(1.0, 3.0 * random_scalar<double>(rng));
    return v;
}

/// The backward error by rows in the units of the unknowns that equilibrate the matrix: |A x - b|_i against the largest
/// |a_ij| u_j times the largest |x_j| / u_j. (Where b spans many powers of ten, rows whose terms are all small cannot
/// be solved to the size of these terms: what is lost in them is the round-off of others.)
template <class Scalar>
double error_by_rows(const SparsityPattern& p, const std::vector<Scalar>& a, const std::vector<Scalar>& x,
                     const std::vector<Scalar>& b, bool transposed) {
    const std::size_t n = b.size();
    std::vector<double> row(n, 0.0), unit(n, 0.0), size(n, 0.0);
    const auto each = [&](const auto& visit) {
        for (std::size_t j = 0; j < n; ++j)
            for (int k = p.column_start[j]; k < p.column_start[j + 1]; ++k) {
                const auto e = static_cast<std::size_t>(k);
                const auto i = static_cast<std::size_t>(p.row_index[e]);
                visit(transposed ? j : i, transposed ? i : j, a[e]);
            }
    };
    each([&](std::size_t i, std::size_t, Scalar v) { row[i] = std::max(row[i], std::abs(v)); });
    each([&](std::size_t i, std::size_t j, Scalar v) { unit[j] = std::max(unit[j], std::abs(v) / row[i]); });
    std::vector<Scalar> r(n);
    for (std::size_t i = 0; i < n; ++i) r[i] = -b[i];
    each([&](std::size_t i, std::size_t j, Scalar v) {
        r[i] += v * x[j];
        size[i] = std::max(size[i], std::abs(v) / unit[j]);
    });
    double largest = 0.0, worst = 0.0;
    for (std::size_t j = 0; j < n; ++j) largest = std::max(largest, std::abs(x[j]) * unit[j]);
    for (std::size_t i = 0; i < n; ++i) {
        const double error = std::abs(r[i]) / (size[i] * largest + std::abs(b[i]) + 1e-300);
        worst = std::isfinite(error) ? std::max(worst, error) : HUGE_VAL;
    }
    return worst;
}

/// The worst backward error of some solves; negative where the matrix was refused.
template <class Scalar>
double error_of(LinearSolver<Scalar>& solver, const SparsityPattern& p, const std::vector<Scalar>& a,
                std::mt19937& rng) {
    if (solver.factor(a) != FactorStatus::ok) return -1.0;
    double worst = 0.0;
    for (int right_hand_side = 0; right_hand_side < 4; ++right_hand_side) {
        std::vector<Scalar> b(static_cast<std::size_t>(p.cols));
        for (Scalar& v : b) v = random_scalar<Scalar>(rng);
        if (right_hand_side == 1) // of very different sizes
            for (Scalar& v : b) v *= std::pow(10.0, 6.0 * random_scalar<double>(rng));
        if (right_hand_side == 2) { // one number only
            std::fill(b.begin(), b.end(), Scalar(0.0));
            b[rng() % b.size()] = Scalar(1.0);
        }
        std::vector<Scalar> x = b, y = b;
        solver.solve(x);
        solver.solve_transposed(y);
        worst = std::max({worst, error_by_rows(p, a, x, b, false), error_by_rows(p, a, y, b, true)});
    }
    return worst;
}

class Honesty : public ::testing::TestWithParam<SolverKind> {
protected:
    void SetUp() override {
        if (GetParam() == SolverKind::umfpack && !umfpack_available()) GTEST_SKIP() << "built without UMFPACK";
    }
};

template <class Scalar>
void random_saddles(SolverKind kind) {
    std::mt19937 rng(7);
    for (int round = 0; round < 30; ++round) {
        const int n = 3 + static_cast<int>(rng() % 60), m = 1 + static_cast<int>(rng() % static_cast<unsigned>(n / 2));
        const double spread = round % 3 == 0 ? 0.0 : round % 3 == 1 ? 3.0 : 8.0;
        const Saddle s = random_saddle(n, m, spread, rng);
        const auto solver = make_linear_solver<Scalar>(s.pattern, kind);
        for (int k = 0; k < 6; ++k) {
            // Other numbers on the same pattern: pivots are reused that need not suit.
            std::vector<double> values = s.values;
            if (k > 0)
                for (double& v : values) v *= std::pow(10.0, (k - 1) * random_scalar<double>(rng));
            const double error = error_of<Scalar>(*solver, s.pattern, as<Scalar>(values, rng), rng);
            EXPECT_LE(error, acceptable) << round << " " << k << " n " << n << " m " << m << " spread " << spread;
            if (k == 0 && std::is_same_v<Scalar, double>) {
                EXPECT_GE(error, 0.0) << "refused: " << round;
            }
        }
    }
}

TEST_P(Honesty, RandomSaddlePoints) { random_saddles<double>(GetParam()); }
TEST_P(Honesty, ComplexSaddlePoints) { random_saddles<std::complex<double>>(GetParam()); }

/// Multiple shooting for y' = M y with conditions at both ends (Wright 1993): entries grow by e^((1 - 1/6) h) in each
/// interval, without any exchange that partial pivoting could wish for, while the matrix is well conditioned.
Saddle shooting(int intervals, std::mt19937& rng) {
    const double h = 0.3, decay = std::exp(-h / 6.0), c = decay * std::cosh(h), s = decay * std::sinh(h);
    const int n = 2 * (intervals + 1);
    std::map<std::pair<int, int>, double> entries;
    const auto block = [&](int i, int j, double diagonal, double off) {
        for (int k = 0; k < 2; ++k) {
            entries[{2 * i + k, 2 * j + k}] = diagonal;
            if (off != 0.0) entries[{2 * i + k, 2 * j + 1 - k}] = off * (1.0 + 1e-3 * random_scalar<double>(rng));
        }
    };
    for (int i = 0; i <= intervals; ++i) block(i, i, 1.0, 0.0);
    block(0, intervals, 1.0, 0.0);
    for (int i = 1; i <= intervals; ++i) block(i, i - 1, -c, -s);
    return from_entries(n, entries);
}

TEST_P(Honesty, GrowthOfPartialPivoting) {
    std::mt19937 rng(11);
    for (const int intervals : {10, 50, 100, 150, 200}) {
        const Saddle s = shooting(intervals, rng);
        const auto solver = make_linear_solver<double>(s.pattern, GetParam());
        const double error = error_of<double>(*solver, s.pattern, s.values, rng);
        EXPECT_LE(error, acceptable) << intervals << " " << solver->name();
        EXPECT_GE(error, 0.0) << "refused: " << intervals << " " << solver->name();
    }
}

INSTANTIATE_TEST_SUITE_P(Solvers, Honesty,
                         ::testing::Values(SolverKind::dense, SolverKind::straight_line, SolverKind::klu,
                                           SolverKind::umfpack, SolverKind::automatic));

} // namespace
} // namespace daedalus::linalg
