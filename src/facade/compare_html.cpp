// A comparison as one page: what it would choose, the table, work-precision curves, drift, energy, what was refused.
#include "daedalus/compare.hpp"
#include "facade/outcome_name.hpp"
#include "output/html_page.hpp"
#include "output/html_table.hpp"
#include "output/markup.hpp"
#include "output/number_text.hpp"
#include "output/report_assets.hpp"
#include "output/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus {

namespace {

using output::SvgCurve;

std::string esc(std::string_view text) { return output::escape_markup(text); }
std::string small(double value) { return std::isfinite(value) ? fmt::format("{:.1e}", value) : "–"; }

std::string method(const CompareRank& r) { return r.used.empty() ? r.method : r.method + ": " + r.used; }
std::string title(const CompareRank& r) { return fmt::format("{} · {}", to_string(r.reduction), method(r)); }

std::vector<const CompareRun*> runs_of(const CompareResult& r, const CompareRank& rank) {
    std::vector<const CompareRun*> list;
    for (const CompareRun& run : r.runs)
        if (run.reduction == rank.reduction && run.method == rank.method && run.success() && std::isfinite(run.error))
            list.push_back(&run);
    return list;
}

/// The one that reaches the accuracy with the largest tolerance, or comes nearest to it.
const CompareRun* typical(const CompareResult& r, const CompareRank& rank) {
    const CompareRun* best = nullptr;
    for (const CompareRun* run : runs_of(r, rank)) {
        if (run->error <= r.accuracy) return run;
        if (best == nullptr || run->error < best->error) best = run;
    }
    return best;
}

/// Curves of the first in the ranking: more cannot be told apart.
std::size_t shown(const CompareResult& r) { return std::min<std::size_t>(12, r.ranking.size()); }

template <class Cost>
std::string work_precision(const CompareResult& r, const char* caption, const char* label, Cost cost) {
    std::vector<SvgCurve> curves;
    for (std::size_t k = 0; k < shown(r); ++k) {
        SvgCurve curve{title(r.ranking[k]), {}, {}, static_cast<int>(k)};
        for (const CompareRun* run : runs_of(r, r.ranking[k])) {
            curve.x.push_back(std::max(run->error, std::numeric_limits<double>::epsilon()));
            curve.y.push_back(cost(*run));
        }
        curves.push_back(std::move(curve));
    }
    output::SvgOptions options{.title = caption, .x_label = "error", .y_label = label, .width = 960, .height = 460};
    options.log_x = options.log_y = options.markers = true;
    return "<figure>" + output::svg_plot(curves, options) + "</figure>\n";
}

std::string history(const CompareResult& r, const char* caption, const char* label,
                    std::vector<double> CompareHistory::*values) {
    std::vector<SvgCurve> curves;
    for (std::size_t k = 0; k < shown(r); ++k) {
        const CompareRun* run = typical(r, r.ranking[k]);
        if (run == nullptr) continue;
        SvgCurve curve{title(r.ranking[k]), run->history.time, run->history.*values, static_cast<int>(k)};
        constexpr double floor = 1e-18; // zero has no logarithm
        bool any = false;
        for (double& v : curve.y) {
            any = any || std::isfinite(v);
            v = std::max(std::abs(v), floor);
        }
        if (any) curves.push_back(std::move(curve));
    }
    if (curves.empty()) return {};
    return "<figure>" +
           output::svg_plot(curves,
                            {.title = caption, .x_label = "time", .y_label = label, .width = 960, .log_y = true}) +
           "</figure>\n";
}

std::string ranking_table(const CompareResult& r) {
    output::html::Table table("Cost at equal accuracy",
                              {{"", "num"},
                               {"formulation"},
                               {"method"},
                               {"time", "num"},
                               {"relative", "num"},
                               {"evaluations", "num"},
                               {"drift", "num"},
                               {"best error", "num"},
                               {""}},
                              r.ranking.size());
    for (std::size_t k = 0; k < r.ranking.size(); ++k) {
        const CompareRank& rank = r.ranking[k];
        if (!table.wants_row()) continue;
        table.row({std::to_string(k + 1), esc(to_string(rank.reduction)), esc(method(rank)),
                   rank.reached ? esc(output::brief_duration(rank.seconds)) : "not reached",
                   rank.reached ? fmt::format("{:.2f}", rank.seconds / r.ranking.front().seconds) : "–",
                   rank.reached ? fmt::format("{:.0f}", rank.evaluations) : "–", small(rank.drift),
                   small(rank.best_error),
                   r.choice == k       ? "<span class=\"pill good\">chosen</span>"
                   : !rank.claims_hold ? "<span class=\"pill bad\">off by more than it claims</span>"
                                       : ""});
    }
    return table.empty() ? "<p>No combination reached the end.</p>\n" : table.html();
}

std::string runs_table(const CompareResult& r) {
    output::html::Table table("All runs",
                              {{"formulation"},
                               {"method"},
                               {"tolerance", "num"},
                               {"error", "num"},
                               {"time", "num"},
                               {"steps", "num"},
                               {"evaluations", "num"},
                               {"factorisations", "num"},
                               {"positions", "num"},
                               {"velocities", "num"},
                               {"energy", "num"},
                               {"", "soft"}},
                              r.runs.size());
    for (const CompareRun& run : r.runs) {
        if (!table.wants_row()) continue;
        table.row({esc(to_string(run.reduction)), esc(run.method),
                   run.step > 0.0 ? "h = " + output::brief_number(run.step, 3) : fmt::format("{:.0e}", run.tolerance),
                   small(run.error), std::isfinite(run.seconds) ? esc(output::brief_duration(run.seconds)) : "–",
                   std::to_string(run.steps), std::to_string(run.evaluations), std::to_string(run.factorizations),
                   small(run.position_drift), small(run.velocity_drift), small(run.energy_error),
                   run.success() ? "" : esc(std::string(facade::name_of(run.outcome)) + ": " + run.message)});
    }
    return table.empty() ? "" : table.html();
}

std::string refusals(const CompareResult& r) {
    output::html::Table table("Combinations that do not exist", {{"formulation"}, {"method"}, {"why"}},
                              r.refused.size());
    for (const CompareRefusal& refusal : r.refused)
        if (table.wants_row()) table.row({esc(to_string(refusal.reduction)), esc(refusal.method), esc(refusal.reason)});
    return table.empty() ? "" : table.html();
}

std::string tiles(const CompareResult& r) {
    const auto tile = [](const std::string& name, const std::string& value, const std::string& remark) {
        return "<div><dt>" + esc(name) + "</dt><dd>" + esc(value) + "<small>" + esc(remark) + "</small></dd></div>";
    };
    std::string out = "<dl class=\"tiles\">";
    if (r.choice) {
        const CompareRank& best = r.ranking[*r.choice];
        out +=
            tile("chosen", title(best), output::brief_duration(best.seconds) + fmt::format(" for {:.0e}", r.accuracy));
    }
    const auto solved =
        std::count_if(r.runs.begin(), r.runs.end(), [](const CompareRun& run) { return run.success(); });
    out += tile("runs", std::to_string(r.runs.size()), fmt::format("{} reached the end", solved));
    out += tile("refused", std::to_string(r.refused.size()), "combinations");
    out += tile("reference known to", fmt::format("{:.1e}", r.reference_error), "difference of two tight runs");
    return out + "</dl>\n";
}

struct Section {
    const char* id;
    const char* title;
    std::string body;
};

std::vector<Section> sections(const CompareResult& r) {
    std::vector<Section> list;
    list.push_back({"choice", "Cost at equal accuracy",
                    fmt::format("<p>{}.</p>\n<p>Processor time of the integration for an error of {:.0e}, between runs "
                                "by a straight line of logarithms. Drift is the largest violation of a constraint in "
                                "the run that reaches it.</p>\n",
                                esc(r.why), r.accuracy) +
                        ranking_table(r)});
    if (!r.ranking.empty())
        list.push_back(
            {"work", "Work and precision",
             "<p>Each point is a run. To the left is more accurate, below is cheaper.</p>\n<div class=\"plots\">" +
                 work_precision(r, "Error against time", "seconds", [](const CompareRun& run) { return run.seconds; }) +
                 work_precision(r, "Error against evaluations", "evaluations of the equations",
                                [](const CompareRun& run) { return static_cast<double>(run.evaluations); }) +
                 "</div>\n"});
    const std::string drift = history(r, "Constraints on positions", "violation", &CompareHistory::position) +
                              history(r, "Constraints on velocities", "violation", &CompareHistory::velocity) +
                              history(r, "Error", "error", &CompareHistory::error);
    if (!drift.empty())
        list.push_back({"drift", "Drift over time",
                        "<p>Of the run of each combination that reaches the accuracy with the largest tolerance, at "
                        "the ends of its steps, in units of what errors as large as the variables themselves would "
                        "make.</p>\n<div class=\"plots\">" +
                            drift + "</div>\n"});
    if (const std::string energy =
            history(r, "Energy less that of the reference", "|difference|", &CompareHistory::energy);
        !energy.empty())
        list.push_back(
            {"energy", "Energy over time",
             "<p>" + esc(r.energy) + ", in the model's own units.</p>\n<div class=\"plots\">" + energy + "</div>\n"});
    list.push_back({"runs", "All runs", runs_table(r)});
    if (!r.refused.empty()) list.push_back({"refused", "Refused", refusals(r)});
    std::string variables;
    for (const std::string& name : r.variables) variables += (variables.empty() ? "" : ", ") + name;
    list.push_back({"how", "How this was measured",
                    "<p>The reference is " + esc(r.reference) +
                        ". Errors are the largest differences to it at the ends of steps (at 200 of them, where there "
                        "are more), of each variable in units of its largest value. Time is processor time of the "
                        "thread that ran, the least of three runs where they are short; runs share all cores, so that "
                        "a few per cent mean nothing.</p>\n<p>Errors are of: " +
                        esc(variables) + ".</p>\n"});
    return list;
}

} // namespace

std::string CompareResult::to_html() const {
    const std::vector<Section> list = sections(*this);
    std::string out = output::html::head("Comparison of " + model);
    out += "<style>" + std::string(output::assets::report_css) +
           ".plots svg{max-width:100%;height:auto}</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to "
           "the content</a>\n<div class=\"frame\">\n<nav aria-label=\"contents\"><ol>";
    for (const Section& s : list) out += fmt::format("<li><a href=\"#{}\">{}</a></li>", s.id, s.title);
    out += "</ol></nav>\n<header class=\"masthead\"><p class=\"overline\">Daedalus comparison</p><h1>" + esc(model) +
           "</h1><p class=\"lede\">" +
           esc(fmt::format("{}; t = {} to {}", kind, output::brief_number(from), output::brief_number(until))) + "</p>";
    if (interrupted) out += "<div class=\"verdict\"><span class=\"pill warn\">interrupted</span></div>";
    out += tiles(*this) + "</header>\n<main id=\"main\">\n";
    for (const Section& s : list)
        out += fmt::format("<section id=\"{}\"><h2>{}</h2>\n", s.id, s.title) + s.body + "</section>\n";
    return out + "</main>\n<footer>Written by Daedalus.</footer>\n</div>\n</body>\n</html>\n";
}

} // namespace daedalus
