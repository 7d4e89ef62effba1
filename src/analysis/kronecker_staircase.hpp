// The staircase form of a pencil λ E + H of any shape under orthogonal transformations, and the Kronecker structure
// that its step sizes reveal (Van Dooren 1979; Demmel & Kågström 1993). Repeatedly, of what is left of the pencil,
//     the columns on which E vanishes are split off: s_j of them,
//     the rows that H needs to be of full rank r_j in these columns are split off.
// Then s_j - r_j is the number of right blocks L_{j-1}, and r_j - s_{j+1} that of infinite elementary divisors of
// degree j. What remains has E of full column rank; the same on its transpose gives the left blocks, and then the
// finite part, with E nonsingular.
#pragma once

#include "linalg/singular_values.hpp"

#include <string>
#include <vector>

namespace daedalus::analysis {

/// A rank decision and what it was about.
struct StaircaseGap {
    std::string what;
    linalg::RankGap gap;
};

struct KroneckerStaircase {
    /// Uᵀ E V and Uᵀ H V: infinite and right blocks first, then the rest, in which left blocks come last.
    linalg::Matrix e, h, u, v;
    std::vector<int> right_s, right_r; ///< steps from the right
    std::vector<int> left_s, left_r;   ///< steps from the left
    int finite_row = 0, finite_col = 0, finite_size = 0;
    std::vector<StaircaseGap> gaps;
    double dropped = 0.0; ///< Frobenius norm of all that was set to zero, relative to ‖E‖ + ‖H‖: the backward error
    bool ok = true;       ///< false: a decomposition failed, or the steps contradict each other

    [[nodiscard]] std::vector<int> right_minimal_indices() const; ///< ascending
    [[nodiscard]] std::vector<int> left_minimal_indices() const;
    [[nodiscard]] std::vector<int> infinite_blocks() const; ///< descending
    [[nodiscard]] bool decided() const;
};

/// `noise`: relative accuracy of the entries (0: exact up to rounding).
[[nodiscard]] KroneckerStaircase kronecker_staircase(const linalg::Matrix& e, const linalg::Matrix& h,
                                                     double noise = 0.0);

} // namespace daedalus::analysis
