// Newton for functions that are linear in pieces, as of networks with ideal diodes. Where a step of Newton's method
// crosses from one piece to another, no shorter step need lower the residual by what the first piece promises, and an
// iteration that only shortens its steps ends at the border. The path on which G(u) = (1 − λ) G(u₀) for λ from 0 to 1
// goes on behind it: it is straight on each piece, and is followed from border to border (Katzenelson 1965; Ralph
// 1994). If G is one-to-one it leads to the solution in as many steps as it crosses borders.
//
// Nothing needs to be known of the pieces: how far G falls as its linearisation says is found by bisection.
#pragma once

#include "nonlinear/newton.hpp"

#include <cmath>

namespace daedalus::nonlinear {

struct PathOptions {
    int most_iterations = 1000;
    double round_off = 1e-14;  ///< |G|, relative to what it is made of, that needs no improvement
    double as_promised = 1e-6; ///< share of |G| by which it may differ from (1 − λ) |G|: rounding, not another piece
    /// Half as far on, a smooth function differs by a quarter as much; one with a border on the way not at all, and one
    /// with a border at the iterate by half as much.
    double least_of_smooth = 0.15, most_of_smooth = 0.35;
    int without_gain = 20; ///< borders crossed that led back: the path turns round, which is not followed
};

/// Of the equation it knows what damped_newton does, and
///     eq.departure(λ)   ‖G(iterate + λ Δ) - (1 - λ) G(iterate)‖ in the norm whose square the merit is.
/// Where G bends smoothly a step is damped as there.
template <class Equation>
NewtonResult path_newton(Equation& equation, const PathOptions& options = {}) {
    NewtonResult result;
    const auto ends = [&](NewtonStatus status) {
        result.status = status;
        return result;
    };
    double best = std::numeric_limits<double>::infinity();
    int in_vain = 0;
    for (; result.iterations < options.most_iterations; ++result.iterations) {
        if (!equation.linearise()) return ends(NewtonStatus::not_finite);
        const double size = std::sqrt(equation.merit());
        if (size <= options.round_off) return ends(NewtonStatus::converged);
        in_vain = size < best ? 0 : in_vain + 1;
        best = std::fmin(best, size);
        if (in_vain > options.without_gain) return ends(NewtonStatus::stagnated);
        equation.solve();
        const auto differs = [&](double lambda) { return equation.departure(lambda) / size; };
        double lambda = 1.0;
        if (!(differs(lambda) <= options.as_promised)) {
            double low = 0.0;
            constexpr double fine = 1e-12; // of λ: borders are crossed, not met
            while (lambda - low > fine * lambda && lambda > std::numeric_limits<double>::min()) {
                const double middle = 0.5 * (low + lambda);
                (differs(middle) <= options.as_promised ? low : lambda) = middle;
            }
            const double half = differs(0.5 * lambda) / differs(lambda);
            if (half > options.least_of_smooth && half < options.most_of_smooth) {
                for (lambda = 1.0; !(equation.attempt(lambda) < size * size); lambda *= 0.5)
                    if (lambda < options.as_promised) return ends(NewtonStatus::stagnated);
            }
        }
        (void)equation.attempt(lambda);
        const double change = result.last_norm = equation.update(lambda);
        if (!(change < std::numeric_limits<double>::infinity())) return ends(NewtonStatus::not_finite);
        if (lambda == 1.0 && change < DampingOptions{}.negligible) return ends(NewtonStatus::converged);
    }
    return ends(NewtonStatus::too_slow);
}

} // namespace daedalus::nonlinear
