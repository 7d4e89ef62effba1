// The result of a comparison as CSV, JSON, and a table for the terminal.
#include "base/diagnostic.hpp"
#include "base/expected.hpp"
#include "base/printable.hpp"
#include "daedalus/compare.hpp"
#include "facade/outcome_name.hpp"
#include "output/atomic_file.hpp"
#include "output/csv.hpp"
#include "output/json_writer.hpp"
#include "output/number_text.hpp"
#include "output/terminal.hpp"
#include "output/text_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

namespace daedalus {

namespace {

using facade::name_of;

void write_history(const CompareHistory& h, output::JsonWriter& json) {
    json.key("history");
    json.begin_object();
    const auto column = [&](const char* key, const std::vector<double>& values) {
        bool any = false;
        for (const double v : values) any = any || std::isfinite(v);
        if (!any) return;
        std::vector<double> brief; // pictures need no more digits
        for (const double v : values) brief.push_back(std::strtod(fmt::format("{:.4g}", v).c_str(), nullptr));
        json.key(key);
        json.numbers(brief);
    };
    column("time", h.time);
    column("error", h.error);
    column("position", h.position);
    column("velocity", h.velocity);
    column("energy", h.energy);
    json.end_object();
}

void write_run(const CompareRun& run, output::JsonWriter& json) {
    json.begin_object();
    json.field("reduce", to_string(run.reduction));
    json.field("method", run.method);
    if (run.used != run.method) json.field("used", run.used);
    if (run.step > 0.0)
        json.field("step", run.step);
    else
        json.field("tolerance", run.tolerance);
    json.field("outcome", name_of(run.outcome));
    if (!run.message.empty()) json.field("message", run.message);
    json.field("error", run.error);
    json.field("seconds", run.seconds);
    json.field("steps", run.steps);
    json.field("evaluations", run.evaluations);
    json.field("factorizations", run.factorizations);
    json.field("position_drift", run.position_drift);
    json.field("velocity_drift", run.velocity_drift);
    json.field("energy_error", run.energy_error);
    json.key("finals");
    json.numbers(run.finals);
    write_history(run.history, json);
    json.end_object();
}

void write_rank(const CompareRank& rank, output::JsonWriter& json) {
    json.begin_object();
    json.field("reduce", to_string(rank.reduction));
    json.field("method", rank.method);
    json.field("reached", rank.reached);
    json.field("seconds", rank.seconds);
    json.field("evaluations", rank.evaluations);
    json.field("best_error", rank.best_error);
    json.field("drift", rank.drift);
    json.field("claims_hold", rank.claims_hold);
    json.end_object();
}

void write_json(const CompareResult& r, output::JsonWriter& json) {
    const auto list = [&](const char* key, const auto& items, const auto& write) {
        json.key(key);
        json.begin_array();
        for (const auto& item : items) write(item);
        json.end_array();
    };
    json.begin_object();
    json.field("model", r.model);
    json.field("kind", r.kind);
    json.field("from", r.from);
    json.field("until", r.until);
    json.field("accuracy", r.accuracy);
    json.field("reference", r.reference);
    json.field("reference_error", r.reference_error);
    json.field("energy", r.energy);
    list("variables", r.variables, [&](const std::string& name) { json.value(name); });
    json.key("choice");
    if (r.choice) {
        json.begin_object();
        json.field("reduce", to_string(r.ranking[*r.choice].reduction));
        json.field("method", r.ranking[*r.choice].method);
        json.end_object();
    } else {
        json.null();
    }
    json.field("why", r.why);
    json.field("interrupted", r.interrupted);
    list("ranking", r.ranking, [&](const CompareRank& rank) { write_rank(rank, json); });
    list("runs", r.runs, [&](const CompareRun& run) { write_run(run, json); });
    list("refused", r.refused, [&](const CompareRefusal& refusal) {
        json.begin_object();
        json.field("reduce", to_string(refusal.reduction));
        json.field("method", refusal.method);
        json.field("reason", refusal.reason);
        json.end_object();
    });
    json.end_object();
}

std::string small(double value) { return std::isfinite(value) ? fmt::format("{:.1e}", value) : "-"; }

/// Rows of ranking, with the cost of each beside the cheapest.
std::string ranking_text(const CompareResult& r, int width) {
    output::TextTable table({{""},
                             {"formulation"},
                             {"method"},
                             {"time", output::Align::right},
                             {"times", output::Align::right},
                             {"evals", output::Align::right},
                             {"drift", output::Align::right},
                             {"best error", output::Align::right}});
    for (std::size_t k = 0; k < r.ranking.size(); ++k) {
        const CompareRank& rank = r.ranking[k];
        const double first = r.ranking.front().seconds;
        table.add_row({r.choice == k ? "*" : "", std::string(to_string(rank.reduction)),
                       rank.used.empty() ? rank.method : rank.method + ": " + rank.used,
                       rank.reached ? output::brief_duration(rank.seconds) : "-",
                       rank.reached ? fmt::format("{:.2f}", rank.seconds / first) : "",
                       rank.reached ? fmt::format("{:.0f}", rank.evaluations) : "",
                       rank.reached ? small(rank.drift) : "", small(rank.best_error) + (rank.claims_hold ? "" : " !")});
    }
    return table.text(width, 2);
}

} // namespace

std::string CompareResult::to_csv() const {
    std::string out = "reduce,method,tolerance,step,outcome,error,seconds,steps,evaluations,factorizations,"
                      "position_drift,velocity_drift,energy_error,message\n";
    const auto number = [](double value) { return std::isfinite(value) ? output::number_text(value) : std::string(); };
    for (const CompareRun& run : runs)
        out +=
            fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", to_string(run.reduction),
                        output::csv_field(run.method), run.step > 0.0 ? "" : number(run.tolerance),
                        run.step > 0.0 ? number(run.step) : "", name_of(run.outcome), number(run.error),
                        number(run.seconds), run.steps, run.evaluations, run.factorizations, number(run.position_drift),
                        number(run.velocity_drift), number(run.energy_error), output::csv_field(run.message));
    for (const CompareRefusal& refusal : refused)
        out += fmt::format("{},{},,,refused,,,,,,,,,{}\n", to_string(refusal.reduction),
                           output::csv_field(refusal.method), output::csv_field(refusal.reason));
    return out;
}

std::string CompareResult::to_json() const {
    std::string out;
    {
        output::JsonWriter json([&](std::string_view piece) { out += piece; });
        write_json(*this, json);
    }
    return out + "\n";
}

std::string CompareResult::to_text(int width) const {
    std::string out = fmt::format("{}  {}, t = {} to {}\n", printable(model), kind, output::brief_number(from),
                                  output::brief_number(until));
    out += fmt::format("  reference: {}\n", reference);
    out += fmt::format("  cost of an error of {:.0e}, in processor time:\n\n", accuracy);
    out += ranking_text(*this, width) + "\n";
    for (const CompareRun& run : runs)
        if (!run.success())
            out += fmt::format("  {} with {} at {:.0e}: {}\n", to_string(run.reduction), run.method,
                               run.step > 0.0 ? run.step : run.tolerance, run.message);
    for (const CompareRefusal& refusal : refused)
        out += fmt::format("  {} with {}: {}\n", to_string(refusal.reduction), refusal.method, refusal.reason);
    out += "  " + why + "\n";
    return out;
}

Expected<std::uint64_t> CompareResult::write(const std::string& path) const {
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
                               "comparisons are written as .html, .json or .csv"));
    auto written = output::write_atomically(path, text);
    if (!written) return Unexpected{std::move(written.error())};
    return written->bytes;
}

} // namespace daedalus
