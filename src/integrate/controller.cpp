#include "integrate/controller.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

namespace {

// Errors far below tolerance carry no information; 1e-10 keeps the powers finite.
double bounded(double error) { return std::max(error, 1e-10); }
constexpr double remembered_at_least = 1e-2; // HW IV.8, RADAU5: the error of the step before, in the prediction

// After a failure. Outside the domain of F (DASSL: a quarter, as after any failure; Brenan, Campbell & Petzold 1996,
// 5.2.4) the way back may be long; a Newton iteration that diverged converges with half the step where its rate grows
// as h, which is all that can be said (RADAU5 too).
constexpr double outside_domain = 0.25, half = 0.5;
constexpr double first = 0.1; // RADAU5
// Of a slow iteration: RADAU5's 0.8 and bounds of the excess; the power is 1 over iterations left and four more.
constexpr double slow_safety = 0.8, least_excess = 1e-4, largest_excess = 20.0, largest_after_slow = 0.9;
constexpr int more_iterations = 4;
constexpr double not_worth = 1.2; // RADAU5's QUOT2

} // namespace

double elementary_factor(double error, double q, double safety) { return safety * std::pow(error, -1.0 / q); }

double PredictiveController::elementary(double error, double effort) const {
    return std::clamp(elementary_factor(bounded(error), q_, limits_.safety * effort), limits_.shrink, limits_.grow);
}

double PredictiveController::predict(double h, double error, double effort) const {
    const double plain = elementary(error, effort);
    if (previous_step_ == 0.0) return plain;
    const double e = bounded(error);
    const double factor = limits_.safety * std::abs(h / previous_step_) * std::pow(previous_error_ / (e * e), 1.0 / q_);
    return std::min(plain, std::clamp(factor, limits_.shrink, limits_.grow));
}

double PredictiveController::after_failure(StepStatus status) {
    refused_ = true;
    return status == StepStatus::not_finite ? outside_domain : half;
}

double PredictiveController::after_slow_newton(double excess, int left) {
    refused_ = true;
    const double power = -1.0 / (more_iterations + left);
    return std::min(slow_safety * std::pow(std::clamp(excess, least_excess, largest_excess), power),
                    largest_after_slow);
}

double PredictiveController::halve() {
    refused_ = true;
    return half;
}

double PredictiveController::after_error(double error, double effort) {
    refused_ = true;
    return elementary(error, effort);
}

double PredictiveController::after_first_error() {
    refused_ = true;
    return first;
}

double PredictiveController::after_success(double h, double error, double effort) const {
    const double factor = predict(h, error, effort);
    if (refused_) return std::min(factor, 1.0);
    return factor < 1.0 && creeps(h, error) ? 1.0 : factor;
}

/// The estimate does not follow the step. Fronts shrink steps by more than half in a few, and are no creeping. Where
/// half the order of an estimate is less than what it may vary by chance, a factor of ten, half a step tells nothing:
/// below order 7.
bool PredictiveController::creeps(double h, double error) const {
    constexpr int many = 50;
    constexpr double half_its_size = 0.5, half_its_order = 0.5, by_chance = 10.0;
    if (since_reference_ < many || std::pow(half_its_size, -half_its_order * q_) < by_chance) return false;
    const double shrunk = std::abs(h) / reference_step_;
    return shrunk <= half_its_size && error > reference_error_ * std::pow(shrunk, half_its_order * q_);
}

double PredictiveController::worth_a_factorisation(double factor) {
    return factor >= 1.0 && factor <= not_worth ? 1.0 : factor;
}

void PredictiveController::accept(double h, double error) {
    if (refused_ || std::abs(h) >= reference_step_) {
        reference_step_ = std::abs(h);
        reference_error_ = std::max(error, remembered_at_least);
        since_reference_ = 0;
    } else {
        ++since_reference_;
    }
    previous_step_ = h;
    previous_error_ = std::max(error, remembered_at_least);
    refused_ = false;
}

} // namespace daedalus::integrate
