// The interval of a run and the direction of its time.
#pragma once

#include <cmath>

namespace daedalus::integrate {

struct Interval {
    double t0 = 0.0, t1 = 0.0; ///< t1 < t0: backward
    [[nodiscard]] bool forward() const { return t1 >= t0; }
    [[nodiscard]] double length() const { return std::abs(t1 - t0); }
    /// Whether a is at b or comes after it.
    [[nodiscard]] bool beyond_or_at(double a, double b) const { return forward() ? a >= b : a <= b; }
    /// Strictly between the two ends.
    [[nodiscard]] bool inside(double t) const { return forward() ? t > t0 && t < t1 : t < t0 && t > t1; }
};

} // namespace daedalus::integrate
