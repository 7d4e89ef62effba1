// What rounding makes of a consistent point of F(t, x, x') = 0: how far the errors of evaluating F, carried through
// (J + σ M)⁻¹ at that point, move x (round_off.hpp). Where equations come near to losing rank at one time, they magnify
// there and nowhere else.
//
// And what the same matrix makes of a polynomial that is off by tolerances: where consistent points keep what a
// polynomial says of the states, its errors (e, e') leave (J + σ M)⁻¹ M (σ e - e') in them (consistent_output.hpp).
#pragma once

#include "integrate/round_off.hpp"

#include <random>
#include <span>

namespace daedalus::integrate {

class PointNoise {
public:
    PointNoise(const problem::ImplicitProblem& problem, linalg::SolverKind kind);
    /// Per unknown, absolute, at (t, x, x') with the shift σ; infinite where the matrix has no inverse.
    [[nodiscard]] std::span<const double> measure(double t, double shift, const double* x, const double* dx,
                                                  Counters& counters);
    /// At the point of the last measure(): what errors of these sizes in x, and σ times that in x', leave in a
    /// consistent point at most, in tolerances.
    [[nodiscard]] double of_errors(double shift, std::span<const double> errors, std::span<const double> tolerances,
                                   Counters& counters);
    /// The row of F whose rounding moves an unknown most; -1: not known.
    [[nodiscard]] int loudest_row(int unknown, const double* x, const double* dx, Counters& counters);

private:
    const problem::ImplicitProblem& problem_;
    JacobianValues jacobian_;
    ShiftedMatrix<double> matrix_;
    RoundOff round_off_;
    std::vector<double> r_, level_, errors_;
    bool factored_ = false;
    std::minstd_rand random_{48271}; ///< any seed: signs
};

} // namespace daedalus::integrate
