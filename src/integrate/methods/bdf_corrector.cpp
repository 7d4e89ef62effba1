#include "integrate/methods/bdf_corrector.hpp"

#include "integrate/methods/step_quantity.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

namespace {

// What Newton leaves is amplified by the differences of the history (five times at order 5) and must stay far below the
// error test; DASSL's 0.33 lets it dominate in algebraic components. One iteration is enough where the matrix is good:
// it belongs to the present step size nearly always, see `keep`. Velocities of an index-3 problem are iterated to κ/h
// only and what they are off adds up: there κ is smaller. Constant steps have no error test that would notice.
constexpr double kappa = 0.02, kappa_of_higher_index = 0.003, kappa_of_constant_steps = 1e-6;
constexpr int most_iterations = 4;                    // DASSL's
constexpr int most_iterations_of_constant_steps = 10; // they have no second trial
constexpr double divergence_rate = 0.9;               // DASSL's
// A remembered rate is trusted down to this; where what is left adds up, hardly.
constexpr double smallest_eta = 0.02, smallest_eta_in_doubt = 0.3;

// J and M outlive many changes of the step size, of which there is one in six steps at most: a factorisation each time
// saves an iteration in each of these. Within a tenth the correction in BdfEquation makes up for it: the rate of a mode
// is |1 - 2/(1+ρ)·…| ≤ (1-ρ)/(1+ρ) for ρ = cj/cj_of_matrix (Brenan, Campbell & Petzold 1996, 5.2.2), here 0.05.
constexpr double keep = 0.9;
constexpr double slow = 0.1; // of the rate: two digits per two iterations
constexpr long old = 20;     // CVODE's limit for a matrix, in accepted steps

// Θ/(1-Θ) before a rate is known. One iteration solves a linear system with its own matrix, up to round-off, far below
// a thousandth. Otherwise with κ = 0.02 a first correction below a thousandth of the tolerance needs no second.
constexpr double eta_if_exact = 1e-3, eta_if_unknown = 20.0;
// Corrections below twice the round-off of the solution are round-off; a tenth of it where constant steps are iterated
// as far as they go, since it is an estimate from above.
constexpr double round_off_share = 2.0, round_off_share_of_constant_steps = 0.1;

} // namespace

BdfCorrector::BdfCorrector(const problem::ImplicitProblem& problem, const IntegrationOptions& options)
    : problem_(problem), fixed_step_(options.method.fixed_step), jacobian_(problem), frozen_(problem),
      matrix_(problem, options.linear_solver), growth_(problem, options.method.watches),
      delta_(static_cast<std::size_t>(problem.size())), gap_(static_cast<std::size_t>(problem.quantity().size)) {
    const bool higher_index = problem.highest_index() > 1;
    const int iterations = fixed_step_ ? most_iterations_of_constant_steps : most_iterations;
    newton_options_.max_iterations =
        options.method.max_newton_iterations > 0 ? options.method.max_newton_iterations : iterations;
    newton_options_.kappa = fixed_step_ ? kappa_of_constant_steps : higher_index ? kappa_of_higher_index : kappa;
    newton_options_.divergence_rate = divergence_rate;
    newton_options_.rate_at_round_off = true;
    newton_options_.smallest_eta = fixed_step_ || higher_index ? smallest_eta_in_doubt : smallest_eta;
}

void BdfCorrector::restart() {
    matrix_cj_ = 0.0;
    jacobian_age_ = -1;
    monitor_.forget_rate();
    growth_.reset();
}

void BdfCorrector::links_changed() {
    jacobian_.resize();
    matrix_.resize(problem_);
    matrix_cj_ = 0.0;
    jacobian_age_ = -1;
    growth_.reset();
}

/// Jacobian at the predicted point, and the matrix of the step.
StepStatus BdfCorrector::renew(const BdfHistory& history, const BdfPoint& from, BdfTrial& trial, BdfNorms& norms,
                               Counters& counters) {
    const double cj = history.leading_coefficient();
    BdfQuantity& quantity = trial.quantity;
    history.predict(trial.x.data(), trial.dx.data());
    history.predict_quantity(quantity.predicted.data(), quantity.predicted_slope.data());
    matrix_cj_ = 0.0;
    jacobian_age_ = -1; // what a failure leaves of it is of no use to a smaller step
    // Newton begins at this point: its first residual comes with the Jacobian.
    if (!quantity.evaluate(problem_, trial.t, cj, trial.x.data()) ||
        jacobian_.linearize(trial.t, trial.x.data(), trial.dx.data(),
                            quantity.slope.empty() ? nullptr : quantity.slope.data(), delta_.data(),
                            counters) != problem::EvalStatus::ok)
        return StepStatus::not_finite;
    frozen_.freeze(trial.t, trial.x.data());
    norms.jacobian_evaluated(trial.t, trial.x.data(), trial.dx.data(), delta_.data(), jacobian_, cj, counters);
    jacobian_age_ = 0;
    rate_ = 0.0;
    return factor(cj, from, trial, norms, counters);
}

StepStatus BdfCorrector::factor(double cj, const BdfPoint& from, const BdfTrial& trial, BdfNorms& norms,
                                Counters& counters) {
    matrix_cj_ = 0.0;
    const linalg::FactorStatus status = matrix_.factor(jacobian_, cj, counters);
    if (status == linalg::FactorStatus::not_finite) return StepStatus::not_finite;
    if (status != linalg::FactorStatus::ok) return StepStatus::singular_matrix;
    if (!fixed_step_ && growth_.outruns(jacobian_, matrix_, cj, from.dx, norms.of_corrections().weights(), counters))
        return StepStatus::singular_matrix;
    matrix_cj_ = cj;
    monitor_.forget_rate();
    norms.matrix_factorised(jacobian_, cj, from.x, trial.h, matrix_, counters);
    return StepStatus::ok;
}

/// `fresh`: delta_ holds the residual at the predicted point.
nonlinear::NewtonResult BdfCorrector::iterate(const BdfHistory& history, BdfTrial& trial, bool fresh,
                                              const BdfNorms& norms, Counters& counters) {
    const double cj = history.leading_coefficient();
    history.predict(trial.x.data(), trial.dx.data());
    history.predict_quantity(trial.quantity.predicted.data(), trial.quantity.predicted_slope.data());
    std::fill(trial.e.begin(), trial.e.end(), 0.0);
    BdfEquation equation{problem_,         matrix_,        norms.of_corrections(), counters,       trial.t, cj,
                         compensation(cj), trial.x.data(), trial.dx.data(),        trial.e.data(), delta_,  fresh,
                         trial.quantity};
    const bool exact = problem_.linear() && problem_.highest_index() <= 1 && cj == matrix_cj_;
    newton_options_.first_eta = exact ? eta_if_exact : eta_if_unknown;
    const double share = fixed_step_ ? round_off_share_of_constant_steps : round_off_share;
    nonlinear::NewtonResult newton = nonlinear::newton(equation, monitor_, newton_options_, share * norms.round_off());
    if (newton.usable() && !trial.quantity.value.empty() &&
        !settle_quantity(equation, norms.of_quantity(), history.order()))
        newton.status = nonlinear::NewtonStatus::not_finite;
    return newton;
}

StepStatus BdfCorrector::solve(const BdfHistory& history, const BdfPoint& from, BdfTrial& trial, BdfNorms& norms,
                               Counters& counters) {
    const double cj = history.leading_coefficient();
    const bool changed = matrix_cj_ == 0.0 || cj / matrix_cj_ < keep || cj / matrix_cj_ > 1.0 / keep;
    bool fresh = jacobian_age_ < 0 || rate_ > slow || jacobian_age_ > old;
    StepStatus status = StepStatus::ok;
    if (fresh)
        status = renew(history, from, trial, norms, counters);
    else if (changed)
        status = factor(cj, from, trial, norms, counters);
    if (status != StepStatus::ok) return status;
    for (;;) {
        const nonlinear::NewtonResult newton = iterate(history, trial, fresh, norms, counters);
        if (newton.iterations > 1) rate_ = newton.rate;
        if (newton.usable()) return StepStatus::ok;
        if (fresh)
            return newton.status == nonlinear::NewtonStatus::not_finite ? StepStatus::not_finite
                                                                        : StepStatus::newton_failed;
        status = renew(history, from, trial, norms, counters); // an old Jacobian may be to blame: once more
        if (status != StepStatus::ok) return status;
        fresh = true;
    }
}

/// What corrections by a matrix for another cj are multiplied with: halfway between what is right where M dominates, r
/// = cj_of_matrix/cj, and where J does (Brenan, Campbell & Petzold 1996, 5.2.2). With a quantity it is r, for the one
/// that q needs must be that of x: else q is off by a share of the correction, which differences of high order amplify.
double BdfCorrector::compensation(double cj) const {
    return problem_.quantity().size > 0 ? matrix_cj_ / cj : 2.0 / (1.0 + cj / matrix_cj_);
}

/// See frozen_quantity.hpp: delta_ holds the last correction of x, and the quantity is that of the iterate before. How
/// far q then is from Q(x) is noise in its history, which differences of order k + 1 amplify 2^(k+1) times: where they
/// would see it, Newton's iteration goes on.
bool BdfCorrector::settle_quantity(BdfEquation& equation, const QuantityNorm& norm, int order) {
    constexpr int most = 2; // more iterations
    constexpr double seen = 0.25;
    std::vector<double>& carried = equation.quantity.value;
    for (int k = 0;; ++k) {
        if (!frozen_.add(-1.0, delta_.data(), carried.data())) return false;
        if (problem_.quantity_value(equation.t, equation.x, gap_.data()) != problem::EvalStatus::ok) return false;
        for (std::size_t i = 0; i < gap_.size(); ++i) gap_[i] -= carried[i];
        if (k == most || norm(gap_.data()) * std::ldexp(1.0, order + 1) <= seen) break;
        if (!equation.residual()) return false;
        equation.solve();
        (void)equation.update();
    }
    equation.quantity.follow(equation.cj);
    return true;
}

void BdfCorrector::find_slopes(BdfTrial& trial, const BdfNorms& norms, Counters& counters) {
    if (trial.quantity.value.empty() || matrix_cj_ == 0.0) return;
    find_slopes_of_unknowns(problem_, trial.t, trial.x.data(), trial.dx.data(), matrix_cj_, matrix_,
                            norms.of_corrections(), delta_, counters);
}

void BdfCorrector::shifted_start(const BdfPoint& from, const BdfTrial& trial, std::vector<double>& x,
                                 Counters& counters) {
    const SparsityPattern& pattern = problem_.pattern();
    std::fill(delta_.begin(), delta_.end(), 0.0);
    for (int j = 0; j < pattern.cols; ++j) {
        const auto at = static_cast<std::size_t>(j);
        if (problem_.unknowns()[at].index != 2) continue;
        const double w = from.x[at] - trial.x[at];
        for (int k = pattern.column_start[at]; k < pattern.column_start[at + 1]; ++k)
            delta_[static_cast<std::size_t>(pattern.row_index[static_cast<std::size_t>(k)])] -=
                jacobian_.jx[static_cast<std::size_t>(k)] * w;
    }
    matrix_.solve(delta_, counters);
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = problem_.unknowns()[i].index == 2 ? from.x[i] - delta_[i] : from.x[i];
}

} // namespace daedalus::integrate
