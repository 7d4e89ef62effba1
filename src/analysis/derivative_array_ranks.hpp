// What the Jacobian of a derivative array says at one consistent point (HW (2.29), assumptions A1–A3; Campbell & Moore
// 1995; Kunkel & Mehrmann 1998). With F_k(t, z) = 0, z = (x, y), y = (x', …, x^(k+1)) and
//     M = ∂F_k/∂y,      N = ∂F_k/∂x :
//   A1  1-fullness:     M Δy = 0 implies Δx' = 0,       so that F_k = 0 determines x';
//   A3  full row rank:  rank [M N] = rows,              so that no equation is redundant;
//   a = corank M,  Z₂ᵀ M = 0,  the constraints hidden in F_k act on x by Z₂ᵀ N (a rows);
//   T₂ spans ker Z₂ᵀ N;  F_k is strangeness-free at this order if rank F_x' T₂ = n − a =: d.
// (A2, constant rank, is a statement about a neighbourhood: differentiation_index.hpp.)
//
// Rank decisions are made by singular values after rows and columns are scaled to entries of order one, and for M order
// by order: each block of rows on the kernel of those above it. Values below 10 max(rows, columns) ε of the largest
// count as zero. A decision is safe if the smallest value that counts is 10³ times the largest that does not (at least
// ε); otherwise it is "undecided".
#pragma once

#include "linalg/singular_values.hpp"
#include "problem/derivative_array.hpp"

#include <optional>
#include <span>
#include <vector>

namespace daedalus::analysis {

/// Between the singular values that count and those that do not.
inline constexpr double safe_gap = 1e3;

/// Zero is what rounding leaves: 10 max(rows, columns) ε of the norm.
[[nodiscard]] double rank_tolerance(int rows, int cols, double norm);
/// `values` descend; safe if there is a gap of `safe_gap` above what counts as zero.
[[nodiscard]] linalg::RankGap decide_array_rank(std::span<const double> values, int rows, int cols, double norm,
                                                double tolerance);

/// A matrix whose rows and columns were scaled by powers of two: As = R A C.
struct Equilibrated {
    linalg::Matrix a;
    std::vector<double> row, col;
};
[[nodiscard]] Equilibrated equilibrated(linalg::Matrix a);
/// A coefficient that vanishes at a point is computed as a few ε of others, and scaling would take it for real: sets to
/// zero what is so small in its row and in its column. (In its row alone it may be small by its unit.)
void drop_rounding(linalg::Matrix& a);

/// Dense ∂F_order/∂z at (t, z); nothing where a value is not finite.
[[nodiscard]] std::optional<linalg::Matrix> array_jacobian(problem::DerivativeArray& array, int order, double t,
                                                           std::span<const double> z);

struct ArrayRanks {
    int order = 0;
    linalg::RankGap derivatives;         ///< of M
    linalg::RankGap all;                 ///< of [M N]
    linalg::RankGap tangent;             ///< of [F_x'; Z₂ᵀ N]: n if and only if F_x' T₂ has full rank
    std::vector<double> singular_values; ///< of the last decision on M, descending

    bool one_full = false;        ///< A1
    double leak = 0.0;            ///< largest Δx' in ker M, as a share of Δy: 0 if 1-full
    std::vector<char> determined; ///< per unknown: x_i' follows from F_k = 0
    bool full_row_rank = false;   ///< A3
    bool strangeness_free = false;
    bool decided = true; ///< all decisions above are safe
    int constraints = 0; ///< a: rank of Z₂ᵀ N
    int dynamics = 0;    ///< d: rank of F_x' T₂ = rank [F_x'; Z₂ᵀ N] − a
    int redundant = 0;   ///< rows − rank [M N]
};

[[nodiscard]] std::optional<ArrayRanks> array_ranks(problem::DerivativeArray& array, int order, double t,
                                                    std::span<const double> z);

} // namespace daedalus::analysis
