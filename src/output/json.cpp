#include "output/json.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace daedalus::output {
namespace {

void location_field(JsonWriter& json, const std::optional<Location>& where) {
    if (!where) return;
    json.key("location");
    json.begin_object();
    json.field("file", where->file);
    json.field("line", where->line);
    json.field("column", where->column);
    json.end_object();
}

void text_field(JsonWriter& json, std::string_view key, const std::string& text) {
    if (!text.empty()) json.field(key, text);
}

template <class Range, class Projection>
void strings(JsonWriter& json, std::string_view key, const Range& range, Projection projection) {
    json.key(key);
    json.begin_array();
    for (const auto& element : range) json.value(std::string_view(projection(element)));
    json.end_array();
}

void strings(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts) {
    strings(json, key, texts, [](const std::string& text) -> const std::string& { return text; });
}

// Positions are 1-based for readers, like line numbers.
void positions(JsonWriter& json, std::string_view key, const std::vector<int>& indices) {
    std::vector<double> numbers(indices.begin(), indices.end());
    for (double& number : numbers) number += 1;
    json.key(key);
    json.numbers(numbers);
}

void optional_field(JsonWriter& json, std::string_view key, const std::optional<int>& number) {
    json.key(key);
    if (number)
        json.value(*number);
    else
        json.null();
}

void write_diagnostic(JsonWriter& json, const Diagnostic& diagnostic) {
    static constexpr const char* severities[] = {"note", "warning", "error"};
    json.begin_object();
    json.field("severity", severities[static_cast<int>(diagnostic.severity)]);
    text_field(json, "code", diagnostic.code);
    json.field("message", diagnostic.message);
    location_field(json, diagnostic.where);
    text_field(json, "hint", diagnostic.hint);
    if (!diagnostic.notes.empty()) {
        json.key("notes");
        write_diagnostics(json, diagnostic.notes);
    }
    json.end_object();
}

void write_outcome(JsonWriter& json, const Outcome& outcome) {
    json.key("outcome");
    json.begin_object();
    json.field("kind", name_of(outcome.kind));
    text_field(json, "reason", outcome.reason);
    json.field("t_start", outcome.t_start);
    json.field("t_reached", outcome.t_reached);
    json.field("t_requested", outcome.t_requested);
    json.end_object();
}

void write_trajectory(JsonWriter& json, const Trajectory& trajectory) {
    assert(trajectory.is_rectangular());
    std::int64_t non_finite = 0;
    for (const std::vector<double>& column : trajectory.values)
        non_finite += std::count_if(column.begin(), column.end(), [](double v) { return !std::isfinite(v); });
    json.key("trajectory");
    json.begin_object();
    json.key("time");
    json.numbers(trajectory.time);
    json.key("variables");
    json.begin_object();
    for (std::size_t i = 0; i < trajectory.variables.size(); ++i) {
        json.key(trajectory.variables[i].name);
        json.numbers(trajectory.values[i]);
    }
    json.end_object();
    json.field("non_finite_values", non_finite);
    json.end_object();
}

template <class Member>
void step_column(JsonWriter& json, std::string_view key, const std::vector<StepRecord>& steps, Member member) {
    std::vector<double> column;
    column.reserve(steps.size());
    for (const StepRecord& step : steps) column.push_back(static_cast<double>(step.*member));
    json.key(key);
    json.numbers(column);
}

void write_steps(JsonWriter& json, const std::vector<StepRecord>& steps) {
    json.key("steps");
    json.begin_object();
    step_column(json, "t", steps, &StepRecord::t);
    step_column(json, "h", steps, &StepRecord::h);
    step_column(json, "order", steps, &StepRecord::order);
    step_column(json, "rejected", steps, &StepRecord::rejected);
    json.end_object();
}

void write_residuals(JsonWriter& json, const Trajectory& trajectory) {
    json.key("residuals");
    json.begin_object();
    json.field("tolerance", trajectory.residual_tolerance);
    json.key("rows");
    json.begin_array();
    for (const ResidualSeries& row : trajectory.residuals) {
        json.begin_object();
        json.field("name", row.name);
        json.field("text", row.text);
        json.field("differentiations", row.differentiations);
        location_field(json, row.where);
        json.field("max_at_steps", row.max_at_steps);
        json.field("max_at_midpoints", row.max_at_midpoints);
        json.key("at_steps");
        json.numbers(row.at_steps);
        json.key("at_midpoints");
        json.numbers(row.at_midpoints);
        json.end_object();
    }
    json.end_array();
    json.end_object();
}

void write_happenings(JsonWriter& json, const Trajectory& trajectory) {
    json.key("events");
    json.begin_array();
    for (const EventRecord& event : trajectory.events) {
        json.begin_object();
        json.field("t", event.t);
        json.field("text", event.text);
        json.end_object();
    }
    json.end_array();
    json.key("state_switches");
    json.begin_array();
    for (const StateSwitch& change : trajectory.state_switches) {
        json.begin_object();
        json.field("t", change.t);
        strings(json, "before", change.before);
        strings(json, "after", change.after);
        text_field(json, "reason", change.reason);
        json.end_object();
    }
    json.end_array();
}

void write_model_details(JsonWriter& json, const ModelSummary& model, const std::vector<VariableInfo>& variables) {
    json.key("variable_details");
    json.begin_array();
    for (const VariableInfo& variable : variables) {
        json.begin_object();
        json.field("name", variable.name);
        json.field("kind", name_of(variable.kind));
        text_field(json, "unit", variable.unit);
        text_field(json, "description", variable.description);
        json.end_object();
    }
    json.end_array();
    json.key("equation_details");
    json.begin_array();
    for (const EquationText& equation : model.equations) {
        json.begin_object();
        json.field("text", equation.text);
        text_field(json, "latex", equation.latex);
        text_field(json, "description", equation.description);
        location_field(json, equation.where);
        json.end_object();
    }
    json.end_array();
    json.key("hidden_constraint_details");
    json.begin_array();
    for (const HiddenConstraint& constraint : model.hidden_constraints) {
        json.begin_object();
        json.field("text", constraint.text);
        text_field(json, "latex", constraint.latex);
        positions(json, "equations", constraint.equations);
        json.field("differentiations", constraint.differentiations);
        json.end_object();
    }
    json.end_array();
    json.key("parameters");
    json.begin_array();
    for (const ParameterValue& parameter : model.parameters) {
        json.begin_object();
        json.field("name", parameter.name);
        json.field("value", parameter.value);
        text_field(json, "unit", parameter.unit);
        text_field(json, "description", parameter.description);
        json.field("overridden", parameter.overridden);
        json.end_object();
    }
    json.end_array();
}

} // namespace

void write_model_members(JsonWriter& json, const ModelSummary& model, const std::vector<VariableInfo>& variables) {
    json.field("name", model.name);
    text_field(json, "description", model.description);
    text_field(json, "source", model.source_name);
    strings(json, "equations", model.equations, [](const EquationText& e) -> const std::string& { return e.text; });
    strings(json, "variables", variables, [](const VariableInfo& v) -> const std::string& { return v.name; });
    optional_field(json, "structural_index", model.structural_index);
    optional_field(json, "differentiation_index", model.differentiation_index);
    optional_field(json, "degrees_of_freedom", model.degrees_of_freedom);
    json.key("index_per_variable");
    json.begin_object();
    for (const VariableInfo& variable : variables) json.field(variable.name, variable.index);
    json.end_object();
    strings(json, "hidden_constraints", model.hidden_constraints,
            [](const HiddenConstraint& c) -> const std::string& { return c.text; });
    json.key("blocks");
    json.begin_array();
    for (const EquationBlock& block : model.blocks) {
        json.begin_object();
        positions(json, "equations", block.equations);
        strings(json, "variables", block.variables);
        if (!block.torn.empty()) strings(json, "torn", block.torn);
        json.field("linear", block.linear);
        json.end_object();
    }
    json.end_array();
    write_model_details(json, model, variables);
}

void write_diagnostics(JsonWriter& json, const Diagnostics& diagnostics) {
    json.begin_array();
    for (const Diagnostic& diagnostic : diagnostics) write_diagnostic(json, diagnostic);
    json.end_array();
}

void write_facts(JsonWriter& json, const std::vector<Fact>& facts) {
    json.begin_object();
    for (const Fact& fact : facts) {
        json.key(fact.name);
        std::visit([&](const auto& content) { json.value(content); }, fact.value);
    }
    json.end_object();
}

void write_passes(JsonWriter& json, const std::vector<PassRecord>& passes) {
    json.begin_array();
    for (const PassRecord& pass : passes) {
        json.begin_object();
        json.field("name", pass.name);
        json.field("what", pass.what);
        text_field(json, "why", pass.why);
        if (!pass.details.empty()) strings(json, "details", pass.details);
        json.field("seconds", pass.seconds);
        json.end_object();
    }
    json.end_array();
}

void write_initial_values(JsonWriter& json, const std::vector<InitialValue>& values) {
    json.begin_array();
    for (const InitialValue& value : values) {
        json.begin_object();
        json.field("name", value.name);
        text_field(json, "unit", value.unit);
        json.field("before", value.before);
        json.field("after", value.after);
        json.field("strength", name_of(value.strength));
        json.end_object();
    }
    json.end_array();
}

void write_json(const Trajectory& trajectory, const ReportData& report, const Sink& sink) {
    JsonWriter json(sink);
    json.begin_object();
    json.key("model");
    json.begin_object();
    write_model_members(json, report.model, variables_of(report.model, trajectory));
    json.end_object();
    write_outcome(json, report.outcome);
    json.field("method", report.method);
    text_field(json, "command_line", report.command_line);
    text_field(json, "created", report.created);
    json.key("options");
    write_facts(json, report.options);
    json.key("statistics");
    write_facts(json, report.statistics);
    json.key("versions");
    write_facts(json, report.versions);
    json.key("initial_values");
    write_initial_values(json, report.initial_values);
    json.key("passes");
    write_passes(json, report.passes);
    json.key("diagnostics");
    write_diagnostics(json, report.diagnostics);
    write_trajectory(json, trajectory);
    write_steps(json, trajectory.steps);
    write_residuals(json, trajectory);
    write_happenings(json, trajectory);
    json.end_object();
}

std::string json_text(const Trajectory& trajectory, const ReportData& report) {
    std::string text;
    write_json(trajectory, report, [&](std::string_view piece) { text += piece; });
    return text;
}

} // namespace daedalus::output
