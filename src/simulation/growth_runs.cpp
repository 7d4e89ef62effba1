#include "simulation/growth_runs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace daedalus::simulation {

namespace {

// A result is meant to be within ten tolerances (docs/experiments/attack.md). Sums of local errors reach that in long
// runs without any growth; there more accuracy is asked for by a smaller tolerance, not by the equations.
constexpr double far = 10.0, multiplied = 100.0;
constexpr double aim = 1.0; // tolerances: the estimate knows the power of ten

bool grown(const Record& record) {
    return record.growth && complete(record) && record.growth->error > far && record.growth->factor > multiplied;
}

std::string story(const GrownErrors& g) {
    return fmt::format("errors were multiplied by {:.0e} until t = {:.6g}, most of all in '{}'", g.factor, g.t,
                       g.variable);
}

void warn(std::string text, const char* hint, Record& record) {
    Diagnostic warning = make_error("growing-errors", std::move(text), hint);
    warning.severity = Severity::warning;
    record.report.diagnostics.push_back(std::move(warning));
}

} // namespace

void confirm_growth(const SolveOptions& options, double rtol, double atol, const Repeat& repeat, Record& record) {
    if (!grown(record)) return;
    const GrownErrors g = *record.growth;
    const auto off_by = [&](double error) {
        return error * rtol > 0.1 ? std::string("by as much as the variables are large")
                                  : fmt::format("by about {:.2g} times the tolerance", error);
    };
    const double factor = std::max(aim / g.error, finest_tolerance / std::max(rtol, finest_tolerance));
    // Nothing is gained where even then errors are as large as the solution.
    const bool hopeless = g.error * factor * rtol > 0.1 || factor > 0.5;
    if (hopeless || !options.checkpoint.empty() || !options.resume.empty())
        return warn(fmt::format("{}: the result may be off {}", story(g), off_by(g.error)),
                    hopeless ? "no tolerance that double precision allows would determine it"
                             : "compare with a run of a smaller tolerance",
                    record);
    SolveOptions other = tighter(options, rtol, atol, factor);
    // As for departures: methods of low order may take thousands of times the steps.
    const auto steps = static_cast<long>(record.trajectory.steps.size());
    other.max_steps = std::min(options.max_steps, 1000 + 50 * std::max(steps, 1L));
    std::optional<Record> finer = repeat(other);
    if (!finer || !complete(*finer))
        return warn(fmt::format("{}: the result may be off {}, and a run with a smaller tolerance does not succeed",
                                story(g), off_by(g.error)),
                    "compare with a run of a tolerance between", record);
    // What round-off leaves in steps is multiplied as their errors are.
    const double left =
        finer->growth ? factor * std::max(finer->growth->error, finer->growth->noise * finer->growth->factor) : 0.0;
    if (left >= g.error)
        return warn(fmt::format("{}: the result may be off {}, and a run with tolerances smaller by a factor of {:.0e} "
                                "is no better",
                                story(g), off_by(g.error), 1.0 / factor),
                    "round-off alone grows as far: the values behind that time are not determined by double precision",
                    record);
    warn(fmt::format("{}: solved with tolerances smaller by a factor of {:.0e}{}", story(g), 1.0 / factor,
                     left > far ? fmt::format("; it may still be off {}", off_by(left)) : std::string()),
         "give the smaller tolerance (rtol and atol) to spare the first run", *finer);
    record = *std::move(finer);
}

} // namespace daedalus::simulation
