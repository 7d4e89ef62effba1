#include "simulation/describe.hpp"

#include "base/expected.hpp"
#include "simulation/start_options.hpp"
#include "tape/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace daedalus::simulation {

namespace {

output::VariableKind kind_of(const compile::OutputVariable& v) {
    if (v.eliminated) return output::VariableKind::eliminated;
    return v.differential ? output::VariableKind::differential : output::VariableKind::algebraic;
}

} // namespace

void describe_variables(const compile::CompiledModel& c, Record& record) {
    const std::vector<model::Variable>& variables = c.model->variables;
    record.trajectory.variables.reserve(c.outputs.size());
    for (std::size_t v = 0; v < variables.size(); ++v)
        record.trajectory.variables.push_back({variables[v].name, variables[v].unit, variables[v].description,
                                               kind_of(c.outputs[v]), c.structure.of_variables[v].index});
    for (const model::DiscreteVariable& v : c.model->discrete)
        record.trajectory.variables.push_back({v.name, v.unit, v.description, output::VariableKind::discrete, 0});
}

void describe_model(const compile::CompiledModel& c, const SolveOptions& options, Record& record) {
    constexpr std::size_t most_equations = 5000; // of larger models the report shows the beginning
    output::ModelSummary& m = record.report.model;
    m.name = c.model->name;
    m.description = c.model->description;
    if (!c.model->sources.empty()) {
        m.source_name = c.model->sources.front()->name();
        m.source_text = std::string(c.model->sources.front()->text().substr(0, 1U << 20U));
    }
    if (!options.variables.empty()) m.variables = record.trajectory.variables; // of which some are recorded
    const expr::Names names = c.model->names();
    const auto latex = [&](expr::NodeId e) {
        return expr::to_string(*c.model->graph, e, names, expr::Notation::latex, 2000);
    };
    for (std::size_t i = 0; i < c.model->equations.size() && i < most_equations; ++i) {
        const model::Equation& e = c.model->equations[i];
        compile::EquationFacts facts = compile::equation_facts(c.structure, *c.model, i);
        m.equations.push_back(
            {std::move(facts.text), latex(e.left) + " = " + latex(e.right), e.description, std::move(facts.where)});
    }
    // The first equation at a place, or with a text where it has no place.
    const auto key = [](const std::optional<Location>& where, const std::string& text) {
        return where ? fmt::format("{}:{}:{}", where->file, where->line, where->column) : text;
    };
    std::unordered_map<std::string, int> equation_at;
    if (!c.structure.hidden_constraints.empty())
        for (std::size_t i = 0; i < m.equations.size(); ++i)
            equation_at.emplace(key(m.equations[i].where, m.equations[i].text), static_cast<int>(i));
    for (const compile::HiddenConstraint& h : c.structure.hidden_constraints) {
        std::vector<int> from;
        if (const auto it = equation_at.find(key(h.where, h.from)); it != equation_at.end()) from.push_back(it->second);
        m.hidden_constraints.push_back({h.text, "", std::move(from), h.differentiations});
    }
    for (std::size_t b = 0; b < c.structure.blocks.size() && b < most_equations; ++b) {
        const compile::Block found = c.structure.blocks[b];
        output::EquationBlock block;
        block.equations = found.equations;
        for (const int v : found.variables)
            block.variables.push_back(c.model->variables[static_cast<std::size_t>(v)].name);
        m.blocks.push_back(std::move(block));
    }
    m.structural_index = c.structure.structural_index;
    if (!m.differentiation_index) m.degrees_of_freedom = c.structure.degrees_of_freedom; // else the arrays told
    for (std::size_t p = 0; p < c.model->parameters.size(); ++p) {
        const model::Parameter& parameter = c.model->parameters[p];
        if (parameter.is_held) continue;
        const bool overridden = std::any_of(options.parameters.begin(), options.parameters.end(),
                                            [&](const auto& o) { return o.first == parameter.name; });
        m.parameters.push_back({parameter.name, c.parameters[p], parameter.unit, parameter.description, overridden});
    }
    for (const compile::PassRecord& p : c.passes)
        record.report.passes.push_back({p.name, p.summary, p.reason, p.details, p.seconds});
    record.report.options.push_back({"reduce", std::string(to_string(c.reduce)), "", c.reduce_reason});
    if (c.definitions > 0)
        record.report.options.push_back({"definitions", std::int64_t{c.definitions}, "",
                                         "put into the other equations; they hold by construction"});
    record.report.diagnostics = c.model->warnings;
    for (const std::string& warning : c.structure.warnings) {
        Diagnostic d = make_error("structure", warning);
        d.severity = Severity::warning;
        record.report.diagnostics.push_back(std::move(d));
    }
    const std::string trouble = tape::machine_code_trouble();
    if (options.machine_code && c.backend == "interpreter" && !trouble.empty()) {
        Diagnostic d =
            make_error("no-machine-code", fmt::format("the equations are interpreted, which is slower: {}", trouble),
                       "results are the same; --no-jit asks for the interpreter and silences this");
        d.severity = Severity::warning;
        record.report.diagnostics.push_back(std::move(d));
    }
}

void describe_start(const problem::InitialProblem& p, const integrate::ConsistentStart& start, Record& record) {
    constexpr std::size_t most_values = 2000;
    for (std::size_t i = 0; i < p.unknowns.size() && i < most_values; ++i)
        record.report.initial_values.push_back(
            {p.names().variable(static_cast<int>(i)), "", p.unknowns[i].start, start.u[i], p.unknowns[i].strength});
    record.report.diagnostics.insert(record.report.diagnostics.end(), start.warnings.begin(), start.warnings.end());
    output::PassRecord pass;
    pass.name = "consistent start";
    pass.what = start.attempts.empty()
                    ? ""
                    : fmt::format("{}: {} iterations, largest residual {:.2g}", start.attempts.back().method,
                                  start.attempts.back().iterations, start.largest_residual);
    pass.why = start.analysed ? fmt::format("{} degrees of freedom", start.degrees_of_freedom) : "";
    for (const integrate::StartAttempt& a : start.attempts)
        pass.details.push_back(
            fmt::format("{}: {}{}", a.method, a.success ? "succeeded" : "failed", a.note.empty() ? "" : ", " + a.note));
    for (std::size_t k = 0; k < start.changes.size() && k < 50; ++k)
        pass.details.push_back(fmt::format("{}: {:.10g} → {:.10g}", start.changes[k].name, start.changes[k].before,
                                           start.changes[k].after));
    for (std::size_t k = 0; k < start.solutions.size() && start.solutions.size() > 1; ++k)
        pass.details.push_back(
            fmt::format("solution {}: distance {:.6g} from the start values", k + 1, start.solutions[k].distance));
    record.report.passes.push_back(std::move(pass));
    record.start_notes = start_notes(start);
}

} // namespace daedalus::simulation
