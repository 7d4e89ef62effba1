// The number of stages: where accuracy limits the step, the smaller the tolerance the more stages pay; where Newton
// limits it, fewer stages converge more easily. The tolerance says where to begin, and Newton's rate Θ decides from
// there on (Hairer & Wanner 1999, section 4): a rate near 0 while the step size is steady leaves room for more stages,
// a rate near 1 or repeated failures ask for fewer.
#include "integrate/methods/radau_variable.hpp"

#include "integrate/methods/radau_stepper.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace daedalus::integrate {

namespace {

// Nine stages pay where solutions oscillate and Newton is easy: a third of the work on elastic mechanisms.
constexpr std::array<int, 4> family{3, 5, 7, 9};

// Thresholds of Hairer & Wanner 1999; steps of equal order before a rise.
constexpr double rate_for_more_stages = 2e-3;
constexpr double rate_for_fewer_stages = 0.8;
constexpr int steps_before_rise = 10; // twice as many after each rise that was taken back,
constexpr int if_linear = 4;          // fewer where one iteration solves the stages
constexpr int most_steps_before_rise = 640;
constexpr double largest_growth = 2.0; // over these steps
constexpr int failures_before_fall = 2;
/// Where errors are above this, fewer stages would need smaller steps than those that Newton's failures ask for.
constexpr double accuracy_limits = 0.05;
/// Back to what the tolerance asks for, after a retreat.
constexpr double rate_for_return = 0.1;
constexpr int steps_before_return = 4;

/// Residual evaluations counted on mechanisms, circuits and kinetics: 3 and 5 stages cost the same near 1e-4, 5 and 7
/// near 1e-8. Where one iteration solves the stages, however many, it is one level more.
int level_of(const problem::ImplicitProblem& problem, double rtol) {
    const int level = (rtol > 3e-5 ? 0 : rtol > 3e-9 ? 1 : 2) + (problem.linear() ? 1 : 0);
    return std::min(level, static_cast<int>(family.size()) - 1);
}

/// Stages, and what does not depend on their number.
double cost_of_step(int level) { return 1.0 + family[static_cast<std::size_t>(level)]; }

class VariableRadau final : public Stepper {
public:
    VariableRadau(const problem::ImplicitProblem& problem, const IntegrationOptions& options)
        : problem_(problem), options_(options), preferred_(level_of(problem, options.tolerance.relative)),
          first_rise_(problem.linear() ? if_linear : steps_before_rise), level_(preferred_), wanted_(preferred_),
          active_(&member(preferred_)) {}

    void start(double t, std::span<const double> x, std::span<const double> dx, double h) override {
        wanted_ = level_;
        active_->start(t, x, dx, h);
        counters_ = active_->counters();
        steps_at_order_ = 0;
        failures_ = 0;
        rise_after_ = first_rise_;
        steady_ = false;
        error_ = 0.0;
        way_ = pace_ = pace_below_ = 0.0;
    }
    [[nodiscard]] MethodMemory remember(double /*t*/) const override {
        return {family[static_cast<std::size_t>(level_)], {}, {}};
    }
    void go_on(double t, std::span<const double> x, std::span<const double> dx, double h,
               const MethodMemory& memory) override {
        for (std::size_t k = 0; k < family.size(); ++k)
            if (family[k] == memory.order) level_ = static_cast<int>(k);
        active_ = &member(level_);
        start(t, x, dx, h);
    }
    [[nodiscard]] Attempt attempt(double h, double t_new) override {
        use(wanted_);
        const Attempt attempt = active_->attempt(h, t_new);
        step_ = std::abs(h);
        if (attempt.status == StepStatus::ok) error_ = attempt.error;
        counters_ = active_->counters();
        if (attempt.status == StepStatus::newton_failed) {
            steps_at_order_ = 0;
            if (error_ < accuracy_limits && ++failures_ >= failures_before_fall && level_ > 0) wanted_ = level_ - 1;
        }
        return attempt;
    }
    bool proposal(double* x) const override { return active_->proposal(x); }
    void accept() override {
        active_->accept();
        counters_ = active_->counters();
        way_ += step_;
        if (++steps_at_order_ % first_rise_ == 0) {
            failures_ = 0;
            // Steps that grow and grow are behind what accuracy allows, or follow a solution that slows down as it
            // goes: more stages would not make them longer.
            steady_ = step_ < earlier_step_ * largest_growth;
            earlier_step_ = step_;
            pace_ = way_ / first_rise_;
            way_ = 0.0;
        }
        const double rate = active_->rate();
        wanted_ = level_;
        if (level_ > 0 && (rate > rate_for_fewer_stages || rise_was_in_vain()))
            wanted_ = level_ - 1;
        else if (level_ < highest_ &&
                 (level_ < preferred_ ? steps_at_order_ >= steps_before_return && rate <= rate_for_return
                                      : steps_at_order_ >= rise_after_ && steady_ && rate <= rate_for_more_stages))
            wanted_ = level_ + 1;
    }
    void correct(std::span<const double> x, std::span<const double> dx) override { active_->correct(x, dx); }

    double t() const override { return active_->t(); }
    std::span<const double> x() const override { return active_->x(); }
    std::span<const double> dx() const override { return active_->dx(); }
    int order() const override { return active_->order(); }
    int degree() const override { return active_->degree(); }
    std::span<const NoiseFloor> noise() const override { return active_->noise(); }
    std::string linear_solver() const override { return active_->linear_solver(); }
    void interpolate(double time, double* x, double* dx) const override { active_->interpolate(time, x, dx); }
    void links_changed() override { active_->links_changed(); }
    const double* latest_jacobian() const override { return active_->latest_jacobian(); }
    Trial trial() const override { return active_->trial(); }
    void magnified(double factor) override { active_->magnified(factor); }
    void suspect_noise() override { active_->suspect_noise(); }

private:
    RadauStepper& member(int level) {
        auto& stepper = members_[static_cast<std::size_t>(level)];
        if (!stepper) stepper = make_radau_stepper(problem_, options_, family[static_cast<std::size_t>(level)]);
        return *stepper;
    }
    /// Longer steps must pay for the stages; once after each rise.
    [[nodiscard]] bool rise_was_in_vain() {
        if (pace_below_ == 0.0 || steps_at_order_ < first_rise_) return false;
        const double before = std::exchange(pace_below_, 0.0) / cost_of_step(level_ - 1);
        constexpr double clearly = 0.9;
        return pace_ / cost_of_step(level_) < clearly * before;
    }
    void use(int level) {
        if (level == level_) return;
        pace_below_ = level > level_ && level_ >= preferred_ ? pace_ : 0.0;
        way_ = 0.0;
        if (level < level_ && level_ > preferred_) rise_after_ = std::min(2 * rise_after_, most_steps_before_rise);
        RadauStepper& next = member(level);
        next.take_over(*active_);
        active_ = &next;
        level_ = level;
        steps_at_order_ = 0;
        failures_ = 0;
    }

    const problem::ImplicitProblem& problem_;
    IntegrationOptions options_;
    std::array<std::unique_ptr<RadauStepper>, family.size()> members_;
    int preferred_;  ///< position in the family that suits the tolerance
    int first_rise_; ///< after so many steps
    int level_;      ///< … of the last attempt
    int wanted_;     ///< … for the next attempt
    RadauStepper* active_;
    static constexpr int highest_ = static_cast<int>(family.size()) - 1;
    int steps_at_order_ = 0;
    int rise_after_ = first_rise_;
    int failures_ = 0;        ///< of Newton, lately
    double error_ = 0;        ///< the last one estimated
    double step_ = 0;         ///< size of the last attempt
    double earlier_step_ = 0; ///< … `steps_before_rise` steps before
    bool steady_ = false;
    double way_ = 0.0;        ///< since the last look,
    double pace_ = 0.0;       ///< the mean step before it,
    double pace_below_ = 0.0; ///< and that with fewer stages, until the rise has been judged
};

} // namespace

std::unique_ptr<Stepper> make_variable_radau(const problem::ImplicitProblem& problem,
                                             const IntegrationOptions& options) {
    return std::make_unique<VariableRadau>(problem, options);
}

} // namespace daedalus::integrate
