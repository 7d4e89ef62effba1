// The norms in which a BDF method judges steps: weights by the tightened tolerance (tightening.hpp), bounded by what
// round-off leaves of the unknowns (round_off.hpp).
//
// There are two. Corrections of Newton's iteration count in all unknowns. The error test counts states only where steps
// end with a projection: that moves all states by up to a tolerance, accelerations and multipliers follow by that times
// stiffness over mass, and only the states are as smooth as the test assumes. Without a projection the two are one.
#pragma once

#include "integrate/error_norm.hpp"
#include "integrate/iteration_matrix.hpp"
#include "integrate/noise_floors.hpp"
#include "integrate/quantity_norm.hpp"
#include "integrate/round_off.hpp"

#include <span>

namespace daedalus::integrate {

class BdfNorms {
public:
    BdfNorms(const problem::ImplicitProblem& problem, const IntegrationOptions& options, int max_order);

    /// The method begins anew.
    void restart();
    /// The error test counts states only.
    void test_states_only(const problem::ImplicitProblem& problem);
    /// Weights for a step of size h from x.
    void set_weights(const std::vector<double>& x, double h);
    /// Weights of the differentiated quantity.
    void set_quantity_weights(const std::vector<double>& q) { quantity_.set_weights(q, above_round_off_); }
    [[nodiscard]] const QuantityNorm& of_quantity() const { return quantity_; }
    [[nodiscard]] const ErrorNorm& of_corrections() const { return norm_; }
    [[nodiscard]] const ErrorNorm& of_errors() const { return test_differs_ ? test_norm_ : norm_; }

    /// After an evaluation of the Jacobian at (t, x, x'), where F = `residual`; cj: of the step. Now and then it
    /// measures how F rounds.
    void jacobian_evaluated(double t, const double* x, const double* dx, const double* residual,
                            const JacobianValues& jacobian, double cj, Counters& counters);
    /// After a factorisation of J + cj M for a step of size h from x: round-off of the solution, in new weights.
    void matrix_factorised(const JacobianValues& jacobian, double cj, const std::vector<double>& x, double h,
                           ShiftedMatrix<double>& matrix, Counters& counters);
    /// Round-off of the solution, in tolerances.
    [[nodiscard]] double round_off() const { return norm_(round_off_.level().data()); }

    /// A step of size h to (t, x) was accepted: remembers unknowns that were granted more than was asked for.
    void note_noise(double t, const std::vector<double>& x, double h);
    [[nodiscard]] std::span<const NoiseFloor> noise() const { return noise_.list(); }

    /// A restart or a failure of Newton's iteration, after so many accepted steps. Four in quick succession mean that
    /// the tightened tolerance is below the round-off of the problem: the tightening is taken back by half, down to
    /// what was asked for.
    void note_trouble(long steps);

private:
    const bool measures_; ///< not where steps are constant
    const problem::Collective others_;
    /// Weights stop where an unknown is known to so many times its round-off only.
    const double above_round_off_;
    ErrorNorm norm_, test_norm_;
    QuantityNorm quantity_;
    ErrorNorm asked_; ///< at the tolerance as asked for
    bool test_differs_ = false;
    RoundOff round_off_;
    long jacobians_ = 0; ///< since the start
    NoiseFloors noise_;
    bool noise_is_new_ = false; ///< estimated anew since the last accepted step
    double tightening_;         ///< of the tolerance, and what of it is left, at most 1
    int troubles_ = 0;
    long last_trouble_ = -1'000'000; ///< accepted steps at the last one
};

} // namespace daedalus::integrate
