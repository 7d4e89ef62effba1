#include "linalg/clear_rank.hpp"
#include "linalg/norms.hpp"
#include "linalg/rank.hpp"

#include <gtest/gtest.h>

#include <random>

using namespace daedalus;
using namespace daedalus::linalg;

namespace {

/// rows × cols of the given rank as a product of random factors.
std::vector<double> random_of_rank(int rows, int cols, int rank, unsigned seed) {
    std::mt19937 rng(seed);
    std::normal_distribution<double> g;
    std::vector<double> l(static_cast<std::size_t>(rows * rank)), r(static_cast<std::size_t>(rank * cols));
    for (double& v : l) v = g(rng);
    for (double& v : r) v = g(rng);
    std::vector<double> a(static_cast<std::size_t>(rows * cols), 0.0);
    for (int j = 0; j < cols; ++j)
        for (int k = 0; k < rank; ++k)
            for (int i = 0; i < rows; ++i)
                a[static_cast<std::size_t>(j * rows + i)] +=
                    l[static_cast<std::size_t>(k * rows + i)] * r[static_cast<std::size_t>(j * rank + k)];
    return a;
}

} // namespace

TEST(Rank, SvdAndQrAgreeAndNullVectorsAnnihilate) {
    for (int rank : {1, 3, 5}) {
        const int rows = 7, cols = 5;
        const auto a = random_of_rank(rows, cols, rank, static_cast<unsigned>(rank));
        const auto svd = rank_by_svd({a, rows, cols});
        const auto qr = rank_by_qr({a, rows, cols});
        EXPECT_EQ(svd.rank, rank);
        EXPECT_EQ(qr.rank, rank);
        EXPECT_TRUE(svd.decided);
        EXPECT_GT(svd.gap, 1e10);
        ASSERT_EQ(svd.left_null.size(), static_cast<std::size_t>(rows - rank));
        ASSERT_EQ(svd.right_null.size(), static_cast<std::size_t>(cols - rank));
        for (const auto& y : svd.left_null)
            for (int j = 0; j < cols; ++j) {
                double sum = 0.0;
                for (int i = 0; i < rows; ++i)
                    sum += y[static_cast<std::size_t>(i)] * a[static_cast<std::size_t>(j * rows + i)];
                EXPECT_NEAR(sum, 0.0, 1e-13);
            }
        for (const auto& z : svd.right_null)
            for (int i = 0; i < rows; ++i) {
                double sum = 0.0;
                for (int j = 0; j < cols; ++j)
                    sum += z[static_cast<std::size_t>(j)] * a[static_cast<std::size_t>(j * rows + i)];
                EXPECT_NEAR(sum, 0.0, 1e-13);
            }
    }
}

TEST(Rank, IndependentColumnsAreNamed) {
    // columns: a, 2a, b
    const std::vector<double> a{1, 0, 0, 2, 0, 0, 0, 3, 0};
    const auto qr = rank_by_qr({a, 3, 3});
    ASSERT_EQ(qr.rank, 2);
    EXPECT_EQ(qr.pivots[0], 2);
    EXPECT_EQ(qr.pivots[1], 1);
}

TEST(Rank, ASmallGapIsCalledUndecided) {
    const std::vector<double> a{1, 0, 0, 1e-15};
    EXPECT_FALSE(rank_by_svd({a, 2, 2}).decided);
    EXPECT_TRUE(rank_by_svd({a, 2, 2}, 1e-10).decided);
}

TEST(Rank, EmptyAndZero) {
    EXPECT_EQ(rank_by_svd({{}, 0, 3}).right_null.size(), 3u);
    EXPECT_EQ(rank_by_qr({{}, 0, 3}).rank, 0);
    const std::vector<double> zero(4, 0.0);
    EXPECT_EQ(rank_by_svd({zero, 2, 2}).rank, 0);
    EXPECT_EQ(rank_by_svd({zero, 2, 2}).left_null.size(), 2u);
}

TEST(Norms, NoOverflowAndNoNanSwallowed) {
    const std::vector<double> big{3e200, 4e200};
    EXPECT_DOUBLE_EQ(norm_2(std::span<const double>(big)), 5e200);
    const std::vector<double> bad{1.0, std::nan(""), 2.0};
    EXPECT_TRUE(std::isnan(norm_inf(std::span<const double>(bad))));
    const auto p = SparsityPattern::from_entries(2, 2, {{0, 0}, {1, 0}, {1, 1}});
    const std::vector<double> v{1.0, -2.0, 2.5};
    EXPECT_DOUBLE_EQ(matrix_norm_1(p, std::span<const double>(v)), 3.0);
}

// Where elimination calls a matrix clearly regular, singular values agree; and it says so of nearly all that are.
TEST(Rank, ClearlyRegularIsRegularBySingularValues) {
    std::mt19937 rng(7);
    std::uniform_real_distribution<double> exponent(-10.0, 0.0);
    int clear = 0, regular = 0;
    for (int n = 1; n <= 12; ++n)
        for (int repeat = 0; repeat < 40; ++repeat) {
            auto a = random_of_rank(n, n, n, static_cast<unsigned>(100 * n + repeat));
            const double scale = std::pow(10.0, exponent(rng)); // of the last column: conditions of up to 1e10 and more
            for (int i = 0; i < n; ++i) a[static_cast<std::size_t>((n - 1) * n + i)] *= scale;
            for (const double level : {1e-12, 1e-8, 1e-6, 1e-3}) {
                const bool full = rank_by_svd({a, n, n}, n * level).rank == n;
                const bool surely = clearly_regular({a, n, n}, n * level);
                EXPECT_TRUE(full || !surely) << n << " " << level;
                regular += full;
                clear += surely;
            }
        }
    EXPECT_GT(clear, regular * 4 / 5);
}

TEST(Rank, NothingSingularIsClearlyRegular) {
    for (const double level : {1e-12, 1e-6}) {
        EXPECT_FALSE(clearly_regular({std::vector<double>{0.0}, 1, 1}, level));
        EXPECT_TRUE(clearly_regular({std::vector<double>{1e-30}, 1, 1}, level));
        EXPECT_FALSE(clearly_regular({std::vector<double>{1.0, 2.0, 2.0, 4.0}, 2, 2}, level));
        EXPECT_FALSE(clearly_regular({std::vector<double>{0.0, 0.0, 0.0, 1.0}, 2, 2}, level));
        EXPECT_TRUE(clearly_regular({std::vector<double>{0.0, 1.0, 1.0, 0.0}, 2, 2}, level));
        const double none = std::numeric_limits<double>::quiet_NaN();
        EXPECT_FALSE(clearly_regular({std::vector<double>{none, 1.0, 1.0, 0.0}, 2, 2}, level));
        for (unsigned seed = 0; seed < 20; ++seed)
            EXPECT_FALSE(clearly_regular({random_of_rank(6, 6, 5, seed), 6, 6}, level)) << seed;
    }
}
