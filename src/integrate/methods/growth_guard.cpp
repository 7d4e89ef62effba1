#include "integrate/methods/growth_guard.hpp"

#include <cmath>

namespace daedalus::integrate {

bool GrowthGuard::outruns(const JacobianValues& jacobian, ShiftedMatrix<double>& matrix, double shift,
                          const std::vector<double>& dx, std::span<const double> weights, Counters& counters) {
    if (!applies_) return false;
    const long double determinant = matrix.determinant();
    if (determinant == 0.0L) return false; // nobody knows
    const int sign = determinant < 0.0L ? -1 : 1;
    if (sign_ == 0) sign_ = sign;
    return sign != sign_ && turns_round(jacobian, matrix, shift, dx, weights, counters);
}

bool GrowthGuard::turns_round(const JacobianValues& jacobian, ShiftedMatrix<double>& matrix, double shift,
                              const std::vector<double>& dx, std::span<const double> weights, Counters& counters) {
    response_.assign(dx.size(), 0.0);
    jacobian.apply(0.0, shift, dx.data(), response_.data());
    matrix.solve(response_, counters);
    constexpr double seen = 1e-9; // tolerances: solutions end within one, and round-off is no motion
    for (std::size_t j = 0; j < dx.size(); ++j)
        if (response_[j] * dx[j] < 0.0 && std::abs(dx[j] / shift) * weights[j] > seen) return true;
    return false;
}

} // namespace daedalus::integrate
