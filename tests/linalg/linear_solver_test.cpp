#include "linalg/klu_solver.hpp"
#include "linalg/linear_solver.hpp"
#include "linalg/solver_checks.hpp"
#include "linalg/umfpack_solver.hpp"
#include "tape/machine_code_scope.hpp"
#include "tape/program.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

using namespace daedalus;
using namespace daedalus::linalg;
using Complex = std::complex<double>;

namespace {

SparsityPattern random_pattern(int n, double per_column, std::mt19937& rng) {
    std::vector<std::pair<int, int>> entries;
    std::uniform_int_distribution<int> row(0, n - 1);
    std::vector<int> transversal(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) transversal[static_cast<std::size_t>(i)] = i;
    std::shuffle(transversal.begin(), transversal.end(), rng);
    for (int j = 0; j < n; ++j) {
        entries.emplace_back(transversal[static_cast<std::size_t>(j)], j);
        for (int k = 0; k < per_column; ++k) entries.emplace_back(row(rng), j);
    }
    return SparsityPattern::from_entries(n, n, entries);
}

} // namespace

template <class Scalar>
class LinearSolverTest : public ::testing::Test {};
using Scalars = ::testing::Types<double, Complex>;
TYPED_TEST_SUITE(LinearSolverTest, Scalars);

TYPED_TEST(LinearSolverTest, RandomDenseMatricesOfManySizes) {
    std::mt19937 rng(1);
    for (int n : {1, 2, 3, 5, 10, 27, 48, 49, 64, 65, 97, 130}) {
        const auto p = SparsityPattern::dense(n, n);
        std::vector<TypeParam> a(p.row_index.size());
        for (TypeParam& v : a) v = random_scalar<TypeParam>(rng);
        for (SolverKind kind : {SolverKind::dense, SolverKind::straight_line, SolverKind::klu}) {
            const auto solver = make_linear_solver<TypeParam>(p, kind);
            // Growth and Σ|L||U| make the componentwise error of order n times a moderate constant.
            expect_solves(*solver, p, a, rng, 60.0 * n);
        }
    }
}

TYPED_TEST(LinearSolverTest, SparseAgreesWithDense) {
    std::mt19937 rng(2);
    for (int n : {5, 30, 120}) {
        const auto p = random_pattern(n, 2, rng);
        const auto klu = make_linear_solver<TypeParam>(p, SolverKind::klu);
        const auto dense = make_linear_solver<TypeParam>(p, SolverKind::dense);
        for (int repeat = 0; repeat < 5; ++repeat) {
            std::vector<TypeParam> a(p.row_index.size()), b(static_cast<std::size_t>(n));
            for (TypeParam& v : a) v = random_scalar<TypeParam>(rng);
            for (TypeParam& v : b) v = random_scalar<TypeParam>(rng);
            ASSERT_EQ(klu->factor(a), FactorStatus::ok);
            ASSERT_EQ(dense->factor(a), FactorStatus::ok);
            std::vector<TypeParam> x = b, y = b;
            klu->solve(x);
            dense->solve(y);
            const double rcond = dense->reciprocal_condition();
            double scale = 0.0, difference = 0.0;
            for (std::size_t i = 0; i < x.size(); ++i) {
                scale = std::max(scale, std::abs(y[i]));
                difference = std::max(difference, std::abs(x[i] - y[i]));
            }
            EXPECT_LT(difference, 100.0 * n * eps / rcond * scale);
            EXPECT_NEAR(std::log10(klu->reciprocal_condition()), std::log10(rcond), 1.0);
        }
    }
}

TYPED_TEST(LinearSolverTest, RowsAndColumnsScaledByTwoHundredDecades) {
    std::mt19937 rng(3);
    std::uniform_int_distribution<int> decade(-200, 200);
    for (int n : {4, 20, 60}) {
        const auto p = n == 4 ? SparsityPattern::dense(n, n) : random_pattern(n, 3, rng);
        std::vector<double> row(static_cast<std::size_t>(n));
        for (double& r : row) r = std::pow(10.0, decade(rng));
        std::vector<TypeParam> a(p.row_index.size());
        for (std::size_t k = 0; k < a.size(); ++k)
            a[k] = random_scalar<TypeParam>(rng) * row[static_cast<std::size_t>(p.row_index[k])];
        std::vector<TypeParam> b(static_cast<std::size_t>(n));
        for (std::size_t i = 0; i < b.size(); ++i) b[i] = random_scalar<TypeParam>(rng) * row[i];
        for (SolverKind kind : {SolverKind::dense, SolverKind::straight_line, SolverKind::klu}) {
            const auto solver = make_linear_solver<TypeParam>(p, kind);
            ASSERT_EQ(solver->factor(a), FactorStatus::ok);
            auto x = b;
            solver->solve(x);
            EXPECT_LT(backward_error(p, a, x, b), 1e4 * n * eps) << solver->name() << " n = " << n;
            EXPECT_GT(solver->reciprocal_condition(), 1e-8);
        }
    }
}

TYPED_TEST(LinearSolverTest, NumericallySingularIsFoundAndNamesAColumn) {
    std::mt19937 rng(4);
    for (int n : {2, 7, 40, 80}) {
        const auto p = SparsityPattern::dense(n, n);
        const auto size = static_cast<std::size_t>(n);
        std::vector<TypeParam> a(p.row_index.size());
        for (TypeParam& v : a) v = random_scalar<TypeParam>(rng);
        // The last column is the sum of the others.
        for (std::size_t i = 0; i < size; ++i) {
            a[(size - 1) * size + i] = 0.0;
            for (std::size_t j = 0; j + 1 < size; ++j) a[(size - 1) * size + i] += a[j * size + i];
        }
        for (SolverKind kind : {SolverKind::dense, SolverKind::straight_line, SolverKind::klu}) {
            const auto solver = make_linear_solver<TypeParam>(p, kind);
            EXPECT_EQ(solver->factor(a), FactorStatus::singular) << solver->name() << n;
            EXPECT_GE(solver->singular_column(), 0);
            EXPECT_LT(solver->singular_column(), n);
            EXPECT_EQ(solver->reciprocal_condition(), 0.0);
            // and it recovers with the next, regular matrix
            auto regular = a;
            for (std::size_t i = 0; i < size; ++i) regular[i * size + i] += 3.0;
            expect_solves(*solver, p, regular, rng, 60.0 * n);
        }
    }
}

TYPED_TEST(LinearSolverTest, StructurallySingularNamesTheEmptyColumn) {
    // column 1 has no entry
    const auto p = SparsityPattern::from_entries(3, 3, {{0, 0}, {1, 0}, {1, 2}, {2, 2}});
    const std::vector<TypeParam> a{1.0, 2.0, 3.0, 4.0};
    for (SolverKind kind : {SolverKind::dense, SolverKind::straight_line, SolverKind::klu}) {
        const auto solver = make_linear_solver<TypeParam>(p, kind);
        EXPECT_EQ(solver->factor(a), FactorStatus::singular);
        EXPECT_EQ(solver->singular_column(), 1) << solver->name();
    }
}

TYPED_TEST(LinearSolverTest, AGradedMatrixIsNotCalledSingular) {
    // The Newton matrix of an index-3 problem at a tiny step: the last pivot is 1e-24, yet every entry of the
    // solution is determined (no cancellation).
    const double c = 1e12;
    const auto p = SparsityPattern::from_entries(3, 3, {{0, 0}, {0, 1}, {1, 1}, {1, 2}, {2, 0}});
    const std::vector<TypeParam> a{c, 1.0, -1.0, c, 1.0}; // columns: (c, ·, 1), (-1, c), (1)
    for (SolverKind kind : {SolverKind::dense, SolverKind::straight_line, SolverKind::klu}) {
        const auto solver = make_linear_solver<TypeParam>(p, kind);
        std::mt19937 rng(5);
        expect_solves(*solver, p, a, rng, 10.0);
    }
}

TYPED_TEST(LinearSolverTest, NotFiniteIsReported) {
    const auto p = SparsityPattern::dense(2, 2);
    for (SolverKind kind : {SolverKind::dense, SolverKind::straight_line, SolverKind::klu})
        for (double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
            const auto solver = make_linear_solver<TypeParam>(p, kind);
            const std::vector<TypeParam> a{1.0, bad, 0.0, 1.0};
            EXPECT_EQ(solver->factor(a), FactorStatus::not_finite);
            const std::vector<TypeParam> good{1.0, 1.0, 0.0, 1.0};
            EXPECT_EQ(solver->factor(good), FactorStatus::ok);
        }
}

TYPED_TEST(LinearSolverTest, OneByOneAndEmpty) {
    const auto one = make_linear_solver<TypeParam>(SparsityPattern::dense(1, 1));
    const std::vector<TypeParam> a{4.0};
    ASSERT_EQ(one->factor(a), FactorStatus::ok);
    std::vector<TypeParam> b{2.0};
    one->solve(b);
    EXPECT_EQ(b[0], TypeParam(0.5));
    EXPECT_DOUBLE_EQ(one->reciprocal_condition(), 1.0);
    const std::vector<TypeParam> zero{0.0};
    EXPECT_EQ(one->factor(zero), FactorStatus::singular);
    EXPECT_EQ(one->singular_column(), 0);

    const auto empty = make_linear_solver<TypeParam>(SparsityPattern::dense(0, 0), SolverKind::klu);
    EXPECT_EQ(empty->factor(std::span<const TypeParam>{}), FactorStatus::ok);
    empty->solve(std::span<TypeParam>{});
}

TEST(KluSolver, ReusesPivotsAndGivesThemUpWhenTheyDegrade) {
    const auto p = SparsityPattern::dense(3, 3);
    KluSolver<double> solver(p);
    std::mt19937 rng(6);
    const std::vector<double> dominant{4, 1, 1, 1, 4, 1, 1, 1, 4};
    expect_solves(solver, p, dominant, rng, 10.0);
    const std::vector<double> similar{5, 1, 2, 1, 4, 1, 0.5, 1, 4};
    expect_solves(solver, p, similar, rng, 10.0);
    EXPECT_EQ(solver.statistics().full_factorisations, 1);
    EXPECT_EQ(solver.statistics().refactorisations, 1);
    // Now the old pivot is tiny: without new pivots eight digits would be lost.
    const std::vector<double> degraded{1e-12, 1, 1, 1, 1e-12, 1, 1, 1, 1};
    expect_solves(solver, p, degraded, rng, 100.0);
    EXPECT_EQ(solver.statistics().refused_refactorisations, 1);
    EXPECT_EQ(solver.statistics().full_factorisations, 2);
}

TEST(KluSolver, ARingIsNotTurnedIntoAnUnstableRecurrence) {
    // 2.5 v_i − v_{i−1} − v_{i+1} is well conditioned; solved for v_{i+1} it grows as 2^i. Two rows and columns more,
    // so that the pattern is not symmetric and the block triangular form may choose any transversal.
    for (const int n : {100, 300, 2000}) {
        const auto v = [n](int i) { return 2 + (i + n) % n; };
        std::vector<std::pair<std::pair<int, int>, double>> entries;
        for (int i = 0; i < n; ++i) {
            entries.push_back({{i, v(i)}, 2.5});
            entries.push_back({{i, v(i - 1)}, -1.0});
            entries.push_back({{i, v(i + 1)}, -1.0});
        }
        entries.insert(entries.end(), {{{4, 0}, 0.1}, {{n, 0}, 1.0}, {{n, 1}, 1.0}, {{n, v(6)}, 0.1}});
        entries.insert(entries.end(), {{{n + 1, 0}, -2.0}, {{n + 1, v(2)}, 2.0}, {{n + 1, 1}, 3.0}});
        std::vector<std::pair<int, int>> places;
        for (const auto& e : entries) places.push_back(e.first);
        const auto pattern = SparsityPattern::from_entries(n + 2, n + 2, places);
        std::vector<double> values(static_cast<std::size_t>(pattern.nonzeros()));
        for (const auto& [place, value] : entries)
            values[static_cast<std::size_t>(pattern.find(place.first, place.second))] = value;
        KluSolver<double> solver(pattern);
        ASSERT_EQ(solver.factor(values), FactorStatus::ok);
        const std::vector<double> b(static_cast<std::size_t>(n) + 2, 1.0);
        std::vector<double> x = b;
        solver.solve(x);
        EXPECT_LE(backward_error(pattern, values, x, b), 1e-13) << n;
    }
}

TEST(KluSolver, ASaddlePointFillsInLinearlyWhateverCameBefore) {
    // [I Jᵀ; J −μI] with J a ring. The first matrix has J = 0 and is happy with any ordering; for the second AMD's,
    // which counts on pivots on the diagonal, would fill in as n².
    const auto operations = [](int n) {
        std::vector<std::pair<int, int>> places;
        for (int i = 0; i < 2 * n; ++i) places.emplace_back(i, i);
        for (int i = 0; i < n; ++i)
            for (const int j : {i, (i + 1) % n, (i + n - 1) % n}) {
                places.emplace_back(n + i, j);
                places.emplace_back(j, n + i);
            }
        const auto pattern = SparsityPattern::from_entries(2 * n, 2 * n, places);
        const auto at = [&](int i, int j) { return static_cast<std::size_t>(pattern.find(i, j)); };
        std::vector<double> values(static_cast<std::size_t>(pattern.nonzeros()), 0.0);
        for (int i = 0; i < 2 * n; ++i) values[at(i, i)] = i < n ? 1.0 : -1.0;
        KluSolver<double> solver(pattern);
        EXPECT_EQ(solver.factor(values), FactorStatus::ok);
        std::fill(values.begin(), values.end(), -0.4);
        for (int i = 0; i < 2 * n; ++i) values[at(i, i)] = i < n ? 1.0 : -1e-12;
        for (int i = 0; i < n; ++i) values[at(n + i, i)] = values[at(i, n + i)] = 1.0;
        EXPECT_EQ(solver.factor(values), FactorStatus::ok);
        return solver.counts().operations;
    };
    EXPECT_LE(operations(1000), 5 * operations(250));
}

TEST(LinearSolver, AutomaticChoice) {
    EXPECT_EQ(make_linear_solver<double>(SparsityPattern::dense(5, 5))->name(), "dense");
    std::mt19937 rng(7);
    EXPECT_EQ(make_linear_solver<double>(random_pattern(500, 3, rng))->name(), "klu");
    EXPECT_EQ(make_linear_solver<double>(SparsityPattern::dense(60, 60))->name(), "dense");
}

TYPED_TEST(LinearSolverTest, AutomaticChangesWhenItPaysAndAlwaysAtTheSameTime) {
    const int n = 200; // smaller ones get a program at once
    std::vector<std::pair<int, int>> entries;
    for (int j = 0; j < n; ++j)
        for (int i : {j, (j + 1) % n, (j + 7) % n}) entries.emplace_back(i, j);
    const auto p = SparsityPattern::from_entries(n, n, entries);
    std::vector<int> changed;
    std::vector<std::vector<TypeParam>> last;
    for (int run = 0; run < 3; ++run) {
        const tape::MachineCodeScope scope(run < 2); // the last one interpreted
        std::mt19937 rng(8);
        const auto solver = make_linear_solver<TypeParam>(p);
        EXPECT_EQ(solver->name(), "klu");
        changed.push_back(-1);
        for (int k = 0; k < 2000; ++k) {
            std::vector<TypeParam> a(p.row_index.size());
            for (TypeParam& v : a) v = random_scalar<TypeParam>(rng);
            for (int j = 0; j < n; ++j)
                a[static_cast<std::size_t>(p.find(j, j))] += TypeParam(8.0); // pivots that stay good
            expect_solves(*solver, p, a, rng, 60.0 * n);                     // as for the others
            if (changed.back() < 0 && solver->name() == "straight-line") changed.back() = k;
        }
        const char* const how = tape::machine_code_allowed() ? "machine code" : "interpreted";
        EXPECT_NE(solver->description().find(how), std::string::npos) << solver->description();
        last.emplace_back(static_cast<std::size_t>(n), TypeParam(1.0));
        solver->solve(last.back());
    }
    EXPECT_GT(changed[0], 10);
    EXPECT_EQ(changed[0], changed[1]);
    EXPECT_EQ(changed[0], changed[2]);
    EXPECT_EQ(last[0], last[1]); // the same digits
    EXPECT_EQ(last[0], last[2]);
}

TYPED_TEST(LinearSolverTest, UmfpackAgreesWithDense) {
    if (!umfpack_available()) GTEST_SKIP() << "built without UMFPACK";
    std::mt19937 rng(9);
    for (int n : {5, 30, 120}) {
        const auto p = random_pattern(n, 3, rng);
        const auto umfpack = make_linear_solver<TypeParam>(p, SolverKind::umfpack);
        const auto dense = make_linear_solver<TypeParam>(p, SolverKind::dense);
        EXPECT_EQ(umfpack->name(), "umfpack");
        for (int repeat = 0; repeat < 3; ++repeat) {
            std::vector<TypeParam> a(p.row_index.size());
            for (TypeParam& v : a) v = random_scalar<TypeParam>(rng);
            expect_solves(*umfpack, p, a, rng, 60.0 * n);
            ASSERT_EQ(dense->factor(a), FactorStatus::ok);
            EXPECT_NEAR(std::log10(umfpack->reciprocal_condition()), std::log10(dense->reciprocal_condition()), 1.0);
        }
        std::vector<TypeParam> zero_column(p.row_index.size(), TypeParam(1.0));
        for (int k = p.column_start[1]; k < p.column_start[2]; ++k) zero_column[static_cast<std::size_t>(k)] = 0.0;
        EXPECT_EQ(umfpack->factor(zero_column), FactorStatus::singular);
        EXPECT_EQ(umfpack->reciprocal_condition(), 0.0);
    }
}
