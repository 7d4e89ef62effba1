// Q_x of the point that the Jacobian of a simplified Newton iteration was evaluated at, as a linear map.
//
// An iteration ends with a correction δ, (J + σ M) δ = G(x), whose remainder nobody evaluates. With q = Q(x - δ) at the
// end, sums of rows such as Σ q' = 0 would hold up to that remainder only, and over thousands of steps it adds up. With
//     q := Q(x) - Q_x δ ,   q' accordingly,                     Q_x: that of M,
// every sum of rows that J does not contribute to holds to round-off: what is conserved stays so in the history of q,
// and Q of the points handed out differs from it by the remainder of one step. Q_x δ is a difference of chain rules,
// (Q_t + Q_x δ) - Q_t.
#pragma once

#include "problem/implicit_problem.hpp"

#include <algorithm>
#include <vector>

namespace daedalus::integrate {

class FrozenQuantity {
public:
    explicit FrozenQuantity(const problem::ImplicitProblem& problem)
        : problem_(&problem), x_(present() ? static_cast<std::size_t>(problem.size()) : 0), zero_(x_.size()),
          by_time_(static_cast<std::size_t>(problem.quantity().size)), change_(by_time_.size()) {}

    /// The Jacobian was evaluated there.
    void freeze(double t, const double* x) {
        if (!present()) return;
        t_ = t;
        std::copy_n(x, x_.size(), x_.begin());
        (void)problem_->quantity_slope(t, x, zero_.data(), by_time_.data());
    }
    /// q += factor Q_x δ; false: it has no value.
    [[nodiscard]] bool add(double factor, const double* delta, double* q) {
        if (problem_->quantity_slope(t_, x_.data(), delta, change_.data()) != problem::EvalStatus::ok) return false;
        for (std::size_t k = 0; k < change_.size(); ++k) q[k] += factor * (change_[k] - by_time_[k]);
        return true;
    }

private:
    [[nodiscard]] bool present() const { return problem_->quantity().size > 0; }

    const problem::ImplicitProblem* problem_;
    double t_ = 0.0;
    std::vector<double> x_, zero_, by_time_, change_;
};

} // namespace daedalus::integrate
