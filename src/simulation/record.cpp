#include "simulation/record.hpp"

#include "base/diagnostic.hpp"
#include "simulation/run_warnings.hpp"
#include "simulation/undefined_values.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace daedalus::simulation {

Diagnostic not_certified(const problem::ImplicitProblem& problem, const WrittenViolation& violation) {
    const problem::Legend& legend = *problem.facet<problem::WrittenEquations>().legend;
    Diagnostic d =
        make_error("not-certified",
                   fmt::format("at t = {:.6g} the residual of {} is {:.3g}, with terms of {:.3g} in sum: the "
                               "result does not satisfy the equation as written",
                               violation.t, legend.equation(violation.equation), violation.residual, violation.terms));
    d.where = legend.equation_location(violation.equation);
    return d;
}

std::optional<Diagnostic> without_values(const Record& record, std::span<const double> end_row) {
    const output::Trajectory& trajectory = record.trajectory;
    const bool at_end = record.outcome == Outcome::success;
    std::optional<UndefinedValue> undefined = first_undefined_value(trajectory, at_end);
    for (std::size_t v = 0; v < end_row.size() && at_end && !undefined; ++v)
        if (!std::isfinite(end_row[v])) undefined = {v, record.end.t};
    if (!undefined) return std::nullopt;
    const std::string& name = trajectory.variables[undefined->variable].name;
    return make_error("undefined-output", fmt::format("{} is not a number at t = {:.6g}", name, undefined->t),
                      "say what it is there: if … then … else …");
}

void deliver_points(Record& record) {
    const std::shared_ptr<const PendingPoints> pending = std::exchange(record.pending, nullptr);
    if (!pending) return;
    const auto [violation, doubtful] = pending->find(record.trajectory);
    judge_doubtful_point(pending->problem(), doubtful, pending->relative_tolerance(), record);
    if (record.outcome == Outcome::failed) {
        record.report.outcome.kind = output::OutcomeKind::failed;
        record.report.outcome.reason = record.message;
    }
    if (record.outcome != Outcome::success && record.outcome != Outcome::terminated) return;
    std::optional<Diagnostic> found = without_values(record);
    if (violation) found = not_certified(pending->problem(), *violation);
    if (!found) return;
    Diagnostic d = std::move(*found);
    record.outcome = Outcome::failed;
    record.message = d.message;
    record.report.outcome.kind = output::OutcomeKind::failed;
    record.report.outcome.reason = d.message;
    record.report.diagnostics.push_back(d);
    if (violation) record.misled = std::move(d);
}

} // namespace daedalus::simulation
