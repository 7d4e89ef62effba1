#include "simulation/regularisation_error.hpp"

#include "base/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::simulation {

namespace {

bool complete(const Record& record) {
    return record.outcome == Outcome::success || record.outcome == Outcome::terminated;
}

struct Difference {
    double tolerances = 0.0; ///< what it is in units of rtol |x| + atol
    double value = 0.0, t = 0.0;
    std::string variable;
};

/// The largest one, among variables that have derivatives if any of them were recorded: multipliers over ε vibrate.
Difference largest_difference(const Record& record, const DenseSolution& exact, double rtol, double atol) {
    constexpr std::size_t looks = 400;
    const output::Trajectory& of = record.trajectory;
    const std::size_t n = of.time.size(), stride = std::max<std::size_t>(1, (n + looks - 1) / looks);
    const auto differential = [&](std::size_t v) { return of.variables[v].kind == output::VariableKind::differential; };
    bool any = false;
    for (std::size_t v = 0; v < of.variables.size(); ++v) any = any || differential(v);
    std::vector<double> y, size(of.variables.size(), 0.0);
    std::vector<Difference> worst(of.variables.size());
    for (std::size_t i = n; i-- > 0;) {
        if ((n - 1 - i) % stride != 0 || !exact.covers(of.time[i])) continue;
        exact.evaluate(of.time[i], y);
        for (std::size_t v = 0; v < std::min(y.size(), worst.size()); ++v) {
            size[v] = std::max(size[v], std::abs(y[v]));
            const double d = std::abs(of.values[v][i] - y[v]);
            if (!(d <= worst[v].value)) worst[v] = {0.0, d, of.time[i], {}};
        }
    }
    Difference largest;
    for (std::size_t v = 0; v < worst.size(); ++v) {
        if (of.variables[v].kind == output::VariableKind::discrete || (any && !differential(v))) continue;
        worst[v].tolerances = worst[v].value / (rtol * size[v] + atol);
        worst[v].variable = of.variables[v].name;
        if (!(worst[v].tolerances <= largest.tolerances)) largest = worst[v];
    }
    return largest;
}

void note(Severity severity, std::string text, std::string hint, Record& record) {
    Diagnostic d = make_error("regularisation-error", std::move(text), std::move(hint));
    d.severity = severity;
    record.report.diagnostics.push_back(std::move(d));
}

void refuse(const std::string& text, Record& record) {
    record.outcome = Outcome::failed;
    record.message = text;
    record.report.outcome.kind = output::OutcomeKind::failed;
    record.report.outcome.reason = text;
    note(Severity::error, text,
         "--epsilon E gives it (smaller: nearer to the equations, as far as round-off allows), and then this error is "
         "stated only; --reduce dummy has none",
         record);
}

} // namespace

void judge_regularisation(const SolveOptions& options, double rtol, double atol, const Repeat& repeat, Record& record) {
    if (!complete(record)) return;
    const char* const untold = "how far the regularised solution is from that of the equations is not known";
    if (!options.checkpoint.empty() || !options.resume.empty())
        return note(Severity::warning, fmt::format("{}: runs with checkpoints are not repeated", untold),
                    "compare with --reduce dummy", record);
    deliver_points(record);
    if (!complete(record) || record.trajectory.time.empty()) return;
    SolveOptions other = options;
    other.reduction = Reduction::automatic;
    other.method = "auto";
    other.fixed_step = 0.0;
    other.dense = true;
    other.epsilon = other.epsilon_mu = std::nullopt;
    const auto exact = repeat(other);
    if (!exact || !complete(*exact) || !exact->dense || exact->dense->empty()) {
        const std::string text = fmt::format("{}: these do not solve with their constraints kept", untold);
        return options.epsilon ? note(Severity::warning, text, "", record) : refuse(text, record);
    }
    if (!options.atol) atol = std::max(atol, rtol); // as regularised runs have it (solve_model.cpp)
    const Difference d = largest_difference(record, *exact->dense, rtol, atol);
    // Errors of steps add up to tens of tolerances in either run: below that nothing is told apart.
    constexpr double unseen = 30.0;
    // The same as for residuals (recorder.cpp): what is far beyond all that errors of steps explain.
    constexpr double far = 1e3;
    if (!(d.tolerances > unseen)) return;
    const std::string text =
        fmt::format("the regularised solution is off by up to {:.2g} ({} at t = {:.6g}), {:.2g} times "
                    "the tolerance: that is what epsilon does",
                    d.value, d.variable, d.t, d.tolerances);
    if (!options.epsilon && !(d.tolerances <= far)) return refuse(text, record);
    note(Severity::warning, text, "a smaller --epsilon, or --reduce dummy, which has no such error", record);
}

} // namespace daedalus::simulation
