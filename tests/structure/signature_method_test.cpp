// The Σ-method against hand-worked systems, against all permutations, and against the fixed-point iteration.
#include "structure/generated_systems.hpp"
#include "structure/signature_method.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>

namespace daedalus::structure {
namespace {

struct Brute {
    std::int64_t value;
    Matching transversal;
};

std::optional<Brute> brute_force_transversal(const SignatureMatrix& m) {
    const int n = m.equations();
    std::vector<int> column(n);
    std::iota(column.begin(), column.end(), 0);
    std::optional<Brute> best;
    do {
        std::int64_t value = 0;
        bool complete = true;
        for (int i = 0; i < n && complete; ++i) {
            const int order = m.order_of(i, column[i]);
            complete = order >= 0;
            value += order;
        }
        if (!complete || (best && best->value >= value)) continue;
        best = Brute{value, Matching::empty(n, n)};
        for (int i = 0; i < n; ++i) best->transversal.join(i, column[i]);
        best->transversal.size = n;
    } while (std::next_permutation(column.begin(), column.end()));
    return best;
}

void expect_valid(const SignatureMatrix& m, const SignatureAnalysis& a) {
    ASSERT_TRUE(a.regular);
    ASSERT_TRUE(a.transversal.perfect());
    std::int64_t on_transversal = 0;
    for (int i = 0; i < m.equations(); ++i) {
        const auto columns = m.variables_of(i);
        for (std::size_t k = 0; k < columns.size(); ++k)
            ASSERT_GE(a.d[columns[k]] - a.c[i], m.orders_of(i)[k]) << "entry " << i << ", " << columns[k];
        const int j = a.transversal.column_of_row[i];
        ASSERT_EQ(a.transversal.row_of_column[j], i);
        ASSERT_EQ(a.d[j] - a.c[i], m.order_of(i, j));
        on_transversal += m.order_of(i, j);
        ASSERT_GE(a.c[i], 0);
    }
    EXPECT_EQ(a.value, on_transversal);
    EXPECT_EQ(a.value, std::accumulate(a.d.begin(), a.d.end(), std::int64_t{0}) -
                           std::accumulate(a.c.begin(), a.c.end(), std::int64_t{0}));
    EXPECT_EQ(*std::min_element(a.c.begin(), a.c.end()), 0);
}

TEST(SignatureMethod, PendulumOfSecondOrderAsPrintedByPryce) {
    // x'' + λx = 0, y'' + λy + g = 0, x² + y² = L²: c = (0, 0, 2), d = (2, 2, 0), index 3, two degrees of freedom.
    const SignatureMatrix m = generated::system(3, {{{0, 2}, {2, 0}}, {{1, 2}, {2, 0}}, {{0, 0}, {1, 0}}});
    const SignatureAnalysis a = signature_method(m);
    expect_valid(m, a);
    EXPECT_EQ(a.c, (std::vector<int>{0, 0, 2}));
    EXPECT_EQ(a.d, (std::vector<int>{2, 2, 0}));
    EXPECT_EQ(a.structural_index, 3);
    EXPECT_EQ(a.value, 2);
    EXPECT_EQ(a.system_jacobian, Incidence::from_rows(3, {{0, 2}, {1, 2}, {0, 1}}));
}

TEST(SignatureMethod, PendulumOfFirstOrder) {
    const SignatureAnalysis a = signature_method(generated::pendulum());
    EXPECT_EQ(a.c, (std::vector<int>{1, 1, 0, 0, 2}));
    EXPECT_EQ(a.d, (std::vector<int>{2, 2, 1, 1, 0}));
    EXPECT_EQ(a.structural_index, 3);
    EXPECT_EQ(a.value, 2);
}

TEST(SignatureMethod, IndexIsZeroForOdesAndOneForSemiExplicitSystems) {
    EXPECT_EQ(signature_method(generated::system(2, {{{0, 1}, {1, 0}}, {{0, 0}, {1, 1}}})).structural_index, 0);
    EXPECT_EQ(signature_method(generated::system(2, {{{0, 1}, {1, 0}}, {{0, 0}, {1, 0}}})).structural_index, 1);
    // x = f(t) is algebraic, x' = f(t) is not.
    EXPECT_EQ(signature_method(generated::system(1, {{{0, 0}}})).structural_index, 1);
    EXPECT_EQ(signature_method(generated::system(1, {{{0, 1}}})).structural_index, 0);
}

TEST(SignatureMethod, EmptySystem) {
    const SignatureAnalysis a = signature_method(SignatureMatrix{});
    EXPECT_TRUE(a.regular);
    EXPECT_EQ(a.value, 0);
    EXPECT_EQ(a.structural_index, 0);
}

TEST(SignatureMethod, SingularSystemsGiveAMatchingOfMaximumSize) {
    const SignatureMatrix m = generated::system(3, {{{0, 0}}, {{0, 2}}, {{0, 1}, {1, 0}, {2, 0}}});
    const SignatureAnalysis a = signature_method(m);
    EXPECT_FALSE(a.regular);
    EXPECT_EQ(a.transversal.size, 2);
}

TEST(SignatureMethod, AgreesWithAllPermutationsAndTheFixedPointIteration) {
    std::mt19937 random(20240611);
    int regular = 0;
    for (int trial = 0; trial < 6000; ++trial) {
        const int n = 1 + static_cast<int>(random() % 7u);
        const double density = 0.2 + 0.1 * static_cast<double>(random() % 7u);
        const SignatureMatrix m = generated::random_small(n, 3, density, random);
        const std::optional<Brute> brute = brute_force_transversal(m);
        const SignatureAnalysis a = signature_method(m);
        ASSERT_EQ(a.regular, brute.has_value());
        ASSERT_EQ(a.transversal.size, maximum_matching(m.pattern).size);
        if (!a.regular) continue;
        ++regular;
        expect_valid(m, a);
        ASSERT_EQ(a.value, brute->value);
        const Offsets least = fixed_point_offsets(m, brute->transversal, 3 * n + 2);
        ASSERT_EQ(a.c, least.c);
        ASSERT_EQ(a.d, least.d);
    }
    EXPECT_GT(regular, 2500);
}

TEST(SignatureMethod, FixedPointIterationNeedsAHighestValueTransversal) {
    // Σ = (1 0; 0 0): the diagonal has the highest value 1; from the other transversal the iteration diverges.
    const SignatureMatrix m = generated::system(2, {{{0, 1}, {1, 0}}, {{0, 0}, {1, 0}}});
    Matching wrong = Matching::empty(2, 2);
    wrong.join(0, 1);
    wrong.join(1, 0);
    EXPECT_TRUE(fixed_point_offsets(m, wrong, 100).c.empty());
    Matching right = Matching::empty(2, 2);
    right.join(0, 0);
    right.join(1, 1);
    EXPECT_EQ(fixed_point_offsets(m, right, 100).c, (std::vector<int>{0, 0}));
}

TEST(SignatureMethod, IntegratorChain) {
    const int n = 100000;
    const SignatureAnalysis a = signature_method(generated::shuffled(generated::integrator_chain(n), 1));
    EXPECT_EQ(a.structural_index, n);
    EXPECT_EQ(a.value, 0);
}

TEST(SignatureMethod, LargeFamiliesNeedFewRounds) {
    const SignatureMatrix ladder = generated::shuffled(generated::circuit_ladder(25000), 2);
    const SignatureAnalysis a = signature_method(ladder);
    expect_valid(ladder, a);
    EXPECT_EQ(a.structural_index, 1);
    EXPECT_EQ(a.value, 25000);
    EXPECT_LE(a.rounds, 5);

    const SignatureMatrix chain = generated::shuffled(generated::pendulum_chain(20000), 3);
    const SignatureAnalysis b = signature_method(chain);
    expect_valid(chain, b);
    EXPECT_EQ(b.structural_index, 3);
    EXPECT_EQ(b.value, 40000);
    EXPECT_LE(b.rounds, 5);

    const SignatureMatrix deep = generated::random_of_depth(50000, 6, 2.5, 4);
    const SignatureAnalysis r = signature_method(deep);
    expect_valid(deep, r);
    EXPECT_LE(r.rounds, 30);

    const SignatureMatrix sparse = generated::random_sparse(20000, 3, 3, 5);
    const SignatureAnalysis s = signature_method(sparse);
    expect_valid(sparse, s);
    EXPECT_LE(s.rounds, 30);
}

} // namespace
} // namespace daedalus::structure
