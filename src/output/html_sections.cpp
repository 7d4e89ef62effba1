#include "output/html_sections.hpp"

#include "output/component_tree.hpp"
#include "output/html_table.hpp"
#include "output/markup.hpp"
#include "output/mathml.hpp"
#include "output/number_text.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::output::html {
namespace {

std::string esc(std::string_view text) { return escape_markup(text); }
std::string code(std::string_view text) { return "<code>" + esc(text) + "</code>"; }

/// Few digits to read, all of them in the tooltip.
std::string number(double value, int digits = 6) {
    const std::string full = number_text(value);
    std::string brief = brief_number(value, digits);
    if (brief == full) return esc(brief);
    return "<span title=\"" + esc(full) + "\">" + esc(brief) + "</span>";
}

std::string place(const std::optional<Location>& where) {
    if (!where) return {};
    if (where->line <= 0) return esc(where->file);
    return "<span title=\"" + esc(where->file) + "\">line " + std::to_string(where->line) + "</span>";
}

// Typeset if the LaTeX is understood, else as written in the model; the model's text is always in the tooltip.
std::string equation(const std::string& text, const std::string& latex) {
    if (const std::optional<std::string> math = latex.empty() ? std::nullopt : mathml(latex))
        return "<span title=\"" + esc(text) + "\">" + *math + "</span>";
    return esc(text);
}

template <class Range, class Projection>
std::string listed(const Range& range, Projection projection, std::size_t limit = 12) {
    std::string out;
    std::size_t count = 0;
    for (const auto& element : range) {
        if (count == limit) {
            out += ", … (" + std::to_string(range.size()) + ")";
            break;
        }
        if (count++ > 0) out += ", ";
        out += projection(element);
    }
    return out;
}

std::string names(const std::vector<std::string>& texts) {
    return listed(texts, [](const std::string& text) { return code(text); });
}

std::string equation_links(const std::vector<int>& positions) {
    return listed(positions, [](int position) { return std::to_string(position + 1); });
}

std::string heading(const char* title, std::size_t count) {
    return std::string("<h3>") + title + " <span class=\"count\">" + std::to_string(count) + "</span></h3>\n";
}

std::string tile(const char* title, const std::string& value, const std::string& remark = {}) {
    return std::string("<div><dt>") + title + "</dt><dd>" + value +
           (remark.empty() ? "" : "<small>" + remark + "</small>") + "</dd></div>";
}

const char* pill(OutcomeKind kind) {
    switch (kind) {
    case OutcomeKind::success: return "good";
    case OutcomeKind::stopped_early: return "warn";
    case OutcomeKind::failed: return "bad";
    }
    return "";
}

/// A residual above the tolerance that errors within the tolerance make.
bool explained(double residual, const Trajectory& trajectory) {
    return trajectory.residuals_explained && std::isfinite(residual);
}

std::string tiles(const Trajectory& trajectory, const ReportData& report) {
    std::string out = "<dl class=\"tiles\">";
    out += tile("Time", number(report.outcome.t_start, 4) + " … " + number(report.outcome.t_reached, 4),
                std::to_string(trajectory.points()) + " output points");
    if (!trajectory.steps.empty()) {
        long rejected = 0;
        for (const StepRecord& step : trajectory.steps) rejected += step.rejected;
        out += tile("Steps", std::to_string(trajectory.steps.size()), std::to_string(rejected) + " rejected");
    }
    if (report.model.differentiation_index)
        out +=
            tile("Index", std::to_string(*report.model.differentiation_index),
                 "by derivative arrays; structure says " + std::to_string(report.model.structural_index.value_or(0)));
    else if (report.model.structural_index)
        out += tile("Structural index", std::to_string(*report.model.structural_index),
                    std::to_string(report.model.hidden_constraints.size()) + " hidden constraints");
    if (report.model.degrees_of_freedom)
        out += tile("Degrees of freedom", std::to_string(*report.model.degrees_of_freedom),
                    std::to_string(report.model.equations.size()) + " equations");
    if (!trajectory.residuals.empty()) {
        double worst = 0;
        for (const ResidualSeries& row : trajectory.residuals)
            for (const double value : {row.max_at_steps, row.max_at_midpoints})
                if (!(value <= worst)) worst = value;
        const bool above = trajectory.residual_tolerance > 0 && !(worst <= trajectory.residual_tolerance);
        const bool over = above && !explained(worst, trajectory);
        out += tile("Worst residual", over ? "<span class=\"over\">" + number(worst, 2) + "</span>" : number(worst, 2),
                    above && !over                      ? "explained by the tolerance"
                    : trajectory.residual_tolerance > 0 ? "tolerance " + number(trajectory.residual_tolerance, 2)
                                                        : "");
    }
    for (const Fact& fact : report.statistics)
        if (const double* seconds = std::get_if<double>(&fact.value); seconds != nullptr && fact.name == "wall_seconds")
            out += tile("Wall time", esc(brief_duration(*seconds)));
    return out + "</dl>\n";
}

std::string variable_table(const std::vector<VariableInfo>& variables, const HtmlLimits& limits) {
    Table table("Variables", {{"name"}, {"kind", "soft"}, {"index", "num"}, {"unit"}, {"description", "soft"}},
                limits.table_rows);
    for (const VariableInfo& v : variables)
        if (table.wants_row())
            table.row({code(v.name), name_of(v.kind), v.index > 0 ? std::to_string(v.index) : "–", esc(v.unit),
                       esc(v.description)});
    return table.empty() ? "" : heading("Variables", variables.size()) + table.html();
}

std::string components(const std::vector<VariableInfo>& variables, const HtmlLimits& limits) {
    const std::string tree = component_tree(variables, static_cast<std::size_t>(limits.table_rows));
    return tree.empty() ? "" : heading("Components", variables.size()) + tree;
}

std::string equation_table(const ModelSummary& model, const HtmlLimits& limits) {
    Table table("Equations", {{"#", "num"}, {"equation", "eq"}, {"where", "tight"}, {"description", "soft"}},
                limits.table_rows);
    int position = 0;
    for (const EquationText& e : model.equations) {
        ++position;
        if (table.wants_row())
            table.row({std::to_string(position), equation(e.text, e.latex), place(e.where), esc(e.description)});
    }
    return table.empty() ? "" : heading("Equations", model.equations.size()) + table.html();
}

std::string hidden_table(const ModelSummary& model, const HtmlLimits& limits) {
    Table table("Hidden constraints", {{"constraint", "eq"}, {"follows from equation"}, {"differentiated", "num"}},
                limits.table_rows);
    for (const HiddenConstraint& c : model.hidden_constraints)
        if (table.wants_row())
            table.row(
                {equation(c.text, c.latex), equation_links(c.equations), std::to_string(c.differentiations) + "×"});
    if (table.empty()) return {};
    return heading("Hidden constraints", model.hidden_constraints.size()) +
           "<p>Not written in the model, but every solution satisfies them.</p>\n" + table.html();
}

std::string block_table(const ModelSummary& model, const HtmlLimits& limits) {
    Table table("Blocks", {{"#", "num"}, {"size", "num"}, {"equations"}, {"determine"}, {"", "soft"}},
                limits.table_rows);
    int position = 0;
    for (const EquationBlock& block : model.blocks) {
        ++position;
        if (!table.wants_row()) continue;
        std::string remark = block.linear ? "linear" : "nonlinear";
        if (!block.torn.empty()) remark += ", torn: " + names(block.torn);
        table.row({std::to_string(position), std::to_string(block.equations.size()), equation_links(block.equations),
                   names(block.variables), remark});
    }
    if (table.empty()) return {};
    return heading("Blocks", model.blocks.size()) + "<p>Solved one after the other, in this order.</p>\n" +
           table.html();
}

std::string parameter_table(const ModelSummary& model, const HtmlLimits& limits) {
    Table table("Parameters", {{"name"}, {"value", "num"}, {"unit"}, {"description", "soft"}, {""}}, limits.table_rows);
    for (const ParameterValue& p : model.parameters)
        if (table.wants_row())
            table.row({code(p.name), number(p.value, 8), esc(p.unit), esc(p.description),
                       p.overridden ? "<span class=\"tag\">set by the user</span>" : ""});
    return table.empty() ? "" : heading("Parameters", model.parameters.size()) + table.html();
}

std::string source_listing(const ModelSummary& model) {
    if (model.source_text.empty()) return {};
    std::string out = "<details><summary>Source" + (model.source_name.empty() ? "" : " of " + esc(model.source_name)) +
                      "</summary><pre>";
    int line = 0;
    std::string_view rest = model.source_text;
    while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        out += "<span class=\"ln\">" + std::to_string(++line) + "</span>" + esc(rest.substr(0, end)) + "\n";
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    return out + "</pre></details>\n";
}

std::string fact_text(const Fact& fact) {
    struct Show {
        std::string operator()(bool flag) const { return flag ? "yes" : "no"; }
        std::string operator()(std::int64_t number) const { return std::to_string(number); }
        std::string operator()(double value) const { return number(value, 6); }
        std::string operator()(const std::string& text) const { return esc(text); }
    };
    std::string out = std::visit(Show{}, fact.value);
    if (!fact.unit.empty()) out += " " + esc(fact.unit);
    if (!fact.note.empty()) out += "<small>" + esc(fact.note) + "</small>";
    return out;
}

std::string facts(const char* title, const std::vector<Fact>& list) {
    if (list.empty()) return {};
    std::string out = std::string("<h3>") + title + "</h3>\n<dl class=\"pairs\">";
    for (const Fact& fact : list) {
        std::string name = fact.name;
        std::replace(name.begin(), name.end(), '_', ' ');
        out += "<div><dt>" + esc(name) + "</dt><dd>" + fact_text(fact) + "</dd></div>";
    }
    return out + "</dl>\n";
}

// Notes are nested by construction, not by the user: a few levels.
void diagnostic_to(std::string& out, const Diagnostic& d) {
    static constexpr const char* severities[] = {"note", "warning", "error"};
    const char* severity = severities[static_cast<int>(d.severity)];
    out += std::string("<div class=\"diag ") + severity + "\"><strong>" + severity + "</strong>: " + esc(d.message);
    if (d.where && !d.where->file.empty()) {
        out += " <span class=\"soft\">" + esc(d.where->file);
        if (d.where->line > 0) out += ":" + std::to_string(d.where->line) + ":" + std::to_string(d.where->column);
        out += "</span>";
        if (d.where->line > 0 && !d.where->line_text.empty()) out += "<pre>" + esc(d.where->line_text) + "</pre>";
    }
    if (!d.hint.empty()) out += "<div class=\"hint\">Hint: " + esc(d.hint) + "</div>";
    for (const Diagnostic& note : d.notes) diagnostic_to(out, note);
    out += "</div>\n";
}

std::string residual_cell(double value, const Trajectory& trajectory) {
    const double tolerance = trajectory.residual_tolerance;
    if (tolerance <= 0) return number(value, 2);
    const bool over = !(value <= tolerance) && !explained(value, trajectory);
    return std::string("<span class=\"") + (over ? "over" : "ok") + "\">" + number(value, 2) +
           (over ? " (above)" : "") + "</span>";
}

} // namespace

std::string masthead(const Trajectory& trajectory, const ReportData& report) {
    const ModelSummary& model = report.model;
    std::string out = "<header class=\"masthead\"><p class=\"overline\">Daedalus report</p><h1>" +
                      esc(model.name.empty() ? "Unnamed model" : model.name) + "</h1>";
    if (!model.description.empty()) out += "<p class=\"lede\">" + esc(model.description) + "</p>";
    out += std::string("<div class=\"verdict\"><span class=\"pill ") + pill(report.outcome.kind) + "\">" +
           (report.outcome.kind == OutcomeKind::success ? "solved" : name_of(report.outcome.kind)) + "</span>";
    if (!report.outcome.reason.empty()) out += "<span>" + esc(report.outcome.reason) + "</span>";
    if (report.outcome.kind != OutcomeKind::success)
        out += "<span>reached t = " + number(report.outcome.t_reached, 8) + " of " +
               number(report.outcome.t_requested, 8) + "</span>";
    if (!report.method.empty()) out += "<span>method " + esc(report.method) + "</span>";
    if (!model.source_name.empty()) out += "<span>" + code(model.source_name) + "</span>";
    if (!report.created.empty()) out += "<span>" + esc(report.created) + "</span>";
    return out + "</div>\n" + tiles(trajectory, report) + "</header>\n";
}

std::string diagnostics(const Diagnostics& diagnostics) {
    std::string out;
    for (const Diagnostic& d : diagnostics) diagnostic_to(out, d);
    return out;
}

std::string model(const ModelSummary& model, const std::vector<VariableInfo>& variables, const HtmlLimits& limits) {
    return equation_table(model, limits) + hidden_table(model, limits) + components(variables, limits) +
           variable_table(variables, limits) + block_table(model, limits) + parameter_table(model, limits) +
           source_listing(model);
}

std::string initial_values(const std::vector<InitialValue>& values, const HtmlLimits& limits) {
    Table table("Initial values",
                {{"variable"}, {"given", "num"}, {"used", "num"}, {"change", "num"}, {"unit"}, {"strength"}},
                limits.table_rows);
    for (const InitialValue& v : values) {
        if (!table.wants_row()) continue;
        const double change = v.after - v.before;
        // Rounding of the last digits is no change worth showing.
        const bool changed = !(std::abs(change) <= 1e-12 * std::max(std::abs(v.before), std::abs(v.after)));
        table.row({code(v.name), number(v.before, 8), number(v.after, 8),
                   changed ? "<span class=\"changed\">" + number(change, 4) + "</span>" : "–", esc(v.unit),
                   std::string("<span class=\"tag\">") + name_of(v.strength) + "</span>"});
    }
    return table.empty() ? "" : table.html();
}

std::string happenings(const Trajectory& trajectory, const HtmlLimits& limits) {
    Table events("Events", {{"time", "num"}, {"event"}}, limits.table_rows);
    for (const EventRecord& event : trajectory.events)
        if (events.wants_row()) events.row({number(event.t, 10), esc(event.text)});
    Table switches("State switches", {{"time", "num"}, {"states before"}, {"states after"}, {"why", "soft"}},
                   limits.table_rows);
    for (const StateSwitch& s : trajectory.state_switches)
        if (switches.wants_row()) switches.row({number(s.t, 10), names(s.before), names(s.after), esc(s.reason)});
    std::string out;
    if (!events.empty()) out += heading("Events", trajectory.events.size()) + events.html();
    if (!switches.empty()) out += heading("State switches", trajectory.state_switches.size()) + switches.html();
    return out;
}

std::string passes(const std::vector<PassRecord>& passes) {
    if (passes.empty()) return {};
    std::string out = "<ol class=\"passes\">";
    for (const PassRecord& pass : passes) {
        out += "<li>" + code(pass.name) + " – " + esc(pass.what);
        if (!pass.why.empty()) out += " <span class=\"soft\">" + esc(pass.why) + "</span>";
        if (pass.seconds > 0) out += " <span class=\"tag\">" + esc(brief_duration(pass.seconds)) + "</span>";
        if (!pass.details.empty()) {
            out += "<ul>";
            for (const std::string& detail : pass.details) out += "<li>" + esc(detail) + "</li>";
            out += "</ul>";
        }
        out += "</li>\n";
    }
    return out + "</ol>\n";
}

std::string run(const ReportData& report) {
    std::string out =
        facts("Statistics", report.statistics) + facts("Options", report.options) + facts("Versions", report.versions);
    if (!report.command_line.empty())
        out += "<h3>Command</h3>\n<pre class=\"wrap\">" + esc(report.command_line) + "</pre>\n";
    return out;
}

std::string residual_table(const Trajectory& trajectory, const std::set<std::size_t>& plottable,
                           const std::set<std::size_t>& ticked, const HtmlLimits& limits) {
    Table table("Residuals",
                {{"plot"},
                 {"name", "tight"},
                 {"equation", "eq"},
                 {"differentiated", "num"},
                 {"where", "tight"},
                 {"largest at steps", "num"},
                 {"largest between", "num"}},
                limits.table_rows);
    for (std::size_t i = 0; i < trajectory.residuals.size(); ++i) {
        if (!table.wants_row()) continue;
        const ResidualSeries& row = trajectory.residuals[i];
        std::string box;
        if (plottable.contains(i))
            box = "<input type=\"checkbox\" class=\"pick\" disabled data-row=\"" + std::to_string(i) +
                  "\" aria-label=\"plot " + esc(row.name) + "\"" + (ticked.contains(i) ? " checked" : "") + ">";
        table.row({box, esc(row.name), esc(row.text),
                   row.differentiations > 0 ? std::to_string(row.differentiations) + "×" : "–", place(row.where),
                   residual_cell(row.max_at_steps, trajectory), residual_cell(row.max_at_midpoints, trajectory)});
    }
    return table.html();
}

} // namespace daedalus::output::html
