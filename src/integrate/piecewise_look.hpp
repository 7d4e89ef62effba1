// What six values of a function on a piece of time tell about it between them.
//
// The polynomial through them, Σ c_j T_j(θ) in Chebyshev's basis, keeps its sign where |c_0| exceeds the sum of the
// others. It tells something only if its last coefficients are small: those of a function that oscillates more often
// than it was looked at are not, and the piece has to be halved. The points are irregular, so that no period and no
// symmetry fits them.
#pragma once

#include <array>

namespace daedalus::integrate {

class PiecewiseLook {
public:
    static constexpr int points = 6;
    /// Where to look: 0 = θ_0 < … < θ_5 = 1.
    static constexpr std::array<double, points> theta{0.0, 0.1, 0.33, 0.64, 0.91, 1.0};

    enum class Verdict {
        clear,      ///< nothing happens between the points
        dip,        ///< between two points of one sign the function comes near zero, or beyond
        unresolved, ///< too few points
    };
    struct Result {
        Verdict verdict;
        int segment = 0;    ///< dip: between this point and the next …
        double where = 0.0; ///< … at about this θ
    };
    /// Of the polynomial through values at the points, in Chebyshev's basis.
    [[nodiscard]] static std::array<double, points> coefficients(const std::array<double, points>& g);
    /// `noise`: what of the values says nothing.
    [[nodiscard]] static Result judge(const std::array<double, points>& g, double noise);
};

} // namespace daedalus::integrate
