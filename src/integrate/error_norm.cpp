#include "integrate/error_norm.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace daedalus::integrate {

ErrorNorm::ErrorNorm(const problem::ImplicitProblem& problem, const Tolerance& tolerance, NormKind kind)
    : kind_(kind), others_(problem.collective()), all_unknowns_(others_.sum_of(problem.size())) {
    const auto n = static_cast<std::size_t>(problem.size());
    assert(tolerance.relative_each.empty() || tolerance.relative_each.size() == n);
    assert(tolerance.absolute_each.empty() || tolerance.absolute_each.size() == n);
    relative_.resize(n);
    absolute_.resize(n);
    weight_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        const problem::UnknownInfo& info = problem.unknowns()[i];
        relative_[i] = tolerance.relative_each.empty() ? tolerance.relative : tolerance.relative_each[i];
        absolute_[i] =
            tolerance.absolute_each.empty() ? tolerance.absolute * std::abs(info.nominal) : tolerance.absolute_each[i];
        if (const int power = info.index - 1 + (info.auxiliary ? 1 : 0); power > 0) {
            scaled_.push_back(static_cast<int>(i));
            power_.push_back(power);
        }
    }
}

void ErrorNorm::set_weights(const double* x, double h) {
    // A weight of zero tolerance would be infinite: a component at exactly 0 with atol = 0 is held to 1e-290.
    constexpr double smallest = 1e-290;
    const std::size_t n = weight_.size();
    for (std::size_t i = 0; i < n; ++i)
        weight_[i] = 1.0 / std::max(relative_[i] * std::abs(x[i]) + absolute_[i], smallest);
    // Never more important than at h = 1: large steps must not tighten the test.
    const double base = std::min(1.0, std::abs(h));
    for (std::size_t k = 0; k < scaled_.size(); ++k) {
        double factor = base;
        for (int power = power_[k]; power > 1; --power) factor *= base;
        weight_[static_cast<std::size_t>(scaled_[k])] *= factor;
    }
    for (const int i : left_out_) weight_[static_cast<std::size_t>(i)] = 0.0;
}

void ErrorNorm::states_only(const problem::ImplicitProblem& problem) {
    left_out_.clear();
    for (int i = 0; i < problem.size(); ++i)
        if (!problem.unknowns()[static_cast<std::size_t>(i)].differential) left_out_.push_back(i);
}

void ErrorNorm::bound_weights(std::span<const double> noise, double factor) {
    for (std::size_t i = 0; i < weight_.size(); ++i)
        if (const double level = factor * std::abs(noise[i]); weight_[i] * level > 1.0) weight_[i] = 1.0 / level;
}

double ErrorNorm::stacked(const double* v, int blocks) const {
    const std::size_t n = weight_.size();
    const double* w = weight_.data();
    if (kind_ == NormKind::rms) {
        double sum[4] = {0.0, 0.0, 0.0, 0.0}; // none waits for the one before
        for (int b = 0; b < blocks; ++b, v += n) {
            std::size_t i = 0;
            for (; i + 4 <= n; i += 4)
                for (std::size_t l = 0; l < 4; ++l) {
                    const double q = v[i + l] * w[i + l];
                    sum[l] += q * q;
                }
            for (; i < n; ++i) {
                const double q = v[i] * w[i];
                sum[0] += q * q;
            }
        }
        return of_parts((sum[0] + sum[1]) + (sum[2] + sum[3]), blocks);
    }
    double largest = 0.0;
    for (int b = 0; b < blocks; ++b, v += n)
        for (std::size_t i = 0; i < n; ++i) {
            const double q = std::abs(v[i] * w[i]);
            if (!(q <= largest) && !std::isnan(largest)) largest = q; // NaN wins and stays visible
        }
    return of_parts(largest, blocks);
}

} // namespace daedalus::integrate
