#include "linalg/dense_pieces.hpp"
#include "linalg/klu_solver.hpp"
#include "linalg/multifrontal_lu.hpp"
#include "linalg/solver_checks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

using namespace daedalus;
using namespace daedalus::linalg;

namespace {

/// Five-point grids of N × N unknowns, one for each block; each is coupled to the one before.
SparsityPattern grids(int blocks, int N) {
    std::vector<std::pair<int, int>> entries;
    const int n = N * N;
    for (int b = 0; b < blocks; ++b)
        for (int i = 0; i < N; ++i)
            for (int j = 0; j < N; ++j) {
                const int u = b * n + i * N + j;
                entries.emplace_back(u, u);
                for (const int v : {i > 0 ? u - N : u, i < N - 1 ? u + N : u, j > 0 ? u - 1 : u, j < N - 1 ? u + 1 : u})
                    entries.emplace_back(u, v);
                if (b > 0 && j % 3 == 0) entries.emplace_back(u - n, u);
            }
    return SparsityPattern::from_entries(blocks * n, blocks * n, entries);
}

/// Diagonally dominant, not symmetric.
std::vector<double> values_on(const SparsityPattern& p, std::mt19937& rng) {
    std::vector<double> a(p.row_index.size());
    for (double& v : a) v = random_scalar<double>(rng);
    for (int j = 0; j < p.cols; ++j) a[static_cast<std::size_t>(p.find(j, j))] = 8.0;
    return a;
}

std::vector<double> random_vector(int n, std::mt19937& rng) {
    std::vector<double> v(static_cast<std::size_t>(n));
    for (double& x : v) x = random_scalar<double>(rng);
    return v;
}

} // namespace

// L U of a padded matrix, and X T⁻¹ T = X, for sizes around those of the blocks and tiles.
TEST(DensePieces, EliminationAndTrianglesOfManySizes) {
    std::mt19937 rng(4);
    for (const int w : {1, 2, 3, 4, 7, 8, 9, 16, 31, 70, 131}) {
        const int ld = padded(w), m = padded(2 * w + 1);
        std::vector<double> a(static_cast<std::size_t>(ld * w), 0.0);
        const auto at = [ld](std::vector<double>& v, int i, int j) -> double& {
            return v[static_cast<std::size_t>(j * ld + i)];
        };
        for (int j = 0; j < w; ++j)
            for (int i = 0; i < w; ++i) at(a, i, j) = random_scalar<double>(rng) + (i == j ? w : 0.0);
        std::vector<double> f = a;
        ASSERT_TRUE(eliminate_in_place(w, f.data(), ld));
        for (int i = 0; i < w; ++i)
            for (int j = 0; j < w; ++j) {
                double sum = 0.0, size = 0.0;
                for (int k = 0; k <= std::min(i, j); ++k) {
                    const double l = k == i ? 1.0 : at(f, i, k);
                    sum += l * at(f, k, j);
                    size += std::abs(l * at(f, k, j));
                }
                EXPECT_NEAR(sum, at(a, i, j), 2.0 * w * eps * size) << w; // Higham 2002, theorem 9.3
            }
        for (const bool unit : {false, true}) {
            const Elements t = unit ? Elements{f.data(), ld, 1} : Elements{f.data(), 1, ld};
            const std::vector<double> b = random_vector(m * w, rng);
            std::vector<double> x = b;
            divide_by_triangle(m, w, x.data(), m, t, unit);
            for (int i = 0; i < m; ++i)
                for (int j = 0; j < w; ++j) {
                    double sum = 0.0, size = 0.0;
                    for (int k = 0; k <= j; ++k) {
                        const double term = x[static_cast<std::size_t>(k * m + i)] * (unit && k == j ? 1.0 : t(k, j));
                        sum += term;
                        size += std::abs(term);
                    }
                    EXPECT_NEAR(sum, b[static_cast<std::size_t>(j * m + i)], 2.0 * w * eps * size) << w;
                }
        }
        f = a;
        at(f, w - 1, w - 1) = at(f, 0, 0) = 0.0;
        EXPECT_FALSE(eliminate_in_place(w, f.data(), ld));
    }
}

TEST(MultifrontalLu, SolvesInAnyOrderOfPivots) {
    std::mt19937 rng(5);
    for (const int blocks : {1, 3})
        for (const int N : {1, 2, 5, 17}) {
            const SparsityPattern p = grids(blocks, N);
            const int n = p.cols, size = N * N;
            std::vector<int> starts, order(static_cast<std::size_t>(n));
            for (int b = 0; b <= blocks; ++b) starts.push_back(b * size);
            std::iota(order.begin(), order.end(), 0);
            for (int attempt = 0; attempt < 3; ++attempt) {
                MultifrontalLu lu(p, {order, order, starts}, 1e9);
                ASSERT_TRUE(lu.usable());
                const std::vector<double> a = values_on(p, rng), b = random_vector(n, rng);
                ASSERT_TRUE(lu.factor(a));
                std::vector<double> x = b;
                lu.solve(x);
                EXPECT_LT(backward_error(p, a, x, b), 10.0 * n * eps);
                x = b;
                lu.solve_transposed(x);
                EXPECT_LT(backward_error(p, a, x, b, true), 10.0 * n * eps);
                EXPECT_LT(lu.largest_multiplier(), 1.0); // diagonally dominant by columns
                EXPECT_GT(lu.quality(p, a).growth, 0.5);
                for (int k = 0; k < blocks; ++k)
                    std::shuffle(order.begin() + k * size, order.begin() + (k + 1) * size, rng);
            }
        }
}

TEST(MultifrontalLu, TooMuchFillIsRefused) {
    const SparsityPattern p = grids(1, 20);
    std::vector<int> order(400);
    std::iota(order.begin(), order.end(), 0);
    const std::vector<int> starts{0, 400};
    EXPECT_FALSE(MultifrontalLu(p, {order, order, starts}, 400.0).usable());
    EXPECT_TRUE(MultifrontalLu(p, {order, order, starts}, 400.0 * 21.0).usable()); // no more than the band
}

// From the first matrix on where the diagonal will do; pivots that vanish are found again by KLU, and cut anew.
TEST(KluSolver, LargeFactorsAreMadeInDensePieces) {
    std::mt19937 rng(6);
    const SparsityPattern p = grids(1, 60);
    KluSolver<double> solver(p);
    std::vector<double> a = values_on(p, rng);
    expect_solves(solver, p, a, rng, 100.0);
    EXPECT_TRUE(solver.in_pieces()) << solver.description();
    EXPECT_NE(solver.description().find("dense pieces"), std::string::npos);
    expect_solves(solver, p, values_on(p, rng), rng, 100.0);
    EXPECT_EQ(solver.statistics().full_factorisations, 1);
    EXPECT_EQ(solver.statistics().refactorisations, 1);
    for (int j = 0; j < p.cols; j += 2) a[static_cast<std::size_t>(p.find(j, j))] = 0.0;
    expect_solves(solver, p, a, rng, 1e5); // entries may grow ten thousandfold before pivots are refused
    EXPECT_EQ(solver.statistics().refused_refactorisations, 1);
    expect_solves(solver, p, a, rng, 1e5);
    EXPECT_GT(solver.reciprocal_condition(), 0.0);
}

// A matrix that is singular is told so, whoever eliminates.
TEST(KluSolver, SingularInDensePieces) {
    std::mt19937 rng(7);
    const SparsityPattern p = grids(1, 60);
    KluSolver<double> solver(p);
    std::vector<double> a = values_on(p, rng);
    ASSERT_EQ(solver.factor(a), FactorStatus::ok);
    for (int k = p.column_start[1800]; k < p.column_start[1801]; ++k) a[static_cast<std::size_t>(k)] = 0.0;
    EXPECT_EQ(solver.factor(a), FactorStatus::singular);
    a = values_on(p, rng);
    expect_solves(solver, p, a, rng, 100.0);
    // Rows that add up to zero: the Laplacian without boundary.
    for (int j = 0; j < p.cols; ++j) {
        const int begin = p.column_start[static_cast<std::size_t>(j)],
                  end = p.column_start[static_cast<std::size_t>(j) + 1];
        for (int k = begin; k < end; ++k)
            a[static_cast<std::size_t>(k)] = p.row_index[static_cast<std::size_t>(k)] == j ? end - begin - 1.0 : -1.0;
    }
    EXPECT_EQ(solver.factor(a), FactorStatus::singular);
}
