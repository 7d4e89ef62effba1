#include "integrate/methods/explicit_dense_output.hpp"

#include "integrate/methods/tightening.hpp"
#include "problem/explicit_form.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace daedalus::integrate {

LocalSystem::Given given_to_stages(const problem::ImplicitProblem& problem) {
    const bool solved = problem.linear_leading() || !problem.facet<problem::ExplicitForm>().empty();
    return solved ? LocalSystem::Given::chains : LocalSystem::Given::states;
}

double relative_of_stages(const problem::ImplicitProblem& problem, const IntegrationOptions& options) {
    return tightening_of_explicit(problem).constant * options.tolerance.relative;
}

ExplicitDenseOutput::ExplicitDenseOutput(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                                         const tableau::ExplicitRungeKutta& method,
                                         const StageExtrapolation& extrapolation)
    : method_(method), extrapolation_(extrapolation), problem_(problem), options_(options),
      stages_(problem, options, given_to_stages(problem), relative_of_stages(problem, options)),
      n_(static_cast<std::size_t>(problem.size())), start_(n_), F_((3 + method.dense.size()) * n_), x_(n_), dx_(n_) {
    // Degree of z as that of x'.
    const int inside = static_cast<int>(method_.dense.size()) + 1;
    nodes_.push_back(0.0);
    for (int m = inside; m >= 1; --m) nodes_.push_back(0.5 + 0.5 * std::cos(std::numbers::pi * m / (inside + 1)));
    nodes_.push_back(1.0);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        double product = 1.0;
        for (std::size_t j = 0; j < nodes_.size(); ++j)
            if (j != i) product *= nodes_[i] - nodes_[j];
        weights_.push_back(1.0 / product);
    }
    z_nodes_.resize(nodes_.size() * n_);
}

void ExplicitDenseOutput::links_changed() {
    stages_.links_changed();
    if (consistent_) consistent_->links_changed();
}

/// F = 0 with the states in x and z near its solution, which z becomes.
void ExplicitDenseOutput::solve_stage(double theta, double* x, double* z) {
    const double t = t_before_ + theta * h_;
    for (std::size_t k = 0; k < n_; ++k) {
        if (differential_[k] == 0) x[k] = z[k];
        dx_[k] = differential_[k] != 0 ? z[k] : 0.0;
    }
    if (stages_.solve(t, x, z, false, counters_) == StepStatus::ok) {
        stages_.system().follow_links(x, z);
        return;
    }
    stages_.forget_matrix();
    if (!consistent_) consistent_.emplace(problem_, options_);
    for (std::size_t k = 0; k < n_; ++k)
        if (differential_[k] == 0) x[k] = z[k];
    keep_matrix_ = consistent_->follow(t, h_, x, dx_.data(), keep_matrix_);
    for (std::size_t k = 0; k < n_; ++k) z[k] = differential_[k] != 0 ? dx_[k] : x[k];
    stages_.system().follow_links(x, z);
}

/// Of the polynomial of the states.
void ExplicitDenseOutput::find_coefficients(const ExplicitStep& step) {
    const auto add = [&](const tableau::ExplicitRungeKutta::Row& row, double* sum) {
        for (const auto& [stage, value] : row)
            for (std::size_t k = 0; k < n_; ++k)
                sum[k] += h_ * value * step.z[static_cast<std::size_t>(stage) * n_ + k];
    };
    const auto stages = static_cast<std::size_t>(method_.stages);
    for (std::size_t i = stages; i < stages + static_cast<std::size_t>(method_.extra); ++i) {
        std::copy(step.x_before.begin(), step.x_before.end(), x_.begin());
        add(method_.a[i], x_.data());
        double* z = step.z.data() + i * n_;
        extrapolation_.interpolate(method_.c[i], step.z, n_, z);
        solve_stage(method_.c[i], x_.data(), z);
    }
    const double *first = step.z.data(), *last = first + (stages - 1) * n_;
    double *F0 = F_.data(), *F1 = F0 + n_, *F2 = F1 + n_;
    for (std::size_t k = 0; k < n_; ++k) {
        F0[k] = step.x[k] - step.x_before[k];
        F1[k] = h_ * first[k] - F0[k];
        F2[k] = F0[k] - h_ * last[k] - F1[k];
    }
    std::fill(F_.begin() + 3 * static_cast<std::ptrdiff_t>(n_), F_.end(), 0.0);
    for (std::size_t r = 0; r < method_.dense.size(); ++r) add(method_.dense[r], F_.data() + (3 + r) * n_);
}

void ExplicitDenseOutput::prepare(const ExplicitStep& step, std::span<const double> weights, double round_off) {
    t_before_ = step.t_before;
    h_ = step.t - step.t_before;
    keep_matrix_ = false;
    std::copy(step.x_before.begin(), step.x_before.end(), start_.begin());
    (void)stages_.learn(step.t_before, step.x_before.data(), step.z.data(), counters_);
    differential_ = stages_.system().differential();
    stages_.begin(weights, h_, round_off);
    stages_.forget_matrix(); // the same whatever steps were asked before
    find_coefficients(step);
    all_states_ = std::find(differential_.begin(), differential_.end(), 0) == differential_.end();
    z_ = step.z;
    between_known_ = false;
}

/// At the Chebyshev points.
void ExplicitDenseOutput::solve_between() {
    between_known_ = true;
    for (std::size_t m = 1; m + 1 < nodes_.size(); ++m) {
        double* z = z_nodes_.data() + m * n_;
        extrapolation_.interpolate(nodes_[m], z_, n_, z);
        states(nodes_[m], x_.data(), dx_.data());
        solve_stage(nodes_[m], x_.data(), z);
    }
    std::copy_n(z_.data(), n_, z_nodes_.begin());
    std::copy_n(z_.data() + static_cast<std::size_t>(method_.stages - 1) * n_, n_,
                z_nodes_.end() - static_cast<std::ptrdiff_t>(n_));
}

void ExplicitDenseOutput::evaluate_states(double time, double* x, double* dx) const {
    const double theta = (time - t_before_) / h_;
    states(theta, x, dx);
    if (all_states_) return;
    std::vector<double> z(n_);
    extrapolation_.interpolate(theta, z_, n_, z.data());
    for (std::size_t k = 0; k < n_; ++k) {
        if (differential_[k] != 0) continue;
        x[k] = z[k];
        dx[k] = 0.0;
    }
}

/// The nested form and its derivative, from the innermost bracket outwards.
void ExplicitDenseOutput::states(double theta, double* x, double* dx) const {
    const std::size_t rows = F_.size() / n_;
    for (std::size_t k = 0; k < n_; ++k) {
        double value = 0.0, slope = 0.0;
        for (std::size_t r = rows; r-- > 0;) {
            const double factor = r % 2 == 0 ? theta : 1.0 - theta, sign = r % 2 == 0 ? 1.0 : -1.0;
            const double sum = F_[r * n_ + k] + value;
            slope = sign * sum + factor * slope;
            value = factor * sum;
        }
        x[k] = start_[k] + value;
        dx[k] = slope / h_;
    }
}

void ExplicitDenseOutput::evaluate(double time, double* x, double* dx) const {
    const double theta = (time - t_before_) / h_;
    // What is found on demand is kept.
    if (!all_states_ && !between_known_) const_cast<ExplicitDenseOutput&>(*this).solve_between();
    states(theta, x, dx);
    if (all_states_) return;
    // Lagrange's basis and its derivatives from products of what stands left and right of each node.
    constexpr std::size_t most = 16; // nodes: the degree of a tableau's dense output and two
    const std::size_t count = nodes_.size();
    std::array<double, most> weight{}, slope{}, left{}, left_slope{};
    double product = 1.0, derivative = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
        left[i] = product;
        left_slope[i] = derivative;
        derivative = derivative * (theta - nodes_[i]) + product;
        product *= theta - nodes_[i];
    }
    product = 1.0;
    derivative = 0.0;
    for (std::size_t i = count; i-- > 0;) {
        weight[i] = weights_[i] * left[i] * product;
        slope[i] = weights_[i] * (left_slope[i] * product + left[i] * derivative) / h_;
        derivative = derivative * (theta - nodes_[i]) + product;
        product *= theta - nodes_[i];
    }
    for (std::size_t k = 0; k < n_; ++k) {
        double z = 0.0, rate = 0.0;
        const bool integrated = differential_[k] != 0;
        for (std::size_t i = 0; i < count; ++i) z += weight[i] * z_nodes_[i * n_ + k];
        for (std::size_t i = 0; i < count && !integrated; ++i) rate += slope[i] * z_nodes_[i * n_ + k];
        if (integrated) {
            dx[k] = z;
        } else {
            x[k] = z;
            dx[k] = rate;
        }
    }
}

} // namespace daedalus::integrate
