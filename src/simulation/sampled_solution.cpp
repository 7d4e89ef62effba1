#include "simulation/sampled_solution.hpp"

#include "integrate/integration.hpp"
#include "integrate/methods/registry.hpp"

namespace daedalus::simulation {

namespace {

class Sampler : public integrate::Observer {
public:
    Sampler(const problem::ImplicitProblem& problem, const std::vector<double>& times, SampledSolution& out)
        : problem_(problem), times_(times), out_(out) {
        x_.resize(static_cast<std::size_t>(problem.size()));
        dx_.resize(x_.size());
    }
    void begin(double t, std::span<const double> x, std::span<const double> dx) override {
        while (next_ < times_.size() && times_[next_] <= t) take(t, x.data(), dx.data());
    }
    integrate::Action step(const integrate::AcceptedStep& step) override {
        while (next_ < times_.size() && times_[next_] <= step.t) {
            const double t = times_[next_];
            static_cast<void>(step.interpolant.evaluate_consistent(t, x_.data(), dx_.data()));
            take(t, x_.data(), dx_.data());
        }
        return integrate::Action::proceed;
    }

private:
    void take(double t, const double* x, const double* dx) {
        std::vector<double> y(static_cast<std::size_t>(problem_.output_count()));
        static_cast<void>(problem_.outputs(t, x, dx, y.data()));
        out_.values.push_back(std::move(y));
        ++next_;
    }
    const problem::ImplicitProblem& problem_;
    const std::vector<double>& times_;
    SampledSolution& out_;
    std::size_t next_ = 0;
    std::vector<double> x_, dx_;
};

} // namespace

compile::CompileOptions quietly(compile::CompileOptions how) {
    how.reduce = Reduction::automatic;
    how.cross_check = how.tear = false;
    return how;
}

SampledSolution sample_solution(const Compilations& model, const compile::CompileOptions& how,
                                const integrate::StartOptions& start, const std::vector<double>& times,
                                const SamplingOptions& options) {
    SampledSolution out;
    auto compiled = model.get(quietly(how));
    if (!compiled) {
        out.why_not = compiled.error().front().message;
        return out;
    }
    integrate::StartOptions quick = start;
    quick.multistart = quick.alternatives = quick.conflict_limit = 0;
    const auto consistent = integrate::consistent_start(compiled->initial, quick);
    if (!consistent) {
        out.why_not = "no consistent initial values: " + consistent.error().front().message;
        return out;
    }
    consistent->hold_constants(compiled->initial, compiled->problem);
    integrate::IntegrationOptions o;
    o.tolerance.relative = o.tolerance.absolute = options.tolerance;
    o.step.max_steps = options.max_steps;
    Sampler sampler(compiled->problem, times, out);
    if (compiled->problem.size() == 0) {
        const std::vector<double> none;
        for (const double t : times) {
            std::vector<double> y(static_cast<std::size_t>(compiled->problem.output_count()));
            static_cast<void>(compiled->problem.outputs(t, none.data(), none.data(), y.data()));
            out.values.push_back(std::move(y));
        }
        out.complete = true;
        return out;
    }
    const auto result =
        integrate::integrate(compiled->problem, *integrate::find_method("radau5"), times.front(), times.back(),
                             consistent->x(compiled->initial), consistent->dx(compiled->initial), o, sampler);
    out.complete = result.finished() && out.values.size() == times.size();
    if (!out.complete) out.why_not = "the integration stopped early";
    return out;
}

} // namespace daedalus::simulation
