#include "integrate/methods/explicit_dense_output.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace daedalus::integrate {

ExplicitDenseOutput::ExplicitDenseOutput(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                                         const tableau::ExplicitRungeKutta& method,
                                         const StageExtrapolation& extrapolation)
    : method_(method), extrapolation_(extrapolation), consistent_(problem, options),
      n_(static_cast<std::size_t>(problem.size())), start_(n_), F_((3 + method.dense.size()) * n_) {}

void ExplicitDenseOutput::prepare(const ExplicitStep& step, const std::vector<char>& differential,
                                  const std::vector<problem::Link>& links) {
    t_before_ = step.t_before;
    h_ = step.t - step.t_before;
    differential_ = differential;
    std::copy(step.x_before.begin(), step.x_before.end(), start_.begin());
    std::vector<double> x(n_), dx(n_);
    bool keep = false;
    // F = 0 with the states in x and z near its solution, which z becomes.
    const auto follow = [&](double theta, double* z) {
        for (std::size_t k = 0; k < n_; ++k) {
            if (differential_[k] == 0) x[k] = z[k];
            dx[k] = differential_[k] != 0 ? z[k] : 0.0;
        }
        keep = consistent_.follow(t_before_ + theta * h_, h_, x.data(), dx.data(), keep);
        for (std::size_t k = 0; k < n_; ++k) z[k] = differential_[k] != 0 ? dx[k] : x[k];
        for (const problem::Link& link : links) z[link.state] = x[static_cast<std::size_t>(link.derivative)];
    };
    const auto add = [&](const tableau::ExplicitRungeKutta::Row& row, double* sum) {
        for (const auto& [stage, value] : row)
            for (std::size_t k = 0; k < n_; ++k)
                sum[k] += h_ * value * step.z[static_cast<std::size_t>(stage) * n_ + k];
    };
    const auto stages = static_cast<std::size_t>(method_.stages);
    for (std::size_t i = stages; i < stages + static_cast<std::size_t>(method_.extra); ++i) {
        std::copy(step.x_before.begin(), step.x_before.end(), x.begin());
        add(method_.a[i], x.data());
        double* z = step.z.data() + i * n_;
        extrapolation_.interpolate(method_.c[i], step.z, n_, z);
        follow(method_.c[i], z);
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

    nodes_.clear();
    if (std::find(differential_.begin(), differential_.end(), 0) == differential_.end()) return;
    // Degree of z as that of x'.
    const int inside = static_cast<int>(method_.dense.size()) + 1;
    nodes_.push_back(0.0);
    for (int m = inside; m >= 1; --m) nodes_.push_back(0.5 + 0.5 * std::cos(std::numbers::pi * m / (inside + 1)));
    nodes_.push_back(1.0);
    z_nodes_.resize(nodes_.size() * n_);
    for (std::size_t m = 1; m + 1 < nodes_.size(); ++m) {
        double* z = z_nodes_.data() + m * n_;
        extrapolation_.interpolate(nodes_[m], step.z, n_, z);
        states(nodes_[m], x.data(), dx.data());
        follow(nodes_[m], z);
    }
    std::copy_n(first, n_, z_nodes_.begin());
    std::copy_n(last, n_, z_nodes_.end() - static_cast<std::ptrdiff_t>(n_));
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
    states(theta, x, dx);
    if (nodes_.empty()) return;
    // Barycentric-free Lagrange: few nodes, and derivatives are wanted too.
    const std::size_t count = nodes_.size();
    std::vector<double> weight(count), slope(count);
    for (std::size_t i = 0; i < count; ++i) {
        double value = 1.0, derivative = 0.0;
        for (std::size_t j = 0; j < count; ++j) {
            if (j == i) continue;
            const double scale = 1.0 / (nodes_[i] - nodes_[j]);
            derivative = (derivative * (theta - nodes_[j]) + value) * scale;
            value *= (theta - nodes_[j]) * scale;
        }
        weight[i] = value;
        slope[i] = derivative / h_;
    }
    for (std::size_t k = 0; k < n_; ++k) {
        double z = 0.0, rate = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            z += weight[i] * z_nodes_[i * n_ + k];
            rate += slope[i] * z_nodes_[i * n_ + k];
        }
        if (differential_[k] != 0) {
            dx[k] = z;
        } else {
            x[k] = z;
            dx[k] = rate;
        }
    }
}

} // namespace daedalus::integrate
