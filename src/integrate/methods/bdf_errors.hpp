// Errors that an attempted step of a BDF method would have at its own and the neighbouring orders, from differences of
// the history (Brenan, Campbell & Petzold 1996, 5.2.3):
//     term at order j      ‖h^{j+1} x^{(j+1)}‖                          their TERK, TERKM1, TERKM2, TERKP1
//     estimate at order j  term / (j+1), the local error of equal steps  their ERK, ERKM1, ERKP1
// Terms of successive orders are compared to choose the order, estimates to choose the step size. The error test itself
// uses the constant of the formula on the grid at hand.
#pragma once

#include "integrate/error_norm.hpp"
#include "integrate/methods/bdf_history.hpp"

#include <vector>

namespace daedalus::integrate {

/// Of one attempt; it refers to what the attempt was made with.
class BdfErrors {
public:
    /// `e`: x - x_pred of a step of order k that `history` was prepared for; `work` is overwritten.
    BdfErrors(const BdfHistory& history, const ErrorNorm& norm, int k, const std::vector<double>& e,
              std::vector<double>& work)
        : history_(history), norm_(norm), k_(k), e_(e), work_(work) {
        const double size = norm(e.data());
        error_ = history.error_constant() * size;
        estimate_ = history.sigma(k) * size;
        term_ = (k + 1) * estimate_;
        if (k == 1) return;
        history.add_difference(k, e.data(), work.data());
        estimate_below_ = history.sigma(k - 1) * norm(work.data());
        term_below_ = k * estimate_below_;
        if (k == 2) return;
        history.add_difference(k - 1, work.data(), work.data());
        term_two_below_ = (k - 1) * history.sigma(k - 2) * norm(work.data());
    }

    [[nodiscard]] int order() const { return k_; }
    [[nodiscard]] double error() const { return error_; } ///< of the error test
    [[nodiscard]] double estimate() const { return estimate_; }
    [[nodiscard]] double term() const { return term_; }
    [[nodiscard]] double estimate_below() const { return estimate_below_; } ///< order k - 1; k ≥ 2
    [[nodiscard]] double term_below() const { return term_below_; }         ///< order k - 1; k ≥ 2
    [[nodiscard]] double term_two_below() const { return term_two_below_; } ///< order k - 2; k ≥ 3
    /// Order k + 1; after k + 1 equal steps only. Computed when asked for.
    [[nodiscard]] double estimate_above() const {
        history_.subtract_top(e_.data(), work_.data());
        return norm_(work_.data()) / (k_ + 2);
    }

private:
    const BdfHistory& history_;
    const ErrorNorm& norm_;
    const int k_;
    const std::vector<double>& e_;
    std::vector<double>& work_;
    double error_ = 0.0, estimate_ = 0.0, term_ = 0.0;
    double estimate_below_ = 0.0, term_below_ = 0.0, term_two_below_ = 0.0;
};

} // namespace daedalus::integrate
