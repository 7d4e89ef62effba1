#include "nonlinear/newton.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace daedalus::nonlinear {

void ConvergenceMonitor::begin(const NewtonOptions& options, double roundoff_norm) {
    options_ = options;
    result_ = {};
    promised_ = false;
    roundoff_norm_ = roundoff_norm;
    // An old rate is trusted a little less with every solve: exponent 0.8 of HW IV.8, below (8.11).
    const double smallest = options.smallest_eta;
    if (eta_ == unknown)
        eta_ = options.first_eta;
    else if (eta_ <= smallest * std::sqrt(std::sqrt(smallest))) // η^0.8 ≤ smallest, mostly: no power is needed
        eta_ = smallest;
    else
        eta_ = std::max(std::pow(eta_, 0.8), smallest);
}

ConvergenceMonitor::Verdict ConvergenceMonitor::stop(NewtonStatus status) {
    result_.status = status;
    if (!result_.usable()) eta_ = unknown;
    return Verdict::stop;
}

ConvergenceMonitor::Verdict ConvergenceMonitor::not_finite() { return stop(NewtonStatus::not_finite); }

ConvergenceMonitor::Verdict ConvergenceMonitor::observe(double norm) {
    if (!std::isfinite(norm)) return stop(NewtonStatus::not_finite);
    const int m = ++result_.iterations;
    result_.last_norm = norm;
    if (norm <= roundoff_norm_) {
        // Down to round-off in two: the rate is at most this, and the next solve may count on it.
        if (options_.rate_at_round_off && m == 2 && norm < options_.divergence_rate * previous_norm_) {
            result_.rate = norm / previous_norm_;
            eta_ = result_.rate / (1.0 - result_.rate);
        }
        return stop(NewtonStatus::converged);
    }
    bool flickers = false;
    if (m > 1) {
        const double ratio = norm / previous_norm_;
        const double previous_ratio = std::exchange(previous_ratio_, ratio);
        const double rate = m == 2 ? ratio : std::sqrt(ratio * previous_ratio);
        const bool small = std::max(norm, previous_norm_) <= options_.stagnation_level;
        // Corrections far below the tolerance that hardly shrink are round-off and say nothing about the iteration.
        constexpr double hardly = 0.3;
        flickers = small && rate >= hardly;
        if (!flickers) result_.rate = rate;
        // Small corrections that grow again are round-off; as long as they shrink there is something to gain. The first
        // ratio is no evidence of anything: it compares corrections of different make (the predictor's error against
        // the iteration's).
        if (m > 2 && small && ratio >= 1.0) return stop(NewtonStatus::stagnated);
        if (m == 3 && promised_ && ratio >= hardly) return stop(NewtonStatus::stagnated);
        if (rate < options_.divergence_rate) {
            eta_ = rate / (1.0 - rate);
            // A predictor that is far off in what the matrix fits makes the first ratio as small as it likes: above the
            // tolerance it promises no more than a remembered rate.
            if (m == 2 && norm > options_.stagnation_level && eta_ < options_.smallest_eta) {
                promised_ = eta_ * norm <= options_.kappa;
                eta_ = options_.smallest_eta;
            }
            if (m > 2 && !small && eta_ * norm > options_.kappa) {
                double remaining = eta_ * norm;
                for (int left = options_.max_iterations - m; left > 0; --left) remaining *= rate;
                if (remaining > options_.kappa) {
                    result_.predicted = remaining / options_.kappa;
                    return stop(NewtonStatus::too_slow);
                }
            }
        } else {
            if (!small && (m > 2 || ratio > options_.growth_at_first)) return stop(NewtonStatus::diverged);
            eta_ = std::max(options_.first_eta, 1.0);
        }
    }
    previous_norm_ = norm;
    if (eta_ * norm <= options_.kappa) return stop(NewtonStatus::converged);
    if (m >= options_.max_iterations) {
        if (flickers && eta_ * norm <= options_.stagnation_level) return stop(NewtonStatus::stagnated);
        result_.predicted = eta_ * norm / options_.kappa;
        return stop(NewtonStatus::too_slow);
    }
    return Verdict::iterate;
}

} // namespace daedalus::nonlinear
