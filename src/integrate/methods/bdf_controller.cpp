#include "integrate/methods/bdf_controller.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace daedalus::integrate {

namespace {

// Constants of DASSL (Brenan, Campbell & Petzold 1996, 5.2.3 and 5.2.4).
constexpr double failed_newton = 0.25; // what is left of a step whose equation was not solved, and the least factor
constexpr double largest_again = 0.9;  // of a step whose error was too large …
constexpr double safety_again = 0.9;   // … and what the size by the estimate is multiplied with
constexpr double least_next = 0.5;     // after a success
constexpr double largest_next = 0.9;   // … where the step has to become smaller
constexpr double doubled = 2.0;        // the only growth: sizes change seldom, and matrices with them
constexpr double clearly_lower = 0.5;  // between orders 1 and 2 a change must promise so much of the term

// At a kink the error of the failed step is (h²/2) |x''| for the x'' that order 1 has as well: half of what would bring
// it to 1. The limit below keeps a jump, whose error says nothing, from ending the run by the smallest step at once.
constexpr double at_kink = 0.5, least_at_kink = 1e-6;
constexpr double kink = 10.0;  // tolerances; less is what a step size that has become too large shows: doubled at order
                               // 2, the error of a step grows eightfold
constexpr double noise = 1e-3; // of the tolerance: steps that small show round-off, which speaks for the lowest order;
                               // measured (docs/experiments/constants.md)
// Sizes that are meant to differ do so by a tenth at least, others by roundings of sums and differences of times.
constexpr double equal = 1e-10;
constexpr double clock_roundings = 4; // of a time, half of one at either end of both steps

/// h_new/h = (2 e + 10⁻⁴)^(-1/(k+1)) (5.2.3: half the tolerance is aimed at, and the growth bounded).
double twice_above_zero(double estimate) { return 2.0 * estimate + 1e-4; }
double factor_for(double estimate, int k) { return std::pow(twice_above_zero(estimate), -1.0 / (k + 1)); }
/// Whether that factor is 2 at least.
bool doubles(double estimate, int k) { return std::ldexp(twice_above_zero(estimate), k + 1) <= 1.0; }

} // namespace

void BdfController::start() {
    order_ = 1;
    forget_past();
    equal_steps_ = 0;
    raising_ = true;
    recovering_ = false;
    error_failures_ = 0;
    hold_ = 0;
    doubtful_ = false;
    stability_.restart();
}

void BdfController::start_at(int order) {
    start();
    order_ = order;
    last_order_ = order;
    raising_ = false;
}

void BdfController::go_on_at(int order) {
    start_at(order);
    order_ = std::min(order_, most_);
    doubtful_ = true;
}

void BdfController::forget_past() {
    last_order_ = 0;
    last_step_ = 0.0;
}

void BdfController::begin(double h, double t_new) {
    tried_order_ = order_;
    // Far from t = 0 equal steps differ by the roundings of t.
    const double roundings = clock_roundings * std::numeric_limits<double>::epsilon() * std::abs(t_new);
    const bool same = order_ == last_order_ && std::abs(h - last_step_) <= std::max(equal * std::abs(h), roundings);
    equal_trial_ = std::min(same ? equal_steps_ + 1 : 1, last_order_ + 2);
}

bool BdfController::lower_is_better(const BdfErrors& errors) const {
    const int k = errors.order();
    if (k <= least_ || k == 1) return false;
    if (k == 2) return errors.term_below() <= clearly_lower * errors.term();
    return std::max(errors.term_below(), errors.term_two_below()) <= errors.term();
}

BdfController::Plan BdfController::after_failure(double h) {
    raising_ = false;
    return {failed_newton * h};
}

BdfController::Plan BdfController::after_error(double h, const BdfErrors& errors) {
    raising_ = false;
    ++error_failures_;
    if (std::exchange(doubtful_, false) && errors.error() > kink && least_ == 1) {
        order_ = 1;
        forget_past();
        raising_ = true;
        error_failures_ = 0;
        const double factor = std::clamp(at_kink / std::sqrt(errors.error()), least_at_kink, failed_newton);
        return {factor * h, History::begins_at_kink};
    }
    const bool lower = lower_is_better(errors) && !recovering_;
    const int k = lower ? tried_order_ - 1 : tried_order_;
    const double estimate = lower ? errors.estimate_below() : errors.estimate();
    double factor = failed_newton;
    History history = History::stays;
    if (error_failures_ == 1) {
        order_ = k;
        factor = std::clamp(safety_again * factor_for(estimate, k), failed_newton, largest_again);
    } else if (error_failures_ == 2 || least_ > 1) { // whoever gave the first points does so again
        order_ = k;
    } else {
        history = History::begins_misguided;
        order_ = 1;
        forget_past();
        recovering_ = true;
        hold_ = most_;
    }
    if (tried_order_ == 1) recovering_ = true; // stuck at order 1: see there
    // Equal steps until the order may rise: low orders are content with a step size and refuse twice that for ever.
    hold_ = std::max(hold_, k + 2);
    return {factor * h, history};
}

double BdfController::choose_order(const BdfErrors& errors, int most, bool lower, bool settled) {
    const int k = errors.order();
    next_order_ = k;
    if ((lower && settled) || k > most) {
        next_order_ = k - 1;
        return errors.estimate_below();
    }
    if (k < most && k + 1 < equal_trial_ && k == last_order_) {
        const double estimate_above = errors.estimate_above(), term_above = (k + 2) * estimate_above;
        if (k > least_ && errors.term_below() <= std::min(errors.term(), term_above)) {
            next_order_ = k - 1;
            return errors.estimate_below();
        }
        if (k > 1 ? term_above < errors.term() : term_above < clearly_lower * errors.term()) {
            next_order_ = k + 1;
            return estimate_above;
        }
    }
    return errors.estimate();
}

BdfController::Plan BdfController::after_success(double h, const BdfErrors& errors, long steps) {
    const int k = errors.order();
    const int most = stability_.highest_order(most_);
    const bool lower = lower_is_better(errors);
    const bool noisy = raising_ && errors.estimate() < noise;
    if (k < most && (recovering_ || (raising_ && (!lower || noisy)))) {
        next_order_ = k + 1;
        return {hold_ == 0 && doubles(errors.estimate(), k) ? doubled * h : h};
    }
    const bool settled = equal_trial_ > k;
    const double estimate = choose_order(errors, most, lower, settled);
    const bool grows = doubles(estimate, next_order_);
    if (watches_stability_ && next_order_ == k)
        stability_.watch(k, h, errors.term(), errors.term_below(), errors.term_two_below(), grows, steps);
    if (hold_ == 0 && settled && grows) return {doubled * h};
    if (twice_above_zero(estimate) < 1.0) return {h};
    return {std::clamp(factor_for(estimate, next_order_), least_next, largest_next) * h};
}

void BdfController::accept(double h) {
    if (next_order_ < tried_order_ || tried_order_ == most_) raising_ = false;
    if (tried_order_ == most_) recovering_ = false;
    last_order_ = tried_order_;
    last_step_ = h;
    equal_steps_ = equal_trial_;
    order_ = next_order_;
    error_failures_ = 0;
    doubtful_ = false;
    if (hold_ > 0) --hold_;
}

} // namespace daedalus::integrate
