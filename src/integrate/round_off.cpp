#include "integrate/round_off.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::integrate {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

} // namespace

void RoundOff::reset() {
    std::fill(level_.begin(), level_.end(), 0.0);
    std::fill(residual_.begin(), residual_.end(), 0.0);
}

double RoundOff::sign() {
    random_ = random_ * 1664525U + 1013904223U; // Knuth 1997, 3.3.4: a linear congruential generator
    return (random_ >> 31) != 0 ? -1.0 : 1.0;
}

void RoundOff::measure(double t, const double* x, const double* dx, const double* base, const JacobianValues& jacobian,
                       double shift, Counters& counters) {
    constexpr double many = 1024.0; // roundings: the errors at both points are then different ones
    const SparsityPattern& pattern = jacobian.problem().pattern();
    for (std::size_t j = 0; j < x_.size(); ++j) {
        x_[j] = x[j] + sign() * many * eps * std::abs(x[j]);
        dx_[j] = dx[j] + shift * (x_[j] - x[j]);
    }
    ++counters.residuals;
    if (jacobian.problem().residual(t, x_.data(), dx_.data(), residual_.data()) != problem::EvalStatus::ok) {
        std::fill(residual_.begin(), residual_.end(), 0.0);
        return;
    }
    for (std::size_t i = 0; i < x_.size(); ++i) residual_[i] -= base[i];
    for (int j = 0; j < pattern.cols; ++j) {
        const double by_x = x_[j] - x[j], by_dx = dx_[j] - dx[j];
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
            residual_[pattern.row_index[k]] -= jacobian.jx[k] * by_x + jacobian.jdx[k] * by_dx;
    }
}

void RoundOff::estimate(const JacobianValues& jacobian, double shift, const double* x, ShiftedMatrix<double>& matrix,
                        Counters& counters) {
    const SparsityPattern& pattern = jacobian.problem().pattern();
    std::copy(residual_.begin(), residual_.end(), r_.begin());
    for (int j = 0; j < pattern.cols; ++j) {
        const double slope = sign() * shift * eps * std::abs(x[j]);
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
            r_[pattern.row_index[k]] += jacobian.jdx[k] * slope;
    }
    matrix.solve(r_, counters);
    constexpr double memory = 0.75; // the last ten or so
    for (std::size_t i = 0; i < level_.size(); ++i) {
        const double now = std::isfinite(r_[i]) ? std::abs(r_[i]) : 0.0;
        level_[i] = std::max({memory * level_[i], now, eps * std::abs(x[i])});
    }
}

} // namespace daedalus::integrate
