// Elimination in the expression graph against elimination in numbers, at points beside those that chose the pivots.
#include "compile/symbolic_elimination.hpp"
#include "expr/evaluate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <vector>

namespace daedalus::compile {
namespace {

using expr::NodeId;

struct Random {
    expr::Graph graph;
    std::vector<std::map<int, SymbolicElimination::Entry>> rows;
    std::vector<NodeId> b;
    std::vector<double> at_points[2], value; ///< of the variables, at the points and where it is evaluated
};

/// Entries are variables on the diagonal and on a few other places; near the points they stay near.
Random random_system(int n, bool symmetric, unsigned seed) {
    Random r;
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    r.rows.resize(static_cast<std::size_t>(n));
    const auto variable = [&](double size) {
        const double first = size + number(generator);
        r.at_points[0].push_back(first);
        r.at_points[1].push_back(first + 0.1 * number(generator));
        r.value.push_back(first + 0.1 * number(generator));
        return r.graph.variable(static_cast<int>(r.value.size()) - 1);
    };
    const auto set = [&](int i, int j, NodeId v) {
        const std::size_t k = r.value.size() - 1;
        r.rows[static_cast<std::size_t>(i)][j] = {v, {r.at_points[0][k], r.at_points[1][k]}};
    };
    for (int i = 0; i < n; ++i) {
        set(i, i, variable(symmetric ? 6.0 : 0.5));
        for (int k = 0; k < 2; ++k) {
            const int j = static_cast<int>(generator() % static_cast<unsigned>(n));
            if (j == i || r.rows[static_cast<std::size_t>(i)].contains(j)) continue;
            const NodeId v = variable(0.0);
            set(i, j, v);
            if (symmetric) set(j, i, v);
        }
        r.b.push_back(variable(0.0));
    }
    return r;
}

/// z of A z + b = 0 and det A by Gaussian elimination with row interchanges, in long double.
std::pair<std::vector<double>, double> solved(const Random& r) {
    const std::size_t n = r.rows.size();
    std::vector<std::vector<long double>> a(n, std::vector<long double>(n + 1, 0.0L));
    const auto value = [&](NodeId v) { return r.value[static_cast<std::size_t>(r.graph.variable_id(v))]; };
    for (std::size_t i = 0; i < n; ++i) {
        for (const auto& [j, entry] : r.rows[i]) a[i][static_cast<std::size_t>(j)] = value(entry.value);
        a[i][n] = -value(r.b[i]);
    }
    long double determinant = 1.0L;
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t p = k;
        for (std::size_t i = k; i < n; ++i)
            if (std::abs(a[i][k]) > std::abs(a[p][k])) p = i;
        if (p != k) determinant = -determinant;
        std::swap(a[p], a[k]);
        determinant *= a[k][k];
        for (std::size_t i = 0; i < n; ++i) {
            if (i == k) continue;
            const long double factor = a[i][k] / a[k][k];
            for (std::size_t j = k; j <= n; ++j) a[i][j] -= factor * a[k][j];
        }
    }
    std::vector<double> z;
    for (std::size_t i = 0; i < n; ++i) z.push_back(static_cast<double>(a[i][n] / a[i][i]));
    return {z, static_cast<double>(determinant)};
}

double evaluated(const Random& r, NodeId node) {
    return expr::evaluate(r.graph, node,
                          [&](NodeId leaf) { return r.value[static_cast<std::size_t>(r.graph.variable_id(leaf))]; });
}

TEST(SymbolicElimination, SolvesAndTellsTheDeterminant) {
    int offered = 0;
    for (unsigned seed = 1; seed <= 40; ++seed) {
        Random r = random_system(1 + static_cast<int>(seed % 12), false, seed);
        const auto [z, determinant] = solved(r);
        SymbolicElimination elimination(r.graph, r.rows, r.b, 2);
        if (!elimination.run(10'000)) continue; // no pivot is good at both points, or the factors grow
        ++offered;
        const double growth = std::sqrt(evaluated(r, elimination.lower()) * evaluated(r, elimination.upper()));
        const double loss = 1e-13 * std::max(growth, 1.0) * std::max(1.0, evaluated(r, elimination.inverse_pivots()));
        for (std::size_t i = 0; i < z.size(); ++i)
            EXPECT_NEAR(evaluated(r, elimination.solution()[i]), z[i], loss * (1.0 + std::abs(z[i])) * 1e2) << seed;
        EXPECT_NEAR(evaluated(r, elimination.determinant()), determinant, 1e-10 * std::abs(determinant) + 1e-12)
            << seed;
    }
    EXPECT_GT(offered, 20);
}

TEST(SymbolicElimination, OfASymmetricMatrixTakesPivotsFromTheDiagonal) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
        Random r = random_system(2 + static_cast<int>(seed % 9), true, seed);
        const auto [z, determinant] = solved(r);
        SymbolicElimination elimination(r.graph, r.rows, r.b, 2);
        ASSERT_TRUE(elimination.run_symmetric(10'000)) << seed;
        for (std::size_t i = 0; i < z.size(); ++i)
            EXPECT_NEAR(evaluated(r, elimination.solution()[i]), z[i], 1e-12 * (1.0 + std::abs(z[i]))) << seed;
        // Every pivot is what is left of its diagonal entry.
        EXPECT_GE(evaluated(r, elimination.cancellation()), static_cast<double>(z.size()) * (1.0 - 1e-12));
    }
}

// [e 1; 1 e] with e = 1 at the points needs no interchange; at e = 1e-9 the factors tell that they have grown.
TEST(SymbolicElimination, TellsWhereItsPivotsNoLongerHold) {
    expr::Graph g;
    const NodeId e = g.variable(0), one = g.variable(1);
    const SymbolicElimination::Entry own{e, {2.0, 2.1}}, other{one, {1.0, 1.0}};
    SymbolicElimination elimination(g, {{{0, own}, {1, other}}, {{0, other}, {1, own}}}, {one, e}, 2);
    ASSERT_TRUE(elimination.run(100));
    const auto at = [&](double value, NodeId node) {
        return expr::evaluate(g, node, [&](NodeId leaf) { return g.variable_id(leaf) == 0 ? value : 1.0; });
    };
    const NodeId lower = elimination.lower();
    EXPECT_LT(at(2.0, lower), 2.0);
    EXPECT_GT(at(1e-9, lower), 1e16);
    EXPECT_NEAR(at(1e-9, elimination.determinant()), -1.0, 1e-7);
}

TEST(SymbolicElimination, RefusesWhatNoPivotSuits) {
    expr::Graph g;
    const NodeId a = g.variable(0);
    const SymbolicElimination::Entry zero_there{a, {1.0, 0.0}};
    SymbolicElimination elimination(g, {{{0, zero_there}}}, {a}, 2);
    EXPECT_FALSE(elimination.run(100));
}

} // namespace
} // namespace daedalus::compile
