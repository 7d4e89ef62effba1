#include "integrate/controller.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

namespace {

// Errors far below tolerance carry no information; 1e-10 keeps the powers finite.
double bounded(double error) { return std::max(error, 1e-10); }

} // namespace

double PredictiveController::elementary(double error, double effort) const {
    const double factor = limits_.safety * effort * std::pow(bounded(error), -1.0 / q_);
    return std::clamp(factor, limits_.shrink, limits_.grow);
}

double PredictiveController::predict(double h, double error, double effort) const {
    const double plain = elementary(error, effort);
    if (previous_step_ == 0.0) return plain;
    const double e = bounded(error);
    const double factor = limits_.safety * std::abs(h / previous_step_) * std::pow(previous_error_ / (e * e), 1.0 / q_);
    return std::min(plain, std::clamp(factor, limits_.shrink, limits_.grow));
}

void PredictiveController::commit(double h, double error) {
    previous_step_ = h;
    previous_error_ = std::max(error, 1e-2);
}

} // namespace daedalus::integrate
