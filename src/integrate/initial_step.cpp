#include "integrate/initial_step.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

double initial_step(const ErrorNorm& norm, const double* dx, double interval, int order) {
    const double longest = 1e-3 * std::abs(interval);
    const double speed = norm(dx);
    if (!(speed > 0.0) || !std::isfinite(speed)) return longest;
    const double change = order <= 1 ? 0.5 : 5.0;
    return std::min(longest, change / speed);
}

} // namespace daedalus::integrate
