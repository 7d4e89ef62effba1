#include "simulation/departure_runs.hpp"

#include "base/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daedalus::simulation {

namespace {

long steps_of(const Record& record) { return static_cast<long>(record.trajectory.steps.size()); }

std::string story(const DepartedVariable& d) {
    return fmt::format(
        "'{}' had come to rest, to within its tolerance, at t = {:.6g} and left from there: at t = {:.6g} "
        "an error that the tolerance allowed has grown to the size of the variable",
        d.variable, d.rest, d.leave);
}

void warn(const char* code, std::string text, const char* hint, Record& record) {
    Diagnostic warning = make_error(code, std::move(text), hint);
    warning.severity = Severity::warning;
    record.report.diagnostics.push_back(std::move(warning));
}

/// Nothing that two repetitions and more agree on.
void refuse(const DepartedVariable& d, double finest, Record& record) {
    record.outcome = Outcome::failed;
    record.message = fmt::format("{}; runs with tolerances smaller by a factor of up to {:.0e} go elsewhere, each "
                                 "somewhere else: the result is not determined by its tolerance",
                                 story(d), 1.0 / finest);
    record.report.diagnostics.push_back(make_error(
        "departure", record.message,
        "bounds (the attributes min and max) keep variables off the side that they must not reach; else smaller "
        "tolerances, above all absolute ones (--atol, or --atol-of for this variable)"));
    record.report.outcome.kind = output::OutcomeKind::failed;
    record.report.outcome.reason = record.message;
}

} // namespace

bool complete(const Record& record) {
    return record.outcome == Outcome::success || record.outcome == Outcome::terminated;
}

SolveOptions tighter(const SolveOptions& options, double rtol, double atol, double factor) {
    SolveOptions other = options;
    const auto relative = [&](double given) { return std::max(factor * given, std::min(given, finest_tolerance)); };
    other.rtol = relative(rtol);
    other.atol = factor * atol;
    for (auto& [name, value] : other.rtol_each) value = relative(value);
    for (auto& [name, value] : other.atol_each) value *= factor;
    return other;
}

double part_company(const output::Trajectory& one, const output::Trajectory& other) {
    constexpr double far = 0.1;
    double worst = 0.0;
    const std::size_t variables = std::min(one.values.size(), other.values.size());
    for (std::size_t v = 0; v < variables; ++v) {
        if (one.variables[v].kind == output::VariableKind::discrete) continue;
        const std::vector<double>&a = one.values[v], &b = other.values[v];
        if (a.empty() || b.empty()) continue;
        double size = 0.0;
        for (const double value : b) size = std::max(size, std::abs(value));
        if (size == 0.0) continue;
        worst =
            std::max(worst, std::abs(a.back() - b.back()) > far * size ? std::abs(a.back() - b.back()) / size : 0.0);
        bool before = false; // the point before was far
        for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
            if (one.time[i] != other.time[k]) { // points that only one of them has, such as those of events
                const bool behind =
                    std::abs(one.time[i] - one.time.front()) < std::abs(other.time[k] - one.time.front());
                behind ? ++i : ++k;
                continue;
            }
            const double difference = std::abs(a[i++] - b[k++]) / size;
            if (difference > far && before) worst = std::max(worst, difference);
            before = difference > far;
        }
    }
    return worst;
}

void warn_of_departure(const std::string& why_not, Record& record) {
    if (!record.departure || !complete(record)) return;
    warn("departure", fmt::format("{}, and {}: it may be no part of the solution", story(*record.departure), why_not),
         "compare with a run of a smaller tolerance", record);
}

void confirm_departure(const SolveOptions& options, double rtol, double atol, const Repeat& repeat, Record& record) {
    if (!record.departure || !complete(record)) return;
    if (!options.checkpoint.empty() || !options.resume.empty())
        return warn_of_departure("runs with checkpoints are not repeated", record);
    const DepartedVariable departed = *record.departure;
    deliver_points(record);
    if (!complete(record)) return;
    constexpr int levels = 4;
    constexpr double step = 1e-2; // an order p takes 100^(1/p) times the steps, 2.5 at order 5
    Record coarse = record;
    double factor = 1.0, apart = 0.0;
    for (int level = 1; level <= levels; ++level) {
        factor *= step;
        SolveOptions other = tighter(options, rtol, atol, factor);
        // Methods of order 1 and 2 may take thousands of times the steps: such an answer is not waited for.
        other.max_steps = std::min(options.max_steps, 1000 + 50 * std::max(steps_of(coarse), 1L));
        std::optional<Record> finer = repeat(other);
        if (!finer || !complete(*finer)) {
            if (apart > 1.0) break;
            return warn_of_departure("a run with a smaller tolerance, which would tell, does not succeed", record);
        }
        deliver_points(*finer);
        const double difference = part_company(coarse.trajectory, finer->trajectory);
        if (difference == 0.0) {
            if (level == 1) return; // both are the solution
            warn(
                "departure",
                fmt::format("{}; runs with smaller tolerances do not go there. This is the one with tolerances smaller "
                            "by a factor of {:.0e}, which the next one confirms",
                            story(departed), step / factor),
                "give the smaller tolerance (rtol and atol), or bounds (min and max), to spare the other runs", coarse);
            record = std::move(coarse);
            return;
        }
        apart = difference;
        coarse = *std::move(finer);
    }
    // As far apart as the solution is large, to both sides: that is what two courses of one motion can be.
    constexpr double bounded = 2.5;
    if (part_company(record.trajectory, coarse.trajectory) > bounded || apart > bounded)
        return refuse(departed, factor, record);
    warn("departure",
         fmt::format("{}; runs with smaller tolerances go other ways, and do not agree with each other: single values "
                     "behind that time are not determined by the tolerance",
                     story(departed)),
         "what varies with the tolerance has a meaning on average only", record);
}

} // namespace daedalus::simulation
