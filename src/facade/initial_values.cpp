#include "daedalus/initial_values.hpp"

#include "base/diagnostic.hpp"
#include "compile/compile.hpp"
#include "facade/access.hpp"
#include "facade/initialize.hpp"
#include "simulation/array_reduction.hpp"
#include "simulation/convert.hpp"
#include "simulation/hidden_structure.hpp"
#include "simulation/mass_metric_start.hpp"
#include "simulation/redundant_constraints.hpp"
#include "simulation/start_options.hpp"
#include "simulation/strict_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

namespace daedalus {

namespace {

using problem::Strength;

const char* name_of(Strength strength) {
    switch (strength) {
    case Strength::fixed: return "fixed";
    case Strength::preferred: return "preferred";
    case Strength::guess: return "guess";
    case Strength::unspecified: break;
    }
    return "";
}

/// Why a free unknown has the value it has.
std::string reason_of(const problem::InitialUnknown& u, bool moved) {
    switch (u.strength) {
    case Strength::fixed:
        return u.origin == problem::StartOrigin::steady_state ? "a steady state was asked for" : "it is fixed";
    case Strength::preferred:
        return moved ? "as near to its start value as the other values allow" : "its start value is kept";
    case Strength::guess:
        return moved ? "nothing determines it; near to its guess" : "nothing determines it; its guess is taken";
    case Strength::unspecified: break;
    }
    return moved ? "nothing was said about it; the nearest to 0 that fits" : "nothing was said about it; 0 is taken";
}

std::vector<std::string> names_of(const problem::InitialProblem& p, const std::vector<int>& unknowns) {
    std::vector<std::string> names;
    names.reserve(unknowns.size());
    for (const int j : unknowns) names.push_back(p.names().variable(j));
    return names;
}

/// Every variable of the model at a point of the initial system.
std::vector<double> outputs_at(const compile::CompiledModel& c, const integrate::ConsistentStart& at) {
    const std::vector<double> x = at.x(c.initial), dx = at.dx(c.initial);
    std::vector<double> y(c.outputs.size());
    static_cast<void>(c.problem.outputs(c.initial.t0, x.data(), dx.data(), y.data()));
    return y;
}

/// `highest`: derivatives of higher orders are left out; of an array they are not determined.
void list_values(const compile::CompiledModel& c, const integrate::ConsistentStart& start, int highest,
                 InitialValues& result) {
    const problem::InitialProblem& p = c.initial;
    std::vector<char> free(p.unknowns.size(), 0), moved(p.unknowns.size(), 0);
    for (const int j : start.free_unknowns) free[static_cast<std::size_t>(j)] = 1;
    for (const integrate::StartChange& change : start.changes) moved[static_cast<std::size_t>(change.unknown)] = 1;
    std::unordered_set<std::string> listed;
    for (std::size_t j = 0; j < p.unknowns.size(); ++j) {
        const problem::InitialUnknown& u = p.unknowns[j];
        if (u.derivative > highest) continue;
        InitialValue v;
        v.name = p.names().variable(static_cast<int>(j));
        v.strength = name_of(u.strength);
        if (u.strength != Strength::unspecified) v.before = u.start;
        v.after = start.u[j];
        v.free = free[j] != 0;
        v.moved = moved[j] != 0;
        if (v.free) v.reason = reason_of(u, v.moved || (u.strength == Strength::unspecified && v.after != 0.0));
        v.where = p.names().variable_location(static_cast<int>(j));
        listed.insert(v.name);
        result.values.push_back(std::move(v));
    }
    const std::vector<double> y = outputs_at(c, start);
    if (c.model->least_norm.varies) // as they are shown along the solution
        for (const int v : c.model->least_norm.variables)
            for (InitialValue& value : result.values)
                if (value.name == c.outputs[static_cast<std::size_t>(v)].name)
                    value.after = y[static_cast<std::size_t>(v)];
    std::vector<std::size_t> eliminated;
    for (std::size_t k = 0; k < c.outputs.size(); ++k) {
        if (listed.contains(c.outputs[k].name)) continue;
        InitialValue v;
        v.name = c.outputs[k].name;
        v.strength = "follows";
        v.after = y[k];
        eliminated.push_back(k);
        result.values.push_back(std::move(v));
    }
    for (const integrate::StartSolution& s : start.solutions) {
        integrate::ConsistentStart at;
        at.u = s.u;
        InitialSolution solution{s.u, s.distance, s.found};
        const std::vector<double> all = outputs_at(c, at);
        for (const std::size_t k : eliminated) solution.values.push_back(all[k]);
        result.solutions.push_back(std::move(solution));
    }
}

void list_residuals(const problem::InitialProblem& p, const std::vector<double>& u, InitialValues& result) {
    constexpr std::size_t most = 1000; // texts of more equations than anyone reads cost time and memory
    std::vector<double> g(static_cast<std::size_t>(p.equations));
    static_cast<void>(p.residual(p.binding.call(), p.t0, u.data(), g.data()));
    std::vector<int> order(g.size());
    for (std::size_t i = 0; i < g.size(); ++i) order[i] = static_cast<int>(i);
    const auto size = [&](int i) { return std::abs(g[static_cast<std::size_t>(i)]); };
    const std::size_t shown = std::min(most, g.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
                      [&](int a, int b) { return size(a) != size(b) ? size(a) > size(b) : a < b; });
    for (std::size_t k = 0; k < shown; ++k)
        result.residuals.push_back(
            {p.names().equation(order[k]), size(order[k]), p.names().equation_location(order[k])});
}

/// Where structure hides a constraint, as `solve` would see it: consistent values by derivative arrays, with the
/// initial value problem that they are of.
struct StartByArrays {
    compile::CompiledModel compiled;
    integrate::ConsistentStart start;
    Diagnostic note;
};
std::optional<StartByArrays> start_by_arrays(const compile::CompiledModel& compiled,
                                             const Expected<integrate::ConsistentStart>& start,
                                             const compile::CompileOptions& how, const SolveOptions& options) {
    if (options.reduction != Reduction::automatic ||
        static_cast<int>(compiled.model->variables.size()) > compile::largest_for_arrays)
        return std::nullopt;
    const integrate::StartOptions wanted = simulation::start_options(options);
    const double t0 = how.start_time,
                 t1 = options.until.value_or(compiled.model->experiment.stop_time.value_or(t0 + 1));
    std::string why = compiled.reduce_reason;
    if (compiled.reduce != Reduction::derivative_array) {
        if (!start) return std::nullopt;
        const auto hidden = simulation::hidden_structure(compiled, t0, t1, start->u, wanted);
        if (!hidden) return std::nullopt;
        why = hidden->message;
    }
    StartByArrays result{compiled, {}, {}};
    auto reduced = simulation::reduce_by_arrays(result.compiled, how, wanted, t1 >= t0);
    if (!reduced || reduced->differentiation <= std::max(1, compiled.structure.structural_index)) return std::nullopt;
    result.start = std::move(reduced->start);
    result.note =
        make_error("derivative-arrays", fmt::format("derivative arrays find index {} and give the initial values: {}",
                                                    reduced->differentiation, why));
    result.note.severity = Severity::warning;
    return result;
}

} // namespace

Expected<InitialValues> initialize(const Model& model, const SolveOptions& options) {
    return facade::initialize(simulation::Compilations(model.impl().model), options);
}

namespace {

bool singular_at_start(const compile::CompiledModel& compiled, const Expected<integrate::ConsistentStart>& start,
                       const SolveOptions& options) {
    if (!compiled.model->implied.empty()) return false;
    if (!start || !compiled.structure.structure_reliable) return true;
    const double t0 = compiled.initial.t0;
    const double t1 = options.until.value_or(compiled.model->experiment.stop_time.value_or(t0 + 1));
    return simulation::hidden_structure(compiled, t0, t1, start->u, simulation::start_options(options)).has_value();
}

/// Where redundant constraints make the model singular: the initial values of the regular one.
std::optional<Expected<InitialValues>> start_regular(const simulation::Compilations& compilations,
                                                     const SolveOptions& options) {
    auto regular = simulation::regular_model(compilations, options);
    if (!regular) return Unexpected{std::move(regular.error())};
    if (!*regular) return std::nullopt;
    auto values = facade::initialize(*(*regular)->compilations, options);
    if (values) values->warnings.push_back(std::move((*regular)->note));
    return values;
}

} // namespace

Expected<InitialValues> facade::initialize(const simulation::Compilations& compilations, const SolveOptions& options) {
    SolveOptions inputs_only;
    inputs_only.inputs = options.inputs;
    auto extended = compilations.extended(inputs_only);
    if (!extended) return Unexpected{std::move(extended.error())};
    const std::shared_ptr<const model::Model>& m = (*extended)->model();
    const double t0 = options.from.value_or(m->experiment.start_time.value_or(0.0));
    const compile::CompileOptions how = simulation::compile_options(options, t0);
    auto compiled = (*extended)->get(how);
    if (!compiled) {
        if (simulation::may_be_redundant(compiled.error()))
            if (auto regular = start_regular(compilations, options)) return *std::move(regular);
        return Unexpected{std::move(compiled.error())};
    }
    auto start = integrate::consistent_start(compiled->initial, simulation::start_options(options));
    if (singular_at_start(*compiled, start, options))
        if (auto regular = start_regular(compilations, options)) return *std::move(regular);
    std::optional<StartByArrays> by_arrays; // which know nothing of inputs that are given from outside
    if (options.inputs.empty()) by_arrays = start_by_arrays(*compiled, start, how, options);
    if (by_arrays) {
        *compiled = std::move(by_arrays->compiled);
        start = std::move(by_arrays->start);
    }
    const problem::InitialProblem& p = compiled->initial;
    if (!start) return Unexpected{std::move(start.error())};
    constexpr double default_rtol = 1e-6;
    if (options.strict)
        if (auto changed = simulation::changed_start(
                p, *start, options.rtol.value_or(m->experiment.tolerance.value_or(default_rtol))))
            return fail(*std::move(changed));
    if (!by_arrays) {
        if (!options.strict)
            simulation::use_mass_metric(**extended, how, simulation::start_options(options), true, *compiled, *start);
        start->hold_constants(p, compiled->problem);
    }

    InitialValues result;
    result.model = m->name;
    result.time = t0;
    if (by_arrays)
        std::erase_if(start->free_unknowns,
                      [&](int j) { return p.unknowns[static_cast<std::size_t>(j)].derivative > 0; });
    list_values(*compiled, *start, by_arrays ? 1 : std::numeric_limits<int>::max(), result);
    if (start->analysed) result.degrees_of_freedom = start->degrees_of_freedom;
    result.redundant_equations = start->redundant_equations;
    result.free_set = names_of(p, start->free_unknowns);
    for (const std::vector<int>& set : start->alternatives) result.alternatives.push_back(names_of(p, set));
    for (const integrate::StartAttempt& a : start->attempts)
        result.attempts.push_back({a.method, a.success, a.iterations, a.residual, a.note});
    list_residuals(p, start->u, result);
    result.largest_residual = start->largest_residual;
    result.relative_residual = start->residual;
    result.warnings = m->warnings;
    result.warnings.insert(result.warnings.end(), start->warnings.begin(), start->warnings.end());
    if (by_arrays) result.warnings.push_back(std::move(by_arrays->note));
    return result;
}

std::optional<double> InitialValues::operator[](std::string_view name) const {
    for (const InitialValue& v : values)
        if (v.name == name) return v.after;
    return std::nullopt;
}

} // namespace daedalus
