#include "integrate/methods/kept_explicit_step.hpp"

#include "integrate/methods/explicit_dense_output.hpp"
#include "integrate/methods/stage_extrapolation.hpp"

#include <algorithm>
#include <span>

namespace daedalus::integrate {

namespace {

class ExplicitReader final : public StepReader {
public:
    ExplicitReader(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                   const tableau::ExplicitRungeKutta& method)
        : method_(method), extrapolation_(std::span(method.c).first(static_cast<std::size_t>(method.stages))),
          dense_(problem, options, method, extrapolation_) {}
    bool read(const KeptStep& step) override {
        step_ = dynamic_cast<const KeptExplicitStep*>(&step);
        ready_ = false;
        return step_ != nullptr && &step_->method == &method_;
    }
    void links_changed() override { dense_.links_changed(); }
    bool keeps_states() const override { return true; }
    void interpolate(double time, double* x, double* dx) const override {
        if (time != step_->t) return prepared().evaluate(time, x, dx);
        std::copy(step_->x.begin(), step_->x.end(), x);
        std::copy(step_->dx.begin(), step_->dx.end(), dx);
    }
    void interpolate_states(double time, double* x, double* dx) const override {
        prepared().evaluate_states(time, x, dx);
    }

private:
    const ExplicitDenseOutput& prepared() const {
        if (ready_) return dense_;
        const ExplicitStep step{step_->t_before, step_->t, step_->x_before, step_->x, step_->z};
        dense_.prepare(step, step_->weights, step_->round_off);
        ready_ = true;
        return dense_;
    }
    const tableau::ExplicitRungeKutta& method_;
    StageExtrapolation extrapolation_;
    mutable ExplicitDenseOutput dense_;
    const KeptExplicitStep* step_ = nullptr;
    mutable bool ready_ = false; ///< dense_, for step_
};

} // namespace

std::unique_ptr<StepReader> KeptExplicitStep::make_reader(const problem::ImplicitProblem& problem,
                                                          const IntegrationOptions& options) const {
    return std::make_unique<ExplicitReader>(problem, options, method);
}

} // namespace daedalus::integrate
