#include "integrate/round_off.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::integrate {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double many = 1024.0; // roundings: the errors at the points are then different ones

} // namespace

void RoundOff::reset() {
    std::fill(level_.begin(), level_.end(), 0.0);
    std::fill(residual_.begin(), residual_.end(), 0.0);
}

bool RoundOff::relevant(std::span<const double> weights, double share, const problem::Collective& others) const {
    bool here = false;
    for (std::size_t i = 0; i < level_.size() && !here; ++i) here = level_[i] * weights[i] > share;
    return others.any(here);
}

double RoundOff::sign() {
    random_ = random_ * 1664525U + 1013904223U; // Knuth 1997, 3.3.4: a linear congruential generator
    return (random_ >> 31) != 0 ? -1.0 : 1.0;
}

bool RoundOff::evaluate(double t, const double* x, const double* dx, double share, double shift,
                        const JacobianValues& jacobian, std::vector<double>& r, Counters& counters) {
    for (std::size_t j = 0; j < x_.size(); ++j) {
        x_[j] = x[j] + share * delta_[j];
        dx_[j] = dx[j] + shift * (x_[j] - x[j]);
    }
    ++counters.residuals;
    return jacobian.problem().residual(t + share * many * eps * std::abs(t), x_.data(), dx_.data(), r.data()) ==
           problem::EvalStatus::ok;
}

void RoundOff::measure(double t, const double* x, const double* dx, const double* base, const JacobianValues& jacobian,
                       double shift, Counters& counters) {
    for (std::size_t j = 0; j < x_.size(); ++j) delta_[j] = sign() * many * eps * std::abs(x[j]);
    if (!evaluate(t, x, dx, -1.0, shift, jacobian, residual_, counters) ||
        !evaluate(t, x, dx, 1.0, shift, jacobian, r_, counters)) {
        std::fill(residual_.begin(), residual_.end(), 0.0);
        return;
    }
    std::vector<double> chained;
    if (jacobian.problem().quantity().size > 0) { // `base` is G of a step by differences of q: not what is moved here
        chained.resize(x_.size());
        ++counters.residuals;
        if (jacobian.problem().residual(t, x, dx, chained.data()) != problem::EvalStatus::ok) return;
        base = chained.data();
    }
    // F(+) - F(-) = 2 A δ + 2 ∂F/∂t δt; what F(+) - 2 F + F(-) leaves is made of three errors, hence the root of six.
    const double scale = 1.0 / std::sqrt(6.0);
    for (std::size_t i = 0; i < x_.size(); ++i) {
        const double half_difference = 0.5 * (r_[i] - residual_[i]);
        residual_[i] = scale * ((r_[i] - base[i]) + (residual_[i] - base[i]));
        r_[i] = half_difference;
    }
    jacobian.apply(-1.0, -shift, delta_.data(), r_.data());
    const double clock = sign() / many;
    for (std::size_t i = 0; i < x_.size(); ++i) residual_[i] += clock * r_[i];
}

void RoundOff::estimate(const JacobianValues& jacobian, double shift, const double* x, ShiftedMatrix<double>& matrix,
                        Counters& counters, double most) {
    if (!jacobian.problem().has_entries()) return; // a linear system is not worth its estimate there
    std::copy(residual_.begin(), residual_.end(), r_.begin());
    for (std::size_t j = 0; j < delta_.size(); ++j) delta_[j] = sign() * eps * std::abs(x[j]);
    jacobian.apply(0.0, shift, delta_.data(), r_.data());
    matrix.solve(r_, counters);
    constexpr double memory = 0.9; // the last twenty or so
    for (std::size_t i = 0; i < level_.size(); ++i) {
        const double size = std::max(std::abs(x[i]), std::abs(jacobian.problem().unknowns()[i].nominal));
        const double now = std::isfinite(r_[i]) ? std::min(std::abs(r_[i]), most * size) : 0.0;
        level_[i] = std::max({memory * level_[i], now, eps * std::abs(x[i])});
    }
}

} // namespace daedalus::integrate
