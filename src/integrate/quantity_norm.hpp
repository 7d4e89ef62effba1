// The weighted norm of errors of the differentiated quantity q (problem/differentiated_quantity.hpp), in which 1 means
// "at tolerance":  w_k = 1 / (rtol |q_k| + atol nominal_k). As large as the largest of the components, or their mean,
// as the norm of the unknowns is.
#pragma once

#include "integrate/options.hpp"
#include "problem/implicit_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace daedalus::integrate {

class QuantityNorm {
public:
    QuantityNorm(const problem::ImplicitProblem& problem, const Tolerance& tolerance, NormKind kind)
        : kind_(kind), relative_(tolerance.relative), absolute_(static_cast<std::size_t>(problem.quantity().size)),
          weight_(absolute_.size()) {
        for (std::size_t k = 0; k < absolute_.size(); ++k)
            absolute_[k] = tolerance.absolute * std::abs(problem.quantity().nominal[k]);
    }
    /// Errors below `roundings` units in the last place of q are none.
    void set_weights(const std::vector<double>& q, double roundings) {
        constexpr double smallest = 1e-290; // as in ErrorNorm
        const double relative = std::max(relative_, roundings * std::numeric_limits<double>::epsilon());
        for (std::size_t k = 0; k < weight_.size(); ++k)
            weight_[k] = 1.0 / std::max(relative * std::abs(q[k]) + absolute_[k], smallest);
    }
    void relax(double factor) {
        relative_ *= factor;
        for (double& a : absolute_) a *= factor;
    }
    /// 0 where there is no quantity.
    [[nodiscard]] double operator()(const double* v) const {
        double sum = 0.0, largest = 0.0;
        for (std::size_t k = 0; k < weight_.size(); ++k) {
            const double e = std::abs(v[k] * weight_[k]);
            sum += e * e;
            largest = std::max(largest, e);
        }
        if (!std::isfinite(sum)) return sum;
        if (weight_.empty()) return 0.0;
        return kind_ == NormKind::rms ? std::sqrt(sum / static_cast<double>(weight_.size())) : largest;
    }

private:
    NormKind kind_;
    double relative_;
    std::vector<double> absolute_, weight_;
};

} // namespace daedalus::integrate
