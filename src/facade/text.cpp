// Results as one page of text for a terminal, and analyses as JSON.
#include "daedalus/analysis.hpp"
#include "daedalus/solution.hpp"
#include "facade/access.hpp"
#include "facade/analysis_numbers.hpp"
#include "output/json_writer.hpp"
#include "output/terminal.hpp"
#include "output/text_plot.hpp"
#include "output/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace daedalus {

namespace {

using output::JsonWriter;
using output::Paint;

constexpr std::size_t most_rows = 40; // of a list on one page; JSON has them all

std::string count(std::size_t n, const char* word) { return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s"); }

const char* name_of(Linearity linearity) {
    switch (linearity) {
    case Linearity::linear: return "linear";
    case Linearity::quasilinear: return "quasilinear";
    case Linearity::nonlinear: return "nonlinear";
    }
    return "";
}

void list_passes(std::string& out, const std::vector<Pass>& passes, const Paint& paint) {
    for (std::size_t i = 0; i < passes.size(); ++i) {
        const Pass& p = passes[i];
        out += fmt::format("{} {}\n", paint.bold(fmt::format("{}. {}", i + 1, p.name)),
                           paint.dim(fmt::format("{:.2f} ms", 1e3 * p.seconds)));
        if (!p.summary.empty()) out += "   " + p.summary + "\n";
        if (!p.reason.empty()) out += "   " + paint.dim("because: " + p.reason) + "\n";
        for (std::size_t k = 0; k < p.details.size() && k < most_rows; ++k) out += "     " + p.details[k] + "\n";
        if (p.details.size() > most_rows) out += fmt::format("     … and {} more\n", p.details.size() - most_rows);
    }
}

void write_strings(JsonWriter& json, const char* key, const std::vector<std::string>& list) {
    json.key(key);
    json.begin_array();
    for (const std::string& s : list) json.value(s);
    json.end_array();
}

void write_location(JsonWriter& json, const std::optional<Location>& where) {
    if (!where) return;
    json.field("file", where->file);
    json.field("line", where->line);
    json.field("column", where->column);
}

std::string formulations_text(const std::vector<FormulationIndex>& list, const Paint& paint) {
    if (list.empty()) return "";
    using enum output::Align;
    output::TextTable table({{"--reduce", left},
                             {"index", right},
                             {"positions", right},
                             {"velocities", right},
                             {"multipliers", right},
                             {"added", right}});
    const auto text = [](int index) { return index > 0 ? std::to_string(index) : std::string("–"); };
    for (const FormulationIndex& f : list)
        table.add_row(
            {f.formulation, text(f.index), text(f.positions), text(f.velocities), text(f.multipliers), text(f.added)});
    return "\n" + paint.bold("Formulations") + " (index of the unknowns)\n" + table.text(0, 2);
}

void write_members(JsonWriter& json, const Analysis& a) {
    json.field("model", a.model);
    json.field("equations", a.equations.size());
    json.field("variables", a.variables.size());
    json.field("structural_index", a.structural_index);
    if (a.repaired_index) json.field("repaired_structural_index", *a.repaired_index);
    json.field("degrees_of_freedom", a.array_degrees_of_freedom.value_or(a.degrees_of_freedom));
    facade::write_indices(json, a);
    json.key("index_per_variable");
    json.begin_object();
    for (const AnalyzedVariable& v : a.variables)
        if (v.is_shown) json.field(v.name, v.index);
    json.end_object();
    json.key("formulations");
    json.begin_array();
    for (const FormulationIndex& f : a.formulations) {
        json.begin_object();
        json.field("formulation", f.formulation);
        json.field("index", f.index);
        json.field("positions", f.positions);
        json.field("velocities", f.velocities);
        json.field("multipliers", f.multipliers);
        if (f.added > 0) json.field("added", f.added);
        json.end_object();
    }
    json.end_array();
    json.key("hidden_constraints");
    json.begin_array();
    for (const HiddenConstraint& h : a.hidden_constraints) json.value(h.text);
    json.end_array();
    json.key("blocks");
    json.begin_array();
    for (const EquationBlock& b : a.blocks) {
        json.begin_object();
        json.key("equations");
        json.begin_array();
        for (const int e : b.equations) json.value(e + 1);
        json.end_array();
        json.key("variables");
        json.begin_array();
        for (const int v : b.variables) json.value(a.variables[static_cast<std::size_t>(v)].name);
        json.end_array();
        json.field("size", b.equations.size());
        json.field("differentiations", b.differentiations);
        json.field("linearity", name_of(b.linearity));
        if (a.torn) {
            json.key("torn");
            json.begin_array();
            for (const int v : b.torn) json.value(a.variables[static_cast<std::size_t>(v)].name);
            json.end_array();
            json.key("residual_equations");
            json.begin_array();
            for (const int e : b.residual_equations) json.value(e + 1);
            json.end_array();
        }
        json.end_object();
    }
    json.end_array();
    write_strings(json, "classes", a.classes);
    if (a.pantelides_agrees) json.field("pantelides_agrees", *a.pantelides_agrees);
    json.field("structure_reliable", a.structure_reliable);
    write_strings(json, "warnings", a.warnings);
    json.key("equation_list");
    json.begin_array();
    for (std::size_t i = 0; i < a.equations.size(); ++i) {
        const AnalyzedEquation& e = a.equations[i];
        json.begin_object();
        json.field("number", i + 1);
        json.field("text", e.text);
        json.field("differentiations", e.differentiations);
        if (!e.replaced_by.empty()) json.field("replaced_by", e.replaced_by);
        write_location(json, e.where);
        json.end_object();
    }
    json.end_array();
    json.key("variable_list");
    json.begin_array();
    for (const AnalyzedVariable& v : a.variables) {
        if (!v.is_shown) continue;
        json.begin_object();
        json.field("name", v.name);
        json.field("index", v.index);
        json.field("highest_derivative", v.highest_derivative);
        if (v.differentiations) json.field("differentiations", *v.differentiations);
        if (v.measured_index) json.field("measured_index", *v.measured_index);
        if (!v.eliminated_as.empty()) json.field("eliminated_as", v.eliminated_as);
        if (!v.unit.empty()) json.field("unit", v.unit);
        if (!v.description.empty()) json.field("description", v.description);
        json.end_object();
    }
    json.end_array();
    json.key("hidden_constraint_list");
    json.begin_array();
    for (const HiddenConstraint& h : a.hidden_constraints) {
        json.begin_object();
        json.field("text", h.text);
        json.field("from", h.from);
        json.field("differentiations", h.differentiations);
        write_location(json, h.where);
        json.end_object();
    }
    json.end_array();
    json.key("passes");
    json.begin_array();
    for (const Pass& p : a.passes) {
        json.begin_object();
        json.field("name", p.name);
        json.field("summary", p.summary);
        json.field("reason", p.reason);
        write_strings(json, "details", p.details);
        json.field("seconds", p.seconds);
        json.end_object();
    }
    json.end_array();
}

template <class Members>
std::string json_object(Members&& members) {
    std::string out;
    {
        const output::Sink sink = [&](std::string_view piece) { out += piece; };
        JsonWriter json(sink);
        json.begin_object();
        members(json);
        json.end_object();
    }
    out += "\n";
    return out;
}

std::string classes_text(const Analysis& a) {
    std::string text;
    for (const std::string& c : a.classes) text += (text.empty() ? "" : "; ") + c;
    return text;
}

} // namespace

std::string Analysis::to_text(bool color) const {
    const Paint paint{color};
    std::string out = paint.bold("Model " + model) + ": " + count(equations.size(), "equation") + ", " +
                      count(variables.size(), "variable") + "\n";
    if (!classes.empty()) out += "  class               " + classes_text(*this) + "\n";
    out += fmt::format("  structural index    {}{}\n", structural_index,
                       repaired_index && *repaired_index != structural_index
                           ? fmt::format("  as written; {} with the combination below", *repaired_index)
                           : "");
    const int freedom = array_degrees_of_freedom.value_or(degrees_of_freedom);
    out += fmt::format("  degrees of freedom  {}{}\n", freedom,
                       freedom == 0 ? "  (no initial value may be chosen)" : "  (initial values that may be chosen)");
    out += facade::indices_text(*this, paint);
    std::map<std::size_t, int> sizes;
    for (const EquationBlock& b : blocks) ++sizes[b.equations.size()];
    std::string block_text;
    for (auto it = sizes.rbegin(); it != sizes.rend() && block_text.size() < 60; ++it)
        block_text += fmt::format("{}{} of size {}", block_text.empty() ? "" : ", ", it->second, it->first);
    out += fmt::format("  blocks              {}  ({})\n", blocks.size(), block_text);
    std::string linearity;
    for (const Linearity kind : {Linearity::linear, Linearity::quasilinear, Linearity::nonlinear})
        if (const auto n = std::count_if(blocks.begin(), blocks.end(),
                                         [&](const EquationBlock& b) { return b.linearity == kind; });
            n > 0)
            linearity += fmt::format("{}{} {}", linearity.empty() ? "" : ", ", n, name_of(kind));
    if (!linearity.empty()) out += fmt::format("                      {} in what they determine\n", linearity);
    if (pantelides_agrees)
        out += fmt::format("  Pantelides          {}\n", *pantelides_agrees ? "agrees on every differentiation"
                                                                            : "disagrees with the signature method");
    if (torn) {
        out += "\n" + paint.bold("Torn variables") + " (guessed; the others of the block follow one by one)\n";
        std::size_t shown = 0;
        for (const EquationBlock& b : blocks) {
            if (b.torn.empty() || ++shown > most_rows) continue;
            std::string list;
            for (std::size_t k = 0; k < b.torn.size() && k < 12; ++k)
                list += (k ? ", " : "") + variables[static_cast<std::size_t>(b.torn[k])].name;
            if (b.torn.size() > 12) list += fmt::format(", … and {} more", b.torn.size() - 12);
            out += fmt::format("  {}  {}\n", list, paint.dim(fmt::format("in a block of {}", b.variables.size())));
        }
        if (shown == 0) out += "  none: every block has one equation\n";
    }

    if (!hidden_constraints.empty()) {
        out += "\n" + paint.bold("Hidden constraints") + "\n";
        for (std::size_t k = 0; k < hidden_constraints.size() && k < most_rows; ++k) {
            const HiddenConstraint& h = hidden_constraints[k];
            out +=
                "  " + paint.cyan(h.text) + "\n" +
                paint.dim(fmt::format("      {} {}{}\n",
                                      h.differentiations == 0   ? "combination"
                                      : h.differentiations == 1 ? "derivative of"
                                                                : fmt::format("derivative {} of", h.differentiations),
                                      h.from, h.where ? fmt::format("  ({}:{})", h.where->file, h.where->line) : ""));
        }
        if (hidden_constraints.size() > most_rows)
            out += fmt::format("  … and {} more\n", hidden_constraints.size() - most_rows);
    }
    out += formulations_text(formulations, paint);
    out += "\n" + paint.bold("Variables") + "\n";
    output::TextTable table(
        {{"name", output::Align::left}, {"index", output::Align::right}, {"is", output::Align::left}});
    for (std::size_t v = 0; v < variables.size() && v < most_rows; ++v) {
        const AnalyzedVariable& x = variables[v];
        if (!x.is_shown) continue;
        std::string is = x.highest_derivative > 0 ? "differential" : "algebraic";
        if (!x.eliminated_as.empty()) is += ", another name for " + x.eliminated_as;
        table.add_row({x.name, std::to_string(x.index), is});
    }
    out += table.text(0, 2);
    if (variables.size() > most_rows) out += fmt::format("  … and {} more\n", variables.size() - most_rows);
    bool title = false;
    for (const AnalyzedEquation& e : equations)
        if (!e.replaced_by.empty()) {
            if (!title)
                out += "\n" + paint.bold("Structure repaired") + " (a combination of equations hides a constraint)\n";
            title = true;
            out += "  " + e.replaced_by + "\n";
        }
    for (const std::string& warning : warnings)
        if (warning != agreement) out += "\n" + paint.yellow("warning: ") + warning + "\n"; // said above
    return out + facade::advice_text(*this, paint);
}

std::string Analysis::to_json() const {
    return json_object([&](JsonWriter& json) { write_members(json, *this); });
}

std::string Explanation::to_text(bool color) const {
    const Paint paint{color};
    std::string out = paint.bold("How model " + analysis.model + " becomes a problem that can be integrated") + "\n\n";
    list_passes(out, analysis.passes, paint);
    std::string list;
    for (std::size_t i = 0; i < unknowns.size() && i < most_rows; ++i) list += (i ? ", " : "") + unknowns[i];
    if (unknowns.size() > most_rows) list += fmt::format(", … and {} more", unknowns.size() - most_rows);
    out += "\n" + paint.bold("Unknowns of the integrator") + "\n  " + list + "\n\n";
    return out + analysis.to_text(color);
}

std::string Explanation::to_json() const {
    return json_object([&](JsonWriter& json) {
        write_members(json, analysis);
        json.field("formulation", formulation);
        write_strings(json, "unknowns", unknowns);
    });
}

std::string Solution::to_text(bool color, int width) const {
    const Paint paint{color};
    const simulation::Record& record = impl_->with_points();
    const output::ReportData& r = record.report;
    std::string out = paint.bold(r.model.name);
    if (const auto index = r.model.differentiation_index ? r.model.differentiation_index : r.model.structural_index)
        out += fmt::format("  index {}, {} of freedom", *index,
                           count(static_cast<std::size_t>(r.model.degrees_of_freedom.value_or(0)), "degree"));
    out += "\n";
    const std::string interval = fmt::format("t = {:g} … {:g}", r.outcome.t_start, r.outcome.t_reached);
    switch (outcome()) {
    case Outcome::success: out += "  " + paint.green("solved") + "  " + interval; break;
    case Outcome::terminated: out += "  " + paint.green("solved until it was to stop") + "  " + interval; break;
    case Outcome::interrupted: out += "  " + paint.yellow("interrupted") + "  " + interval; break;
    case Outcome::ended: out += "  " + paint.yellow("the solution ends") + "  " + interval; break;
    case Outcome::failed: out += "  " + paint.red("failed") + "  " + interval; break;
    }
    std::int64_t steps = 0, rejected = 0, switches = 0;
    for (const auto& [name, value] : statistics()) {
        if (name == "steps") steps = value;
        if (name.starts_with("rejected")) rejected += value;
        if (name == "state_switches") switches = value;
    }
    out += fmt::format("  by {}: {} steps, {} rejected", r.method, steps, rejected);
    if (switches > 0) out += fmt::format(", {} of states", count(static_cast<std::size_t>(switches), "exchange"));
    out += "\n";
    for (const output::Fact& fact : r.options)
        if (fact.name == "method_changed")
            out += fmt::format("  by {} {}\n", std::get<std::string>(fact.value), fact.note);
    if (!record.trajectory.residuals.empty())
        out += fmt::format("  largest residual of all {} and hidden constraints: {:.2g}{}\n",
                           count(record.trajectory.residuals.size(), "equation"), largest_residual(),
                           // A number that looks large is compared with what the tolerance explains.
                           largest_residual() <= record.trajectory.residual_tolerance
                               ? ""
                               : fmt::format(", {:.2g} of what the tolerance explains", residual_in_tolerances()));
    for (const output::Fact& fact : r.options)
        if (fact.name == "definitions")
            out += fmt::format("  {} put into others, where they hold by construction\n",
                               count(static_cast<std::size_t>(std::get<std::int64_t>(fact.value)), "definition"));
    // What a diagnostic says, with places and hints, is not said here as well.
    const auto& said = record.report.diagnostics;
    const bool in_diagnostics =
        std::any_of(said.begin(), said.end(), [&](const Diagnostic& d) { return d.message == record.message; });
    if (!record.message.empty() && outcome() != Outcome::success && !in_diagnostics)
        out += "  " + record.message + "\n";
    for (const std::string& note : record.start_notes) out += "  " + paint.yellow("note: ") + note + "\n";

    constexpr std::size_t most_curves = 8;
    const std::size_t shown = std::min(record.trajectory.variables.size(), most_curves);
    output::TextTable table({{"", output::Align::left},
                             {"start", output::Align::right},
                             {"end", output::Align::right},
                             {"", output::Align::left}});
    for (std::size_t v = 0; v < shown; ++v) {
        const std::vector<double>& values = record.trajectory.values[v];
        if (values.empty()) continue;
        table.add_row({record.trajectory.variables[v].name, fmt::format("{:.6g}", values.front()),
                       fmt::format("{:.10g}", values.back()),
                       output::sparkline(record.trajectory.time, values, std::clamp(width - 50, 10, 48))});
    }
    out += table.text(width, 2);
    if (const std::size_t all = record.trajectory.variables.size(); all > shown)
        out += fmt::format("  … and {} more variables\n", all - shown);
    return out;
}

} // namespace daedalus
