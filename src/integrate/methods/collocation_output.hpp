// Continuous output of Radau methods: the collocation polynomial of an accepted step,
//     u(t_before + θ h) = x_before + Σ ℓ_j(θ) Z_j                                        (HW IV.8; radau_iia.hpp) ,
// of order S. With three stages the quintic over this step and the one before it (dense_output.hpp) is of order 5 for
// differential unknowns, and takes its place where both agree to the tolerance of the error estimate: where both are
// resolved they do; in a stiff transient or across a kink only the collocation polynomial is safe.
//
// The step is looked at where it lies: in the stepper, or in a copy that was kept (kept_collocation.hpp).
#pragma once

#include "integrate/methods/hermite_steps.hpp"
#include "integrate/tableau/radau_iia.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace daedalus::integrate {

struct CollocationStep {
    const tableau::RadauIIA& tableau;
    std::size_t n;
    StepEnd begin, end;
    double h;        ///< of the stages, end.t - begin.t up to rounding
    const double* Z; ///< S vectors of n
    bool quintic;    ///< there is a step before this one, of comparable size
    StepEnd older;   ///< its beginning
    const char* differential;
    const double* weights; ///< of the error norm; null: the quintic is always taken (constant steps)
};

template <int S>
void interpolate_collocation(const CollocationStep& step, double time, double* x, double* dx) {
    const std::size_t n = step.n;
    if (time == step.end.t) {
        std::copy_n(step.end.x, n, x);
        std::copy_n(step.end.dx, n, dx);
        return;
    }
    const double theta = 1.0 + (time - step.end.t) / step.h;
    std::array<double, S> weight, slope;
    step.tableau.collocation_weights(theta, weight, slope);
    for (double& s : slope) s /= step.h;
    for (std::size_t k = 0; k < n; ++k) {
        double value = step.begin.x[k], derivative = 0.0;
        for (std::size_t j = 0; j < S; ++j) {
            value += weight[j] * step.Z[j * n + k];
            derivative += slope[j] * step.Z[j * n + k];
        }
        x[k] = value;
        dx[k] = derivative;
    }
    if (S != 3 || !step.quintic) return;
    const StepQuintic quintic(step.older, step.begin, step.end, time);
    for (std::size_t k = 0; k < n; ++k) {
        if (step.differential[k] == 0) continue;
        const double value = quintic.value(k);
        if (step.weights != nullptr && !(std::abs(value - x[k]) * step.weights[k] <= 1.0)) continue;
        x[k] = value;
        dx[k] = quintic.slope(k);
    }
}

} // namespace daedalus::integrate
