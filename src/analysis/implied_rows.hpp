// Equations that follow from the others, and unknowns that are left open in their place (HW VII.2, exercise 2: G of
// less than full rank). With F(t, x, x') = 0 linear in unknowns u that are never differentiated, F = a + B u:
//   open      V with B V = 0: u + V s satisfies all equations for every s;
//   implied   row i with F_i = 0 a consequence of the other rows and their derivatives: its gradient lies in the span
//   of
//             theirs at all consistent points near by (constant rank).
// For constrained mechanics B = Gᵀ and both are the rank that G lacks: λ is known up to ker Gᵀ, and as many constraints
// are implied.
//
// Decided by singular values of equilibrated matrices, at points that satisfy the equations to rounding.
#pragma once

#include "linalg/dense_matrix.hpp"
#include "problem/derivative_array.hpp"

#include <optional>
#include <span>
#include <vector>

namespace daedalus::analysis {

/// How well the points satisfy the equations: with redundant ones among them Newton's method may end at half.
enum class Accuracy { rounding, half_the_digits };

/// V for u = x[columns] at a point z of the array of order 0: one row per column, as many columns as are open, in the
/// units of x and orthonormal. Nothing where the rank cannot be decided.
[[nodiscard]] std::optional<linalg::Matrix> open_directions(problem::DerivativeArray& array, double t,
                                                            std::span<const double> z, std::span<const int> columns,
                                                            Accuracy accuracy = Accuracy::rounding);

/// How far two such subspaces differ: the sine of the largest angle between them; 1 if their dimensions differ.
[[nodiscard]] double distance(const linalg::Matrix& a, const linalg::Matrix& b);

struct ImpliedRow {
    int row = 0;
    std::vector<int> from; ///< the equations that it follows from
};

/// `count` rows out of `candidates` that follow together from the others, differentiated up to `order` times; later
/// ones rather than earlier ones where both would do. Fewer where there are no more.
[[nodiscard]] std::vector<ImpliedRow> implied_rows(problem::DerivativeArray& array, int order, double t,
                                                   std::span<const double> z, std::span<const int> candidates,
                                                   int count, Accuracy accuracy = Accuracy::rounding);

/// The same on the way, at points that satisfy the equations to the tolerance only: the `count` directions that come
/// next to V, and the `count` combinations of rows, in units of their size, that come next to vanishing (columns).
[[nodiscard]] std::optional<linalg::Matrix> nearly_open(problem::DerivativeArray& array, double t,
                                                        std::span<const double> z, std::span<const int> columns,
                                                        int count);
[[nodiscard]] std::optional<linalg::Matrix> nearly_dependent(problem::DerivativeArray& array, double t,
                                                             std::span<const double> z, int count);

} // namespace daedalus::analysis
