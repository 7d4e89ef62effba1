// The result of a sweep as CSV, JSON, a page with curves over each parameter, and a summary.
#include "base/diagnostic.hpp"
#include "base/expected.hpp"
#include "daedalus/sweep.hpp"
#include "facade/outcome_name.hpp"
#include "output/atomic_file.hpp"
#include "output/csv.hpp"
#include "output/json_writer.hpp"
#include "output/markup.hpp"
#include "output/number_text.hpp"
#include "output/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace daedalus {

namespace {

using facade::name_of;

bool complete(const SweepRun& run) { return run.outcome == Outcome::success || run.outcome == Outcome::terminated; }

/// One curve per combination of the other parameters.
std::vector<output::SvgCurve> curves(const SweepResult& result, std::size_t axis, std::size_t variable) {
    constexpr std::size_t most = 8; // colours that can be told apart
    std::map<std::vector<double>, output::SvgCurve> by_others;
    for (const SweepRun& run : result.runs) {
        if (run.finals.empty()) continue;
        std::vector<double> others = run.point;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(axis));
        if (!by_others.contains(others) && by_others.size() == most) continue;
        output::SvgCurve& curve = by_others[others];
        curve.x.push_back(run.point[axis]);
        curve.y.push_back(complete(run) ? run.finals[variable] : std::numeric_limits<double>::quiet_NaN());
        if (!curve.label.empty()) continue;
        for (std::size_t k = 0, other = 0; k < result.names.size(); ++k)
            if (k != axis)
                curve.label += fmt::format("{}{} = {}", curve.label.empty() ? "" : ", ", result.names[k],
                                           output::brief_number(others[other++]));
        if (curve.label.empty()) curve.label = result.variables[variable];
    }
    std::vector<output::SvgCurve> list;
    for (auto& [others, curve] : by_others) {
        std::vector<std::size_t> order(curve.x.size());
        for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
        std::sort(order.begin(), order.end(), [&, &x = curve.x](std::size_t a, std::size_t b) { return x[a] < x[b]; });
        output::SvgCurve sorted{curve.label, {}, {}};
        for (const std::size_t k : order) {
            sorted.x.push_back(curve.x[k]);
            sorted.y.push_back(curve.y[k]);
        }
        list.push_back(std::move(sorted));
    }
    return list;
}

void write_json(const SweepResult& r, output::JsonWriter& json) {
    const auto list = [&](const char* key, const std::vector<std::string>& texts) {
        json.key(key);
        json.begin_array();
        for (const std::string& text : texts) json.value(text);
        json.end_array();
    };
    json.begin_object();
    json.field("model", r.model);
    list("parameters", r.names);
    list("variables", r.variables);
    json.key("runs");
    json.begin_array();
    for (const SweepRun& run : r.runs) {
        json.begin_object();
        json.key("point");
        json.numbers(run.point);
        json.field("outcome", name_of(run.outcome));
        json.field("end_time", run.end_time);
        json.key("values");
        json.numbers(run.finals);
        if (!run.message.empty()) json.field("message", run.message);
        json.end_object();
    }
    json.end_array();
    json.end_object();
}

} // namespace

std::string SweepResult::to_csv() const {
    std::string out;
    for (const std::string& name : names) out += output::csv_field(name) + ",";
    out += "outcome,end_time";
    for (const std::string& name : variables) out += "," + output::csv_field(name);
    out += ",message\n";
    for (const SweepRun& run : runs) {
        for (const double value : run.point) out += output::number_text(value) + ",";
        out += fmt::format("{},{}", name_of(run.outcome), output::number_text(run.end_time));
        for (std::size_t v = 0; v < variables.size(); ++v)
            out += "," + (v < run.finals.size() ? output::number_text(run.finals[v]) : std::string());
        out += "," + output::csv_field(run.message) + "\n";
    }
    return out;
}

std::string SweepResult::to_json() const {
    std::string out;
    {
        const output::Sink sink = [&](std::string_view piece) { out += piece; };
        output::JsonWriter json(sink);
        write_json(*this, json);
    }
    return out + "\n";
}

std::string SweepResult::to_html() const {
    constexpr std::size_t most_plots = 12;
    const auto text = [](const std::string& t) { return output::escape_markup(t); };
    std::string out = fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Sweep of {0}</title>\n<style>\n"
        ":root {{ color-scheme: light dark }}\nbody {{ font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; "
        "margin: 2rem auto; padding: 0 1rem }}\ntable {{ border-collapse: collapse }}\ntd, th {{ padding: .2rem .8rem "
        ".2rem 0; text-align: left; vertical-align: top }}\nfigure {{ margin: 1rem 0 }}\n</style>\n"
        "<h1>Sweep of {0}</h1>\n<p>{1} runs over {2}; {3}</p>\n",
        text(model), runs.size(), text(fmt::format("{}", fmt::join(names, ", "))),
        failures() == 0 ? "all of them complete." : fmt::format("{} of them not complete (below).", failures()));
    std::size_t plots = 0;
    for (std::size_t v = 0; v < variables.size(); ++v)
        for (std::size_t axis = 0; axis < names.size() && plots < most_plots; ++axis, ++plots)
            out += "<figure>" +
                   output::svg_plot(curves(*this, axis, v), {.title = fmt::format("{} at the end", variables[v]),
                                                             .x_label = names[axis],
                                                             .y_label = variables[v]}) +
                   "</figure>\n";
    if (failures() > 0) {
        out += "<h2>Runs that are not complete</h2>\n<table>\n<tr>";
        for (const std::string& name : names) out += "<th>" + text(name) + "</th>";
        out += "<th>outcome</th><th>until</th><th>why</th></tr>\n";
        for (const SweepRun& run : runs) {
            if (complete(run)) continue;
            out += "<tr>";
            for (const double value : run.point) out += "<td>" + output::brief_number(value) + "</td>";
            out += fmt::format("<td>{}</td><td>{}</td><td>{}</td></tr>\n", name_of(run.outcome),
                               output::brief_number(run.end_time), text(run.message));
        }
        out += "</table>\n";
    }
    return out + "</html>\n";
}

std::string SweepResult::to_text() const {
    std::string out = fmt::format("{}  {} runs over {}\n", model, runs.size(), fmt::join(names, ", "));
    out += fmt::format("  {} complete, {} not\n", runs.size() - failures(), failures());
    std::size_t width = 8;
    for (const std::string& name : variables) width = std::max(width, name.size());
    for (std::size_t v = 0; v < variables.size() && v < 20; ++v) {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (const SweepRun& run : runs)
            if (complete(run)) {
                low = std::min(low, run.finals[v]);
                high = std::max(high, run.finals[v]);
            }
        if (low <= high)
            out += fmt::format("  {:<{}}  at the end between {:>14} and {:>14}\n", variables[v], width,
                               output::brief_number(low, 8), output::brief_number(high, 8));
    }
    std::size_t shown = 0;
    for (const SweepRun& run : runs)
        if (!complete(run) && shown++ < 5) {
            std::string where;
            for (std::size_t k = 0; k < names.size(); ++k)
                where += fmt::format("{}{} = {}", k ? ", " : "", names[k], output::brief_number(run.point[k]));
            out += fmt::format("  {}: {}\n", where, run.message);
        }
    return out;
}

Expected<std::uint64_t> SweepResult::write(const std::string& path) const {
    if (Diagnostics problems = overwriting(files, {{"", path}}); !problems.empty())
        return Unexpected{std::move(problems)};
    const std::string extension = std::filesystem::path(path).extension().string();
    std::string text;
    if (extension == ".csv")
        text = to_csv();
    else if (extension == ".json")
        text = to_json();
    else if (extension == ".html")
        text = to_html();
    else
        return fail(make_error("unknown-format", fmt::format("'{}' has no known extension", path),
                               "results of a sweep are written as .csv, .json or .html"));
    auto written = output::write_atomically(path, text);
    if (!written) return Unexpected{std::move(written.error())};
    return written->bytes;
}

} // namespace daedalus
