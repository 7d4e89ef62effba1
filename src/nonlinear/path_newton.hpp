// Newton for functions that are linear in pieces, as of networks with ideal diodes. Where a step of Newton's method
// crosses from one piece to another, no shorter step need lower the residual by what the first piece promises, and an
// iteration that only shortens its steps ends at the border. The path on which G(u) = (1 − λ) G(u₀) for λ from 0 to 1
// goes on behind it: it is straight on each piece, and is followed from border to border (Katzenelson 1965; Ralph 1994).
// If G is one-to-one it leads to the solution in as many steps as it crosses borders.
//
// Nothing needs to be known of the pieces: how far G falls as its linearisation says is found by bisection.
#pragma once

#include "nonlinear/newton.hpp"

#include <cmath>

namespace daedalus::nonlinear {

struct PathOptions {
    int most_iterations = 1000;
    double as_promised = 1e-6; ///< share of |G| by which it may differ from (1 − λ) |G|: rounding, not another piece
    double bends = 0.1;        ///< half as far on, a smooth function differs by a quarter as much, a bent one not at all
    int without_gain = 20;     ///< borders crossed that led back: the path turns round, which is not followed
};

/// Of the equation it knows what damped_newton does. Where G bends smoothly a step is damped as there.
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
        if (size == 0.0) return ends(NewtonStatus::converged);
        in_vain = size < best ? 0 : in_vain + 1;
        best = std::fmin(best, size);
        if (in_vain > options.without_gain) return ends(NewtonStatus::stagnated);
        equation.solve();
        const auto differs = [&](double lambda) {
            return std::abs(std::sqrt(equation.attempt(lambda)) - (1.0 - lambda) * size) / size;
        };
        double lambda = 1.0;
        if (!(differs(lambda) <= options.as_promised)) {
            double low = 0.0;
            constexpr double fine = 1e-12; // of λ: borders are crossed, not met
            while (lambda - low > fine * lambda && lambda > std::numeric_limits<double>::min()) {
                const double middle = 0.5 * (low + lambda);
                (differs(middle) <= options.as_promised ? low : lambda) = middle;
            }
            if (differs(0.5 * lambda) > options.bends * options.as_promised) { // smooth
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
