// Solves the equation of a BDF step by a simplified Newton iteration (bdf_equation.hpp), and decides how long a
// Jacobian and a factorised matrix J + cj M serve.
#pragma once

#include "integrate/frozen_quantity.hpp"
#include "integrate/iteration_matrix.hpp"
#include "integrate/methods/bdf_equation.hpp"
#include "integrate/methods/bdf_history.hpp"
#include "integrate/methods/bdf_norms.hpp"
#include "integrate/methods/growth_guard.hpp"
#include "integrate/stepper.hpp"
#include "nonlinear/newton.hpp"

#include <string>
#include <vector>

namespace daedalus::integrate {

/// Where a step begins.
struct BdfPoint {
    BdfPoint(std::size_t n, std::size_t m) : x(n), dx(n), q(m), dq(m) {}
    double t = 0.0;
    std::vector<double> x, dx;
    std::vector<double> q, dq; ///< of the differentiated quantity
};

/// Where it leads, as far as the iteration has come.
struct BdfTrial {
    BdfTrial(std::size_t n, std::size_t m) : x(n), dx(n), e(n), quantity(m) {}
    double t = 0.0;
    double h = 0.0;
    std::vector<double> x, dx;
    std::vector<double> e; ///< x - x_pred
    BdfQuantity quantity;
};

class BdfCorrector {
public:
    BdfCorrector(const problem::ImplicitProblem& problem, const IntegrationOptions& options);

    /// The method begins anew.
    void restart();
    void links_changed();
    void step_accepted() { ++jacobian_age_; }

    /// Fills x, x' and e of the trial, whose t and h are given, from the predictor of `history`.
    [[nodiscard]] StepStatus solve(const BdfHistory& history, const BdfPoint& from, BdfTrial& trial, BdfNorms& norms,
                                   Counters& counters);
    /// After solve() for a first step, of order 1, on unknowns of index 3: the values at its beginning with velocities
    /// that fit those of the end.
    ///
    /// The first step from exact values leaves multipliers of index 3 with an error O(1): positions on their
    /// constraints force the defect -h/2 p'' of the difference quotient onto the velocities at its end, and those at
    /// its beginning have none. Numerically consistent ones have it (NC (3.3), (4.2)):
    ///     v_0 := v(t_0) + B (v(t_0) - v_1) ,   B = M⁻¹Gᵀ (G M⁻¹ Gᵀ)⁻¹ G
    /// or, without knowing M and G: A δ = -∂F/∂x w with w = v(t_0) - v_1 in the unknowns of index 2 has δ = -B w in
    /// them, up to h w.
    void shifted_start(const BdfPoint& from, const BdfTrial& trial, std::vector<double>& x, Counters& counters);

    /// x' of a trial that differences of a quantity led to, see step_quantity.hpp.
    void find_slopes(BdfTrial& trial, const BdfNorms& norms, Counters& counters);

    [[nodiscard]] const double* latest_jacobian() const { return jacobian_.jx.data(); }
    [[nodiscard]] std::string description() const { return matrix_.description(); }

private:
    [[nodiscard]] StepStatus renew(const BdfHistory& history, const BdfPoint& from, BdfTrial& trial, BdfNorms& norms,
                                   Counters& counters);
    [[nodiscard]] StepStatus factor(double cj, const BdfPoint& from, const BdfTrial& trial, BdfNorms& norms,
                                    Counters& counters);
    [[nodiscard]] nonlinear::NewtonResult iterate(const BdfHistory& history, BdfTrial& trial, bool fresh,
                                                  const BdfNorms& norms, Counters& counters);

    [[nodiscard]] double compensation(double cj) const;
    [[nodiscard]] bool settle_quantity(BdfEquation& equation, const QuantityNorm& norm, int order);

    const problem::ImplicitProblem& problem_;
    const bool fixed_step_;
    JacobianValues jacobian_;
    FrozenQuantity frozen_; ///< of the Jacobian
    ShiftedMatrix<double> matrix_;
    GrowthGuard growth_;
    nonlinear::ConvergenceMonitor monitor_;
    nonlinear::NewtonOptions newton_options_;
    std::vector<double> delta_;
    std::vector<double> gap_; ///< between the quantity of the history and that of x
    double matrix_cj_ = 0.0;  ///< cj of the factorised matrix, 0: none
    double rate_ = 0.0;       ///< of Newton's convergence when last seen
    long jacobian_age_ = -1;  ///< accepted steps since it was evaluated, -1: none
};

} // namespace daedalus::integrate
