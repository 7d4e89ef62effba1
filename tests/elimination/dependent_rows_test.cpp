// Dependent rows of sparse matrices: found exactly where Eigen's rank says so, their weights annihilate the matrix, and
// units do not matter.
#include "elimination/dependent_rows.hpp"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <random>

using namespace daedalus::elimination;

namespace {

using Rows = std::vector<SparseRow<double>>;

Rows sparse(const Eigen::MatrixXd& a) {
    Rows rows(static_cast<std::size_t>(a.rows()));
    for (int i = 0; i < a.rows(); ++i)
        for (int j = 0; j < a.cols(); ++j)
            if (a(i, j) != 0) rows[static_cast<std::size_t>(i)].push_back({j, a(i, j)});
    return rows;
}

constexpr double entry_error = 1e-15;

} // namespace

TEST(DependentRows, AsManyAsTheRankFallsShort) {
    std::mt19937 random(17);
    std::uniform_real_distribution<double> value(-2, 2);
    for (int trial = 0; trial < 500; ++trial) {
        const int n = 2 + static_cast<int>(random() % 20);
        Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                if (i == j || random() % 4 == 0) a(i, j) = value(random);
        for (unsigned k = random() % 3; k > 0; --k) { // one row becomes a combination of two others
            const auto target = random() % unsigned(n), p = random() % unsigned(n), q = random() % unsigned(n);
            if (target != p && target != q && p != q) a.row(target) = 2 * a.row(p) - 3 * a.row(q);
        }
        for (int i = 0; i < n; ++i) a.row(i) *= std::pow(10.0, static_cast<int>(random() % 13) - 6);
        const DependentRows d = dependent_rows(sparse(a), n, entry_error);
        Eigen::MatrixXd scaled = a;
        for (int i = 0; i < n; ++i) scaled.row(i).normalize();
        Eigen::FullPivLU<Eigen::MatrixXd> lu(scaled);
        lu.setThreshold(1e-12);
        ASSERT_EQ(static_cast<int>(d.found.size()), n - lu.rank()) << "trial " << trial;
        for (const RowDependency& found : d.found) {
            Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(n), size = sum;
            for (std::size_t k = 0; k < found.rows.size(); ++k) {
                sum += found.weights[k] * a.row(found.rows[k]);
                size += std::abs(found.weights[k]) * a.row(found.rows[k]).cwiseAbs();
            }
            EXPECT_LE(sum.cwiseAbs().maxCoeff(), 1e-11 * size.maxCoeff()) << "trial " << trial;
        }
    }
}

TEST(DependentRows, AreFewInALargeMatrix) {
    // A ring of 20,000 with two proportional rows in it: only these two are named.
    const int n = 20'000;
    Rows rows(n);
    for (int i = 0; i < n; ++i) {
        std::vector<std::pair<int, double>> entries{{i, 2.5}, {(i + 1) % n, -1.0}, {(i + n - 1) % n, -1.0}};
        std::sort(entries.begin(), entries.end());
        for (const auto& [j, v] : entries) rows[static_cast<std::size_t>(i)].push_back({j, v});
    }
    EXPECT_TRUE(dependent_rows(rows, n, entry_error).found.empty());
    rows[700] = rows[701];
    for (auto& e : rows[700]) e.value *= -4;
    const DependentRows d = dependent_rows(rows, n, entry_error);
    ASSERT_EQ(d.found.size(), 1U);
    EXPECT_EQ(d.found[0].rows, (std::vector<int>{700, 701}));
    EXPECT_NEAR(d.found[0].weights[1] / d.found[0].weights[0], 4, 1e-12);
}

TEST(DependentRows, SmallIsNotZero) {
    // Nearly parallel rows: 1e-9 apart is far above round-off, 1e-17 is nothing but it.
    const Rows near = {{{0, 1.0}, {1, 1.0}}, {{0, 1.0}, {1, 1.0 + 1e-9}}};
    EXPECT_TRUE(dependent_rows(near, 2, entry_error).found.empty());
    const Rows same = {{{0, 0.1}, {1, 0.3}}, {{0, 0.1 * 7}, {1, 0.3 * 7}}};
    EXPECT_EQ(dependent_rows(same, 2, entry_error).found.size(), 1U);
}

TEST(DependentRows, GivesUpWhenToldTo) {
    std::mt19937 random(3);
    const int n = 60;
    Rows rows(n);
    for (auto& row : rows)
        for (int j = 0; j < n; ++j) row.push_back({j, 1.0 + static_cast<double>(random() % 1000)});
    EXPECT_FALSE(dependent_rows(rows, n, entry_error, 1000).decided);
    EXPECT_TRUE(dependent_rows(rows, n, entry_error).decided);
}
