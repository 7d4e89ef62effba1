#include "facade/derivative_array.hpp"

#include "analysis/derivative_array_reduction.hpp"
#include "base/diagnostic.hpp"
#include "base/expected.hpp"

#include <fmt/format.h>

#include <chrono>

namespace daedalus::facade {

Expected<ArrayAnalysis> analyze_array(std::shared_ptr<const model::Model> model, const compile::CompileOptions& how,
                                      const integrate::StartOptions& start, const std::vector<double>& x_start,
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
    if (x_start.size() == static_cast<std::size_t>(result.model.variables)) guess = x_start;
    if (result.model.array->unknowns() != result.model.variables) guess.clear(); // derivatives among the unknowns
    source.at = [&](int order, std::string& why_not) -> std::optional<std::vector<double>> {
        if (!guess.empty()) {
            analysis::ArrayPoint p =
                analysis::consistent_point(*result.model.array, order, how.start_time, guess, analysis::HoldX::yes);
            if (p.consistent) return guess = std::move(p.z);
            guess.clear();
        }
        auto problem = compile::array_start(result.model, order, how);
        if (!problem) {
            why_not = problem.error().front().message;
            return std::nullopt;
        }
        const auto consistent = integrate::consistent_start(problem->initial, quick);
        if (!consistent) {
            why_not = "no consistent initial values were found: " + consistent.error().front().message;
            return std::nullopt;
        }
        std::vector<double> z;
        for (const int u : problem->z_from) z.push_back(consistent->u[static_cast<std::size_t>(u)]);
        return z;
    };
    result.index = analysis::array_index(*result.model.array, how.start_time, source, options);
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result;
}

std::vector<double> start_values(compile::CompiledModel& compiled, const integrate::StartOptions& start) {
    integrate::StartOptions quick = start;
    quick.multistart = quick.alternatives = quick.conflict_limit = 0;
    const auto consistent = integrate::consistent_start(compiled.initial, quick);
    if (!consistent) return {};
    const std::vector<double> x = consistent->x(compiled.initial), dx = consistent->dx(compiled.initial);
    std::vector<double> values(static_cast<std::size_t>(compiled.problem.outputs.size));
    std::vector<signed char> side;
    compiled.problem.set_modes_at(compiled.initial.t0, x.data(), dx.data(), true, side);
    const bool finite =
        compiled.problem.outputs(compiled.initial.t0, x.data(), dx.data(), values.data()) == problem::EvalStatus::ok;
    return finite ? values : std::vector<double>{};
}

std::optional<Diagnostics> reduce_by_arrays(compile::CompiledModel& compiled, const compile::CompileOptions& how,
                                            const integrate::StartOptions& start) {
    auto arrays = analyze_array(compiled.model, how, start, start_values(compiled, start));
    if (!arrays) return std::move(arrays.error());
    const analysis::ArrayIndex& index = arrays->index;
    if (!index.differentiation || !index.strangeness) {
        Diagnostic d = make_error("derivative-array", fmt::format("the index of {} is {}", compiled.model->name,
                                                                  index.reason.empty() ? "not known" : index.reason));
        d.hint = "--reduce none integrates the equations as written";
        return Diagnostics{d};
    }
    auto problem = compile::array_start(arrays->model, *index.differentiation, how);
    if (!problem) return std::move(problem.error());
    const bool least_squares = compiled.reduce == compile::Reduce::campbell_moore;
    std::vector<double> events = compiled.problem.time_events;
    compiled.problem = analysis::array_reduced_problem(arrays->model.array, index, how.start_time, index.point.z,
                                                       least_squares ? analysis::ReducedForm::campbell_moore
                                                                     : analysis::ReducedForm::kunkel_mehrmann,
                                                       arrays->model.variables);
    compiled.problem.time_events = std::move(events);
    compiled.initial = std::move(problem->initial);
    // The point where the index was found starts the search for the user's values.
    for (std::size_t i = 0; i < problem->z_from.size(); ++i) {
        problem::InitialUnknown& u = compiled.initial.unknowns[static_cast<std::size_t>(problem->z_from[i])];
        if (u.strength < problem::Strength::fixed) u.start = index.point.z[i];
    }
    compile::PassRecord record;
    record.name = "derivative array";
    record.summary = fmt::format("differentiation index {}, strangeness index {}: {} differential and {} algebraic "
                                 "equations",
                                 *index.differentiation, *index.strangeness, index.differential, index.algebraic);
    record.reason = index.reason;
    record.details = index.warnings;
    record.seconds = arrays->seconds;
    compiled.passes.push_back(std::move(record));
    return std::nullopt;
}

} // namespace daedalus::facade
