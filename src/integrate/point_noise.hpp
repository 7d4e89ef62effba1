// What rounding makes of a consistent point of F(t, x, x') = 0: how far the errors of evaluating F, carried through
// (J + σ M)⁻¹ at that point, move x (round_off.hpp). Where equations come near to losing rank at one time, they magnify
// there and nowhere else.
#pragma once

#include "integrate/round_off.hpp"

#include <span>

namespace daedalus::integrate {

class PointNoise {
public:
    PointNoise(const problem::ImplicitProblem& problem, linalg::SolverKind kind);
    /// Per unknown, absolute, at (t, x, x') with the shift σ; infinite where the matrix has no inverse.
    [[nodiscard]] std::span<const double> measure(double t, double shift, const double* x, const double* dx,
                                                  Counters& counters);

private:
    const problem::ImplicitProblem& problem_;
    JacobianValues jacobian_;
    ShiftedMatrix<double> matrix_;
    RoundOff round_off_;
    std::vector<double> r_, level_;
};

} // namespace daedalus::integrate
