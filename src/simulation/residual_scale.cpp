#include "simulation/residual_scale.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace daedalus::simulation {

ResidualScale::ResidualScale(const problem::ImplicitProblem& problem, double rtol, double atol)
    : problem_(problem), rtol_(rtol), atol_(atol),
      size_(static_cast<std::size_t>(problem.size()) +
            static_cast<std::size_t>(problem.hidden_constraints().function.size)),
      base_(size_.size()), moved_(size_.size()), x_(static_cast<std::size_t>(problem.size())), dx_(x_.size()) {}

void ResidualScale::evaluate(const problem::ImplicitProblem& problem, double t, const double* x, const double* dx,
                             std::vector<double>& rows) {
    static_cast<void>(problem.residual(t, x, dx, rows.data()));
    static_cast<void>(problem.hidden(t, x, dx, rows.data() + problem.size()));
}

void ResidualScale::measure(double t, const double* x, const double* dx, double h) {
    constexpr double eps = std::numeric_limits<double>::epsilon();
    evaluate(problem_, t, x, dx, base_);
    std::minstd_rand random(12345);
    std::uniform_real_distribution<double> share(0.5, 1.0); // not all alike: equal changes can cancel in a row
    const auto change = [&] { return (random() & 1U ? 1.0 : -1.0) * share(random); };
    const auto raise = [&] {
        evaluate(problem_, t, x_.data(), dx_.data(), moved_);
        for (std::size_t i = 0; i < size_.size(); ++i)
            if (const double d = std::abs(moved_[i] - base_[i]); d > size_[i]) size_[i] = d;
    };
    for (int pattern = 0; pattern < 4; ++pattern) {
        for (std::size_t i = 0; i < x_.size(); ++i) {
            const problem::UnknownInfo& info = problem_.unknowns()[i];
            // A variable that happens to pass zero here is not small all the time.
            double weight = rtol_ * std::max(std::abs(x[i]), std::abs(info.nominal)) + atol_ * info.nominal;
            // Newton holds auxiliary unknowns to the tolerance over h.
            if (info.auxiliary && h != 0.0) weight /= std::min(1.0, std::abs(h));
            x_[i] = x[i] + change() * weight;
            // Slopes are differences of values over the step: so is their round-off.
            const double rounding = h != 0.0 ? eps * std::abs(x[i] / h) : 0.0;
            dx_[i] = dx[i] + change() * (rtol_ * std::abs(dx[i]) + weight + rounding);
        }
        raise();
        // Rows may have a value on one side only, as √x next to zero.
        for (std::size_t i = 0; i < x_.size(); ++i) {
            x_[i] = x[i] - (x_[i] - x[i]);
            dx_[i] = dx[i] - (dx_[i] - dx[i]);
        }
        raise();
    }
    for (std::size_t i = 0; i < size_.size(); ++i)
        if (std::abs(base_[i]) > size_[i]) return measure_constants(t, x, dx);
}

/// Rows may depend on what the start has found once and for all (variables that never vary), and on nothing else: then
/// rounding of those values is all that explains their residual. Whole numbers are sides of conditions and the like.
void ResidualScale::measure_constants(double t, const double* x, const double* dx) {
    constexpr double roundings = 64 * std::numeric_limits<double>::epsilon(); // of a few dozen operations
    if (!rounded_) rounded_ = std::make_shared<problem::ImplicitProblem>(problem_);
    std::minstd_rand random(2718);
    for (int pattern = 0; pattern < 4; ++pattern) {
        rounded_->environment() = problem_.environment();
        for (double& value : rounded_->environment().change())
            if (value != std::floor(value)) value *= 1.0 + (random() & 1U ? roundings : -roundings);
        evaluate(*rounded_, t, x, dx, moved_);
        for (std::size_t i = 0; i < size_.size(); ++i)
            if (const double d = std::abs(moved_[i] - base_[i]); d > size_[i]) size_[i] = d;
    }
}

} // namespace daedalus::simulation
