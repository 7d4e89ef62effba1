#include "integrate/methods/radau_stages.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace daedalus::integrate {

namespace {

constexpr int highest = static_cast<int>(RadauStages::family.size()) - 1;

// Thresholds of Hairer & Wanner 1999, section 4 (theirs: 0.002 and 0.8, ten steps of equal order before a rise).
constexpr double rate_for_more_stages = 2e-3;
constexpr double rate_for_fewer_stages = 0.8;
constexpr int steps_before_rise = 10; // twice as many after each rise that was taken back,
constexpr int if_linear = 4;          // fewer where one iteration solves the stages
constexpr int most_steps_before_rise = 640;
constexpr double largest_growth = 2.0;  // over these steps
constexpr int failures_before_fall = 2; // one alone makes a new Jacobian
// Where errors are above this, fewer stages would need smaller steps than those that Newton's failures ask for: a step
// that is halved leaves 2⁻⁴ of the error of three stages.
constexpr double accuracy_limits = 0.05;
// Back to what the tolerance asks for, after a retreat: Newton's best rate is e⁻² (newton_step_limit.hpp), reached by
// every step that it limits.
constexpr double rate_for_return = 0.1;
constexpr int steps_before_return = 4;
constexpr double clearly = 0.9; // a rise pays if it costs no more than before; less than a tenth is chance

// Residual evaluations counted on mechanisms, circuits and kinetics: 3 and 5 stages cost the same near 1e-4, 5 and 7
// near 1e-8. Where one iteration solves the stages, however many, it is one level more.
constexpr double five_below = 3e-5, seven_below = 3e-9;
int level_for(double rtol, bool linear) {
    return std::min((rtol > five_below ? 0 : rtol > seven_below ? 1 : 2) + (linear ? 1 : 0), highest);
}

/// Stages, and what does not depend on their number.
double cost_of_step(int level) { return 1.0 + RadauStages::family[static_cast<std::size_t>(level)]; }

} // namespace

RadauStages::RadauStages(double rtol, bool linear)
    : preferred_(level_for(rtol, linear)), first_rise_(linear ? if_linear : steps_before_rise), level_(preferred_),
      wanted_(preferred_), rise_after_(first_rise_) {}

void RadauStages::start() {
    wanted_ = level_;
    steps_ = 0;
    failures_ = 0;
    rise_after_ = first_rise_;
    steady_ = false;
    error_ = 0.0;
    way_ = pace_ = pace_below_ = 0.0;
}

bool RadauStages::begin_with(int stages) {
    const auto* known = std::find(family.begin(), family.end(), stages);
    if (known == family.end()) return false;
    level_ = static_cast<int>(known - family.begin());
    return true;
}

void RadauStages::change() {
    if (wanted_ == level_) return;
    pace_below_ = wanted_ > level_ && level_ >= preferred_ ? pace_ : 0.0;
    way_ = 0.0;
    if (wanted_ < level_ && level_ > preferred_) rise_after_ = std::min(2 * rise_after_, most_steps_before_rise);
    level_ = wanted_;
    steps_ = 0;
    failures_ = 0;
}

void RadauStages::attempted(double h, const Attempt& attempt) {
    step_ = std::abs(h);
    if (attempt.status == StepStatus::ok) error_ = attempt.error;
    if (attempt.status != StepStatus::newton_failed) return;
    steps_ = 0;
    if (error_ < accuracy_limits && ++failures_ >= failures_before_fall && level_ > 0) wanted_ = level_ - 1;
}

/// Longer steps must pay for the stages; once after each rise.
bool RadauStages::rise_was_in_vain() {
    if (pace_below_ == 0.0 || steps_ < first_rise_) return false;
    const double before = std::exchange(pace_below_, 0.0) / cost_of_step(level_ - 1);
    return pace_ / cost_of_step(level_) < clearly * before;
}

void RadauStages::accepted(double rate) {
    way_ += step_;
    if (++steps_ % first_rise_ == 0) {
        failures_ = 0;
        // Steps that grow and grow are behind what accuracy allows, or follow a solution that slows down as it goes:
        // more stages would not make them longer.
        steady_ = step_ < earlier_step_ * largest_growth;
        earlier_step_ = step_;
        pace_ = way_ / first_rise_;
        way_ = 0.0;
    }
    wanted_ = level_;
    if (level_ > 0 && (rate > rate_for_fewer_stages || rise_was_in_vain()))
        wanted_ = level_ - 1;
    else if (level_ < highest &&
             (level_ < preferred_ ? steps_ >= steps_before_return && rate <= rate_for_return
                                  : steps_ >= rise_after_ && steady_ && rate <= rate_for_more_stages))
        wanted_ = level_ + 1;
}

} // namespace daedalus::integrate
