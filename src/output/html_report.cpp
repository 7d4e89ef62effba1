#include "output/html_report.hpp"

#include "output/base64.hpp"
#include "output/html_page.hpp"
#include "output/html_sections.hpp"
#include "output/json_writer.hpp"
#include "output/markup.hpp"
#include "output/report_assets.hpp"
#include "output/svg.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <set>

namespace daedalus::output {
namespace {

void column_field(JsonWriter& json, std::string_view key, std::span<const double> values, bool single) {
    json.key(key);
    json.begin_object();
    json.field("type", single ? "f32" : "f64");
    json.field("data", single ? base64_float32(values) : base64_float64(values));
    json.end_object();
}

/// Larger first; what is not a number is worst.
double badness(const ResidualSeries& row) {
    const double worst = std::max(row.max_at_steps, row.max_at_midpoints);
    return std::isnan(row.max_at_steps) || std::isnan(row.max_at_midpoints) ? std::numeric_limits<double>::infinity()
                                                                            : worst;
}

/// What of a large result goes into the page.
struct Selection {
    std::size_t variables = 0;       ///< the first so many are plotted
    std::size_t stride = 1;          ///< steps gathered into one point of the histories
    std::set<std::size_t> plottable; ///< residual rows with a history in the page
    std::set<std::size_t> ticked;    ///< those drawn at first
};

Selection select(const Trajectory& trajectory, const HtmlLimits& limits) {
    Selection chosen;
    const std::size_t points = std::max<std::size_t>(1, trajectory.points());
    chosen.variables = std::min(trajectory.variables.size(), std::max<std::size_t>(1, limits.values / points));
    const std::size_t steps = trajectory.steps.size();
    chosen.stride =
        std::max<std::size_t>(1, (steps + limits.step_points - 1) / std::max<std::size_t>(1, limits.step_points));

    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < trajectory.residuals.size() && i < limits.table_rows; ++i) {
        const ResidualSeries& row = trajectory.residuals[i];
        if (steps > 0 && row.at_steps.size() == steps && row.at_midpoints.size() == steps) rows.push_back(i);
    }
    std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
        return badness(trajectory.residuals[a]) > badness(trajectory.residuals[b]);
    });
    if (rows.size() > limits.residual_rows) rows.resize(limits.residual_rows);
    chosen.plottable.insert(rows.begin(), rows.end());
    // The hidden constraints are what a reader wants to see, and the worst of the equations as written.
    constexpr std::size_t readable = 6; // curves in one plot
    for (const std::size_t i : rows)
        if (trajectory.residuals[i].differentiations > 0 && chosen.ticked.size() + 1 < readable)
            chosen.ticked.insert(i);
    for (const std::size_t i : rows) {
        if (trajectory.residuals[i].differentiations > 0) continue;
        chosen.ticked.insert(i);
        if (chosen.ticked.size() >= readable || chosen.ticked.size() > 1) break;
    }
    return chosen;
}

/// Folds every `stride` consecutive entries into one; an entry that is not a number wins.
template <class Get, class Fold>
std::vector<double> folded(std::size_t size, std::size_t stride, Get get, Fold fold) {
    std::vector<double> out;
    out.reserve(size / stride + 1);
    for (std::size_t begin = 0; begin < size; begin += stride) {
        double value = get(begin);
        for (std::size_t k = begin + 1; k < std::min(size, begin + stride); ++k) value = fold(value, get(k));
        out.push_back(value);
    }
    return out;
}

double larger(double a, double b) { return std::isnan(a) || a > b ? a : b; }
double smaller_size(double a, double b) { return std::abs(a) < std::abs(b) ? a : b; }
double later(double, double b) { return b; }

void write_steps(JsonWriter& json, const std::vector<StepRecord>& steps, std::size_t stride) {
    const std::size_t n = steps.size();
    json.key("steps");
    json.begin_object();
    column_field(json, "t",
                 folded(
                     n, stride, [&](std::size_t k) { return steps[k].t; }, later),
                 false);
    column_field(json, "h",
                 folded(
                     n, stride, [&](std::size_t k) { return steps[k].h; }, smaller_size),
                 false);
    column_field(json, "order",
                 folded(
                     n, stride, [&](std::size_t k) { return steps[k].order; }, larger),
                 true);
    column_field(json, "rejected",
                 folded(
                     n, stride, [&](std::size_t k) { return steps[k].rejected; }, std::plus<>()),
                 true);
    json.end_object();
}

void write_residuals(JsonWriter& json, const Trajectory& trajectory, const Selection& chosen) {
    json.key("residuals");
    json.begin_object();
    json.field("tolerance", trajectory.residual_tolerance);
    json.key("rows");
    json.begin_object(); // row number → history; numbers as keys keep the table and the plots in step
    for (const std::size_t i : chosen.plottable) {
        const ResidualSeries& row = trajectory.residuals[i];
        json.key(std::to_string(i));
        json.begin_object();
        json.field("name", row.name);
        const auto history = [&](std::string_view key, const std::vector<double>& values) {
            column_field(json, key,
                         folded(
                             values.size(), chosen.stride, [&](std::size_t k) { return values[k]; }, larger),
                         true);
        };
        history("steps", row.at_steps);
        history("midpoints", row.at_midpoints);
        json.end_object();
    }
    json.end_object();
    json.end_object();
}

void write_data(const Trajectory& trajectory, const Selection& chosen, const Sink& sink) {
    JsonWriter json(sink, {.pretty = false, .script_safe = true});
    json.begin_object();
    json.field("backwards", trajectory.points() > 1 && trajectory.time.back() < trajectory.time.front());
    column_field(json, "time", trajectory.time, false);
    json.key("variables");
    json.begin_array();
    for (std::size_t i = 0; i < chosen.variables; ++i) {
        const VariableInfo& variable = trajectory.variables[i];
        const bool single = float32_suffices(trajectory.values[i]);
        json.begin_object();
        json.field("name", variable.name);
        json.field("unit", variable.unit);
        json.field("description", variable.description);
        json.field("kind", name_of(variable.kind));
        json.field("type", single ? "f32" : "f64");
        json.field("data", single ? base64_float32(trajectory.values[i]) : base64_float64(trajectory.values[i]));
        json.end_object();
    }
    json.end_array();
    write_steps(json, trajectory.steps, chosen.stride);
    write_residuals(json, trajectory, chosen);
    std::vector<double> marks;
    for (const EventRecord& event : trajectory.events) marks.push_back(event.t);
    for (const StateSwitch& change : trajectory.state_switches) marks.push_back(change.t);
    json.key("marks");
    json.numbers(marks);
    json.end_object();
}

constexpr std::string_view variable_controls =
    R"(<p>Drag to zoom in, double-click to see everything again; click a name below a plot to hide it. All plots over
time share zoom and cursor.</p>
<div class="controls"><span class="segments" role="radiogroup" aria-label="arrangement">
<label><input type="radio" name="view" value="grouped" checked>Grouped</label>
<label><input type="radio" name="view" value="single">One by one</label>
<label><input type="radio" name="view" value="together">Together</label></span>
<input type="search" id="search" placeholder="Filter variables" aria-label="filter variables">
<button type="button" id="choose-all">All</button><button type="button" id="choose-none">None</button>
<button type="button" data-reset>Reset zoom</button></div>
<div class="chooser" id="chooser" role="group" aria-label="variables to plot"></div>
<div class="plots" id="variable-plots"></div>
)";

constexpr std::string_view phase_controls =
    R"(<div class="controls"><label>horizontal <select id="phase-x"></select></label>
<label>vertical <select id="phase-y"></select></label><button type="button" id="phase-swap">Swap</button>
<label><input type="checkbox" id="phase-equal"> equal scales</label></div>
<div class="plots" id="phase-plot"></div>
)";

constexpr std::string_view motion_controls =
    R"(<div class="motion"><canvas id="scene" tabindex="0" role="img" aria-label="the mechanism moving"></canvas>
<div class="controls"><button type="button" id="play" aria-label="play or pause">Play</button>
<input type="range" id="moment" min="0" max="1000" value="0" step="1" aria-label="time">
<output id="moment-text"></output>
<label>speed <select id="speed"></select></label>
<label>trace <select id="trace"></select></label>
<label><input type="checkbox" id="scene-names"> names</label>
<button type="button" id="view-reset">Reset view</button></div></div>
)";

struct Section {
    std::string id;
    std::string title;
    std::string body;
};

std::string variables_body(const Trajectory& trajectory, const Selection& chosen) {
    std::string body(variable_controls);
    if (chosen.variables < trajectory.variables.size())
        body += "<p class=\"note\">Plots of the first " + std::to_string(chosen.variables) + " of " +
                std::to_string(trajectory.variables.size()) + " variables; the CSV output has all.</p>\n";
    return body + "<noscript>" + svg_plot(trajectory, {}) + "</noscript>\n";
}

std::string certificate_body(const Trajectory& trajectory, const Selection& chosen, const HtmlLimits& limits) {
    return "<p>How well every equation and every hidden constraint holds, at the steps and between them: the absolute "
           "residual of the solution that this report shows.</p>\n" +
           html::residual_table(trajectory, chosen.plottable, chosen.ticked, limits) +
           (chosen.plottable.empty() ? "" : "<div class=\"plots\" id=\"residual-plots\"></div>\n");
}

std::string steps_body(const Selection& chosen) {
    std::string body = "<div class=\"plots\" id=\"step-plots\"></div>\n";
    if (chosen.stride > 1)
        body += "<p class=\"note\">Each point stands for " + std::to_string(chosen.stride) +
                " steps: the smallest step size, the highest order, the largest residual of them.</p>\n";
    return body;
}

std::string motion_body(const Scene& scene) {
    std::string body(motion_controls);
    body += scene.in_space
                ? "<p class=\"note\">Drag or use the arrow keys to turn, the wheel or + and − to zoom; Shift and "
                  "drag moves.</p>\n"
                : "<p class=\"note\">The wheel or + and − zoom, dragging moves.</p>\n";
    return body;
}

std::vector<Section> sections(const Trajectory& trajectory, const ReportData& report, const Selection& chosen,
                              const HtmlLimits& limits, const Scene& scene) {
    std::vector<Section> list;
    const auto add = [&](const char* id, const char* title, std::string body) {
        if (!body.empty()) list.push_back({id, title, std::move(body)});
    };
    add("messages", "Messages", html::diagnostics(report.diagnostics));
    if (!scene.empty()) add("motion", "Motion", motion_body(scene));
    if (!trajectory.variables.empty() && trajectory.points() > 0) {
        add("variables", "Variables over time", variables_body(trajectory, chosen));
        add("phase", "Phase plot", std::string(phase_controls));
    }
    if (!trajectory.residuals.empty()) add("certificate", "Certificate", certificate_body(trajectory, chosen, limits));
    if (!trajectory.steps.empty()) add("steps", "Steps", steps_body(chosen));
    add("model", "Model as understood", html::model(report.model, variables_of(report.model, trajectory), limits));
    add("initial", "Initial values", html::initial_values(report.initial_values, limits));
    add("happenings", "Events and switches", html::happenings(trajectory, limits));
    add("passes", "What was done and why", html::passes(report.passes));
    add("run", "Run", html::run(report));
    return list;
}

} // namespace

void write_html_report(const Trajectory& trajectory, const ReportData& report, const Sink& sink,
                       const HtmlLimits& limits, const Scene& scene) {
    assert(trajectory.is_rectangular());
    const Selection chosen = select(trajectory, limits);
    const std::vector<Section> list = sections(trajectory, report, chosen, limits, scene);
    sink(html::head(report.model.name.empty() ? "Daedalus report" : report.model.name + " – Daedalus report"));
    sink("<style>");
    sink(assets::uplot_css);
    sink(assets::report_css);
    sink(
        "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the content</a>\n<div class=\"frame\">\n");
    std::string navigation = "<nav aria-label=\"contents\"><ol>";
    for (const Section& section : list)
        navigation += "<li><a href=\"#" + section.id + "\">" + section.title + "</a></li>";
    sink(navigation + "</ol></nav>\n");
    sink(html::masthead(trajectory, report));
    sink("<main id=\"main\">\n");
    for (const Section& section : list)
        sink("<section id=\"" + section.id + "\"><h2>" + section.title + "</h2>\n" + section.body + "</section>\n");
    sink("</main>\n<footer>Written by Daedalus. Plots: uPlot (MIT).</footer>\n</div>\n");
    sink("<script type=\"application/json\" id=\"daedalus-data\">");
    write_data(trajectory, chosen, sink);
    sink("</script>\n<!--\nuPlot\n");
    sink(assets::uplot_license);
    sink("-->\n<script>");
    sink(assets::uplot_js);
    sink("</script>\n<script>");
    sink(assets::report_js);
    if (!scene.empty()) {
        sink("</script>\n<script type=\"application/json\" id=\"daedalus-scene\">");
        write_scene(scene, sink);
        sink("</script>\n<script>");
        sink(assets::mechanism_js);
    }
    sink("</script>\n</body>\n</html>\n");
}

std::string html_report(const Trajectory& trajectory, const ReportData& report, const HtmlLimits& limits,
                        const Scene& scene) {
    std::string text;
    write_html_report(
        trajectory, report, [&](std::string_view piece) { text += piece; }, limits, scene);
    return text;
}

} // namespace daedalus::output
