// Tractability index by the matrix chain of a properly stated linear system A(t) (D(t) x)' + B(t) x = q(t):
//     G₀ = A D ,  B₀ = B ,  Q_i a projector onto ker G_i ,  P_i = I - Q_i ,  Π_i = P₀ ⋯ P_i
//     G_{i+1} = G_i + B_i Q_i
//     B_{i+1} = B_i P_i - G_{i+1} D⁻ (D Π_{i+1} D⁻)' D Π_i                                                    S (30)
// with admissible projectors, Q_i Q_j = 0 for j < i (März 2002; Lamour, März & Tischendorf 2013). The index is the
// first i with G_i nonsingular. If ker G_i meets ker G_0 + … + ker G_{i-1}, no admissible projector exists, and the
// system is singular: a constant pencil then is. Time derivatives of projectors come from Taylor series.
#pragma once

#include "linalg/matrix_series.hpp"

#include <string>

namespace daedalus::analysis {

/// Taylor coefficients about one time. Order k serves an index up to k + 1; constants may have order 0.
struct ProperlyStated {
    linalg::MatrixSeries a, d, b;
    bool constant = false;
};

/// E x' + H x with E = A D, A = E, D = E⁺-like projector along ker E, B = H - E D'. Loses one order.
/// Nothing if the rank of E is not constant or not clear near this time.
[[nodiscard]] std::optional<ProperlyStated> properly_stated(const linalg::MatrixSeries& e,
                                                            const linalg::MatrixSeries& h);
[[nodiscard]] std::optional<ProperlyStated> properly_stated(const linalg::Matrix& e, const linalg::Matrix& h);

enum class ChainOutcome {
    regular,   ///< G_index is nonsingular
    singular,  ///< no admissible projectors exist
    critical,  ///< a rank changes at this time
    undecided, ///< a rank is not clear, or more derivatives would be needed
};

/// The chain's matrices at the time of expansion.
struct ChainLevel {
    linalg::Matrix g, b, q, p;
    linalg::RankGap gap; ///< of g
};

struct ProjectorChain {
    ChainOutcome outcome = ChainOutcome::undecided;
    int index = -1; ///< if regular
    std::vector<ChainLevel> levels;
    std::string reason; ///< if not regular
};

[[nodiscard]] ProjectorChain projector_chain(const ProperlyStated& system, double noise = 0.0);

} // namespace daedalus::analysis
