#include "simulation/record.hpp"

#include "base/diagnostic.hpp"

#include <fmt/format.h>

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

void deliver_points(Record& record) {
    const std::shared_ptr<const PendingPoints> pending = std::exchange(record.pending, nullptr);
    if (!pending) return;
    const auto violation = pending->find(record.trajectory);
    if (!violation || (record.outcome != Outcome::success && record.outcome != Outcome::terminated)) return;
    Diagnostic d = not_certified(pending->problem(), *violation);
    record.outcome = Outcome::failed;
    record.message = d.message;
    record.report.outcome.kind = output::OutcomeKind::failed;
    record.report.outcome.reason = d.message;
    record.report.diagnostics.push_back(d);
    record.misled = std::move(d);
}

} // namespace daedalus::simulation
