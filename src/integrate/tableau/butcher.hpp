// Runge–Kutta tableaus  X_i = x_n + h Σ a_ij k_j,  x_{n+1} = x_n + h Σ b_i k_i  in extended precision, and what the
// theorems ask of them, computed from the coefficients.
//
//   B(p)  Σ b_i c_i^{q-1} = 1/q,   C(η)  Σ_j a_ij c_j^{q-1} = c_i^q / q,
//   D(ζ)  Σ_i b_i c_i^{q-1} a_ij = b_j (1 - c_j^q) / q                                                      W (3.2)
//   R(∞) = 1 - b^T A^{-1} 1                                                                                 W (3.3)
// The families are computed from their definition (HW IV.5): nodes are zeros of combinations of shifted Legendre
// polynomials, weights follow from B(s), matrices from C or D.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace daedalus::tableau {

struct ButcherTableau {
    std::string id;
    std::string title;
    int stages = 0;
    int order = 0;              ///< classical order p
    std::vector<long double> A; ///< row-major
    std::vector<long double> b;
    std::vector<long double> c;

    [[nodiscard]] long double a(int i, int j) const { return A[static_cast<std::size_t>(i * stages + j)]; }
};

enum class Family { gauss, radau_ia, radau_iia, lobatto_iiia, lobatto_iiib, lobatto_iiic };

/// s ≥ 1 (Gauss, Radau) or s ≥ 2 (Lobatto); at most 8, beyond which the condition of C and D costs digits.
[[nodiscard]] ButcherTableau make_family(Family family, int stages);

/// Alexander's (1977) L-stable methods of order 2 and 3, the one of order 4 with five stages in HW IV.6, Crouzeix's
/// A-stable one of order 3 that is not stiffly accurate, and a method with different diagonal entries.
[[nodiscard]] const std::vector<ButcherTableau>& diagonally_implicit_tableaus();

struct ButcherProperties {
    int B = 0;
    int C = 0;
    int D = 0;
    bool stiffly_accurate = false; ///< b is the last row of A, which belongs to c = 1
    bool explicit_first_stage = false;
    bool invertible = false;
    std::optional<long double> R_infinity; ///< where A is invertible
    /// k_{a,ν} of W (3.5) for ν = 1 … 4 where A is invertible; see algebraic_order.
    std::vector<int> algebraic_order;
};
[[nodiscard]] ButcherProperties properties(const ButcherTableau& method);

/// Largest p ≤ 5 for which all rooted-tree conditions up to order p hold (HNW II.2; 17 trees).
[[nodiscard]] int order_by_trees(const ButcherTableau& method);

} // namespace daedalus::tableau
