#include "daedalus/analysis.hpp"

#include "compile/compile.hpp"
#include "facade/access.hpp"
#include "facade/analysis_numbers.hpp"
#include "integrate/start_blocks.hpp"
#include "simulation/convert.hpp"
#include "simulation/formulation_indices.hpp"
#include "simulation/given_inputs.hpp"
#include "simulation/measured_indices.hpp"
#include "simulation/private_copy.hpp"
#include "simulation/redundant_constraints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace daedalus {

namespace {

Analysis convert(const compile::StructuralReport& s, const model::Model& model,
                 const std::vector<compile::PassRecord>& passes) {
    Analysis a;
    a.model = s.model_name;
    for (std::size_t i = 0; i < s.differentiations.size(); ++i) {
        compile::EquationFacts e = compile::equation_facts(s, model, i);
        a.equations.push_back(
            {std::move(e.text), e.differentiations, std::move(e.replaced_by), std::move(e.where), {}});
    }
    for (std::size_t i = 0; i < s.of_variables.size(); ++i) {
        compile::VariableFacts v = compile::variable_facts(s, model, i);
        a.variables.push_back({std::move(v.name), std::move(v.unit), std::move(v.description), v.index,
                               v.highest_derivative, std::move(v.eliminated_as), std::nullopt, std::nullopt,
                               model.is_shown(static_cast<int>(i))});
    }
    a.structural_index = s.index_as_written;
    if (s.structural_index != s.index_as_written || !s.replacements.empty()) a.repaired_index = s.structural_index;
    a.degrees_of_freedom = s.degrees_of_freedom;
    for (const auto& h : s.hidden_constraints)
        a.hidden_constraints.push_back({h.text, h.from, h.differentiations, h.where});
    for (std::size_t k = 0; k < s.blocks.size(); ++k) {
        const compile::Block b = s.blocks[k];
        a.blocks.push_back({b.equations, b.variables, b.differentiations, static_cast<Linearity>(b.linearity), b.torn,
                            b.residual_equations});
    }
    a.pantelides_agrees = s.pantelides_agrees;
    a.torn = s.torn;
    a.structure_reliable = s.structure_reliable;
    a.warnings = s.warnings;
    for (const auto& p : passes) a.passes.push_back({p.name, p.summary, p.reason, p.details, p.seconds});
    return a;
}

constexpr std::size_t most_incidences = 2000; // equations: more are not drawn

void find_mentions(Analysis& a, const model::Model& m) {
    if (m.equations.size() > most_incidences || m.equations.size() != a.equations.size()) return;
    const expr::Graph& g = *m.graph;
    for (std::size_t i = 0; i < m.equations.size(); ++i) {
        std::set<int> found;
        const std::vector<expr::NodeId> sides{m.equations[i].left, m.equations[i].right};
        for (const expr::NodeId n : g.reachable(sides))
            if (g.op(n) == expr::Op::variable) found.insert(g.variable_id(n));
        a.equations[i].mentions.assign(found.begin(), found.end());
    }
}

void add_numbers(Analysis& a, std::vector<compile::SpecialClass> classes,
                 const std::shared_ptr<const model::Model>& model, const SolveOptions& options,
                 const compile::CompileOptions& how, const AnalyzeOptions& what) {
    find_mentions(a, *model);
    simulation::measure_indices(a, classes, model, options, how, what);
    for (const compile::SpecialClass& found : classes) a.classes.push_back(found.text);
    facade::explain_numbers(a);
}

using ModelPointer = std::shared_ptr<const model::Model>;

Expected<Analysis> analyze_as_is(const ModelPointer& own, const SolveOptions& options, const AnalyzeOptions& what) {
    compile::CompileOptions how = simulation::compile_options(options, options.from.value_or(0.0));
    how.cross_check = true;
    auto result = compile::analyze(*own, how);
    if (!result) return Unexpected{std::move(result.error())};
    Analysis analysis = convert(result->structure, *own, result->passes);
    add_numbers(analysis, result->structure.classes, own, options, how, what);
    if (analysis.structural_index > 1) analysis.formulations = simulation::formulation_indices(own, how);
    return analysis;
}

Expected<Explanation> explain_as_is(const ModelPointer& shared, const SolveOptions& options) {
    compile::CompileOptions how = simulation::compile_options(options, options.from.value_or(0.0));
    how.cross_check = true;
    how.inline_definitions = true;
    auto compiled = compile::compile(shared, how);
    if (!compiled) return Unexpected{std::move(compiled.error())};
    Explanation explanation;
    compile::PassRecord start;
    start.name = "blocks of the start";
    start.details = integrate::plan_of_start(compiled->initial);
    start.summary = "the initial value system in solving order";
    start.reason = "a block that is linear in its unknowns needs one factorisation and no iteration";
    compiled->passes.push_back(std::move(start));
    explanation.analysis = convert(compiled->structure, *shared, compiled->passes);
    add_numbers(explanation.analysis, compiled->structure.classes, shared, options, how, {});
    explanation.formulation = compiled->reduce_reason;
    for (int i = 0; i < compiled->problem.size(); ++i)
        explanation.unknowns.push_back(compiled->problem.names().variable(i));
    return explanation;
}

Analysis& analysis_of(Analysis& a) { return a; }
Analysis& analysis_of(Explanation& e) { return e.analysis; }

/// Of the model as it is; where redundant constraints leave it without an index, of the regular one in its place.
template <class Result, class Examine>
Expected<Result> of_regular_model(const ModelPointer& model, const SolveOptions& options, const Examine& examine) {
    Expected<Result> result = examine(model);
    const bool undetermined = result ? !analysis_of(*result).differentiation_index.value.has_value()
                                     : simulation::may_be_redundant(result.error());
    if (!undetermined) return result;
    auto regular = simulation::regular_model(simulation::Compilations(model), options);
    if (!regular) return Unexpected{std::move(regular.error())};
    if (!*regular) return result;
    Expected<Result> other = examine(simulation::private_copy(*(*regular)->compilations->model()));
    if (!other) return other;
    const Diagnostic& note = (*regular)->note;
    analysis_of(*other).warnings.push_back(note.message);
    for (const Diagnostic& line : note.notes) analysis_of(*other).warnings.push_back(line.message);
    return other;
}

/// Inputs that wait for values are known functions of time, whichever.
template <class Result, class Examine>
Expected<Result> with_given_inputs(const Model& model, const SolveOptions& options, const Examine& examine) {
    const std::shared_ptr<model::Model> copy = simulation::private_copy(*model.impl().model);
    const std::vector<std::string> inputs = simulation::take_inputs_as_given(*copy);
    Expected<Result> result = of_regular_model<Result>(copy, options, examine);
    if (result && !inputs.empty())
        analysis_of(*result).warnings.push_back(
            fmt::format("{} {} taken as given: {} of time, with all derivatives that are needed",
                        fmt::join(inputs, ", "), inputs.size() == 1 ? "is an input and" : "are inputs and",
                        inputs.size() == 1 ? "a smooth function" : "smooth functions"));
    return result;
}

} // namespace

Expected<Analysis> analyze(const Model& model, const SolveOptions& options, const AnalyzeOptions& what) {
    return with_given_inputs<Analysis>(model, options,
                                       [&](const ModelPointer& m) { return analyze_as_is(m, options, what); });
}

Expected<Explanation> explain(const Model& model, const SolveOptions& options) {
    return with_given_inputs<Explanation>(model, options,
                                          [&](const ModelPointer& m) { return explain_as_is(m, options); });
}

} // namespace daedalus
