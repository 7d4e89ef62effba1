#include "daedalus/stepwise.hpp"

#include "base/diagnostic.hpp"
#include "base/expected.hpp"
#include "facade/access.hpp"
#include "integrate/consistent_output.hpp"
#include "integrate/integration.hpp"
#include "simulation/integration_settings.hpp"
#include "simulation/solve_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus {

class Run::State {
public:
    integrate::Checkpoint checkpoint;
    std::vector<model::ParameterOverride> parameters;
};

struct Run::Impl {
    std::unique_ptr<simulation::Prepared> prepared;
    integrate::IntegrationOptions settings;
    const integrate::Method* method = nullptr;
    integrate::Observer nobody;
    std::unique_ptr<integrate::Integration> integration;
    std::vector<std::string> names;
    std::vector<model::ParameterOverride> parameters; ///< given so far
    Outcome outcome = Outcome::interrupted;
    std::string message;

    [[nodiscard]] problem::ImplicitProblem& problem() { return prepared->compiled.problem; }

    void make(double from) {
        integration =
            std::make_unique<integrate::Integration>(problem(), *method, from, prepared->job.t1, settings, nobody);
    }
    void note_end() {
        integrate::IntegrationResult result = integration->finish();
        switch (result.outcome) {
        case integrate::Outcome::finished: outcome = Outcome::success; break;
        case integrate::Outcome::terminated: outcome = Outcome::terminated; break;
        case integrate::Outcome::failed:
            outcome =
                result.failure.reason == integrate::FailureReason::singular_point ? Outcome::ended : Outcome::failed;
            break;
        default: outcome = Outcome::interrupted; break;
        }
        message = result.outcome == integrate::Outcome::failed ? result.failure.cause : result.message;
    }
    /// Goes on from this point, with what is not integrated made consistent; false, and nothing has changed, where that
    /// is impossible.
    bool go_on(std::vector<double> x, std::vector<double> dx, const problem::Environment& before) {
        const double t = integration->t();
        const integrate::Checkpoint here = integration->save();
        std::vector<signed char> side;
        problem().set_modes_at(t, x.data(), dx.data(), true, side);
        integrate::ConsistentOutput consistent(problem(), settings);
        const double scale = std::max(std::abs(here.h), 1e-6 * std::abs(prepared->job.t1 - t));
        if (consistent.applicable() && !consistent.refine(t, scale, x.data(), dx.data(), false)) {
            problem().environment() = before;
            make(prepared->job.t0);
            integration->begin(here);
            return false;
        }
        make(t);
        integration->begin(x, dx);
        return true;
    }
};

Run::Run(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Run::Run(Run&&) noexcept = default;
Run& Run::operator=(Run&&) noexcept = default;
Run::~Run() = default;

bool Run::step() {
    if (impl_->integration->over()) return false;
    if (impl_->integration->step()) return true;
    impl_->note_end();
    return false;
}

bool Run::advance_to(double t) {
    impl_->integration->stop_at(t);
    while (time() < t && step()) {
    }
    return time() >= t;
}

double Run::time() const { return impl_->integration->t(); }
const std::vector<std::string>& Run::names() const { return impl_->names; }
bool Run::over() const { return impl_->integration->over(); }
Outcome Run::outcome() const { return impl_->outcome; }
const std::string& Run::message() const { return impl_->message; }

std::vector<double> Run::values() const {
    std::vector<double> y(static_cast<std::size_t>(impl_->problem().output_count()));
    (void)impl_->problem().outputs(time(), impl_->integration->x().data(), impl_->integration->dx().data(), y.data());
    return y;
}

double Run::value(std::string_view name) const {
    const auto it = std::find(impl_->names.begin(), impl_->names.end(), name);
    if (it == impl_->names.end()) return std::numeric_limits<double>::quiet_NaN();
    return values()[static_cast<std::size_t>(it - impl_->names.begin())];
}

std::optional<Diagnostic> Run::set_parameter(std::string_view name, double value) {
    if (!std::isfinite(value))
        return make_error("bad-value", fmt::format("'{}' cannot become {}", name, value), "give a finite number");
    const model::Model& m = *impl_->prepared->compiled.model;
    std::vector<model::ParameterOverride> given = impl_->parameters;
    std::erase_if(given, [&](const model::ParameterOverride& p) { return p.name == name; });
    given.push_back({std::string(name), value});
    auto values = model::parameter_values(m, given);
    if (!values) return values.error().front();
    const problem::Environment before = impl_->problem().environment();
    for (std::size_t p = 0; p < values->size(); ++p)
        if (!m.parameters[p].is_held) impl_->problem().environment().set(p, (*values)[p]);
    const auto x = impl_->integration->x(), dx = impl_->integration->dx();
    if (!impl_->go_on({x.begin(), x.end()}, {dx.begin(), dx.end()}, before))
        return make_error("inconsistent",
                          fmt::format("with {} = {} the equations have no solution for these states", name, value));
    impl_->parameters = std::move(given);
    return std::nullopt;
}

std::optional<Diagnostic> Run::set_input(std::string_view name, double value, double slope) {
    if (!std::isfinite(value) || !std::isfinite(slope))
        return make_error("bad-value", fmt::format("the input '{}' cannot become {} with slope {}", name, value, slope),
                          "give finite numbers");
    const model::Model& m = *impl_->prepared->compiled.model;
    std::vector<std::string> inputs;
    for (const model::Signal& signal : m.signals) {
        inputs.push_back(signal.name);
        if (signal.name != name) continue;
        if (signal.is_function())
            return make_error("bad-input", fmt::format("the input '{}' is a function already", name),
                              "begin the run with a number for it: Input::constant");
        problem::Environment& e = impl_->problem().environment();
        const problem::Environment before = e;
        const std::span<double> slots = e.change().subspan(static_cast<std::size_t>(signal.first_parameter));
        std::fill_n(slots.begin(), signal.slots(), 0.0);
        slots[0] = time();
        slots[1] = value;
        slots[2] = slope;
        slots[static_cast<std::size_t>(signal.slots())] = 1.0;
        const auto x = impl_->integration->x(), dx = impl_->integration->dx();
        if (impl_->go_on({x.begin(), x.end()}, {dx.begin(), dx.end()}, before)) return std::nullopt;
        return make_error("inconsistent",
                          fmt::format("with {} = {} the equations have no solution for these states", name, value));
    }
    const auto close = closest(std::string(name), inputs);
    return make_error("unknown-input", fmt::format("there is no input '{}'", name),
                      close ? fmt::format("did you mean '{}'?", *close) : std::string());
}

std::optional<Diagnostic> Run::set_state(std::string_view name, double value) {
    if (!std::isfinite(value))
        return make_error("bad-value", fmt::format("'{}' cannot become {}", name, value), "give a finite number");
    problem::ImplicitProblem& p = impl_->problem();
    std::vector<std::string> states;
    for (int i = 0; i < p.size(); ++i) {
        const auto k = static_cast<std::size_t>(i);
        const bool linked =
            std::any_of(p.links().begin(), p.links().end(), [&](const auto& l) { return l.state == i; });
        if (!linked && !(p.links().empty() && p.unknowns()[k].differential)) continue;
        states.push_back(p.names().variable(i));
        if (states.back() != name) continue;
        const auto x = impl_->integration->x(), dx = impl_->integration->dx();
        std::vector<double> changed(x.begin(), x.end());
        changed[k] = value;
        if (impl_->go_on(std::move(changed), {dx.begin(), dx.end()}, p.environment())) return std::nullopt;
        return make_error("inconsistent", fmt::format("with {} = {} the equations have no solution", name, value));
    }
    return make_error("not-a-state", fmt::format("'{}' is not a state now", name),
                      fmt::format("states are: {}", fmt::join(states, ", ")));
}

std::shared_ptr<const Run::State> Run::save() const {
    auto state = std::make_shared<State>();
    state->checkpoint = impl_->integration->save();
    state->parameters = impl_->parameters;
    return state;
}

void Run::restore(const std::shared_ptr<const State>& state) {
    impl_->parameters = state->parameters;
    impl_->make(impl_->prepared->job.t0);
    impl_->integration->begin(state->checkpoint);
    impl_->outcome = Outcome::interrupted;
    impl_->message.clear();
}

Expected<Run> CompiledModel::begin(const SolveOptions& given) const {
    SolveOptions options = given;
    options.quadratures = false; // running integrals are variables like others here
    options.dense = false;
    auto impl = std::make_unique<Run::Impl>();
    simulation::Record record;
    if (!impl_->compilations.structural_conditions().empty())
        return fail(make_error("changing-structure",
                               "the structure of this model changes at events: it cannot be driven step by step",
                               "solve it as a whole, or drive the modes as models of their own"));
    auto prepared = simulation::prepare(impl_->compilations, options, record, {.detail = simulation::Detail::numbers});
    if (!prepared) return Unexpected{std::move(prepared.error())};
    impl->prepared = *std::move(prepared);
    const simulation::Job& job = impl->prepared->job;
    if (job.t1 <= job.t0)
        return fail(make_error("bad-interval", "a run that is driven step by step goes forward in time",
                               "give an end time behind the start time"));
    if (impl->problem().size() == 0)
        return fail(make_error("nothing-to-integrate", "every variable is a known function of time: there is no step"));
    auto settings = simulation::integration_options(job, options);
    if (!settings) return Unexpected{std::move(settings.error())};
    impl->settings = *std::move(settings);
    auto choice = simulation::choose_method(options.method, job, impl->settings);
    if (!choice) return Unexpected{std::move(choice.error())};
    impl->method = choice->method;
    for (const auto& [name, value] : options.parameters) impl->parameters.push_back({name, value});
    for (const output::VariableInfo& v : record.trajectory.variables) impl->names.push_back(v.name);
    impl->make(job.t0);
    impl->integration->begin(job.x0, job.dx0);
    return Run(std::move(impl));
}

} // namespace daedalus
