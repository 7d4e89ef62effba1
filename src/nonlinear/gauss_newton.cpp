#include "nonlinear/gauss_newton.hpp"

#include "linalg/norms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace daedalus::nonlinear {

namespace {

using linalg::FactorStatus;

constexpr double eps = std::numeric_limits<double>::epsilon();
// Regularisation of an undamped step. The rows of Ĵ have norm 1; a singular value σ is solved with relative error
// μ/σ² per iteration, which for σ > 1e-4 is still faster than quadratic convergence needs, while redundant rows
// (σ = 0) cost ε/μ ≈ 1e-4 of the step.
constexpr double smallest_mu = 1e-12;
constexpr double largest_mu = 1e6;
// Up to here a step is as good as undamped, and what it cannot reduce is contradictory.
constexpr double trusted_mu = 1e-8;
// Armijo's constant and the shortest step, as customary (Nocedal & Wright, 3.1).
constexpr double armijo = 1e-4;
constexpr double shortest_step = 1e-10;
// If a step promises less than this share of the residual, the linearised equations contradict each other.
constexpr double negligible_promise = 1e-7;
// W-norm of the step, relative to the change made, below which the change is called least.
constexpr double optimality = 1e-8;
constexpr int polish_steps = 6;

double square(double a) { return a * a; }

} // namespace

GaussNewton::GaussNewton(const SparsityPattern& pattern)
    : pattern_(pattern), n_(static_cast<std::size_t>(pattern.cols)), m_(static_cast<std::size_t>(pattern.rows)),
      saddle_(pattern), g_(m_), g_trial_(m_), j_(pattern.row_index.size()), row_scale_(m_), row_size_(m_),
      free_scale_(n_), pull_(n_), rhs_(m_), v_(n_), correction_(n_), u_trial_(n_) {}

bool GaussNewton::evaluate(EquationSystem& system, std::span<const double> u, std::span<double> g) const {
    const bool reported = system.residual(u, g);
    bool finite = true, explained = false; // a dropped row may be without value
    for (std::size_t i = 0; i < m_; ++i) {
        const bool row_finite = std::isfinite(g[i]);
        explained = explained || !row_finite;
        if (!task_->active.empty() && !task_->active[i]) {
            g[i] = 0.0;
            continue;
        }
        finite = finite && row_finite;
        if (!task_->shift.empty()) g[i] -= task_->shift[i];
    }
    return finite && (reported || explained);
}

/// J, the scales of its rows and what counts as round-off in each of them.
bool GaussNewton::linearise(EquationSystem& system, std::span<const double> u) {
    const bool reported = system.jacobian(u, j_);
    bool explained = false;
    std::fill(row_scale_.begin(), row_scale_.end(), 0.0);
    std::fill(row_size_.begin(), row_size_.end(), 0.0);
    for (std::size_t j = 0; j < n_; ++j)
        for (int k = pattern_.column_start[j]; k < pattern_.column_start[j + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            const auto i = static_cast<std::size_t>(pattern_.row_index[e]);
            const bool finite = std::isfinite(j_[e]);
            explained = explained || !finite;
            if (!task_->active.empty() && !task_->active[i]) continue;
            if (!finite) return false;
            row_scale_[i] = std::max(row_scale_[i], std::abs(j_[e]) * task_->scale[j]);
            row_size_[i] += std::abs(j_[e]) * std::max(std::abs(u[j]), task_->size[j]);
        }
    if (!reported && !explained) return false;
    for (std::size_t i = 0; i < m_; ++i) {
        if (!task_->active.empty() && !task_->active[i]) continue; // scale 0: dropped
        // A row that depends on held unknowns only cannot be improved; it still counts in the merit.
        const double s = row_scale_[i] > 0.0 ? row_scale_[i] : row_size_[i];
        row_scale_[i] = s > std::numeric_limits<double>::min() ? 1.0 / s : 1.0;
    }
    return true;
}

void GaussNewton::measure(GaussNewtonResult& result) const {
    result.residual = result.largest = 0.0;
    result.worst_row = -1;
    for (std::size_t i = 0; i < m_; ++i) {
        const double size = std::abs(g_[i]);
        result.largest = std::max(result.largest, size);
        if (size == 0.0) continue;
        const double relative = row_size_[i] > 0.0 ? size / row_size_[i] : std::numeric_limits<double>::infinity();
        if (relative > result.residual) {
            result.residual = relative;
            result.worst_row = static_cast<int>(i);
        }
    }
}

double GaussNewton::scaled_norm(std::span<const double> g) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < m_; ++i) sum += square(row_scale_[i] * g[i]);
    return std::sqrt(sum);
}

double GaussNewton::objective(std::span<const double> u) const {
    if (!options_->least_change) return 0.0;
    double sum = 0.0;
    for (std::size_t j = 0; j < n_; ++j)
        if (task_->scale[j] > 0.0) sum += square((u[j] - task_->anchor[j]) / task_->scale[j]);
    return 0.5 * sum;
}

bool GaussNewton::factor(double& mu) {
    for (;; mu *= 100.0) { // a decade of the smallest singular value that is seen at a time: μ is its square
        const FactorStatus status = saddle_.factor(j_, row_scale_, free_scale_, mu);
        if (status == FactorStatus::ok) return true;
        if (status != FactorStatus::singular || mu > largest_mu) return false;
    }
}

/// v = W d from the saddle point; unknowns at a bound that would leave it are held and the step is computed again.
bool GaussNewton::compute_step(std::span<const double> u, double& mu, Model& model) {
    std::copy(task_->scale.begin(), task_->scale.end(), free_scale_.begin());
    for (std::size_t i = 0; i < m_; ++i) rhs_[i] = -row_scale_[i] * g_[i];
    for (int round = 0; round < 8; ++round) {
        for (std::size_t j = 0; j < n_; ++j)
            pull_[j] =
                options_->least_change && free_scale_[j] > 0.0 ? -(u[j] - task_->anchor[j]) / task_->scale[j] : 0.0;
        if (!factor(mu)) return false;
        saddle_.solve(pull_, rhs_, v_);
        bool held_more = false;
        if (options_->bounds)
            for (std::size_t j = 0; j < n_; ++j) {
                if (free_scale_[j] == 0.0) continue;
                const bool leaves = (u[j] <= task_->min[j] && v_[j] < 0.0) || (u[j] >= task_->max[j] && v_[j] > 0.0);
                if (leaves) {
                    free_scale_[j] = 0.0;
                    held_more = true;
                }
            }
        if (!held_more) break;
    }
    linearised_residual();
    model = {objective(u), scaled_norm(g_), scaled_norm(g_trial_)};
    if (options_->damping && mu > trusted_mu) return true; // the regularisation is meant
    // Otherwise it is only there for redundant rows: remove its bias μλ by refinement.
    for (int round = 0; round < 3 && model.linearised > 1e-12 * model.infeasible; ++round) {
        for (std::size_t i = 0; i < m_; ++i) rhs_[i] = -row_scale_[i] * g_trial_[i];
        std::fill(correction_.begin(), correction_.end(), 0.0);
        saddle_.solve(correction_, rhs_, correction_);
        for (std::size_t j = 0; j < n_; ++j) v_[j] += correction_[j];
        linearised_residual();
        const double before = std::exchange(model.linearised, scaled_norm(g_trial_));
        if (model.linearised < 0.5 * before) continue;
        if (model.linearised > before) { // contradictory rows: take the last one back
            for (std::size_t j = 0; j < n_; ++j) v_[j] -= correction_[j];
            model.linearised = before;
        }
        break;
    }
    return true;
}

/// G + J d, in g_trial_
void GaussNewton::linearised_residual() {
    std::copy(g_.begin(), g_.end(), g_trial_.begin());
    for (std::size_t j = 0; j < n_; ++j) {
        const double d = free_scale_[j] * v_[j];
        if (d == 0.0) continue;
        for (int k = pattern_.column_start[j]; k < pattern_.column_start[j + 1]; ++k) {
            const auto i = static_cast<std::size_t>(pattern_.row_index[static_cast<std::size_t>(k)]);
            if (row_scale_[i] > 0.0) g_trial_[i] += j_[static_cast<std::size_t>(k)] * d;
        }
    }
}

/// u_trial := u + α S v, clipped to the bounds
void GaussNewton::move(std::span<const double> u, double alpha) {
    for (std::size_t j = 0; j < n_; ++j) {
        u_trial_[j] = u[j] + alpha * free_scale_[j] * v_[j];
        if (options_->bounds && free_scale_[j] > 0.0)
            u_trial_[j] = std::clamp(u_trial_[j], task_->min[j], task_->max[j]);
    }
}

GaussNewton::StepOutcome GaussNewton::search(EquationSystem& system, std::span<double> u, const Model& model) {
    // ν such that the step decreases the merit at least as fast as half of the promised infeasibility
    // (Nocedal & Wright (18.36)).
    double slope = 0.0, curvature = 0.0;
    for (std::size_t j = 0; j < n_; ++j) {
        slope -= pull_[j] * v_[j];
        curvature += square(v_[j]);
    }
    const double promise = model.infeasible - model.linearised;
    double nu = 1.0;
    if (promise > 0.0) nu = std::max(nu, (slope + 0.5 * curvature) / (0.5 * promise));
    const double decrease = nu * promise - std::min(slope, nu * promise); // > 0
    const double merit = model.objective + nu * model.infeasible;
    // Below this the merit itself is rounding noise.
    const double noise = 4.0 * eps * merit;

    bool corrected = false;
    for (double alpha = 1.0; alpha >= shortest_step;) {
        move(u, alpha);
        const bool finite = evaluate(system, u_trial_, g_trial_);
        const double trial =
            finite ? objective(u_trial_) + nu * scaled_norm(g_trial_) : std::numeric_limits<double>::infinity();
        if (trial <= merit - armijo * alpha * decrease + (alpha == 1.0 ? noise : 0.0)) {
            std::copy(u_trial_.begin(), u_trial_.end(), u.begin());
            std::swap(g_, g_trial_);
            return StepOutcome::accepted;
        }
        if (alpha == 1.0 && finite && !corrected) {
            // Second-order correction: bend the full step back to the equations (Nocedal & Wright, 15.6).
            corrected = true;
            for (std::size_t i = 0; i < m_; ++i) rhs_[i] = -row_scale_[i] * g_trial_[i];
            std::fill(correction_.begin(), correction_.end(), 0.0);
            saddle_.solve(correction_, rhs_, correction_);
            for (std::size_t j = 0; j < n_; ++j) {
                u_trial_[j] += free_scale_[j] * correction_[j];
                if (options_->bounds && free_scale_[j] > 0.0)
                    u_trial_[j] = std::clamp(u_trial_[j], task_->min[j], task_->max[j]);
            }
            if (evaluate(system, u_trial_, g_trial_) &&
                objective(u_trial_) + nu * scaled_norm(g_trial_) <= merit - armijo * decrease) {
                std::copy(u_trial_.begin(), u_trial_.end(), u.begin());
                std::swap(g_, g_trial_);
                return StepOutcome::accepted;
            }
        }
        // Minimiser of the parabola through merit, slope and trial, kept within [0.1, 0.5] of the last step.
        const double bend = trial - merit + alpha * decrease;
        const double shrink = finite && bend > 0.0 ? 0.5 * alpha * decrease / bend : 0.1;
        alpha *= std::clamp(shrink, 0.1, 0.5);
    }
    return StepOutcome::failed;
}

/// Undamped normal steps as long as they lower the largest relative residual.
void GaussNewton::polish(EquationSystem& system, std::span<double> u, GaussNewtonResult& result) {
    std::fill(pull_.begin(), pull_.end(), 0.0);
    std::copy(task_->scale.begin(), task_->scale.end(), free_scale_.begin());
    if (options_->bounds)
        for (std::size_t j = 0; j < n_; ++j)
            if (u[j] <= task_->min[j] || u[j] >= task_->max[j]) free_scale_[j] = 0.0;
    double mu = smallest_mu;
    for (int step = 0; step < polish_steps && result.largest > 0.0; ++step) {
        if (!factor(mu)) return;
        for (std::size_t i = 0; i < m_; ++i) rhs_[i] = -row_scale_[i] * g_[i];
        saddle_.solve(pull_, rhs_, v_);
        const double before = scaled_norm(g_);
        move(u, 1.0);
        if (!evaluate(system, u_trial_, g_trial_) || !(scaled_norm(g_trial_) < before)) return;
        std::copy(u_trial_.begin(), u_trial_.end(), u.begin());
        std::swap(g_, g_trial_);
        const double after = scaled_norm(g_);
        if (!linearise(system, u)) return;
        measure(result);
        if (after > 0.5 * before) return; // round-off reached
    }
}

GaussNewtonResult GaussNewton::solve(EquationSystem& system, const LeastChange& task, std::span<double> u,
                                     const GaussNewtonOptions& options) {
    task_ = &task;
    options_ = &options;
    GaussNewtonResult result;
    if (options.bounds)
        for (std::size_t j = 0; j < n_; ++j)
            if (task.scale[j] > 0.0) u[j] = std::clamp(u[j], task.min[j], task.max[j]);
    if (!evaluate(system, u, g_) || !linearise(system, u)) return result;
    measure(result);

    // Levenberg–Marquardt begins as for a fairly good start (Madsen, Nielsen & Tingleff 2004, 3.2: 1e-3 of the scaled
    // diagonal) and trusts the model tenfold more after each success (Marquardt 1963).
    double mu = options.damping ? 1e-3 : smallest_mu;
    bool feasible = result.residual <= options.tolerance;
    if (std::all_of(task.scale.begin(), task.scale.end(), [](double s) { return s == 0.0; })) { // only looked at
        result.status = feasible ? GaussNewtonStatus::converged : GaussNewtonStatus::stuck;
        result.stationary = !feasible;
        return result;
    }
    Model model{};
    for (; result.iterations < options.max_iterations; ++result.iterations) {
        if (feasible && !options.least_change) break;
        if (!compute_step(u, mu, model)) {
            result.status = GaussNewtonStatus::out_of_memory;
            return result;
        }
        const double step = linalg::norm_2(std::span<const double>(v_));
        if (feasible && step <= optimality * (1.0 + std::sqrt(2.0 * model.objective))) break;
        const bool hopeless = !feasible && model.infeasible - model.linearised <= negligible_promise * model.infeasible;
        if (hopeless && mu <= trusted_mu) {
            result.status = GaussNewtonStatus::stuck;
            result.stationary = true;
            return result;
        }
        const StepOutcome outcome = hopeless ? StepOutcome::failed : search(system, u, model);
        if (outcome == StepOutcome::failed) {
            if (feasible) break; // as little change as round-off lets us see
            if (options.damping && !hopeless && mu < largest_mu) {
                mu = std::max(100.0 * mu, 1e-6);
                continue;
            }
            if (options.damping && hopeless && mu > smallest_mu) {
                mu = smallest_mu; // let the undamped step decide whether anything can be gained
                continue;
            }
            result.status = GaussNewtonStatus::stuck;
            result.stationary = hopeless;
            return result;
        }
        mu = std::max(0.1 * mu, smallest_mu);
        if (!linearise(system, u)) {
            result.status = GaussNewtonStatus::stuck; // the Jacobian has no value where G has one
            return result;
        }
        measure(result);
        feasible = result.residual <= options.tolerance;
    }
    if (feasible && options.polish) polish(system, u, result);
    feasible = result.residual <= options.tolerance;
    result.status = feasible ? GaussNewtonStatus::converged : GaussNewtonStatus::max_iterations;
    return result;
}

} // namespace daedalus::nonlinear
