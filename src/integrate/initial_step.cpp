#include "integrate/initial_step.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

double initial_step(const ErrorNorm& norm, const double* dx, double interval, int order) {
    const double longest = 1e-3 * std::abs(interval);
    const double speed = norm(dx);
    if (!(speed > 0.0) || !std::isfinite(speed)) return longest;
    // ‖h x'‖ = 1 is a change by one tolerance. An order-1 step stays near that; an order-p method can afford a change
    // of tolerance^(1/(p+1)), of which 1/10 is used because nothing is known about x''.
    const double change = order <= 1 ? 0.5 : 5.0;
    return std::min(longest, change / speed);
}

} // namespace daedalus::integrate
