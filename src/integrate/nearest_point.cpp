#include "integrate/nearest_point.hpp"

#include "nonlinear/newton.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace daedalus::integrate {

namespace {

/// [J, M], each on the pattern of the problem.
SparsityPattern beside_itself(const SparsityPattern& pattern) {
    std::vector<std::pair<int, int>> entries;
    for (const int shift : {0, pattern.cols})
        for (int j = 0; j < pattern.cols; ++j)
            for (int k = pattern.column_start[static_cast<std::size_t>(j)];
                 k < pattern.column_start[static_cast<std::size_t>(j) + 1]; ++k)
                entries.emplace_back(pattern.row_index[static_cast<std::size_t>(k)], j + shift);
    return SparsityPattern::from_entries(pattern.rows, 2 * pattern.cols, std::move(entries));
}

} // namespace

NearestPoint::NearestPoint(const problem::ImplicitProblem& problem)
    : problem_(problem), n_(static_cast<std::size_t>(problem.size())), jacobian_(problem),
      matrix_(beside_itself(problem.pattern())), row_(n_), scale_(2 * n_), z_(2 * n_), minus_z_(2 * n_), r_(n_),
      step_(2 * n_), x_(n_), dx_(n_) {}

/// As nonlinear::damped_newton wants it.
struct NearestPoint::Equation {
    NearestPoint& s;
    double t;
    const double *p, *dp;
    Counters& counters;

    [[nodiscard]] bool linearise() {
        for (std::size_t j = 0; j < s.n_; ++j) {
            s.x_[j] = p[j] + s.scale_[j] * s.z_[j];
            s.dx_[j] = dp[j] + s.scale_[s.n_ + j] * s.z_[s.n_ + j];
        }
        // The Jacobian first: equations from derivative arrays choose their rows where it is asked for.
        if (s.jacobian_.evaluate(t, s.x_.data(), s.dx_.data(), counters) != problem::EvalStatus::ok) return false;
        ++counters.residuals;
        if (s.problem_.residual(t, s.x_.data(), s.dx_.data(), s.r_.data()) != problem::EvalStatus::ok) return false;
        s.values_ = s.jacobian_.jx;
        s.values_.insert(s.values_.end(), s.jacobian_.jdx.begin(), s.jacobian_.jdx.end());
        const SparsityPattern& pattern = s.problem_.pattern();
        std::fill(s.row_.begin(), s.row_.end(), 0.0);
        for (std::size_t j = 0; j < s.n_; ++j)
            for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) {
                const auto e = static_cast<std::size_t>(k);
                double& row = s.row_[static_cast<std::size_t>(pattern.row_index[e])];
                row = std::max({row, std::abs(s.jacobian_.jx[e]) * s.scale_[j],
                                std::abs(s.jacobian_.jdx[e]) * s.scale_[s.n_ + j]});
            }
        for (double& row : s.row_) row = row > 0.0 ? 1.0 / row : 1.0;
        ++counters.factorizations;
        return s.matrix_.factor(s.values_, s.row_, s.scale_, 0.0) == linalg::FactorStatus::ok;
    }
    void solve() {
        ++counters.solves;
        for (std::size_t i = 0; i < s.n_; ++i) s.r_[i] *= -s.row_[i];
        for (std::size_t k = 0; k < s.z_.size(); ++k) s.minus_z_[k] = -s.z_[k];
        s.matrix_.solve(s.minus_z_, s.r_, s.step_);
    }
    [[nodiscard]] double update(double part) {
        double change = 0.0;
        for (std::size_t k = 0; k < s.z_.size(); ++k) {
            s.z_[k] += part * s.step_[k];
            const std::size_t j = k % s.n_;
            const double size = std::abs(s.x_[j]) + std::abs(s.problem_.unknowns()[j].nominal);
            const double moved = std::abs(part * s.step_[k]) * s.scale_[j] / size;
            if (!(moved <= change)) change = moved; // also where it is no number
        }
        return change;
    }
};

bool NearestPoint::find(double t, double shift, std::span<const double> widths, const double* p, const double* dp,
                        double* x, double* dx, Counters& counters) {
    for (std::size_t j = 0; j < n_; ++j) {
        scale_[j] = widths[j];
        scale_[n_ + j] = shift * widths[j];
        if (!(scale_[j] > 0.0) || !std::isfinite(scale_[n_ + j])) return false;
    }
    std::fill(z_.begin(), z_.end(), 0.0);
    Equation equation{*this, t, p, dp, counters};
    // To round-off, as other consistent points.
    const nonlinear::NewtonResult newton = nonlinear::damped_newton(
        equation, {.max_iterations = 20, .negligible = 1e-15, .round_off_level = 1e-11, .shrinks = 0.25});
    if (!newton.usable()) return false;
    for (std::size_t j = 0; j < n_; ++j) {
        x[j] = p[j] + scale_[j] * z_[j];
        dx[j] = dp[j] + scale_[n_ + j] * z_[n_ + j];
    }
    return true;
}

} // namespace daedalus::integrate
