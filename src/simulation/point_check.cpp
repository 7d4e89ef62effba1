#include "simulation/point_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::simulation {

PointCheck::PointCheck(const problem::ImplicitProblem& problem, double rtol, double atol, double interval)
    : problem_(problem), interval_(std::abs(interval)), written_(problem, rtol, atol) {}

/// Differences in time are taken over a hundredth of `length`.
bool PointCheck::find_slopes(double t, double length, const double* x, const double* dx, std::vector<double>& slopes) {
    const auto n = static_cast<std::size_t>(problem_.size());
    slopes.assign(dx, dx + n);
    if (!derivative_) derivative_.emplace(problem_, linalg::SolverKind::automatic);
    return derivative_->find(t, length, {x, n}, slopes);
}

// Over 1e-5 of a long step truncation and round-off are alike; first steps are much shorter than what they resolve, and
// there round-off would be larger. Over less than 1e-9 of the run it would be all: sin(ω t + φ) no longer changes.
double PointCheck::length_of_differences(double h) const {
    return std::max({1e-3 * std::abs(h), std::min(std::abs(h), 1e-6 * interval_), 1e-9 * interval_});
}

const double* PointCheck::all_slopes(double t, double h, const double* x, const double* dx) {
    return find_slopes(t, length_of_differences(h), x, dx, slopes_) ? slopes_.data() : nullptr;
}

// Points are consistent: all that F determines is as exact as round-off allows. Slopes that it leaves open are
// differences, and differ where one of them is not exact.
void PointCheck::look(double t, double h, const double* x, const double* dx) {
    if (written_.empty()) return;
    if (!written_.needs_all_slopes()) {
        written_.look(t, h, x, dx);
        return;
    }
    const double length = length_of_differences(h);
    constexpr double longer = 10.0; // differences over another length tell what of a slope is their own error
    if (!find_slopes(t, length, x, dx, slopes_)) return;
    written_.look(t, h, x, slopes_.data(), [&]() -> const double* {
        return find_slopes(t, longer * length, x, dx, other_slopes_) ? other_slopes_.data() : nullptr;
    });
}

double PointCheck::largest_share(double t, double h, const double* x, const double* dx) {
    if (written_.needs_all_slopes()) dx = all_slopes(t, h, x, dx);
    return dx == nullptr ? std::numeric_limits<double>::infinity() : written_.largest_share(t, x, dx);
}

} // namespace daedalus::simulation
