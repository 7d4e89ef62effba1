// Saddle-point matrices [A Bᵀ; B 0]: of Stokes flow on a staggered grid, and random ones. For tests and benchmarks.
#pragma once

#include "base/sparsity_pattern.hpp"

#include <cmath>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace daedalus::linalg {

struct Saddle {
    SparsityPattern pattern;
    std::vector<double> values;
};

inline Saddle from_entries(int n, const std::map<std::pair<int, int>, double>& entries) {
    std::vector<std::pair<int, int>> places;
    for (const auto& [place, value] : entries) places.push_back(place);
    Saddle s{SparsityPattern::from_entries(n, n, places), {}};
    s.values.resize(static_cast<std::size_t>(s.pattern.nonzeros()));
    for (const auto& [place, value] : entries)
        s.values[static_cast<std::size_t>(s.pattern.find(place.first, place.second))] = value;
    return s;
}

/// [σ + Δ_h, ∇_h; div_h, 0] on m × m cells of width 1/m, the first pressure fixed.
inline Saddle stokes(int m, double sigma, double viscosity) {
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
    return from_entries(n, entries);
}

/// `n` unknowns and `m` constraints on them, regular: A is dominated by its diagonal, and the constraint k has its
/// largest entry at an unknown of its own. Rows and columns are scaled by random powers of ten up to 10^±spread, the
/// same for the row and the column of one number.
inline Saddle random_saddle(int n, int m, double spread, std::mt19937& rng) {
    std::uniform_real_distribution<double> u(-1.0, 1.0);
    std::uniform_int_distribution<int> any(0, n - 1);
    std::map<std::pair<int, int>, double> entries;
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < 2; ++k) {
            const int j = any(rng);
            const double a = u(rng);
            entries[{i, j}] += a, entries[{j, i}] -= a; // skew: gyroscopic, or convection
        }
    for (int i = 0; i < n; ++i) entries[{i, i}] = 0.5 + std::abs(u(rng));
    for (int k = 0; k < m; ++k) {
        std::map<int, double> row{{any(rng), u(rng)}, {any(rng), u(rng)}};
        row[(k * n) / m] = 2.0 + std::abs(u(rng));
        for (const auto& [j, b] : row) entries[{n + k, j}] = entries[{j, n + k}] = b;
    }
    std::vector<double> scale(static_cast<std::size_t>(n + m));
    for (double& s : scale) s = std::pow(10.0, spread * u(rng));
    for (auto& [place, value] : entries)
        value *= scale[static_cast<std::size_t>(place.first)] * scale[static_cast<std::size_t>(place.second)];
    return from_entries(n + m, entries);
}

} // namespace daedalus::linalg
