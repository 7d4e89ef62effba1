#include "facade/written_check.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace daedalus::facade {

namespace {
constexpr long most_checks = 16; // each costs five consistent points: then every second, fourth, … step
constexpr double many = 30.0;    // tolerances: errors add up over a run
constexpr double most_of_terms = 1.0 / 3.0;
} // namespace

WrittenCheck::WrittenCheck(const problem::ImplicitProblem& problem, compile::WrittenEquations* equations, double rtol,
                           double atol)
    : problem_(problem), equations_(equations), rtol_(rtol), atol_(atol) {
    if (equations_ == nullptr) return;
    const auto unknowns = static_cast<std::size_t>(problem.size());
    const auto variables = equations_->nominal.size();
    const auto rows = static_cast<std::size_t>(equations_->equations());
    for (auto* v : {&x_, &dx_}) v->resize(unknowns);
    for (auto* v : {&y_, &beside_}) v->resize(static_cast<std::size_t>(problem.outputs.size));
    for (auto* v : {&dy_, &size_, &weight_, &moved_y_, &moved_dy_, &uncertain_, &second_order_}) v->resize(variables);
    for (auto* v : {&r_, &terms_, &moved_, &ignored_, &without_, &measured_}) v->resize(rows);
    q_.resize(problem.quadratures.start.size());
    if (y_.size() < variables || unknowns == 0) equations_ = nullptr;
}

bool WrittenCheck::outputs(const integrate::AcceptedStep& step, double t, std::vector<double>& y) {
    step.interpolant.evaluate_consistent(t, x_.data(), dx_.data());
    if (problem_.outputs(t, x_.data(), dx_.data(), y.data()) != problem::EvalStatus::ok) return false;
    if (!q_.empty()) step.interpolant.integrals(t, q_.data());
    for (std::size_t k = 0; k < q_.size(); ++k) y[static_cast<std::size_t>(problem_.quadratures.output[k])] = q_[k];
    return std::all_of(y.begin(), y.end(), [](double v) { return std::isfinite(v); });
}

// Central differences of fourth order, y' ≈ (8 (y₁ − y₋₁) − (y₂ − y₋₂)) / (12 d), with error d⁴ y⁽⁵⁾ / 30. Those of
// second order, (y₁ − y₋₁) / (2 d), are d² y‴ / 6 away: a small part of the difference, and round-off, is what is
// uncertain.
bool WrittenCheck::slopes(const integrate::AcceptedStep& step, double t, double h) {
    const double d = 0.005 * h;
    constexpr double part = 0.02; // d² y⁽⁵⁾ / (5 y‴) for solutions that turn by less than ten radians per step
    constexpr double round_off = 2e-14; // of y, a hundred units: consistent points are found by iteration
    std::fill(dy_.begin(), dy_.end(), 0.0);
    std::fill(second_order_.begin(), second_order_.end(), 0.0);
    for (const auto& [place, factor] : {std::pair{-2, 1.0}, {-1, -8.0}, {1, 8.0}, {2, -1.0}}) {
        if (!outputs(step, t + place * d, beside_)) return false;
        for (std::size_t j = 0; j < dy_.size(); ++j) {
            dy_[j] += factor * beside_[j] / (12.0 * d);
            if (place == 1 || place == -1) second_order_[j] += place * beside_[j] / (2.0 * d);
        }
    }
    for (std::size_t j = 0; j < dy_.size(); ++j)
        uncertain_[j] = part * std::abs(dy_[j] - second_order_[j]) + round_off * std::abs(y_[j] / d) +
                        round_off * std::abs(dy_[j] * t / d); // of the times themselves
    return true;
}

// Largest changes of the rows for errors of the size of the tolerance, reproducible patterns of signs.
void WrittenCheck::raise(double t, const std::vector<double>& in_y, const std::vector<double>& in_slope,
                         std::vector<double>& change) {
    std::fill(change.begin(), change.end(), 0.0);
    std::minstd_rand random(12345);
    std::uniform_real_distribution<double> share(0.5, 1.0);
    for (int pattern = 0; pattern < 6; ++pattern) {
        for (std::size_t j = 0; j < weight_.size(); ++j) {
            const auto part = [&] { return ((random() & 1U) ? 1.0 : -1.0) * share(random); };
            moved_y_[j] = y_[j] + part() * in_y[j];
            moved_dy_[j] = dy_[j] + part() * in_slope[j];
        }
        if (!equations_->evaluate(t, moved_y_.data(), moved_dy_.data(), moved_.data(), ignored_.data())) continue;
        for (std::size_t i = 0; i < change.size(); ++i)
            if (const double d = std::abs(moved_[i] - r_[i]); d > change[i]) change[i] = d;
    }
}

void WrittenCheck::look(const integrate::AcceptedStep& step) {
    if (equations_ == nullptr || ++steps_ % every_ != 0) return;
    if (++checks_ % most_checks == 0) every_ *= 2;
    const double h = step.t - step.t_before, t = step.t_before + 0.5 * h;
    // Beside a time that large no slope can be seen.
    if (std::abs(h) <= 1e-9 * std::max(std::abs(step.t), std::abs(step.t_before))) return;
    if (!outputs(step, t, y_) || !slopes(step, t, h)) return;
    for (std::size_t j = 0; j < weight_.size(); ++j) {
        size_[j] = std::max(size_[j], std::abs(y_[j]));
        weight_[j] = rtol_ * size_[j] + atol_ * equations_->nominal[j];
    }
    if (!equations_->evaluate(t, y_.data(), dy_.data(), r_.data(), terms_.data())) return;
    std::vector<double>& slope_weight = second_order_;
    raise(t, weight_, weight_, without_);
    std::fill(slope_weight.begin(), slope_weight.end(), 0.0);
    raise(t, slope_weight, uncertain_, measured_);
    for (std::size_t i = 0; i < r_.size(); ++i) {
        const double allowed = std::max(most_of_terms * terms_[i], many * without_[i]) + 2.0 * measured_[i];
        const double ratio = std::abs(r_[i]) / std::max(allowed, 1e-300);
        if (!(ratio > worst_)) continue;
        worst_ = ratio;
        if (ratio > 1.0) violation_ = {static_cast<int>(i), t, std::abs(r_[i]), allowed};
    }
}

} // namespace daedalus::facade
