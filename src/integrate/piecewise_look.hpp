// What six values of a function on a piece of time tell about it between them.
//
// The polynomial through them, Σ c_j T_j(θ) in Chebyshev's basis, keeps its sign where |c_0| exceeds the sum of the
// others. It tells something only if its last coefficients are small: those of a function that oscillates more often
// than it was looked at are not, and the piece has to be halved. The points are irregular, so that no period and no
// symmetry fits them. Six values of a fast oscillation fit such a polynomial by chance all the same, once in a few
// dozen pieces; that its slopes fit as well at four points more is a chance in many thousands.
#pragma once

#include <array>

namespace daedalus::integrate {

/// What speaks against the polynomial; 0: nothing that is known.
struct Doubt {
    double slopes = 0.0; ///< PiecewiseLook::slope_error()
    double values = 0.0; ///< by how much the function may differ from the values
};

class PiecewiseLook {
public:
    static constexpr int points = 6;
    /// Where to look: 0 = θ_0 < … < θ_5 = 1.
    static constexpr std::array<double, points> theta{0.0, 0.1, 0.33, 0.64, 0.91, 1.0};

    static constexpr double widest = 0.31; ///< distance of two neighbours
    /// Slopes are differences over this part of a piece: small beside the points' distances, and large enough that what
    /// iterations leave of a value (1e-8 and less) is small in a slope.
    static constexpr double aside = 1e-3;
    static constexpr int slopes = points - 2; ///< at the inner points

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
    /// By how much the slopes at inner points, per length of the piece, miss those of the polynomial through g.
    /// `beside`: the values at θ_1 + aside, …, θ_4 + aside.
    [[nodiscard]] static double slope_error(const std::array<double, points>& g,
                                            const std::array<double, slopes>& beside);
    /// `noise`: what of the values says nothing.
    [[nodiscard]] static Result judge(const std::array<double, points>& g, double noise, const Doubt& doubt = {});
};

} // namespace daedalus::integrate
