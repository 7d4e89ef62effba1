#include "compile/renumber.hpp"

#include "compile/compilation.hpp"
#include "compile/starts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daedalus::compile {

namespace {

problem::Environment environment(const Compilation& c, const problem::Environment& first,
                                 const std::vector<double>& parameters, double start_time) {
    problem::Environment e = first;
    const std::span<double> values = e.change();
    std::copy(parameters.begin(), parameters.end(), values.begin());
    model::set_signals(c.model->signals, problem::just_after(start_time, true), values.data());
    for (const DiscretePart::Sample& s : c.discrete.samples) // until the run begins, no instant has come
        values[static_cast<std::size_t>(s.parameter)] = std::numeric_limits<double>::infinity();
    return e;
}

/// Numbers of the problem's unknowns from those of the initial value problem, as build_problem takes them.
void number_unknowns(const Compilation& c, const std::vector<problem::InitialUnknown>& data,
                     std::vector<problem::UnknownInfo>& unknowns) {
    for (std::size_t i = 0; i < unknowns.size(); ++i) {
        const int u = c.initial.unknown(c.formulation.unknowns[i]);
        if (u < 0) continue;
        const problem::InitialUnknown& from = data[static_cast<std::size_t>(u)];
        unknowns[i].nominal = from.nominal;
        unknowns[i].min = from.min;
        unknowns[i].max = from.max;
    }
}

} // namespace

Expected<std::string> shape_of(const model::Model& model, const CompileOptions& given) {
    const CompileOptions options = with_guesses(model, given);
    auto parameters = model::parameter_values(model, options.parameters);
    if (!parameters) return Unexpected{std::move(parameters.error())};
    std::string shape = fmt::format("{} {:d}{:d}{:d}{:d}{:d}{:d}{:d}{:d}{:d}{:d}", to_string(options.reduce),
                                    options.eliminate_aliases, options.inline_definitions, options.tear,
                                    options.cross_check, options.steady_state, options.machine_code,
                                    options.needs_states, options.quadratures, options.mechanics, options.or_index_two);
    if (options.parameter_derivatives) { // what is given follows nothing
        shape += " derivatives";
        for (const model::ParameterOverride& p : options.parameters) shape += " given " + p.name;
    }
    if (options.jets) shape += " jets";
    for (const std::string& name : options.kept) shape += " keep " + name;
    for (const StartOverride& s : options.starts)
        shape += fmt::format(" start {} {:d}", s.name, static_cast<int>(s.strength));
    for (const std::vector<int>& set : options.dependent) shape += fmt::format(" dependent {}", fmt::join(set, ","));
    shape += " parameters ";
    for (std::size_t p = 0; p < parameters->size(); ++p) {
        const double value = (*parameters)[p];
        shape += value == 0.0 ? '0' : std::isfinite(value) ? '1' : 'x';
    }
    return shape;
}

Expected<std::optional<CompiledModel>> renumber(const CompiledModel& compiled, const CompileOptions& given) {
    const Compilation& c = *compiled.compilation;
    const CompileOptions options = with_guesses(*compiled.model, given);
    if (c.initial.starts_in_rows) return std::optional<CompiledModel>();
    auto parameters = model::parameter_values(*compiled.model, options.parameters);
    if (!parameters) return Unexpected{std::move(parameters.error())};
    auto starts = given_starts(*compiled.model, options.starts);
    if (!starts) return Unexpected{std::move(starts.error())};

    CompiledModel result = compiled;
    result.parameters = *parameters;
    problem::System system = compiled.problem.system();
    system.environment = environment(c, system.environment, *parameters, options.start_time);
    if (const auto* known = system.facets.find<problem::Quadratures>()) {
        problem::Quadratures q = *known;
        q.start = quadrature_starts(*compiled.model, c.quadratures, *parameters, *starts);
        q.nominal = quadrature_nominals(c, system.environment.values());
        system.facets.set(std::move(q));
    }
    const std::vector<problem::InitialUnknown> data =
        transform::renumber(c.initial, c.system.graph(), system.environment.values(), *starts);
    number_unknowns(c, data, system.unknowns);
    if (const auto* known = system.facets.find<problem::Dependents>()) {
        problem::Dependents d = *known;
        for (std::size_t k = 0; k < d.nominal.size(); ++k)
            if (const int u = c.dependent_unknowns[k]; u >= 0)
                d.nominal[k] = std::abs(data[static_cast<std::size_t>(u)].nominal);
        system.facets.set(std::move(d));
    }
    if (const auto* known = system.facets.find<problem::DifferentiatedQuantity>()) {
        problem::DifferentiatedQuantity q = *known;
        q.nominal = quantity_nominals(c, system.environment.values(), data, options.start_time);
        system.facets.set(std::move(q));
    }
    if (!c.discrete.fixed_functions.empty()) {
        problem::Hybrid h = system.facets.get<problem::Hybrid>();
        h.time_events = fixed_instants(c, system.environment.values());
        system.facets.set(std::move(h));
    }
    result.initial.t0 = options.start_time;
    result.initial.unknowns = data;
    result.initial.binding.environment() = system.environment;
    result.problem = problem::ImplicitProblem(std::move(system));
    return std::optional(std::move(result));
}

} // namespace daedalus::compile
