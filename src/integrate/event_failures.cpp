#include "integrate/event_failures.hpp"

#include "integrate/run.hpp"

#include <algorithm>
#include <cstdio>

namespace daedalus::integrate {

namespace {

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.8g", value);
    return text;
}

std::string in_words(const Run& run, std::span<const int> conditions) {
    std::string list;
    for (const int root : conditions) list += (list.empty() ? "" : ", ") + run.problem.hybrid().legend->equation(root);
    return list;
}

} // namespace

FailureReport chattering_report(const Run& run, std::span<const int> conditions, double t) {
    FailureReport report;
    report.reason = FailureReason::chattering;
    report.t = t;
    report.cause = "the condition " + in_words(run, conditions) +
                   " switches back and forth: each branch drives the solution over to the other one, so that it can "
                   "only slide along the border between them (Filippov 1988)" +
                   unstable_mode(run.circumstances(FailureReason::chattering, StepStatus::ok, run.control.wanted()));
    return report;
}

FailureReport accumulation_report(const Run& run, std::span<const int> conditions, double t, double limit) {
    FailureReport report;
    report.reason = FailureReason::accumulation;
    report.t = t;
    report.cause = "the events of " + in_words(run, conditions) +
                   " come faster and faster and would be infinitely many before t = " + number(limit) +
                   "; the model does not say how it goes on from there";
    return report;
}

FailureReport reinit_report(const Run& run, int unknown, double t) {
    FailureReport report;
    report.reason = FailureReason::inconsistent_start;
    report.t = t;
    report.cause = "the value that reinit gives to " + run.problem.names().variable(unknown) +
                   " contradicts the equations: with it, the other values that are set at this event or kept over it "
                   "cannot hold";
    return report;
}

FailureReport jump_report(const Run& run, double t) {
    FailureReport report;
    report.reason = FailureReason::inconsistent_event;
    report.t = t;
    std::string rows;
    const std::vector<int>& resisting = run.jump->resisting();
    const auto is_link = [&](int row) { return row >= run.problem.kernel_rows(); }; // says nothing to anybody
    const bool links_only = std::all_of(resisting.begin(), resisting.end(), is_link);
    for (const int row : resisting) {
        if (is_link(row) && !links_only) continue;
        rows += (rows.empty() ? "" : ", ") + run.problem.names().equation(row);
        report.residual_rows.push_back({row, 1.0});
    }
    report.cause = "no consistent values were found behind the event at t = " + number(t) +
                   ": with what is continuous there kept as it is, these equations do not hold: " + rows;
    return report;
}

} // namespace daedalus::integrate
