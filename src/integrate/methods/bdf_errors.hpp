// Errors that an attempted step of a BDF method would have at its own and the neighbouring orders, from differences of
// the history (Brenan, Campbell & Petzold 1996, 5.2.3):
//     term at order j      ‖h^{j+1} x^{(j+1)}‖                          their TERK, TERKM1, TERKM2, TERKP1
//     estimate at order j  term / (j+1), the local error of equal steps  their ERK, ERKM1, ERKP1
// Terms of successive orders are compared to choose the order, estimates to choose the step size. The error test itself
// uses the constant of the formula on the grid at hand.
#pragma once

#include "integrate/error_norm.hpp"
#include "integrate/methods/bdf_history.hpp"
#include "integrate/quantity_norm.hpp"

#include <algorithm>
#include <vector>

namespace daedalus::integrate {

/// e = d - d_pred of an attempt at order k, of the unknowns and of the differentiated quantity, and memory for both.
struct BdfCorrection {
    const std::vector<double>&e, &of_quantity;
    std::vector<double>&work, &work_of_quantity; ///< overwritten
};

/// Of one attempt; it refers to what the attempt was made with. Where there is a quantity the larger of both counts.
class BdfErrors {
public:
    /// At the order k that `history` was prepared for.
    BdfErrors(const BdfHistory& history, const ErrorNorm& norm, const QuantityNorm& quantity_norm, int k,
              const BdfCorrection& correction)
        : history_(history), norm_(norm), quantity_norm_(quantity_norm), k_(k), c_(correction) {
        const double size = larger(c_.e, c_.of_quantity);
        error_ = history.error_constant() * size;
        estimate_ = history.sigma(k) * size;
        term_ = (k + 1) * estimate_;
        if (k == 1) return;
        add_difference(k, c_.e, c_.of_quantity);
        estimate_below_ = history.sigma(k - 1) * larger(c_.work, c_.work_of_quantity);
        term_below_ = k * estimate_below_;
        if (k == 2) return;
        add_difference(k - 1, c_.work, c_.work_of_quantity);
        term_two_below_ = (k - 1) * history.sigma(k - 2) * larger(c_.work, c_.work_of_quantity);
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
        history_.subtract_top(c_.e.data(), c_.work.data());
        history_.subtract_quantity_top(c_.of_quantity.data(), c_.work_of_quantity.data());
        return larger(c_.work, c_.work_of_quantity) / (k_ + 2);
    }

private:
    [[nodiscard]] double larger(const std::vector<double>& e, const std::vector<double>& of_quantity) const {
        const double size = norm_(e.data());
        return of_quantity.empty() ? size : std::max(quantity_norm_(of_quantity.data()), size); // a NaN of x stays
    }
    void add_difference(int i, const std::vector<double>& e, const std::vector<double>& of_quantity) const {
        history_.add_difference(i, e.data(), c_.work.data());
        history_.add_quantity_difference(i, of_quantity.data(), c_.work_of_quantity.data());
    }

    const BdfHistory& history_;
    const ErrorNorm& norm_;
    const QuantityNorm& quantity_norm_;
    const int k_;
    const BdfCorrection c_;
    double error_ = 0.0, estimate_ = 0.0, term_ = 0.0;
    double estimate_below_ = 0.0, term_below_ = 0.0, term_two_below_ = 0.0;
};

} // namespace daedalus::integrate
