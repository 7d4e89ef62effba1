#include "integrate/methods/stage_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace daedalus::integrate {

struct StageSolver::Equation {
    LocalSystem& system;
    NormKind norm;
    Counters& counters;
    const std::vector<double>& weight;
    double t;
    double* x;
    double* z;
    bool evaluated; ///< the residual is there already

    [[nodiscard]] bool residual() {
        return std::exchange(evaluated, false) || system.residual(t, x, z, counters) == problem::EvalStatus::ok;
    }
    void solve() { system.solve(counters); }
    [[nodiscard]] double update() {
        ++counters.newton_iterations;
        system.correct(x, z);
        double sum = 0.0, largest = 0.0;
        const std::size_t n = weight.size();
        const double *d = system.delta().data(), *w = weight.data();
        if (norm == NormKind::max)
            for (std::size_t k = 0; k < n; ++k) largest = std::max(largest, std::abs(d[k] * w[k]));
        for (std::size_t k = 0; k < n; ++k) sum += (d[k] * w[k]) * (d[k] * w[k]);
        // A sum that is NaN is seen in either norm.
        return norm == NormKind::max && sum < std::numeric_limits<double>::infinity()
                   ? largest
                   : std::sqrt(sum / static_cast<double>(n));
    }
};

StageSolver::StageSolver(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                         LocalSystem::Given given, double relative)
    : system_(problem, options.linear_solver, given),
      linear_(problem.linear_leading() &&
              (given == LocalSystem::Given::chains || problem.state_choice().blocks.empty())),
      form_(problem, given == LocalSystem::Given::chains || problem.state_choice().blocks.empty()), norm_(options.norm),
      z_start_(static_cast<std::size_t>(problem.size())) {
    constexpr double eps = std::numeric_limits<double>::epsilon();
    newton_options_.max_iterations =
        options.method.max_newton_iterations > 0 ? options.method.max_newton_iterations : 10;
    // What Newton leaves is to be a hundredth of the tolerance (HW IV.8 (8.10) has 0.1 to 0.01), and far less where
    // constant steps leave it to no error test; never below ten roundings.
    newton_options_.kappa = std::max(10 * eps / std::max(relative, eps), options.method.fixed_step ? 1e-6 : 1e-2);
    newton_options_.rate_at_round_off = true;
}

void StageSolver::links_changed() {
    system_.links_changed();
    known_ = false;
    need_matrix_ = true;
}

bool StageSolver::learn(double t, const double* x, const double* z, Counters& counters) {
    if (known_) return true;
    if (system_.linearize(t, x, z, counters) != problem::EvalStatus::ok) return false;
    weight_.resize(system_.unknowns().size());
    algebraic_.clear();
    for (const int k : system_.unknowns())
        if (system_.differential()[static_cast<std::size_t>(k)] == 0) algebraic_.push_back(k);
    std::vector<double> consistent(z, z + z_start_.size());
    for (const int k : algebraic_) consistent[static_cast<std::size_t>(k)] = x[k];
    form_.compare(t, x, consistent.data());
    known_ = true;
    return true;
}

void StageSolver::begin(std::span<const double> weights, double h, double round_off, const std::vector<char>* counted) {
    round_off_ = round_off;
    if (linear_) return;
    for (std::size_t c = 0; c < weight_.size(); ++c) {
        const auto k = static_cast<std::size_t>(system_.unknowns()[c]);
        weight_[c] = weights[k] * (system_.differential()[k] != 0 ? h : 1.0);
        if (counted != nullptr && (*counted)[k] == 0) weight_[c] = 0.0;
    }
}

StepStatus StageSolver::renew_matrix(double t, const double* x, const double* z, bool derivatives, Counters& counters) {
    const problem::EvalStatus evaluated =
        derivatives ? system_.linearize(t, x, z, counters) : system_.evaluate_leading(t, x, z, counters);
    if (evaluated != problem::EvalStatus::ok) return StepStatus::not_finite;
    const linalg::FactorStatus status = system_.factor(counters);
    if (status == linalg::FactorStatus::not_finite) return StepStatus::not_finite;
    if (status != linalg::FactorStatus::ok) return StepStatus::singular_matrix;
    need_matrix_ = false;
    return StepStatus::ok;
}

bool StageSolver::solve_by_form(double t, double* x, double* z, Counters& counters) {
    if (!form_.present()) return false;
    ++counters.residuals;
    by_form_ = form_.evaluate(t, x, z);
    for (std::size_t k = 0; by_form_ && k < algebraic_.size(); ++k) x[algebraic_[k]] = z[algebraic_[k]];
    return by_form_;
}

StepStatus StageSolver::solve_linear(double t, double* x, double* z, bool derivatives, Counters& counters) {
    if (need_matrix_ || !system_.constant()) {
        const bool all = need_matrix_ || derivatives; // a matrix that was never gathered has no constants yet
        if (const StepStatus status = renew_matrix(t, x, z, all, counters); status != StepStatus::ok) return status;
    } else {
        const problem::EvalStatus status =
            derivatives ? system_.linearize(t, x, z, counters) : system_.residual(t, x, z, counters);
        if (status != problem::EvalStatus::ok) return StepStatus::not_finite;
    }
    system_.solve(counters);
    system_.correct(x, z);
    const std::vector<double>& d = system_.delta();
    double sum = 0.0;
    for (const double value : d) sum += std::abs(value);
    return std::isfinite(sum) ? StepStatus::ok : StepStatus::not_finite;
}

/// By the form, z(x + δ) - z(x): estimates of errors are so small that this is the derivative.
void StageSolver::respond(double t, const double* x, const double* z, std::span<double> change,
                          std::array<std::span<double>, 2> scratch, Counters& counters) {
    const auto [moved, answer] = scratch;
    if (!by_form_) return system_.respond(change, answer, counters);
    for (std::size_t k = 0; k < moved.size(); ++k) moved[k] = x[k] + change[k];
    ++counters.residuals;
    if (form_.evaluate(t, moved.data(), answer.data())) {
        for (const int k : algebraic_) change[static_cast<std::size_t>(k)] = answer[static_cast<std::size_t>(k)] - z[k];
        return;
    }
    if (system_.linearize(t, x, z, counters) == problem::EvalStatus::ok &&
        system_.factor(counters) == linalg::FactorStatus::ok)
        return system_.respond(change, answer, counters);
    for (const int k : algebraic_) change[static_cast<std::size_t>(k)] = std::numeric_limits<double>::quiet_NaN();
}

/// The form tells that of very many unknowns up to a factor: what a solver tells cannot be compared with it.
long double StageSolver::determinant() const {
    constexpr std::size_t many = 60;
    if (by_form_) return form_.determinant();
    return form_.present() && system_.unknowns().size() > many ? 0.0L : system_.determinant();
}

std::string StageSolver::description() const {
    if (!by_form_) return system_.description();
    return "eliminated in the code of the equations, " + std::to_string(system_.unknowns().size()) + " unknowns";
}

StepStatus StageSolver::solve(double t, double* x, double* z, bool derivatives, Counters& counters) {
    if (solve_by_form(t, x, z, counters)) return StepStatus::ok;
    if (linear_) return solve_linear(t, x, z, derivatives, counters);
    constexpr int many = 2; // iterations with an old matrix: a new one is cheaper
    constexpr int most_matrices = 4;
    std::copy_n(z, z_start_.size(), z_start_.begin());
    for (int matrices = 0;;) {
        const bool fresh = need_matrix_;
        if (fresh) {
            if (const StepStatus status = renew_matrix(t, x, z, true, counters); status != StepStatus::ok)
                return status;
            ++matrices;
            stale_monitor_.forget_rate();
        }
        Equation equation{system_, norm_, counters, weight_, t, x, z, fresh};
        const nonlinear::NewtonResult newton =
            nonlinear::newton(equation, fresh ? fresh_monitor_ : stale_monitor_, newton_options_, round_off_);
        if (newton.usable()) {
            need_matrix_ = newton.iterations > many;
            return StepStatus::ok;
        }
        need_matrix_ = true;
        const bool closer = newton.status == nonlinear::NewtonStatus::too_slow; // a matrix from there is better
        if (matrices == most_matrices || (matrices > 0 && !closer))
            return newton.status == nonlinear::NewtonStatus::not_finite ? StepStatus::not_finite
                                                                        : StepStatus::newton_failed;
        if (closer) continue;
        std::copy(z_start_.begin(), z_start_.end(), z);
        for (const int k : system_.unknowns())
            if (system_.differential()[static_cast<std::size_t>(k)] == 0) x[k] = z[k];
    }
}

} // namespace daedalus::integrate
