// Return to the constraints g(t, x) = 0 after a step: the nearest point in the metric of the tolerances,
//
//     minimise Σ (w_i δ_i)²   subject to   g(t, x + δ) = 0 ,      w_i = 1 / (rtol |x_i| + atol_i) ,
//
// by Newton with a frozen saddle-point matrix, whose every correction is the shortest one for the linearised
// constraints (generalises HW (2.8)-(2.11); Eich 1993). What a step leaves is tiny, so one or two corrections reach
// round-off and the matrix serves for many steps.
//
// Mechanisms may ask for one level of their constraints alone, in the metric of the masses: HW (2.10) or (2.11).
#pragma once

#include "integrate/error_norm.hpp"
#include "integrate/mechanism.hpp"
#include "integrate/statistics.hpp"
#include "nonlinear/newton.hpp"
#include "nonlinear/saddle_point.hpp"

#include <memory>
#include <vector>

namespace daedalus::integrate {

class Projection {
public:
    Projection(const problem::ImplicitProblem& problem, const Tolerance& tolerance, NormKind norm);

    [[nodiscard]] bool empty() const { return problem_.constraints().empty() && !mechanism_; }
    /// Moves x onto the constraints. False: not possible, x is left alone.
    [[nodiscard]] bool project(double t, double* x);
    [[nodiscard]] const Counters& counters() const { return counters_; }

private:
    struct Equation;
    [[nodiscard]] bool prepare(double t, const double* x);

    const problem::ImplicitProblem& problem_;
    ErrorNorm norm_;
    [[nodiscard]] bool project_mechanism(double t, double* x);
    std::unique_ptr<Mechanism> mechanism_; ///< where one level of its constraints is projected onto
    std::unique_ptr<nonlinear::SaddlePoint> matrix_;
    nonlinear::ConvergenceMonitor monitor_;
    std::vector<double> g_, jacobian_, row_scale_, scale_, zero_, delta_, x_start_;
    bool factored_ = false;
    Counters counters_;
};

} // namespace daedalus::integrate
