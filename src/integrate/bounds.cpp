#include "integrate/bounds.hpp"

#include "integrate/run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace daedalus::integrate {

Bounds::Bounds(const problem::ImplicitProblem& problem, const IntegrationOptions& options)
    : problem_(problem), options_(options) {
    collect();
}

void Bounds::collect() {
    bounds_.clear();
    worst_ = -1;
    if (!options_.bounds.keep) return;
    const problem::ImplicitProblem& problem = problem_;
    const Tolerance& tol = options_.tolerance;
    for (int i = 0; i < problem.size(); ++i) {
        const auto k = static_cast<std::size_t>(i);
        const problem::UnknownInfo& info = problem.unknowns()[k];
        if (!std::isfinite(info.min) && !std::isfinite(info.max)) continue;
        const double rtol = tol.relative_each.empty() ? tol.relative : tol.relative_each[k];
        const double atol = tol.absolute_each.empty() ? tol.absolute * info.nominal : tol.absolute_each[k];
        const double size = std::max({std::isfinite(info.min) ? std::abs(info.min) : 0.0,
                                      std::isfinite(info.max) ? std::abs(info.max) : 0.0, info.nominal});
        bounds_.push_back({i, info.min, info.max, rtol * size + atol, info.differential});
    }
    x_.resize(bounds_.empty() ? 0 : static_cast<std::size_t>(problem.size()));
}

/// A step that leaves the bounds of an unknown is tried again, smaller.
Verdict Bounds::judge(Run& run, const Attempt& attempt, double h, double /*t_new*/) {
    if (admit(*run.stepper)) return {attempt};
    return {{attempt.status, attempt.error, StepControl::after_leaving_domain(h)}, true};
}

Flow Bounds::accepted(Run& run, double h) {
    if (!outside(run.stepper->x())) return Flow::proceed;
    run.take_point();
    if (!clip(run.x)) return Flow::proceed;
    const double t = run.stepper->t();
    if (run.consistent->applicable()) (void)run.consistent->follow(t, std::abs(h), run.x.data(), run.dx.data(), false);
    run.stepper->correct(run.x, run.dx);
    if (!pushed_out(run.dx, h)) return Flow::proceed;
    FailureReport report;
    (void)explain(run, report);
    return run.fail(std::move(report));
}

void Bounds::forget(Run&) { collect(); }

bool Bounds::explain(const Run& run, FailureReport& report) const {
    if (worst_ < 0) return false;
    report.reason = FailureReason::bound;
    report.t = run.stepper->t();
    report.cause = complaint();
    report.error_variables = {{worst_, 1.0}};
    return true;
}

bool Bounds::admit(const Stepper& stepper) {
    if (bounds_.empty() || !stepper.proposal(x_.data())) return true;
    const std::span<const double> before = stepper.x();
    for (Bound& b : bounds_) {
        const auto k = static_cast<std::size_t>(b.unknown);
        const double beyond = std::max(b.min - x_[k], x_[k] - b.max);
        if (beyond <= b.tolerance) continue;
        // A run that begins outside may come back.
        const double was = std::max(b.min - before[k], before[k] - b.max);
        if (beyond <= was) continue;
        worst_ = b.unknown;
        b.refused = true;
        return false;
    }
    return true;
}

bool Bounds::outside(std::span<const double> x) const {
    return std::any_of(bounds_.begin(), bounds_.end(), [&](const Bound& b) {
        const double value = x[static_cast<std::size_t>(b.unknown)];
        const double beyond = std::max(b.min - value, value - b.max);
        return b.state && beyond > 0.0 && beyond <= b.tolerance;
    });
}

bool Bounds::clip(std::vector<double>& x) {
    bool any = false;
    for (Bound& b : bounds_) {
        double& value = x[static_cast<std::size_t>(b.unknown)];
        const double inside = std::clamp(value, b.min, b.max);
        b.clipped = b.state && value != inside && std::abs(value - inside) <= b.tolerance;
        if (!b.clipped) {
            if (b.state && value == inside) {
                b.pushed = 0.0;
                b.refused = false;
                b.clips = 0;
            }
            continue;
        }
        b.at_min = value < inside;
        value = inside;
        any = true;
    }
    return any;
}

bool Bounds::pushed_out(const std::vector<double>& dx, double h) {
    constexpr double too_far = 10.0; // tolerances
    constexpr int too_often = 20;
    bool any = false;
    for (Bound& b : bounds_) {
        if (!b.clipped) continue;
        const double step = h * dx[static_cast<std::size_t>(b.unknown)];
        const double out = std::max(0.0, b.at_min ? -step : step);
        b.pushed += out;
        // Larger steps were refused, and smaller ones only creep along the bound.
        if (out > 0.0 && b.refused) ++b.clips;
        if (b.pushed <= too_far * b.tolerance && b.clips <= too_often) continue;
        worst_ = b.unknown;
        any = true;
    }
    return any;
}

std::string Bounds::complaint() const {
    if (worst_ < 0) return "";
    const problem::UnknownInfo& info = problem_.unknowns()[static_cast<std::size_t>(worst_)];
    const std::string name = problem_.names().variable(worst_);
    const auto number = [](double value) {
        char text[32];
        return std::string(text, static_cast<std::size_t>(std::snprintf(text, sizeof text, "%.6g", value)));
    };
    std::string range;
    if (std::isfinite(info.min)) range = "min = " + number(info.min);
    if (std::isfinite(info.max)) range += (range.empty() ? "" : ", ") + ("max = " + number(info.max));
    return "the equations drive " + name + " out of its bounds (" + range + "), however small the steps are";
}

} // namespace daedalus::integrate
