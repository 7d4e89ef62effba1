#include "simulation/append_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <variant>

namespace daedalus::simulation {

namespace {

template <class T>
void move_behind(std::vector<T>& list, std::vector<T>& more) {
    list.insert(list.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// Counters add up, extremes stay extremes.
void append_fact(std::vector<output::Fact>& list, const output::Fact& fact) {
    const auto known =
        std::find_if(list.begin(), list.end(), [&](const output::Fact& other) { return other.name == fact.name; });
    if (known == list.end()) return list.push_back(fact);
    if (auto* count = std::get_if<std::int64_t>(&known->value)) {
        const auto more = std::get<std::int64_t>(fact.value);
        *count = fact.name == "highest_order" ? std::max(*count, more) : *count + more;
    } else if (auto* number = std::get_if<double>(&known->value)) {
        const double more = std::get<double>(fact.value);
        if (fact.name == "smallest_step")
            *number = *number == 0.0 ? more : more == 0.0 ? *number : std::min(*number, more);
        else
            *number = fact.name == "largest_step" ? std::max(*number, more) : *number + more;
    }
}

/// Histories of single equations are kept by run; of all together, their maxima.
void append_residuals(Record& whole, Record& piece) {
    for (output::ResidualSeries& series : whole.trajectory.residuals) {
        series.at_steps.clear();
        series.at_midpoints.clear();
    }
    for (output::ResidualSeries& series : piece.trajectory.residuals) {
        auto& list = whole.trajectory.residuals;
        const auto same = [&](const output::ResidualSeries& other) {
            return other.text == series.text && other.differentiations == series.differentiations;
        };
        series.at_steps.clear();
        series.at_midpoints.clear();
        if (const auto known = std::find_if(list.begin(), list.end(), same); known != list.end()) {
            known->note(series.max_at_steps, series.max_at_midpoints);
            continue;
        }
        series.name = fmt::format("{} {}", series.differentiations > 0 ? "hidden" : "eq", list.size() + 1);
        list.push_back(std::move(series));
    }
    if (!(piece.largest_residual <= whole.largest_residual)) whole.largest_residual = piece.largest_residual;
    if (!(piece.residual_in_tolerances <= whole.residual_in_tolerances))
        whole.residual_in_tolerances = piece.residual_in_tolerances;
}

} // namespace

void append_record(Record& whole, Record&& piece) {
    deliver_points(whole);
    deliver_points(piece);
    output::Trajectory &all = whole.trajectory, &more = piece.trajectory;
    move_behind(all.time, more.time);
    for (std::size_t v = 0; v < all.values.size(); ++v) move_behind(all.values[v], more.values[v]);
    move_behind(all.steps, more.steps);
    move_behind(all.events, more.events);
    move_behind(all.state_switches, more.state_switches);
    all.residuals_explained = all.residuals_explained && more.residuals_explained;
    append_residuals(whole, piece);
    for (const output::Fact& fact : piece.report.statistics) append_fact(whole.report.statistics, fact);
    for (const output::Fact& fact : piece.report.options)
        if (fact.name == "method_changed") whole.report.options.push_back(fact);
    for (Diagnostic& d : piece.report.diagnostics) {
        auto& list = whole.report.diagnostics;
        const bool known = std::any_of(list.begin(), list.end(), [&](const Diagnostic& other) {
            return other.code == d.code && other.message == d.message;
        });
        if (!known) list.push_back(std::move(d));
    }
    const double t_start = whole.report.outcome.t_start;
    whole.report.outcome = std::move(piece.report.outcome);
    whole.report.outcome.t_start = t_start;
    whole.outcome = piece.outcome;
    whole.message = std::move(piece.message);
    if (!whole.departure) whole.departure = std::move(piece.departure);
    whole.dense = std::move(piece.dense);
    whole.end = std::move(piece.end);
}

} // namespace daedalus::simulation
