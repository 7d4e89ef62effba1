#include "integrate/methods/projected_end.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

namespace {

constexpr int most_iterations = 20; // from h^(p+1) off a constraint Newton takes two or three; bends cost more

/// Corrections that no longer shrink are round-off if they are not far above that of the unknowns themselves.
bool is_noise(double size, double round_off) { return size <= 1e3 * round_off; }

} // namespace

ProjectedEnd::ProjectedEnd(const problem::ImplicitProblem& problem, linalg::SolverKind kind)
    : problem_(problem), n_(static_cast<std::size_t>(problem.size())), jacobian_(problem), split_(problem),
      matrix_(problem, kind), dynamic_row_(n_), differential_(n_), residual_(n_), by_time_(n_), delta_(n_) {}

void ProjectedEnd::links_changed() {
    jacobian_.resize();
    split_.resize();
    matrix_.resize(problem_);
}

std::string ProjectedEnd::refusal(const problem::ImplicitProblem& problem) {
    bool any = false;
    for (std::size_t k = 0; k < problem.unknowns().size(); ++k) {
        const problem::UnknownInfo& info = problem.unknowns()[k];
        if (info.differential) continue;
        if (info.index != 2)
            return "an unknown without derivative has index " + std::to_string(info.index) +
                   ", where projection asks for x' = f(t, x, y), 0 = g(t, x) with all y of index 2";
        any = true;
    }
    return any ? std::string() : "there is no constraint of index 2 to project onto";
}

StepStatus ProjectedEnd::factor(double t, const double* x, const double* dx, Counters& counters) {
    if (jacobian_.evaluate(t, x, dx, counters) != problem::EvalStatus::ok) return StepStatus::not_finite;
    jacobian_.mark_differential(differential_);
    const SparsityPattern& pattern = problem_.pattern();
    std::fill(dynamic_row_.begin(), dynamic_row_.end(), 0);
    for (std::size_t k = 0; k < jacobian_.jdx.size(); ++k)
        if (jacobian_.jdx[k] != 0.0) dynamic_row_[static_cast<std::size_t>(pattern.row_index[k])] = 1;
    split_.jx = jacobian_.jx;
    split_.jdx = jacobian_.jdx;
    for (int j = 0; j < pattern.cols; ++j) {
        if (!differential_[static_cast<std::size_t>(j)]) continue;
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
            if (dynamic_row_[static_cast<std::size_t>(pattern.row_index[k])])
                split_.jx[static_cast<std::size_t>(k)] = 0.0;
    }
    const linalg::FactorStatus status = matrix_.factor(split_, 1.0, counters);
    if (status == linalg::FactorStatus::not_finite) return StepStatus::not_finite;
    return status == linalg::FactorStatus::ok ? StepStatus::ok : StepStatus::singular_matrix;
}

StepStatus ProjectedEnd::onto_constraint(double t, double* x, const double* dx, const ErrorNorm& norm, double round_off,
                                         Counters& counters) {
    double before = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
        ++counters.residuals;
        if (problem_.residual(t, x, dx, delta_.data()) != problem::EvalStatus::ok) return StepStatus::not_finite;
        for (std::size_t k = 0; k < n_; ++k)
            if (dynamic_row_[k]) delta_[k] = 0.0;
        matrix_.solve(delta_, counters);
        for (std::size_t k = 0; k < n_; ++k) {
            if (!differential_[k]) delta_[k] = 0.0; // μ
            x[k] -= delta_[k];
        }
        const double size = norm(delta_.data());
        if (!std::isfinite(size)) return StepStatus::not_finite;
        if (size <= round_off) return StepStatus::ok;
        if (size >= before) return is_noise(size, round_off) ? StepStatus::ok : StepStatus::newton_failed;
        before = size;
    }
    return StepStatus::newton_failed;
}

StepStatus ProjectedEnd::hidden_constraint(double t, double h, double* x, double* dx, const ErrorNorm& norm,
                                           double round_off, const TimeDerivative& time_derivative,
                                           Counters& counters) {
    const SparsityPattern& pattern = problem_.pattern();
    ++counters.residuals;
    if (problem_.residual(t, x, dx, residual_.data()) != problem::EvalStatus::ok ||
        !time_derivative(t, x, dx, residual_.data(), by_time_.data()))
        return StepStatus::not_finite;
    double before = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
        ++counters.residuals;
        if (problem_.residual(t, x, dx, delta_.data()) != problem::EvalStatus::ok) return StepStatus::not_finite;
        for (std::size_t k = 0; k < n_; ++k)
            if (!dynamic_row_[k]) delta_[k] = by_time_[k];
        for (int j = 0; j < pattern.cols; ++j) {
            const auto jj = static_cast<std::size_t>(j);
            if (!differential_[jj]) continue;
            for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
                if (const auto row = static_cast<std::size_t>(pattern.row_index[k]); !dynamic_row_[row])
                    delta_[row] += jacobian_.jx[static_cast<std::size_t>(k)] * dx[jj];
        }
        matrix_.solve(delta_, counters);
        for (std::size_t k = 0; k < n_; ++k) {
            (differential_[k] ? dx : x)[k] -= delta_[k];
            if (differential_[k]) delta_[k] *= h; // what an error of x' makes of x
        }
        const double size = norm(delta_.data());
        if (!std::isfinite(size)) return StepStatus::not_finite;
        if (size <= round_off) return StepStatus::ok;
        if (size >= before) return is_noise(size, round_off) ? StepStatus::ok : StepStatus::newton_failed;
        before = size;
    }
    return StepStatus::newton_failed;
}

StepStatus ProjectedEnd::apply(double t, double h, double* x, double* dx, const ErrorNorm& norm, double round_off,
                               const TimeDerivative& time_derivative, Counters& counters) {
    StepStatus status = factor(t, x, dx, counters);
    if (status == StepStatus::ok) status = onto_constraint(t, x, dx, norm, round_off, counters);
    if (status == StepStatus::ok) status = factor(t, x, dx, counters); // g_x at x̂
    if (status == StepStatus::ok) status = hidden_constraint(t, h, x, dx, norm, round_off, time_derivative, counters);
    return status;
}

} // namespace daedalus::integrate
