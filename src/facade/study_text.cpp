// Studies as text, JSON and HTML.
#include "daedalus/study.hpp"
#include "output/json_writer.hpp"
#include "output/markup.hpp"
#include "output/number_text.hpp"
#include "output/svg.hpp"
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
using output::TextTable;

const char* name_of(OrderVerdict verdict) {
    switch (verdict) {
    case OrderVerdict::agrees: return "agrees";
    case OrderVerdict::exceeds: return "exceeds";
    case OrderVerdict::differs: return "differs";
    case OrderVerdict::no_theorem: return "no_theorem";
    case OrderVerdict::inapplicable: return "inapplicable";
    }
    return "";
}

const char* name_of(StudyVerdict verdict) { return verdict == StudyVerdict::agrees ? "agrees" : "differs"; }

std::string predicted_text(const OrderCell& c) {
    if (!c.predicted) return c.verdict == OrderVerdict::agrees ? "exact" : "?";
    return fmt::format("{}{}", c.bound ? "≥ " : "", *c.predicted);
}

std::string observed_text(const OrderCell& c) {
    if (!c.observed) return c.verdict == OrderVerdict::agrees ? "exact" : "–";
    // Beyond this an "order" only says that the run diverged.
    if (*c.observed < -9) return "diverges";
    return fmt::format("{:.2f}", *c.observed + 0.0);
}

std::string painted(const OrderCell& c, const std::string& text, const Paint& paint) {
    switch (c.verdict) {
    case OrderVerdict::differs: return paint.red(text);
    case OrderVerdict::exceeds: return paint.cyan(text);
    case OrderVerdict::agrees: return paint.green(text);
    default: return paint.dim(text);
    }
}

std::string number(const StudyValue& value, int digits) {
    if (const double* v = std::get_if<double>(&value)) return output::brief_number(*v, std::max(1, digits));
    if (const std::string* s = std::get_if<std::string>(&value)) return *s;
    return {};
}

template <class Write>
std::string json_text(Write write) {
    std::string text;
    {
        const output::Sink sink = [&](std::string_view piece) { text += piece; };
        JsonWriter json(sink);
        write(json);
    }
    return text + "\n";
}

void write_value(JsonWriter& json, const StudyValue& value) {
    if (const double* v = std::get_if<double>(&value)) return json.value(*v);
    if (const std::string* s = std::get_if<std::string>(&value)) return json.value(*s);
    json.null();
}

template <class T>
void optional_field(JsonWriter& json, const char* name, const std::optional<T>& value) {
    json.key(name);
    if (value)
        json.value(*value);
    else
        json.null();
}

void write_rows(JsonWriter& json, const StudyTable& table) {
    json.begin_array();
    for (const auto& row : table.rows) {
        json.begin_object();
        for (std::size_t c = 0; c < row.size(); ++c) {
            json.key(table.columns[c].name);
            write_value(json, row[c]);
        }
        json.end_object();
    }
    json.end_array();
}

} // namespace

std::string OrderTable::to_text(bool color) const {
    const Paint paint{color};
    std::string out;
    for (const OrderName& problem_class : classes) {
        TextTable table({{"method"},
                         {"component", Align::right},
                         {"predicted", Align::right},
                         {"observed", Align::right},
                         {"by"},
                         {""}});
        std::string left_out;
        std::string previous;
        for (const OrderCell& c : cells) {
            if (c.problem_class != problem_class.id) continue;
            if (c.verdict == OrderVerdict::inapplicable) {
                left_out += fmt::format("{}{} ({})", left_out.empty() ? "" : ", ", c.method, c.note);
                continue;
            }
            std::string remark = c.verdict == OrderVerdict::differs ? paint.red("DIFFERS") : "";
            if (c.verdict == OrderVerdict::exceeds && c.sharp) remark = fmt::format("attained order: {}", *c.sharp);
            if (!c.note.empty() && remark.empty()) remark = paint.dim(c.note);
            table.add_row({c.method == previous ? "" : c.method, c.component, predicted_text(c),
                           painted(c, observed_text(c), paint), c.theorem, remark});
            previous = c.method;
        }
        out += paint.bold(problem_class.title) + "  " + paint.dim(problem_class.id) + "\n";
        out += table.empty() ? "" : table.text(0, 2);
        if (!left_out.empty()) out += paint.dim("  not applicable: " + left_out) + "\n";
        out += "\n";
    }
    const auto count = [&](OrderVerdict v) {
        return std::count_if(cells.begin(), cells.end(), [v](const OrderCell& c) { return c.verdict == v; });
    };
    const std::string summary = fmt::format(
        "{} orders agree with their theorem, {} exceed a bound, {} have no theorem, {} differ by more than 0.2",
        count(OrderVerdict::agrees), count(OrderVerdict::exceeds), count(OrderVerdict::no_theorem), failures());
    return out + (failures() > 0 ? paint.red(summary) : summary) + "\n";
}

std::string OrderTable::to_json() const {
    return json_text([&](JsonWriter& json) {
        json.begin_object();
        json.field("failures", failures());
        for (const auto& [key, list] : {std::pair{"methods", &methods}, {"classes", &classes}}) {
            json.key(key);
            json.begin_array();
            for (const OrderName& n : *list) {
                json.begin_object();
                json.field("id", n.id);
                json.field("title", n.title);
                json.end_object();
            }
            json.end_array();
        }
        json.key("cells");
        json.begin_array();
        for (const OrderCell& c : cells) {
            json.begin_object();
            json.field("method", c.method);
            json.field("class", c.problem_class);
            json.field("component", c.component);
            optional_field(json, "predicted", c.predicted);
            json.field("bound", c.bound);
            optional_field(json, "attained", c.sharp);
            optional_field(json, "observed", c.observed);
            json.field("theorem", c.theorem);
            json.field("verdict", name_of(c.verdict));
            json.field("note", c.note);
            json.key("h");
            json.numbers(c.steps);
            json.key("errors");
            json.numbers(c.errors);
            json.end_object();
        }
        json.end_array();
        json.end_object();
    });
}

std::string Reproduction::to_text(bool color) const {
    const Paint paint{color};
    std::string out = fmt::format("{}  {}\n{}\n{}\n\n", paint.bold(info.id), paint.bold(info.title),
                                  paint.dim(info.source), info.shows);
    for (const StudyTable& t : tables) {
        std::vector<TextTable::Column> columns;
        for (const auto& c : t.columns) columns.push_back({c.title, c.digits > 0 ? Align::right : Align::left});
        TextTable table(std::move(columns));
        for (const auto& row : t.rows) {
            std::vector<std::string> cells;
            for (std::size_t c = 0; c < row.size(); ++c) cells.push_back(number(row[c], t.columns[c].digits));
            table.add_row(std::move(cells));
        }
        out += t.caption + "\n" + table.text(0, 2) + "\n";
    }
    if (!figures.empty())
        out += paint.dim(fmt::format("{} figure{}: --html FILE draws {}\n\n", figures.size(),
                                     figures.size() == 1 ? "" : "s", figures.size() == 1 ? "it" : "them"));
    out += (verdict == StudyVerdict::agrees ? paint.green("agrees") : paint.red("differs")) + "\n";
    for (const std::string& remark : remarks) out += "  · " + remark + "\n";
    return out;
}

std::string Reproduction::to_json() const {
    return json_text([&](JsonWriter& json) {
        json.begin_object();
        json.field("id", info.id);
        json.field("title", info.title);
        json.field("source", info.source);
        json.field("shows", info.shows);
        json.field("verdict", name_of(verdict));
        json.key("remarks");
        json.begin_array();
        for (const std::string& remark : remarks) json.value(remark);
        json.end_array();
        // The first table's rows are also at the top: most reproductions have one table.
        json.key("rows");
        if (tables.empty()) {
            json.begin_array();
            json.end_array();
        } else {
            write_rows(json, tables.front());
        }
        json.key("tables");
        json.begin_array();
        for (const StudyTable& t : tables) {
            json.begin_object();
            json.field("caption", t.caption);
            json.key("rows");
            write_rows(json, t);
            json.end_object();
        }
        json.end_array();
        json.key("figures");
        json.begin_array();
        for (const StudyFigure& f : figures) {
            json.begin_object();
            json.field("title", f.title);
            json.field("x_label", f.x_label);
            json.field("y_label", f.y_label);
            json.key("curves");
            json.begin_array();
            for (const auto& curve : f.curves) {
                json.begin_object();
                json.field("label", curve.label);
                json.key("x");
                json.numbers(curve.x);
                json.key("y");
                json.numbers(curve.y);
                json.end_object();
            }
            json.end_array();
            json.end_object();
        }
        json.end_array();
        json.end_object();
    });
}

std::string Reproduction::to_html() const {
    using output::escape_markup;
    constexpr const char* style =
        "<style>:root{color-scheme:light "
        "dark;--paper:#fbfbf9;--ink:#1d1e20;--soft:#5d6167;--rule:#e3e3de;--good:#1f7a4a;"
        "--good-bg:#e6f4ec;--bad:#b3261e;--bad-bg:#fbe9e7}@media(prefers-color-scheme:dark){:root{--paper:#131518;"
        "--ink:#e8e9eb;--soft:#a9aeb5;--rule:#2c3036;--good:#74cf9c;--good-bg:#16301f;--bad:#f2938b;--bad-bg:#3a1c1a}}"
        "body{margin:0 auto;max-width:60rem;padding:2.5rem 1.5rem;background:var(--paper);color:var(--ink);"
        "font:15px/1.55 system-ui,-apple-system,'Segoe UI',sans-serif}"
        "h1{font:500 2.1rem/1.2 Georgia,'DejaVu Serif',serif;margin:.2rem 0}"
        ".over,figcaption,caption,.soft{color:var(--soft)}.over{font-size:.8rem;letter-spacing:.08em}"
        ".pill{font-weight:600;font-size:.85rem;padding:.15rem .7rem;border-radius:99px}"
        ".agrees{color:var(--good);background:var(--good-bg)}.differs{color:var(--bad);background:var(--bad-bg)}"
        "table{border-collapse:collapse;margin:1.4rem 0;font-variant-numeric:tabular-nums}"
        "caption{text-align:left;padding-bottom:.4rem}th,td{padding:.25rem .9rem .25rem 0;text-align:right;"
        "border-bottom:1px solid var(--rule)}th{font-weight:600}.words{text-align:left}"
        ".wide{overflow-x:auto}figure{margin:1.6rem 0}svg{max-width:100%;height:auto}</style>";
    std::string out = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
                      "content=\"width=device-width,initial-scale=1\"><title>" +
                      escape_markup(info.id + ": " + info.title) + "</title>" + style + "</head><body>\n";
    out += "<p class=\"over\">" + escape_markup(info.id + " · " + info.source) + "</p><h1>" +
           escape_markup(info.title) + "</h1><p>" + escape_markup(info.shows) + "</p>\n<p><span class=\"pill " +
           name_of(verdict) + "\">" + name_of(verdict) + "</span></p><ul>";
    for (const std::string& remark : remarks) out += "<li>" + escape_markup(remark) + "</li>";
    out += "</ul>\n";
    for (const StudyTable& t : tables) {
        out += "<div class=\"wide\"><table><caption>" + escape_markup(t.caption) + "</caption><thead><tr>";
        for (const auto& c : t.columns)
            out += (c.digits > 0 ? "<th>" : "<th class=\"words\">") + escape_markup(c.title) + "</th>";
        out += "</tr></thead><tbody>";
        for (const auto& row : t.rows) {
            out += "<tr>";
            for (std::size_t c = 0; c < row.size(); ++c)
                out += (t.columns[c].digits > 0 ? "<td>" : "<td class=\"words\">") +
                       escape_markup(number(row[c], t.columns[c].digits)) + "</td>";
            out += "</tr>";
        }
        out += "</tbody></table></div>\n";
    }
    for (const StudyFigure& f : figures) {
        std::vector<output::SvgCurve> curves;
        for (const auto& c : f.curves) curves.push_back({c.label, c.x, c.y});
        output::SvgOptions options{f.title, f.x_label, f.y_label};
        options.log_y = f.log_y;
        options.equal_axes = f.equal_axes;
        options.width = 860;
        options.height = f.equal_axes ? 620 : 460;
        out += "<figure>" + output::svg_plot(curves, options) + "</figure>\n";
    }
    return out + "</body></html>\n";
}

} // namespace daedalus
