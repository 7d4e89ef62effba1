// Signature matrices for tests and scaling runs: families with known offsets, and seeded random ones.
#pragma once

#include "structure/incidence.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace daedalus::structure::generated {

/// Rows written as lists of (variable, order).
inline SignatureMatrix system(int variables, const std::vector<std::vector<std::pair<int, int>>>& rows) {
    std::vector<SignatureEntry> entries;
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (auto [j, order] : rows[i]) entries.push_back({static_cast<int>(i), j, order});
    return SignatureMatrix::from_entries(static_cast<int>(rows.size()), variables, entries);
}

/// Cartesian pendulum of first order, variables x y u v λ: x'=u, y'=v, u'=λx, v'=λy−g, x²+y²=1.
inline SignatureMatrix pendulum() {
    return system(
        5, {{{0, 1}, {2, 0}}, {{1, 1}, {3, 0}}, {{2, 1}, {4, 0}, {0, 0}}, {{3, 1}, {4, 0}, {1, 0}}, {{0, 0}, {1, 0}}});
}

/// x1' = x2, …, x_{n−1}' = x_n, x1 = f(t): index n.
inline SignatureMatrix integrator_chain(int n) {
    std::vector<SignatureEntry> entries;
    for (int i = 0; i + 1 < n; ++i) {
        entries.push_back({i, i, 1});
        entries.push_back({i, i + 1, 0});
    }
    entries.push_back({n - 1, 0, 0});
    return SignatureMatrix::from_entries(n, n, entries);
}

/// RC ladder of `sections` with all the quantities a component-wise model has: node voltage v_k, resistor voltage and
/// current, capacitor current, and a source voltage. Per section: u = v_{k−1} − v_k; u = R i; i_C = C v_k';
/// i_k = i_C + i_{k+1}. 4·sections + 1 equations. Degrees of freedom: one per capacitor; index 1.
inline SignatureMatrix circuit_ladder(int sections) {
    const int n = 4 * sections + 1;
    std::vector<SignatureEntry> e;
    const auto v = [](int k) { return 4 * k; }; // v_0 is the source
    const auto u = [](int k) { return 4 * k - 3; };
    const auto i = [](int k) { return 4 * k - 2; };
    const auto i_c = [](int k) { return 4 * k - 1; };
    int row = 0;
    e.push_back({row++, v(0), 0});
    for (int k = 1; k <= sections; ++k) {
        e.insert(e.end(), {{row, u(k), 0}, {row, v(k - 1), 0}, {row, v(k), 0}});
        ++row;
        e.insert(e.end(), {{row, u(k), 0}, {row, i(k), 0}});
        ++row;
        e.insert(e.end(), {{row, i_c(k), 0}, {row, v(k), 1}});
        ++row;
        e.insert(e.end(), {{row, i(k), 0}, {row, i_c(k), 0}});
        if (k < sections) e.push_back({row, i(k + 1), 0});
        ++row;
    }
    return SignatureMatrix::from_entries(n, n, e);
}

/// `count` Cartesian pendulums of first order, each hanging from the one before: position, velocity, force.
/// m x_k'' = −λ_k (x_k − x_{k−1}) + λ_{k+1} (x_{k+1} − x_k), and (x_k − x_{k−1})² + (y_k − y_{k−1})² = l².
/// 5·count equations, index 3, 2·count degrees of freedom; the multipliers form one coupled block.
inline SignatureMatrix pendulum_chain(int count) {
    std::vector<SignatureEntry> e;
    for (int k = 0; k < count; ++k) {
        const int x = 5 * k, velocity = x + 2, lambda = x + 4;
        for (int axis = 0; axis < 2; ++axis) {
            const int kinematic = x + axis, dynamic = x + 2 + axis, length = x + 4;
            e.insert(e.end(), {{kinematic, x + axis, 1}, {kinematic, velocity + axis, 0}});
            e.insert(e.end(), {{dynamic, velocity + axis, 1}, {dynamic, x + axis, 0}, {dynamic, lambda, 0}});
            e.push_back({length, x + axis, 0});
            if (k > 0) e.insert(e.end(), {{dynamic, x - 5 + axis, 0}, {length, x - 5 + axis, 0}});
            if (k + 1 < count) e.insert(e.end(), {{dynamic, x + 5 + axis, 0}, {dynamic, lambda + 5, 0}});
        }
    }
    return SignatureMatrix::from_entries(5 * count, 5 * count, e);
}

/// The same system with equations and variables in random order.
inline SignatureMatrix shuffled(const SignatureMatrix& m, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<int> row(m.equations()), col(m.variables());
    std::iota(row.begin(), row.end(), 0);
    std::iota(col.begin(), col.end(), 0);
    std::shuffle(row.begin(), row.end(), random);
    std::shuffle(col.begin(), col.end(), random);
    std::vector<SignatureEntry> e;
    e.reserve(m.order.size());
    for (int i = 0; i < m.equations(); ++i)
        for (int k = m.pattern.row_start[i]; k < m.pattern.row_start[i + 1]; ++k)
            e.push_back({row[i], col[m.pattern.column[k]], m.order[k]});
    return SignatureMatrix::from_entries(m.equations(), m.variables(), e);
}

/// A structurally regular system of n equations whose largest offset is `depth`, built from offsets chosen first:
/// random c, d and a hidden transversal on which σ = d − c; other entries satisfy σ ≤ d − c.
/// About `extra` further entries per equation. n ≥ depth + 1. A chain of tight entries forces c = depth.
inline SignatureMatrix random_of_depth(int n, int depth, double extra, unsigned seed) {
    std::mt19937 random(seed);
    const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
    std::vector<int> c(n), d(n), transversal(n);
    for (int i = 0; i < n; ++i) c[i] = i <= depth ? i : below(depth + 1);
    std::iota(transversal.begin(), transversal.end(), 0);
    std::shuffle(transversal.begin(), transversal.end(), random);
    std::vector<SignatureEntry> e;
    for (int i = 0; i < n; ++i) {
        const int order = below(2);
        d[transversal[i]] = c[i] + order;
        e.push_back({i, transversal[i], order});
    }
    // Equation 0 (c = 0) forces equation 1 to c = 1 by a tight entry in its column, and so on up the chain.
    for (int i = 0; i < depth; ++i) {
        const int j = transversal[i + 1];
        e.push_back({i, j, d[j] - c[i]});
    }
    const int more = static_cast<int>(extra * n);
    for (int k = 0; k < more; ++k) {
        const int i = below(n), j = below(n);
        if (d[j] < c[i]) continue;
        e.push_back({i, j, below(d[j] - c[i] + 1)});
    }
    return SignatureMatrix::from_entries(n, n, e);
}

/// A random pattern without locality, the hardest for matching: a hidden transversal and `extra` further entries per
/// equation, orders 0…max_order at random everywhere.
inline SignatureMatrix random_sparse(int n, int max_order, int extra, unsigned seed) {
    std::mt19937 random(seed);
    const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
    std::vector<int> transversal(n);
    std::iota(transversal.begin(), transversal.end(), 0);
    std::shuffle(transversal.begin(), transversal.end(), random);
    std::vector<SignatureEntry> e;
    for (int i = 0; i < n; ++i) {
        e.push_back({i, transversal[i], below(max_order + 1)});
        for (int k = 0; k < extra; ++k) e.push_back({i, below(n), below(max_order + 1)});
    }
    return SignatureMatrix::from_entries(n, n, e);
}

/// Small random matrix with entries of order 0…max_order at the given density (0…1); possibly singular.
inline SignatureMatrix random_small(int n, int max_order, double density, std::mt19937& random) {
    std::uniform_real_distribution<double> coin(0.0, 1.0);
    std::vector<SignatureEntry> e;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            if (coin(random) < density)
                e.push_back({i, j, static_cast<int>(random() % static_cast<unsigned>(max_order + 1))});
    return SignatureMatrix::from_entries(n, n, e);
}

} // namespace daedalus::structure::generated
