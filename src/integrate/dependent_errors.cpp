#include "integrate/dependent_errors.hpp"

#include "integrate/run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::integrate {

DependentErrors::DependentErrors(const problem::ImplicitProblem& problem, const Tolerance& tolerance)
    : problem_(problem), relative_(tolerance.relative), absolute_(tolerance.absolute),
      values_(static_cast<std::size_t>(problem.dependents().size() + problem.dependents().pattern.nonzeros())),
      error_(static_cast<std::size_t>(problem.dependents().size())), noise_(error_.size()),
      x_(static_cast<std::size_t>(problem.size())) {}

Verdict DependentErrors::judge(Run& run, const Attempt& attempt, double h, double t_new) {
    return {run.options.method.fixed_step ? attempt : judged(*run.stepper, attempt, h, t_new)};
}

Attempt DependentErrors::judged(Stepper& stepper, const Attempt& attempt, double h, double t_new) {
    const problem::Dependents& d = problem_.dependents();
    if (d.size() == 0 || !(attempt.error > 0.0)) return attempt;
    const Trial trial = stepper.trial();
    const auto n = static_cast<std::size_t>(problem_.size()), m = error_.size();
    if (trial.error.size() != n || trial.weights.size() != n) return attempt;
    const bool known = stepper.proposal(x_.data());
    if (!known) std::copy(stepper.x().begin(), stepper.x().end(), x_.begin());
    if (d.linearize(problem_.call(), known ? t_new : stepper.t(), x_.data(), values_.data()) != problem::EvalStatus::ok)
        return {StepStatus::not_finite, 0.0, StepControl::after_leaving_domain(h)};
    // What the method multiplies its vector of errors by.
    double sum = 0.0;
    for (std::size_t k = 0; k < n; ++k)
        sum += (trial.error[k] * trial.weights[k]) * (trial.error[k] * trial.weights[k]);
    const double norm = std::sqrt(sum / static_cast<double>(n));
    if (!(norm > 0.0)) return attempt;
    // y cannot be known better than the roundings of x leave it; estimates are made of some of them.
    constexpr double roundings = 16 * std::numeric_limits<double>::epsilon();
    std::fill(error_.begin(), error_.end(), 0.0);
    std::fill(noise_.begin(), noise_.end(), 0.0);
    const double* entries = values_.data() + m;
    for (std::size_t j = 0; j < n; ++j)
        for (int k = d.pattern.column_start[j]; k < d.pattern.column_start[j + 1]; ++k) {
            const auto i = static_cast<std::size_t>(d.pattern.row_index[static_cast<std::size_t>(k)]);
            error_[i] += entries[k] * trial.error[j];
            noise_[i] += roundings * std::abs(entries[k] * x_[j]);
        }
    double squares = 0.0;
    for (std::size_t i = 0; i < m; ++i) {
        const double tolerance = std::max(relative_ * std::abs(values_[i]) + absolute_ * d.nominal[i], noise_[i]);
        squares += (error_[i] / tolerance) * (error_[i] / tolerance);
    }
    const double own = attempt.error, seen = trial.size > 0.0 ? trial.size : attempt.error;
    const double others = seen / norm * std::sqrt(squares / static_cast<double>(m));
    stepper.magnified(std::max(1.0, others / seen));
    if (!(others > own)) return attempt;
    const auto N = static_cast<double>(n), M = static_cast<double>(m);
    const double all = std::sqrt((N * own * own + M * others * others) / (N + M));
    const double size = StepControl::by_error(h, all, stepper.order());
    const double next = std::copysign(std::min(std::abs(attempt.next_h), size), attempt.next_h);
    return {StepStatus::ok, all, next};
}

} // namespace daedalus::integrate
