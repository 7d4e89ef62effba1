// Straight-line LU: the same answers as elimination with pivoting, on matrices of every kind, for as long as its fixed
// pivots suit; and the right reaction when they do not.
#include "linalg/dense_lu.hpp"
#include "linalg/klu_solver.hpp"
#include "linalg/straight_line_lu.hpp"
#include "tape/machine_code_scope.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace daedalus;
using namespace daedalus::linalg;
using Complex = std::complex<double>;

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

template <class Scalar>
Scalar random_scalar(std::mt19937& rng) {
    std::uniform_real_distribution<double> u(-1.0, 1.0);
    if constexpr (std::is_same_v<Scalar, double>)
        return u(rng);
    else
        return {u(rng), rng() % 3 == 0 ? u(rng) : 0.0}; // as J + σ M: many entries are real
}

/// With a transversal, unless `holes`.
SparsityPattern random_pattern(int n, int per_column, bool holes, std::mt19937& rng) {
    std::vector<std::pair<int, int>> entries;
    std::uniform_int_distribution<int> row(0, n - 1);
    std::vector<int> transversal(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) transversal[static_cast<std::size_t>(i)] = i;
    std::shuffle(transversal.begin(), transversal.end(), rng);
    for (int j = 0; j < n; ++j) {
        if (!holes) entries.emplace_back(transversal[static_cast<std::size_t>(j)], j);
        for (int k = 0; k < per_column; ++k) entries.emplace_back(row(rng), j);
    }
    return SparsityPattern::from_entries(n, n, entries);
}

/// Largest row of |Ax - b| against the largest the same row could be rounded to, max_j |a_ij||x_j| being replaced by
/// its bound in equilibrated units: normwise by rows, what elimination with pivoting guarantees up to growth.
template <class Scalar>
double backward_error(const SparsityPattern& p, const std::vector<Scalar>& a, const std::vector<Scalar>& x,
                      const std::vector<Scalar>& b, bool transposed) {
    const std::size_t n = b.size();
    std::vector<std::complex<long double>> r(n);
    std::vector<long double> size(n);
    using Long = std::complex<long double>;
    for (std::size_t i = 0; i < n; ++i) {
        r[i] = -Long(b[i]);
        size[i] = std::abs(Long(b[i]));
    }
    for (std::size_t j = 0; j < n; ++j)
        for (int k = p.column_start[j]; k < p.column_start[j + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            const auto i = static_cast<std::size_t>(p.row_index[e]);
            const std::size_t to = transposed ? j : i, from = transposed ? i : j;
            r[to] += Long(a[e]) * Long(x[from]);
            size[to] += std::abs(Long(a[e])) * std::abs(Long(x[from]));
        }
    long double worst = 0.0;
    for (std::size_t i = 0; i < n; ++i)
        if (size[i] > 0.0) worst = std::max(worst, std::abs(r[i]) / size[i]);
    return static_cast<double>(worst);
}

enum class Kind {
    plain,
    scaled_rows,
    scaled_both,
    structurally_singular,
    singular,
    nearly_singular,
    not_finite,
    count
};

template <class Scalar>
struct Case {
    SparsityPattern pattern;
    std::vector<Scalar> a, b;
    Kind kind;
};

template <class Scalar>
Case<Scalar> random_case(std::mt19937& rng) {
    Case<Scalar> c;
    const int n = 1 + static_cast<int>(rng() % 60);
    c.kind = static_cast<Kind>(rng() % static_cast<unsigned>(Kind::count));
    c.pattern = random_pattern(n, 1 + static_cast<int>(rng() % 4), c.kind == Kind::structurally_singular, rng);
    const SparsityPattern& p = c.pattern;
    const auto size = static_cast<std::size_t>(n);
    c.a.resize(p.row_index.size());
    for (Scalar& v : c.a) v = random_scalar<Scalar>(rng);
    c.b.resize(size);
    for (Scalar& v : c.b) v = random_scalar<Scalar>(rng);
    std::uniform_real_distribution<double> decade(-150.0, 150.0);
    if (c.kind == Kind::scaled_rows || c.kind == Kind::scaled_both) {
        const double range = c.kind == Kind::scaled_rows ? 1.0 : 0.9;
        std::vector<double> row(size), col(size, 1.0);
        for (double& v : row) v = std::pow(10.0, range * decade(rng));
        if (c.kind == Kind::scaled_both)
            for (double& v : col) v = std::pow(10.0, range * decade(rng));
        for (std::size_t j = 0; j < size; ++j)
            for (int k = p.column_start[j]; k < p.column_start[j + 1]; ++k)
                c.a[static_cast<std::size_t>(k)] *=
                    row[static_cast<std::size_t>(p.row_index[static_cast<std::size_t>(k)])] * col[j];
        for (std::size_t i = 0; i < size; ++i) c.b[i] *= row[i];
    }
    if ((c.kind == Kind::singular || c.kind == Kind::nearly_singular) && n > 1) {
        // Two columns with the same pattern, proportional up to a relative change.
        std::vector<std::pair<int, int>> entries;
        for (int j = 0; j + 1 < n; ++j)
            for (int k = p.column_start[static_cast<std::size_t>(j)];
                 k < p.column_start[static_cast<std::size_t>(j) + 1]; ++k) {
                entries.emplace_back(p.row_index[static_cast<std::size_t>(k)], j);
                if (j == 0) entries.emplace_back(p.row_index[static_cast<std::size_t>(k)], n - 1);
            }
        c.pattern = SparsityPattern::from_entries(n, n, entries);
        c.a.resize(c.pattern.row_index.size());
        for (Scalar& v : c.a) v = random_scalar<Scalar>(rng);
        const auto first = static_cast<std::size_t>(c.pattern.column_start[size - 1]);
        for (std::size_t k = first; k < c.a.size(); ++k) c.a[k] = 3.0 * c.a[k - first];
        if (c.kind == Kind::nearly_singular) c.a[first] *= 1.0 + 1e-7;
    }
    if (c.kind == Kind::not_finite)
        c.a[rng() % c.a.size()] = rng() % 2 == 0 ? std::nan("") : std::numeric_limits<double>::infinity();
    return c;
}

} // namespace

template <class Scalar>
class StraightLineLuTest : public ::testing::Test {};
using Scalars = ::testing::Types<double, Complex>;
TYPED_TEST_SUITE(StraightLineLuTest, Scalars);

// Together 10,000 matrices.
TYPED_TEST(StraightLineLuTest, RandomMatricesAsDenseEliminationAndNoWorseThanKlu) {
    std::mt19937 rng(11);
    int solved = 0, singular = 0, not_finite = 0;
    for (int trial = 0; trial < 5000; ++trial) {
        const Case<TypeParam> c = random_case<TypeParam>(rng);
        SCOPED_TRACE(::testing::Message()
                     << "trial " << trial << ", n " << c.pattern.cols << ", kind " << static_cast<int>(c.kind));
        StraightLineLu<TypeParam> straight(c.pattern);
        DenseLu<TypeParam> dense(c.pattern);
        KluSolver<TypeParam> klu(c.pattern);
        const FactorStatus status = straight.factor(c.a), by_dense = dense.factor(c.a), by_klu = klu.factor(c.a);
        if (by_dense == FactorStatus::not_finite) {
            ++not_finite;
            EXPECT_EQ(status, FactorStatus::not_finite);
            continue;
        }
        const double rcond = dense.reciprocal_condition(), own = straight.reciprocal_condition();
        EXPECT_EQ(own == 0.0, status == FactorStatus::singular);
        if (status == FactorStatus::singular) {
            ++singular;
            EXPECT_GE(straight.singular_column(), 0);
            EXPECT_LT(straight.singular_column(), c.pattern.cols);
        }
        if (c.kind == Kind::singular && c.pattern.cols > 1) {
            EXPECT_LT(own, 1e-13);
        }
        // What is singular to working precision may be called so or not: solvers differ there.
        constexpr double working_precision = 1e-12;
        if (rcond < working_precision || by_klu != FactorStatus::ok) {
            EXPECT_LT(own, 10.0 * working_precision);
            continue;
        }
        ASSERT_EQ(status, FactorStatus::ok);
        ++solved;
        EXPECT_NEAR(std::log10(own), std::log10(rcond), 1.0);
        for (bool transposed : {false, true}) {
            // b has the scale of the rows
            if (transposed && (c.kind == Kind::scaled_both || c.kind == Kind::scaled_rows)) continue;
            std::vector<TypeParam> x = c.b, z = c.b;
            transposed ? straight.solve_transposed(x) : straight.solve(x);
            transposed ? klu.solve_transposed(z) : klu.solve(z);
            const double error = backward_error(c.pattern, c.a, x, c.b, transposed);
            const double error_klu = backward_error(c.pattern, c.a, z, c.b, transposed);
            EXPECT_LT(error, 1e3 * eps + 10.0 * error_klu);
            EXPECT_LT(error, 1e4 * eps);
        }
    }
    EXPECT_GT(solved, 2000);
    EXPECT_GT(singular, 1000);
    EXPECT_GT(not_finite, 500);
}

// Machine code reads values and right-hand sides where the caller has them, and leaves solutions there; the interpreter
// works on copies. What the caller does to the values afterwards is its own affair.
TYPED_TEST(StraightLineLuTest, MachineCodeInPlaceIsTheInterpreterBitForBit) {
    std::mt19937 rng(12);
    int compared = 0;
    for (int trial = 0; trial < 1000; ++trial) {
        Case<TypeParam> c = random_case<TypeParam>(rng);
        SCOPED_TRACE(::testing::Message() << "trial " << trial << ", n " << c.pattern.cols);
        StraightLineLu<TypeParam> compiled(c.pattern), interpreted(c.pattern);
        const FactorStatus status = compiled.factor(c.a);
        {
            const tape::MachineCodeScope none(false);
            ASSERT_EQ(interpreted.factor(c.a), status);
        }
        if (status != FactorStatus::ok) continue;
        const StraightLineStatistics one = compiled.statistics(), other = interpreted.statistics();
        EXPECT_EQ(one.growth, other.growth);
        EXPECT_EQ(one.refused, other.refused);
        EXPECT_FALSE(interpreted.is_machine_code());
        for (TypeParam& v : c.a) v = std::nan("");
        for (int side = 0; side < 3; ++side) {
            for (TypeParam& v : c.b) v = random_scalar<TypeParam>(rng);
            std::vector<TypeParam> x = c.b, y = c.b;
            compiled.solve(x);
            interpreted.solve(y);
            ASSERT_EQ(std::memcmp(x.data(), y.data(), x.size() * sizeof(TypeParam)), 0);
        }
        EXPECT_EQ(compiled.reciprocal_condition(), interpreted.reciprocal_condition());
        ++compared;
    }
    EXPECT_GT(compared, 400);
}

TYPED_TEST(StraightLineLuTest, OldPivotsThatBecomeZeroOrTinyAreReplaced) {
    const auto p = SparsityPattern::dense(4, 4);
    for (double small : {0.0, 1e-14, 1e-300}) {
        StraightLineLu<TypeParam> solver(p);
        std::vector<TypeParam> a(16, TypeParam(1.0));
        for (int i = 0; i < 4; ++i) a[static_cast<std::size_t>(5 * i)] = 7.0 + i;
        ASSERT_EQ(solver.factor(a), FactorStatus::ok);
        EXPECT_EQ(solver.statistics().refused, 0);
        std::mt19937 rng(12);
        for (TypeParam& v : a) v = random_scalar<TypeParam>(rng);
        for (int i = 0; i < 4; ++i) a[static_cast<std::size_t>(5 * i)] = small;
        for (int repeat = 0; repeat < 3; ++repeat) {
            ASSERT_EQ(solver.factor(a), FactorStatus::ok);
            const std::vector<TypeParam> b{1.0, -2.0, 3.0, 0.5};
            std::vector<TypeParam> x = b;
            solver.solve(x);
            EXPECT_LT(backward_error(p, a, x, b, false), 100.0 * eps);
            x = b;
            solver.solve_transposed(x);
            EXPECT_LT(backward_error(p, a, x, b, true), 100.0 * eps);
        }
        // One matrix was given away, then the new pivots served.
        EXPECT_EQ(solver.statistics().refused, 1);
        EXPECT_EQ(solver.statistics().orderings, 2);
    }
}

/// Determinants of both solvers against the expansion of the first row, also where the scaling has to be undone.
TEST(StraightLineLu, DeterminantHasSignAndSize) {
    std::mt19937 rng(17);
    const auto expansion = [](auto& self, const std::vector<std::vector<long double>>& a) -> long double {
        if (a.size() == 1) return a[0][0];
        long double sum = 0.0L;
        for (std::size_t j = 0; j < a.size(); ++j) {
            std::vector<std::vector<long double>> minor;
            for (std::size_t i = 1; i < a.size(); ++i) {
                minor.push_back(a[i]);
                minor.back().erase(minor.back().begin() + static_cast<std::ptrdiff_t>(j));
            }
            sum += (j % 2 == 0 ? 1.0L : -1.0L) * a[0][j] * self(self, minor);
        }
        return sum;
    };
    int negative = 0;
    for (int trial = 0; trial < 200; ++trial) {
        const int n = 1 + trial % 6;
        const SparsityPattern p = random_pattern(n, 2, false, rng);
        const double far = trial % 3 == 0 ? 1e130 : 1.0;
        std::vector<double> a(p.row_index.size());
        std::vector dense(static_cast<std::size_t>(n), std::vector<long double>(static_cast<std::size_t>(n)));
        for (std::size_t j = 0, e = 0; j < dense.size(); ++j)
            for (; e < static_cast<std::size_t>(p.column_start[j + 1]); ++e) {
                a[e] = random_scalar<double>(rng) * (j == 0 ? far : 1.0);
                dense[static_cast<std::size_t>(p.row_index[e])][j] = a[e];
            }
        const long double exact = expansion(expansion, dense);
        negative += exact < 0.0L;
        StraightLineLu<double> straight(p);
        DenseLu<double> full(p);
        for (LinearSolver<double>* solver :
             {static_cast<LinearSolver<double>*>(&straight), static_cast<LinearSolver<double>*>(&full)}) {
            if (solver->factor(a) != FactorStatus::ok) continue;
            const long double found = solver->determinant();
            EXPECT_NEAR(static_cast<double>(found / exact), 1.0, 1e-9) << solver->name() << " trial " << trial;
        }
    }
    EXPECT_GT(negative, 50);
}

TEST(StraightLineLu, PivotsSuitAllSamples) {
    // Each sample alone would allow a pivot that is tiny in the other.
    const auto p = SparsityPattern::dense(2, 2);
    const std::vector<double> one{1e-9, 1.0, 1.0, 1.0}, two{1.0, 1.0, 1.0, 1e-9};
    StraightLineLu<double> solver(p);
    solver.add_sample(one);
    solver.add_sample(two);
    ASSERT_TRUE(solver.prepare());
    for (int repeat = 0; repeat < 4; ++repeat) {
        ASSERT_EQ(solver.factor(repeat % 2 == 0 ? one : two), FactorStatus::ok);
        EXPECT_LT(solver.statistics().growth, 10.0);
    }
    EXPECT_EQ(solver.statistics().refused, 0);
    EXPECT_EQ(solver.statistics().orderings, 1);
}

TEST(StraightLineLu, ScalesThatDriftAreRenewedWithoutNewPivots) {
    std::mt19937 rng(13);
    const auto p = random_pattern(30, 2, false, rng);
    StraightLineLu<double> solver(p);
    std::vector<double> a(p.row_index.size());
    for (double& v : a) v = random_scalar<double>(rng);
    for (int decade = 0; decade < 200; decade += 4) {
        std::vector<double> drifted = a;
        for (std::size_t k = 0; k < a.size(); ++k)
            drifted[k] *= p.row_index[k] % 3 == 0 ? std::pow(10.0, -decade) : 1.0;
        ASSERT_EQ(solver.factor(drifted), FactorStatus::ok);
        std::vector<double> b(30, 1.0);
        for (std::size_t i = 0; i < b.size(); i += 3) b[i] = std::pow(10.0, -decade);
        std::vector<double> x = b;
        solver.solve(x);
        EXPECT_LT(backward_error(p, drifted, x, b, false), 1e3 * eps);
    }
    EXPECT_EQ(solver.statistics().orderings, 1);
    EXPECT_GT(solver.statistics().rescalings, 10);
}

TEST(StraightLineLu, ImaginaryPartsThatAppearLaterCount) {
    const auto p = SparsityPattern::dense(2, 2);
    StraightLineLu<Complex> solver(p);
    const std::vector<Complex> real{2.0, 1.0, 1.0, {3.0, 1.0}}, mixed{2.0, {1.0, 0.5}, 1.0, {3.0, 1.0}};
    for (const auto& a : {real, mixed, real, mixed}) {
        ASSERT_EQ(solver.factor(a), FactorStatus::ok);
        const std::vector<Complex> b{{1.0, 2.0}, {-1.0, 0.5}};
        std::vector<Complex> x = b;
        solver.solve(x);
        EXPECT_LT(backward_error(p, a, x, b, false), 10.0 * eps);
    }
    EXPECT_EQ(solver.statistics().refused, 1);
}

TEST(StraightLineLu, EndlessRefusalsEndInTheHandOver) {
    // Values at random: no order of pivots suits the next matrix for long.
    std::mt19937 rng(14);
    const auto p = random_pattern(20, 3, false, rng);
    StraightLineLu<double> solver(p);
    std::uniform_int_distribution<int> decade(-12, 0);
    for (int repeat = 0; repeat < 400; ++repeat) {
        std::vector<double> a(p.row_index.size());
        for (double& v : a) v = random_scalar<double>(rng) * std::pow(10.0, decade(rng));
        const std::vector<double> b(20, 1.0);
        const long refused = solver.statistics().refused;
        if (solver.factor(a) != FactorStatus::ok || solver.reciprocal_condition() < 1e-12) continue;
        if (solver.statistics().refused > refused) continue; // KLU's own
        std::vector<double> x = b;
        solver.solve(x);
        KluSolver<double> klu(p);
        ASSERT_EQ(klu.factor(a), FactorStatus::ok);
        std::vector<double> z = b;
        klu.solve(z);
        EXPECT_LT(backward_error(p, a, x, b, false), 1e3 * eps + 10.0 * backward_error(p, a, z, b, false));
    }
    EXPECT_TRUE(solver.handed_over());
    EXPECT_LT(solver.statistics().orderings, 60);
}

TEST(Markowitz, TakesSingletonsFirstAndMakesNoFillInAnArrow) {
    // Full first row and column: eliminated in the given order everything fills.
    const int n = 50;
    std::vector<std::pair<int, int>> entries;
    for (int i = 0; i < n; ++i)
        for (auto e : {std::pair{i, i}, std::pair{0, i}, std::pair{i, 0}}) entries.push_back(e);
    const auto p = SparsityPattern::from_entries(n, n, entries);
    EliminationOrder order;
    const std::vector<std::vector<double>> samples{std::vector<double>(p.row_index.size(), 1.0)};
    ASSERT_EQ(markowitz_order<double>(p, samples, {}, order), OrderStatus::ok);
    EXPECT_EQ(order.l_row.size() + order.u_col.size(), 2u * (n - 1));
    EXPECT_EQ(markowitz_order<double>(p, samples, {.most_multiplications = 10.0}, order), OrderStatus::too_large);
}
