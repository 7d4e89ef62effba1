// Notices where stability, not accuracy, limits the steps of a BDF method of order 3 and more.
//
// Their stability regions leave out parts of the left half plane next to the imaginary axis, up to some |hλ| = 5 at
// order
// 5. A mode λ = -ε ± iω there that has long died out is kept alive by the method at the size of the tolerance, and the
// error test holds the step where the method neither damps nor amplifies it. Order 2 is A-stable: it damps the mode,
// and steps grow; beyond that part of the plane all orders are stable again.
//
// The sign: the terms ‖h^j x^(j)‖ of successive orders are in the ratio |hλ|, and that is not small. Oscillations that
// have to be resolved show the same only if they are a few tolerances large; so the lower order is tried, and left
// again if steps do not grow. (Of the same purpose, by other means: the detection in CVODE, Hindmarsh 1995.)
#pragma once

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

class StabilityLimit {
public:
    /// After an accepted step of size h at order k: its error terms at orders k, k-1 and k-2, and whether the step size
    /// may grow.
    void watch(int k, double h, double term, double term_lower, double term_lowest, bool grows, long steps) {
        h = std::abs(h);
        if (capped_) {
            if (h >= beyond * h_limit_) {
                capped_ = false;
                patience_ = first_patience;
            } else if ((steps - since_ > trial && h < 2.0 * h_limit_) || h < in_vain * h_limit_) {
                capped_ = false;
                not_before_ = steps + patience_;
                patience_ *= 2;
            }
            return;
        }
        const bool oscillates = k >= 3 && !grows && term >= ratio * term_lower && term_lower >= ratio * term_lowest;
        seen_ = oscillates ? seen_ + 1 : 0;
        if (seen_ < convinced || steps < not_before_) return;
        capped_ = true;
        seen_ = 0;
        since_ = steps;
        h_limit_ = h;
    }
    /// The method begins anew.
    void restart() {
        capped_ = false;
        seen_ = 0;
    }
    /// What the terms show before so many steps is the start-up phase.
    void not_before(long steps) { not_before_ = std::max(not_before_, steps); }
    /// Orders above this one are not to be used.
    [[nodiscard]] int highest_order(int otherwise) const { return capped_ && otherwise > 2 ? 2 : otherwise; }

private:
    // Of successive terms: next to the imaginary axis order 5 loses stability near |hλ| = 0.7. At lower orders it is
    // less, but then what is kept alive is so large that order 2 would have to resolve it.
    static constexpr double ratio = 0.4;
    static constexpr double in_vain = 0.3; // of the step at the limit: order 2 would have to resolve what oscillates
    static constexpr int convinced = 12;   // steps in a row, twice what order 5 remembers
    static constexpr double beyond = 20.0; // times the step at the limit: |hλ| > 10
    static constexpr long trial = 150;     // steps, in which order 2 damps what oscillates with |hλ| = 0.3
    static constexpr long first_patience = 1000; // steps without a trial after one in vain, doubled each time

    bool capped_ = false;
    int seen_ = 0;
    long since_ = 0, not_before_ = 0, patience_ = first_patience;
    double h_limit_ = 0.0;
};

} // namespace daedalus::integrate
