// Which step sizes Newton's iteration with one matrix per step can be expected to bear.
//
// Its rate Θ grows about as h² where the matrix belongs to the step. Steps of √Θ take ln ε / ln Θ iterations: the way
// per iteration, -√Θ ln Θ, is longest at Θ = e⁻². Where the iteration failed, steps stay below until it is seen to
// converge easily again.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::integrate {

class NewtonStepLimit {
public:
    void reset() { limit_ = std::numeric_limits<double>::infinity(); }
    /// A step failed with a matrix that was up to date; the next is at most `h`.
    void failed(double h) { limit_ = std::abs(h); }
    /// `rate`: 0 if one iteration was enough.
    void accepted(double h, double rate) {
        constexpr double once = 2.0; // nothing was measured but that it is easy
        const double growth = rate > 0.0 ? growth_for(rate) : once;
        limit_ = std::max(slow_growth * limit_, std::abs(h) * growth);
    }
    /// By which factor the next step may be larger, for the failures' sake …
    [[nodiscard]] double after_failures(double h) const { return limit_ / std::abs(h); }
    /// … and with this rate.
    [[nodiscard]] static double growth_for(double rate) {
        constexpr double best_rate = 0.1353352832366127; // e⁻²
        return std::clamp(std::sqrt(best_rate / rate), 0.8, largest_growth);
    }

private:
    static constexpr double slow_growth = 1.3, largest_growth = 8.0;
    double limit_ = std::numeric_limits<double>::infinity();
};

} // namespace daedalus::integrate
