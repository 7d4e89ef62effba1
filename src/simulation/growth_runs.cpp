#include "simulation/growth_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daedalus::simulation {

namespace {

// A result is meant to be within ten tolerances (docs/experiments/attack.md). Sums of local errors reach that in long
// runs without any growth; there more accuracy is asked for by a smaller tolerance, not by the equations.
constexpr double far = 10.0, multiplied = 10.0;
constexpr double as_large_as_the_solution = 0.1;

bool grown(const Record& record) {
    return record.growth && complete(record) && record.growth->error > far && record.growth->factor > multiplied;
}

std::string story(const GrownErrors& g) {
    return fmt::format("the equations multiply errors, by {:.0e} at least until t = {:.6g}, most of all in '{}'",
                       g.factor, g.t, g.variable);
}

std::string off_by(double difference, double rtol) {
    return difference * rtol > as_large_as_the_solution
               ? std::string("by as much as the variables are large")
               : fmt::format("by about {:.2g} times the tolerance", difference);
}

void warn(std::string text, const char* hint, Record& record) {
    Diagnostic warning = make_error("growing-errors", std::move(text), hint);
    warning.severity = Severity::warning;
    record.report.diagnostics.push_back(std::move(warning));
}

/// Of one column at two output points in succession, or at the end.
double largest_difference(const output::Trajectory& one, const output::Trajectory& other, std::size_t column) {
    const std::vector<double>&a = one.values[column], &b = other.values[column];
    if (a.empty() || b.empty()) return 0.0;
    double largest = std::abs(a.back() - b.back()), before = 0.0;
    for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
        if (one.time[i] != other.time[k]) { // points that only one of them has, such as those of events
            const double begin = one.time.front();
            std::abs(one.time[i] - begin) < std::abs(other.time[k] - begin) ? ++i : ++k;
            continue;
        }
        const double now = std::abs(a[i++] - b[k++]);
        largest = std::max(largest, std::min(now, before));
        before = now;
    }
    return largest;
}

} // namespace

double apart(const output::Trajectory& one, const output::Trajectory& other, double rtol, double atol) {
    double worst = 0.0;
    for (std::size_t v = 0; v < std::min(one.values.size(), other.values.size()); ++v) {
        const output::VariableKind kind = one.variables[v].kind;
        if (kind != output::VariableKind::differential && kind != output::VariableKind::algebraic) continue;
        double size = 0.0;
        for (const double value : other.values[v]) size = std::max(size, std::abs(value));
        const double tolerance = rtol * size + atol, difference = largest_difference(one, other, v);
        if (difference > 0.0) worst = std::max(worst, tolerance > 0.0 ? difference / tolerance : HUGE_VAL);
    }
    return worst;
}

void confirm_growth(const SolveOptions& options, double rtol, double atol, const Repeat& repeat, Record& record) {
    if (!grown(record)) return;
    const GrownErrors g = *record.growth;
    if (!options.checkpoint.empty() || !options.resume.empty())
        return warn(fmt::format("{}, and runs with checkpoints are not repeated: the result may be off {}", story(g),
                                off_by(g.error, rtol)),
                    "compare with a run of a smaller tolerance", record);
    // Who names a formulation asks what becomes of it at this tolerance (HW Fig. 2.2), not for another one.
    if (options.reduction != Reduction::automatic)
        return warn(fmt::format("{}: the result may be off {}", story(g), off_by(g.error, rtol)),
                    "compare with a run of a smaller tolerance; where no formulation is named, that is done by itself",
                    record);
    deliver_points(record);
    if (!complete(record)) return;
    constexpr double step = 1e-2; // as for departures
    Record coarse = record;
    double first = 0.0, difference = 0.0, factor = 1.0;
    for (double next = step; next * rtol >= finest_tolerance * step; next *= step) {
        next = std::max(next, finest_tolerance / rtol);
        if (next >= factor) break;
        SolveOptions other = tighter(options, rtol, atol, next);
        const auto steps = static_cast<long>(coarse.trajectory.steps.size());
        other.max_steps = std::min(options.max_steps, 1000 + 50 * std::max(steps, 1L));
        std::optional<Record> finer = repeat(other);
        if (!finer || !complete(*finer)) break;
        deliver_points(*finer);
        const double before = difference;
        difference = apart(coarse.trajectory, finer->trajectory, rtol, atol);
        if (first == 0.0) first = difference;
        constexpr double follows = 0.3; // a hundredth of the tolerance, and not even a third of the difference: chaos
        if (before > 0.0 && difference > std::max(far, follows * before)) break;
        if (difference <= far) {
            if (factor == 1.0) return; // nothing has grown that counts
            break;
        }
        // Errors follow tolerances: where the finer run has as many digits more as it was asked for, it is the result.
        // Runs that differ by as much as the solution is large say nothing: they cannot differ by more.
        coarse = *std::move(finer);
        const double left = difference * next / factor;
        factor = next;
        const bool follows_it = difference * rtol <= as_large_as_the_solution;
        difference = follows_it && left <= far ? 0.0 : difference;
        if (difference == 0.0) break;
    }
    if (difference > far || factor == 1.0)
        return warn(fmt::format("{}: the result may be off {}", story(g),
                                off_by(factor == 1.0 ? g.error : std::max(first, difference), rtol)),
                    factor == 1.0 ? "compare with a run of a smaller tolerance"
                                  : "runs with smaller tolerances do not agree with each other: what varies with the "
                                    "tolerance has a meaning on average only",
                    record);
    warn(fmt::format("{}: a run with the tolerance as given is off {}; this one has tolerances smaller by a factor of "
                     "{:.0e}",
                     story(g), off_by(first, rtol), 1.0 / factor),
         "give the smaller tolerance (rtol and atol) to spare the other runs", coarse);
    record = std::move(coarse);
}

} // namespace daedalus::simulation
