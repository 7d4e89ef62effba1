// Initial values as one page of text for a terminal, and as JSON.
#include "daedalus/initial_values.hpp"
#include "output/json_writer.hpp"
#include "output/terminal.hpp"
#include "output/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daedalus {

namespace {

using output::Align;
using output::JsonWriter;
using output::Paint;

constexpr std::size_t most_rows = 60; // of a list on one page; JSON has them all

std::string number(double x) { return fmt::format("{:.10g}", x); }

std::string list_of(const std::vector<std::string>& names) {
    constexpr std::size_t most = 20;
    std::string text;
    for (std::size_t k = 0; k < names.size() && k < most; ++k) text += (k ? ", " : "") + names[k];
    if (names.size() > most) text += fmt::format(", … and {} more", names.size() - most);
    return names.empty() ? "nothing" : text;
}

std::string change_of(const InitialValue& v) {
    if (!v.moved || !v.before) return "";
    return fmt::format("{:+.4g}", v.after - *v.before);
}

void list_values(std::string& out, const InitialValues& r, const Paint& paint) {
    output::TextTable table({{"", Align::left},
                             {"before", Align::right},
                             {"after", Align::right},
                             {"changed by", Align::right},
                             {"strength", Align::left},
                             {"", Align::left}});
    std::size_t shown = 0;
    for (const InitialValue& v : r.values) {
        if (shown++ == most_rows) break;
        const std::string change = change_of(v);
        table.add_row({v.name, v.before ? number(*v.before) : "", number(v.after),
                       v.strength == "preferred" ? paint.yellow(change) : change, v.strength,
                       v.free ? "free: " + v.reason : ""});
    }
    out += table.text(0, 2);
    if (r.values.size() > most_rows) out += fmt::format("  … and {} more\n", r.values.size() - most_rows);
}

void list_solutions(std::string& out, const InitialValues& r, const Paint& paint) {
    if (r.solutions.empty()) return;
    out += "\n" +
           paint.bold(r.solutions.size() == 1 ? "One solution found from all starts"
                                              : fmt::format("{} distinct solutions", r.solutions.size())) +
           "\n";
    if (r.solutions.size() == 1) return;
    // Only what differs tells them apart.
    std::vector<std::size_t> differing;
    for (std::size_t j = 0; j < r.values.size(); ++j) {
        double low = r.solutions[0].values[j], high = low;
        for (const InitialSolution& s : r.solutions) {
            low = std::min(low, s.values[j]);
            high = std::max(high, s.values[j]);
        }
        if (high - low > 1e-9 + 1e-6 * std::max(std::abs(low), std::abs(high))) differing.push_back(j);
    }
    constexpr std::size_t most_columns = 6;
    std::vector<output::TextTable::Column> columns{
        {"", Align::left}, {"distance", Align::right}, {"found", Align::right}};
    for (std::size_t k = 0; k < differing.size() && k < most_columns; ++k)
        columns.push_back({r.values[differing[k]].name, Align::right});
    output::TextTable table(columns);
    for (std::size_t s = 0; s < r.solutions.size() && s < most_rows; ++s) {
        std::vector<std::string> row{s == 0 ? "1 (used: nearest to the start values)" : std::to_string(s + 1),
                                     fmt::format("{:.4g}", r.solutions[s].distance),
                                     fmt::format("{}×", r.solutions[s].found)};
        for (std::size_t k = 0; k < differing.size() && k < most_columns; ++k)
            row.push_back(fmt::format("{:.6g}", r.solutions[s].values[differing[k]]));
        table.add_row(std::move(row));
    }
    out += table.text(0, 2);
}

void write_names(JsonWriter& json, const std::vector<std::string>& names) {
    json.begin_array();
    for (const std::string& name : names) json.value(name);
    json.end_array();
}

void write_location(JsonWriter& json, const std::optional<Location>& where) {
    if (!where) return;
    json.field("file", where->file);
    json.field("line", where->line);
}

void write_values(JsonWriter& json, const InitialValues& r) {
    json.key("values");
    json.begin_array();
    for (const InitialValue& v : r.values) {
        json.begin_object();
        json.field("name", v.name);
        if (v.before) json.field("before", *v.before);
        json.field("after", v.after);
        json.field("strength", v.strength);
        json.field("free", v.free);
        json.field("changed", v.moved);
        if (!v.reason.empty()) json.field("reason", v.reason);
        write_location(json, v.where);
        json.end_object();
    }
    json.end_array();
}

void write_solutions(JsonWriter& json, const InitialValues& r) {
    json.key("solutions");
    json.begin_array();
    for (std::size_t s = 0; s < r.solutions.size(); ++s) {
        json.begin_object();
        json.field("used", s == 0);
        json.field("distance", r.solutions[s].distance);
        json.field("found", r.solutions[s].found);
        json.key("values");
        json.begin_object();
        for (std::size_t j = 0; j < r.values.size(); ++j) json.field(r.values[j].name, r.solutions[s].values[j]);
        json.end_object();
        json.end_object();
    }
    json.end_array();
}

} // namespace

std::string InitialValues::to_text(bool color) const {
    const Paint paint{color};
    std::string out = paint.bold("Model " + model) + fmt::format(": initial values at t = {:g}\n", time);
    list_values(out, *this, paint);
    out += "\n";
    if (degrees_of_freedom < 0) {
        out += "  degrees of freedom  not counted: the model is too large\n";
    } else {
        out += fmt::format("  degrees of freedom  {}\n", degrees_of_freedom);
        out += fmt::format("  free, admissible    {}\n", list_of(free_set));
        for (std::size_t k = 0; k < alternatives.size(); ++k)
            out += fmt::format("  {:<18}  {}\n", k == 0 ? "or" : "", list_of(alternatives[k]));
        if (redundant_equations > 0)
            out += fmt::format("  redundant           {} equation{} at this point follow{} from the others\n",
                               redundant_equations, redundant_equations == 1 ? "" : "s",
                               redundant_equations == 1 ? "s" : "");
    }
    out += fmt::format("  largest residual    {:.2g} (relative {:.2g}){}\n", largest_residual, relative_residual,
                       residuals.empty() || largest_residual == 0.0 ? "" : " in " + residuals.front().equation);
    list_solutions(out, *this, paint);
    out += "\n" + paint.bold("Attempts") + "\n";
    for (std::size_t k = 0; k < attempts.size() && k < most_rows; ++k) {
        const InitialAttempt& a = attempts[k];
        out += fmt::format("  {} {}: {} iteration{}, residual {:.2g}{}\n",
                           a.success ? paint.green("✓") : paint.red("✗"), a.method, a.iterations,
                           a.iterations == 1 ? "" : "s", a.residual, a.note.empty() ? "" : ", " + a.note);
    }
    if (attempts.size() > most_rows) out += fmt::format("  … and {} more\n", attempts.size() - most_rows);
    return out;
}

std::string InitialValues::to_json() const {
    std::string out;
    {
        const output::Sink sink = [&](std::string_view piece) { out += piece; };
        JsonWriter json(sink);
        json.begin_object();
        json.field("model", model);
        json.field("time", time);
        write_values(json, *this);
        json.key("degrees_of_freedom");
        if (degrees_of_freedom < 0)
            json.null();
        else
            json.value(degrees_of_freedom);
        json.field("redundant_equations", redundant_equations);
        json.key("free_set");
        write_names(json, free_set);
        json.key("alternatives");
        json.begin_array();
        for (const auto& set : alternatives) write_names(json, set);
        json.end_array();
        write_solutions(json, *this);
        json.key("attempts");
        json.begin_array();
        for (const InitialAttempt& a : attempts) {
            json.begin_object();
            json.field("method", a.method);
            json.field("success", a.success);
            json.field("iterations", a.iterations);
            json.field("residual", a.residual);
            json.field("note", a.note);
            json.end_object();
        }
        json.end_array();
        json.field("largest_residual", largest_residual);
        json.field("relative_residual", relative_residual);
        json.key("residuals");
        json.begin_array();
        for (const InitialResidual& r : residuals) {
            json.begin_object();
            json.field("equation", r.equation);
            json.field("residual", r.value);
            write_location(json, r.where);
            json.end_object();
        }
        json.end_array();
        json.end_object();
    }
    out += "\n";
    return out;
}

} // namespace daedalus
