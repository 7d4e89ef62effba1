#include "simulation/array_reduction.hpp"

#include "analysis/derivative_array_reduction.hpp"
#include "base/diagnostic.hpp"
#include "base/expected.hpp"
#include "simulation/private_copy.hpp"
#include "simulation/start_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <unordered_map>

namespace daedalus::simulation {

Expected<ArrayAnalysis> analyze_array(std::shared_ptr<const model::Model> model, const compile::CompileOptions& how,
                                      const integrate::StartOptions& start, const StartGuess& x_start,
                                      const analysis::IndexOptions& options) {
    const auto begin = std::chrono::steady_clock::now();
    ArrayAnalysis result;
    auto array = compile::derivative_array(std::move(model), how);
    if (!array) return Unexpected{std::move(array.error())};
    result.model = *std::move(array);
    integrate::StartOptions quick = start;
    quick.multistart = quick.alternatives = 0;
    quick.conflict_limit = 0; // a conflict is explained where the model is started, not here
    analysis::PointSource source;
    std::vector<double> guess;
    if (x_start) guess = x_start(result.model);
    if (guess.size() != static_cast<std::size_t>(result.model.array->unknowns())) guess.clear();
    result.held = !guess.empty();
    source.at = [&](int order, std::string& why_not) -> std::optional<std::vector<double>> {
        if (!guess.empty()) {
            analysis::ArrayPoint p = analysis::consistent_point(*result.model.array, order, how.start_time, guess,
                                                                analysis::HoldX::thoroughly);
            if (p.consistent) return guess = std::move(p.z);
            guess.clear();
            result.held = false;
        }
        auto problem = compile::array_start(result.model, order, how);
        if (!problem) {
            why_not = problem.error().front().message;
            return std::nullopt;
        }
        const auto consistent = integrate::consistent_start(problem->initial, quick);
        if (!consistent) {
            // What the model prescribes at the start contradicts its equations. They have an index all the same: at a
            // point near by that satisfies them.
            std::vector<double> z;
            for (const int u : problem->z_from)
                z.push_back(problem->initial.unknowns[static_cast<std::size_t>(u)].start);
            analysis::ArrayPoint p = analysis::consistent_point(*result.model.array, order, how.start_time, z);
            if (p.consistent) {
                result.start_ignored = true;
                return std::move(p.z);
            }
            why_not = consistent.error().front().message;
            return std::nullopt;
        }
        std::vector<double> z;
        for (const int u : problem->z_from) z.push_back(consistent->u[static_cast<std::size_t>(u)]);
        return z;
    };
    result.index = analysis::array_index(*result.model.array, how.start_time, source, options);
    if (result.start_ignored)
        result.index.warnings.emplace_back("the start as prescribed contradicts the equations: indices are those at a "
                                           "point near by that satisfies them");
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result;
}

std::vector<double> array_unknowns(compile::CompiledModel& compiled, const integrate::ConsistentStart& at,
                                   const compile::ArrayModel& array) {
    const std::vector<double> x = at.x(compiled.initial), dx = at.dx(compiled.initial);
    at.hold_constants(compiled.initial, compiled.problem);
    std::vector<double> values(static_cast<std::size_t>(compiled.problem.output_count()));
    std::vector<signed char> side;
    compiled.problem.set_modes_at(compiled.initial.t0, x.data(), dx.data(), true, side);
    if (values.size() != static_cast<std::size_t>(array.variables) ||
        compiled.problem.outputs(compiled.initial.t0, x.data(), dx.data(), values.data()) != problem::EvalStatus::ok)
        return {};
    std::unordered_map<std::string, double> named;
    if (array.array->unknowns() > array.variables)
        for (std::size_t u = 0; u < at.u.size(); ++u)
            named.emplace(compiled.initial.legend->variable(static_cast<int>(u)), at.u[u]);
    for (int j = array.variables; j < array.array->unknowns(); ++j) {
        const auto found = named.find(array.array->legend->variable(j));
        if (found == named.end()) return {};
        values.push_back(found->second);
    }
    return values;
}

namespace {

/// Consistent initial values by the array's own equations, where structure does not give them.
Expected<ReducedStart> start_by_array(compile::CompiledModel& compiled, const ArrayAnalysis& arrays,
                                      const compile::CompileOptions& how, const integrate::StartOptions& options,
                                      std::vector<double>& z) {
    auto problem = compile::array_start(arrays.model, *arrays.index.differentiation, how);
    if (!problem) return Unexpected{std::move(problem.error())};
    // Where the index was found is a better guess than none; what the user prefers stays, and what becomes of it is
    // reported.
    for (std::size_t i = 0; i < problem->z_from.size(); ++i) {
        problem::InitialUnknown& u = problem->initial.unknowns[static_cast<std::size_t>(problem->z_from[i])];
        if (u.strength < problem::Strength::preferred) u.start = arrays.index.point.z[i];
    }
    auto start = integrate::consistent_start(problem->initial, options);
    if (!start) return Unexpected{std::move(start.error())};
    compiled.initial = std::move(problem->initial);
    z.clear();
    for (const int u : problem->z_from) z.push_back(start->u[static_cast<std::size_t>(u)]);
    ReducedStart result;
    result.x = start->x(compiled.initial);
    result.dx = start->dx(compiled.initial);
    result.start = *std::move(start);
    return result;
}

/// Start values that satisfy the array as they are: z.
Expected<integrate::ConsistentStart> start_as_given(compile::CompiledModel& compiled, const ArrayAnalysis& arrays,
                                                    const compile::CompileOptions& how, const std::vector<double>& z) {
    auto problem = compile::array_start(arrays.model, *arrays.index.differentiation, how);
    if (!problem) return Unexpected{std::move(problem.error())};
    integrate::ConsistentStart start;
    start.u.resize(problem->initial.unknowns.size());
    for (std::size_t i = 0; i < problem->z_from.size() && i < z.size(); ++i)
        start.u[static_cast<std::size_t>(problem->z_from[i])] = z[i];
    start.attempts.push_back({"the start values as given", true, 0, arrays.index.point.residual, ""});
    start.largest_residual = arrays.index.point.residual;
    start.degrees_of_freedom = arrays.index.differential;
    start.analysed = true;
    compiled.initial = std::move(problem->initial);
    return start;
}

} // namespace

Expected<ReducedStart> reduce_by_arrays(compile::CompiledModel& compiled, const compile::CompileOptions& how,
                                        const integrate::StartOptions& options, bool forward) {
    auto structural = integrate::consistent_start(compiled.initial, options);
    if (structural) structural->hold_constants(compiled.initial, compiled.problem);
    const bool regular = structural && compiled.structure.structure_reliable &&
                         check_start(compiled, compiled.initial.t0, structural->u).empty();
    // Arrays make new expressions, and runs in other threads share those of the compilation.
    const std::shared_ptr<const model::Model> copy = copy_as_compiled(*compiled.model);
    // A start that satisfies the array is not moved. Initial equations ask for more than the array knows.
    const bool as_given = !regular && compiled.model->initial_equations.empty() && !how.steady_state;
    auto arrays = analyze_array(copy, how, options, [&](const compile::ArrayModel& m) {
        return regular ? array_unknowns(compiled, *structural, m) : as_given ? m.array->start : std::vector<double>{};
    });
    if (!arrays) return Unexpected{std::move(arrays.error())};
    const analysis::ArrayIndex& index = arrays->index;
    if (!index.differentiation || !index.strangeness) {
        Diagnostic d = make_error("derivative-array", fmt::format("the index of {} is {}", compiled.model->name,
                                                                  index.reason.empty() ? "not known" : index.reason));
        d.hint = "--reduce none integrates the equations as written";
        return fail(std::move(d));
    }
    const bool least_squares = compiled.reduce == Reduction::campbell_moore;
    std::vector<double> z = index.point.z;
    bool held = arrays->held;
    if (!held && regular) // the index was found elsewhere; the order that the reduction uses may accept the start
        if (std::vector<double> x = array_unknowns(compiled, *structural, arrays->model); !x.empty()) {
            const int order = least_squares ? *index.differentiation : *index.strangeness;
            analysis::ArrayPoint p =
                analysis::consistent_point(*arrays->model.array, order, how.start_time, x, analysis::HoldX::thoroughly);
            // Where the ranks are others than beside it, the reduction has no rows for this point.
            const auto ranks =
                p.consistent ? analysis::array_ranks(*arrays->model.array, order, how.start_time, p.z) : std::nullopt;
            held = ranks && ranks->constraints == index.algebraic && ranks->strangeness_free;
            if (held) z = std::move(p.z);
        }
    ReducedStart result;
    if (held) {
        const auto n = static_cast<std::ptrdiff_t>(arrays->model.array->unknowns());
        result.x.assign(z.begin(), z.begin() + n);
        result.dx.assign(z.begin() + n, z.begin() + 2 * n);
        if (regular)
            result.start = *std::move(structural);
        else if (auto own = start_as_given(compiled, *arrays, how, z))
            result.start = *std::move(own);
        else
            return Unexpected{std::move(own.error())};
    } else {
        auto own = start_by_array(compiled, *arrays, how, options, z);
        if (!own) return Unexpected{std::move(own.error())};
        result = *std::move(own);
        result.start.degrees_of_freedom = index.differential; // derivatives of the highest orders are no choice
    }
    auto switched = compile::switched_array(copy, how);
    if (!switched) return Unexpected{std::move(switched.error())};
    std::vector<signed char> side;
    switched->written.set_modes_at(how.start_time, result.x.data(), result.dx.data(), forward, side);
    switched->model.array->infos = arrays->model.array->infos;
    if (!switched->model.array->prepare(*index.differentiation))
        return fail(make_error("derivative-array", switched->model.array->why_not()));
    compiled.problem = analysis::array_reduced_problem(switched->model.array, index, how.start_time, z,
                                                       least_squares ? analysis::ReducedForm::campbell_moore
                                                                     : analysis::ReducedForm::kunkel_mehrmann,
                                                       std::move(switched->written));
    compile::PassRecord record;
    record.name = "derivative array";
    record.summary = fmt::format("differentiation index {}, strangeness index {}: {} differential and {} algebraic "
                                 "equations; initial values {}",
                                 *index.differentiation, *index.strangeness, index.differential, index.algebraic,
                                 !held     ? "by the array"
                                 : regular ? "by structure"
                                           : "as given, which the array accepts");
    record.reason = index.reason;
    record.details = index.warnings;
    record.seconds = arrays->seconds;
    compiled.passes.push_back(std::move(record));
    result.differentiation = *index.differentiation;
    result.differential = index.differential;
    return result;
}

} // namespace daedalus::simulation
