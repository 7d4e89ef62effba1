#include "integrate/methods/radau_variable.hpp"

#include "integrate/kept_step.hpp"
#include "integrate/methods/radau_stages.hpp"
#include "integrate/methods/radau_stepper.hpp"

#include <array>

namespace daedalus::integrate {

namespace {

/// Steppers of different numbers of stages, each of which takes over from the one before it.
class VariableRadau final : public Stepper {
public:
    VariableRadau(const problem::ImplicitProblem& problem, const IntegrationOptions& options)
        : problem_(problem), options_(options), stages_(options.tolerance.relative, problem.linear()),
          active_(&member(stages_.level())) {}

    void start(double t, std::span<const double> x, std::span<const double> dx, double h) override {
        active_->start(t, x, dx, h);
        counters_ = active_->counters();
        stages_.start();
    }
    [[nodiscard]] MethodMemory remember(double /*t*/) const override { return {active_->stages(), {}, {}}; }
    void go_on(double t, std::span<const double> x, std::span<const double> dx, double h,
               const MethodMemory& memory) override {
        if (stages_.begin_with(memory.order)) active_ = &member(stages_.level());
        start(t, x, dx, h);
    }
    [[nodiscard]] Attempt attempt(double h, double t_new) override {
        if (stages_.wanted() != stages_.level()) {
            RadauStepper& next = member(stages_.wanted());
            next.take_over(*active_);
            active_ = &next;
            stages_.change();
        }
        const Attempt attempt = active_->attempt(h, t_new);
        counters_ = active_->counters();
        stages_.attempted(h, attempt);
        return attempt;
    }
    bool proposal(double* x) const override { return active_->proposal(x); }
    void accept() override {
        active_->accept();
        counters_ = active_->counters();
        stages_.accepted(active_->rate());
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
    std::unique_ptr<const KeptStep> keep() const override { return active_->keep(); }
    void links_changed() override { active_->links_changed(); }
    const double* latest_jacobian() const override { return active_->latest_jacobian(); }
    Trial trial() const override { return active_->trial(); }
    void magnified(double factor) override { active_->magnified(factor); }
    void suspect_noise() override { active_->suspect_noise(); }

private:
    RadauStepper& member(int level) {
        auto& stepper = members_[static_cast<std::size_t>(level)];
        if (!stepper)
            stepper = make_radau_stepper(problem_, options_, RadauStages::family[static_cast<std::size_t>(level)]);
        return *stepper;
    }

    const problem::ImplicitProblem& problem_;
    IntegrationOptions options_;
    std::array<std::unique_ptr<RadauStepper>, RadauStages::family.size()> members_;
    RadauStages stages_;
    RadauStepper* active_;
};

} // namespace

std::unique_ptr<Stepper> make_variable_radau(const problem::ImplicitProblem& problem,
                                             const IntegrationOptions& options) {
    return std::make_unique<VariableRadau>(problem, options);
}

} // namespace daedalus::integrate
