#include "simulation/run_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daedalus::simulation {

namespace {

/// Start values that the absolute tolerance, so many times, does not tell from zero.
struct SmallStarts {
    std::vector<Diagnostic> notes;
    bool all = true; ///< there are no larger ones
};
double absolute_tolerance(const Job& job, const integrate::Tolerance& tolerance, std::size_t k) {
    return tolerance.absolute_each.empty() ? tolerance.absolute * std::abs(job.problem->unknowns()[k].nominal)
                                           : tolerance.absolute_each[k];
}
SmallStarts small_starts(const Job& job, const integrate::Tolerance& tolerance, double times) {
    constexpr double rounding = 1e-14; // of the nominal value: zeros that were computed
    constexpr std::size_t shown = 5;
    const problem::ImplicitProblem& p = *job.problem;
    SmallStarts small;
    for (std::size_t k = 0; k < job.x0.size(); ++k) {
        const problem::UnknownInfo& info = p.unknowns()[k];
        const double absolute = absolute_tolerance(job, tolerance, k);
        const double start = std::abs(job.x0[k]);
        if (!info.differential || start <= rounding * std::abs(info.nominal)) continue;
        if (start > times * absolute)
            small.all = false;
        else if (small.notes.size() < shown)
            small.notes.push_back({Severity::note,
                                   "",
                                   fmt::format("{} starts at {:.3g}, its absolute tolerance is {:.3g}",
                                               p.names().variable(static_cast<int>(k)), job.x0[k], absolute),
                                   {},
                                   "",
                                   {}});
    }
    return small;
}
constexpr const char* resolve_small_values = "say how large such variables are (the attribute nominal), or give a "
                                             "smaller --atol, or --atol-of NAME=A";

constexpr double few = 1e3; // tolerances: three digits at most

/// Failures that errors of traces can cause.
bool of_traces(integrate::FailureReason reason) {
    using integrate::FailureReason;
    return reason == FailureReason::pole || reason == FailureReason::escape || reason == FailureReason::error_test;
}

} // namespace

// Constraints that hold through their derivatives only, where they no longer hold as well as was asked for.
void warn_of_drift(const problem::ImplicitProblem& p, const ResidualScale& size, Record& impl) {
    const auto rows = static_cast<std::size_t>(p.kernel_rows());
    const auto n = static_cast<std::size_t>(p.size());
    int drifted = 0;
    Diagnostic warning;
    for (int k = 0; k < p.hidden_constraints().drifting; ++k) {
        const auto i = static_cast<std::size_t>(k);
        const double r = impl.trajectory.residuals[rows + i].max_at_steps;
        if (r <= std::max(size[n + i], 1e-15) || drifted++ >= 4) continue;
        warning.notes.push_back(
            {Severity::note,
             "",
             fmt::format("{} is violated by up to {:.3g}", p.hidden_constraints().legend->equation(k), r),
             p.hidden_constraints().legend->equation_location(k),
             "",
             {}});
    }
    if (drifted == 0) return;
    warning.severity = Severity::warning;
    warning.code = "drift";
    warning.message = fmt::format("{} of {} constraints drifted by more than the tolerance", drifted,
                                  p.hidden_constraints().drifting);
    warning.hint = "--reduce projection and --reduce dummy keep them";
    impl.report.diagnostics.push_back(std::move(warning));
}

// Unknowns that the integrator could not hold to the tolerance because of round-off.
void warn_of_noise(const problem::ImplicitProblem& p, const integrate::Statistics& s, Record& impl) {
    if (s.noise.empty()) return;
    Diagnostic warning;
    warning.severity = Severity::warning;
    warning.code = "round-off";
    warning.message = "the tolerance is below what round-off allows for some variables";
    warning.hint = "a larger tolerance costs no accuracy here; --atol-of NAME=A sets it for one variable";
    constexpr std::size_t shown = 5;
    for (std::size_t k = 0; k < std::min(s.noise.size(), shown); ++k) {
        const integrate::NoiseFloor& floor = s.noise[k];
        warning.notes.push_back({Severity::note,
                                 "",
                                 fmt::format("{} is known to about {:.1g} only (from t = {:.6g} on)",
                                             p.names().variable(floor.unknown), floor.level, floor.t),
                                 {},
                                 "",
                                 {}});
    }
    impl.report.diagnostics.push_back(std::move(warning));
}

namespace {

Diagnostic magnified_rounding(const problem::ImplicitProblem& p, const integrate::DoubtfulPoint& point) {
    const problem::Legend& names = p.names();
    const std::string equation = point.row < 0 ? std::string("the equations magnify rounding")
                                               : fmt::format("the equations magnify rounding, most of all that of {}",
                                                             names.equation(point.row));
    Diagnostic d = make_error(
        "magnified-rounding",
        fmt::format("at t = {:.6g} {}: '{}' is determined there to about {:.2g} times the tolerance, by its equations "
                    "as by the points on both sides of it",
                    point.t, equation, names.variable(point.unknown), point.size),
        "equations that nearly lose rank at one time do that; a larger tolerance, or output points elsewhere, help");
    d.where = point.row < 0 ? std::nullopt : names.equation_location(point.row);
    if (!d.where) d.where = names.variable_location(point.unknown);
    return d;
}

Diagnostic magnified_errors(const problem::ImplicitProblem& p, const integrate::DoubtfulPoint& point) {
    Diagnostic d = make_error(
        "magnified-errors",
        fmt::format("at t = {:.6g}, between two steps, '{}' is known to about {:.2g} times the tolerance only: the "
                    "equations magnify what interpolation is off by",
                    point.t, p.names().variable(point.unknown), point.size),
        "a smaller tolerance, a limit to the size of steps (--max-step), or one output point for each step (--points "
        "0) help");
    d.where = p.names().variable_location(point.unknown);
    return d;
}

} // namespace

void judge_doubtful_point(const problem::ImplicitProblem& p, const integrate::DoubtfulPoint& point, double rtol,
                          Record& impl) {
    constexpr double said = 10.0; // tolerances: what a result may be off by
    constexpr double granted =
        1e-4; // of an unknown: what steps are granted because of round-off, at most (noise_floors)
    if (point.unknown < 0 || point.size <= said) return;
    const bool by_rounding = point.error == integrate::DoubtfulPoint::Error::rounding;
    const bool refused = by_rounding && point.size * rtol > granted;
    if (refused && impl.outcome != Outcome::success && impl.outcome != Outcome::terminated) return;
    Diagnostic d = by_rounding ? magnified_rounding(p, point) : magnified_errors(p, point);
    Diagnostics& list = impl.report.diagnostics;
    if (std::any_of(list.begin(), list.end(), [&](const Diagnostic& known) { return known.code == d.code; })) return;
    if (refused) {
        impl.outcome = Outcome::failed;
        impl.message = d.message;
    } else {
        d.severity = Severity::warning;
    }
    list.push_back(std::move(d));
}

void warn_of_small_starts(const Job& job, const integrate::Tolerance& tolerance, Record& impl) {
    SmallStarts small = small_starts(job, tolerance, 1.0);
    if (small.notes.empty() || !small.all) return; // traces beside larger ones may be meant to be nothing
    Diagnostic warning;
    warning.notes = std::move(small.notes);
    warning.severity = Severity::warning;
    warning.code = "start-below-tolerance";
    warning.message = "the absolute tolerance does not tell the start values from zero: what follows from them is not "
                      "controlled";
    warning.hint = resolve_small_values;
    impl.report.diagnostics.push_back(std::move(warning));
}

// The same where a run has failed for what errors of such variables can do.
void blame_small_starts(const Job& job, const integrate::Tolerance& tolerance, integrate::FailureReason reason,
                        Diagnostic& d) {
    if (!of_traces(reason)) return;
    const std::vector<Diagnostic> notes = small_starts(job, tolerance, few).notes;
    if (notes.empty()) return;
    d.notes.insert(d.notes.end(), notes.begin(), notes.end());
    d.hint = resolve_small_values;
}

bool may_have_lost_traces(const Job& job, const SolveOptions& options, const integrate::Tolerance& tolerance,
                          integrate::FailureReason reason) {
    const bool chosen = !options.atol && options.atol_each.empty();
    if (!chosen || !of_traces(reason) || !options.checkpoint.empty() || !options.resume.empty()) return false;
    for (std::size_t k = 0; k < job.x0.size(); ++k)
        if (job.problem->unknowns()[k].differential &&
            std::abs(job.x0[k]) <= few * absolute_tolerance(job, tolerance, k))
            return true;
    return false;
}

void warn_of_finer_tolerance(const Record& failed, double atol, Record& impl) {
    Diagnostic warning =
        make_error("absolute-tolerance-lowered",
                   fmt::format("variables are smaller than the usual absolute tolerance, with which the run failed at "
                               "t = {:.6g}; this one has {:.2g} in its place",
                               failed.report.outcome.t_reached, atol),
                   "say how large such variables are (the attribute nominal), or give --atol, to spare the first run");
    warning.severity = Severity::warning;
    impl.report.diagnostics.push_back(std::move(warning));
}

// Conditions whose events the run could not be sure of.
void warn_of_conditions(const problem::ImplicitProblem& p, const integrate::Statistics& s, Record& impl) {
    for (const integrate::DoubtfulCondition& doubt : s.doubtful_conditions) {
        Diagnostic warning;
        warning.severity = Severity::warning;
        const std::string condition = p.hybrid().legend->equation(doubt.root);
        if (doubt.reason == integrate::DoubtfulCondition::Reason::too_fast) {
            warning.code = "condition-too-fast";
            warning.message = fmt::format("the condition {} changes too fast to be followed: crossings between the "
                                          "steps may have been missed",
                                          condition);
            warning.hint = "--max-step H makes the run look more often";
        } else {
            warning.code = "condition-below-tolerance";
            warning.message =
                fmt::format("errors that the tolerance allows decide on the condition {}: when it changes, "
                            "and how often, is not certain",
                            condition);
            warning.hint = "--atol-of NAME=A sets a smaller absolute tolerance for a variable in it, the attribute "
                           "nominal its size";
        }
        impl.report.diagnostics.push_back(std::move(warning));
    }
}

// Points that no step reaches, and behind which the solution was found again.
void warn_of_shorter_steps(double fixed_step, const integrate::Statistics& s, Record& impl) {
    const long failures = s.counters.newton_rejections + s.counters.domain_rejections;
    if (fixed_step == 0.0 || failures == 0) return;
    Diagnostic warning;
    warning.severity = Severity::warning;
    warning.code = "steps-not-constant";
    warning.message = fmt::format(
        "the equations of {} of size {:.6g} could not be solved: steps behind are shorter, down "
        "to {:.3g}, and what constant steps promise does not hold",
        failures == 1 ? "a step" : fmt::format("{} steps", failures), std::abs(fixed_step), s.smallest_step);
    warning.hint = "give a smaller --fixed-step from the beginning";
    impl.report.diagnostics.push_back(std::move(warning));
}

void warn_of_singular_points(const problem::ImplicitProblem& p, const integrate::Statistics& s, Record& impl) {
    for (const integrate::SingularPoint& point : s.singular_points) {
        const std::string unknown = point.unknown >= 0 ? p.names().variable(point.unknown) : "their unknowns";
        Diagnostic warning;
        warning.severity = Severity::warning;
        if (point.stepped_over) {
            const std::string row = point.row >= 0 ? ": " + p.names().equation(point.row) : "";
            warning.code = "singular-point-stepped-over";
            warning.message = fmt::format("near t = {0:.6g} the equations stop to determine {1} for a moment{2}; the "
                                          "solution behind need not be the only one, nor belong to the one before",
                                          point.t, unknown, row);
            if (point.row >= 0) warning.where = p.names().equation_location(point.row);
            warning.hint =
                "--until ends the run before; written without what vanishes there, the equations may be regular";
            impl.report.diagnostics.push_back(std::move(warning));
            continue;
        }
        warning.code = "singular-point-passed";
        warning.message =
            fmt::format("the equations do not determine {0} at t = {1:.10g}, where its slope is infinite: "
                        "the run went on behind that point",
                        unknown, point.t);
        warning.hint =
            "a term that is linear in it, however small, would make the equations regular and the run faster";
        impl.report.diagnostics.push_back(std::move(warning));
    }
}

// Derivatives of what jumps, taken branch by branch.
void warn_of_impulses(const Recorder& recorder, const std::vector<output::VariableInfo>& outputs, Record& impl) {
    if (recorder.lost_impulses().empty()) return;
    Diagnostic warning;
    warning.severity = Severity::warning;
    warning.code = "impulse";
    warning.message =
        "a variable jumps whose derivative occurs in the equations: the impulse that this derivative is there "
        "has been left out";
    warning.hint = "a steep slope in place of the jump shows what the impulse does; reinit sets what it changes";
    constexpr std::size_t shown = 5;
    for (const LostImpulse& impulse : recorder.lost_impulses()) {
        if (warning.notes.size() == shown) break;
        const std::string& name = outputs[static_cast<std::size_t>(impulse.output)].name;
        warning.notes.push_back({Severity::note,
                                 "",
                                 fmt::format("{} jumps from {:.6g} to {:.6g} at t = {:.6g}", name, impulse.before,
                                             impulse.after, impulse.t),
                                 {},
                                 "",
                                 {}});
    }
    impl.report.diagnostics.push_back(std::move(warning));
}

} // namespace daedalus::simulation
