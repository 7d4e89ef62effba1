#include "integrate/step_control.hpp"

#include "integrate/controller.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace daedalus::integrate {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

// Constants and their origin. "Measured": docs/experiments/constants.md says what other values do.
constexpr double leave_domain = 0.25; // as DASSL after a failed Newton iteration (Brenan, Campbell & Petzold 1996)
constexpr double least_factor = 0.2;  // as RADAU5 (HW IV.8)
constexpr double largest_factor =
    5.0;                     // a choice below RADAU5's 8 and DOPRI5's 10; only ever lowers what the method wants
constexpr double cut = 0.9;  // a step shorter than this part of the wanted one was cut to a stop; measured
constexpr double easy = 0.5; // … and says little if its error is below this part of the tolerance; measured
constexpr double part_behind = 0.01;  // of the step before an event, for the first one behind it; measured
constexpr double part_of_room = 0.1;  // … and of the way to the next stop; measured
constexpr double clock_roundings = 4; // t + h is rounded by half of one: h is then known to an eighth
constexpr double given_up = 16;       // … and here to 1/32: smaller steps are no longer what they claim
constexpr double part_of_run = 1e-30; // near t = 0, where rounding allows anything: only that h is not 0

} // namespace

double StepControl::smallest(double t) const {
    return std::max({options_.step.min, given_up * eps * std::abs(t), part_of_run * interval_.length()});
}

bool StepControl::hopeless(double t) const {
    return std::abs(h_) < smallest(t) || refusals_ > options_.step.max_consecutive_failures;
}

double StepControl::after_event(double room) const {
    return std::min(part_behind * std::abs(h_), part_of_room * std::abs(room));
}

void StepControl::first(double t, double size) {
    double h = size;
    // Far from t = 0 the clock must move; no more than that, since a first step of low order may need to be short.
    // Where the tolerance is below the rounding of t, nothing can be promised.
    const double rounding = eps * std::abs(t);
    if (rounding <= options_.tolerance.relative * interval_.length()) h = std::max(h, clock_roundings * rounding);
    h = std::min(h, options_.step.max);
    h_ = interval_.forward() ? h : -h;
    refusals_ = 0;
}

int StepControl::after_acceptance(const Attempt& attempt, double h, double longest) {
    const double wanted = h_;
    // A step that was cut to a stop says little about the next one: go on with what was wanted before.
    const bool was_cut = std::abs(h) < cut * std::abs(wanted);
    h_ = was_cut && std::abs(attempt.next_h) < std::abs(wanted) && attempt.error < easy ? wanted : attempt.next_h;
    if (std::abs(h_) > longest) h_ = std::copysign(longest, h_);
    if (options_.method.fixed_step) h_ = wanted;
    if (std::abs(h_) > options_.step.max) h_ = std::copysign(options_.step.max, h_);
    return forget_refusals();
}

void StepControl::after_rejection(const Attempt& attempt) {
    ++refusals_;
    h_ = attempt.next_h;
}

int StepControl::forget_refusals() { return std::exchange(refusals_, 0); }

double StepControl::after_leaving_domain(double h) { return leave_domain * h; }

double StepControl::by_error(double h, double error, int order) {
    return std::clamp(elementary_factor(error, order + 1.0), least_factor, largest_factor) * std::abs(h);
}

} // namespace daedalus::integrate
