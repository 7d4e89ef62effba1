#include "simulation/run.hpp"

#include "base/diagnostic.hpp"
#include "base/expected.hpp"
#include "compile/structural_modes.hpp"
#include "daedalus/version.hpp"
#include "integrate/integration.hpp"
#include "integrate/methods/automatic.hpp"
#include "integrate/methods/registry.hpp"
#include "simulation/checkpoint_file.hpp"
#include "simulation/departure_watch.hpp"
#include "simulation/granted_errors.hpp"
#include "simulation/growth_watch.hpp"
#include "simulation/integration_settings.hpp"
#include "simulation/recorder.hpp"
#include "simulation/run_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <optional>
#include <random>
#include <unordered_map>

namespace daedalus::simulation {

namespace {

std::string variables_text(const problem::ImplicitProblem& p, const std::vector<integrate::Contribution>& list) {
    std::string text;
    for (std::size_t k = 0; k < list.size() && k < 4; ++k)
        text += fmt::format("{}{}", text.empty() ? "" : ", ", p.names().variable(list[k].index));
    return text;
}

Diagnostic end_diagnostic(const problem::ImplicitProblem& p, const integrate::FailureReport& f) {
    const std::string unknowns = variables_text(p, f.null_unknowns);
    Diagnostic d = make_error("solution-ends",
                              fmt::format("the solution ends at t = {:.10g}: {} {} no longer determined{} (dF/d({}) is "
                                          "singular)",
                                          f.t, unknowns, f.null_unknowns.size() == 1 ? "is" : "are",
                                          f.null_rows.empty() ? "" : " by the equations below", unknowns));
    for (std::size_t k = 0; k < f.null_rows.size() && k < 3; ++k) {
        const int row = f.null_rows[k].index;
        d.notes.push_back({Severity::note, "", p.names().equation(row), p.names().equation_location(row), "", {}});
    }
    return d;
}

Diagnostic failure_diagnostic(const problem::ImplicitProblem& p, const integrate::FailureReport& f) {
    if (f.reason == integrate::FailureReason::singular_point) return end_diagnostic(p, f);
    if (f.reason == integrate::FailureReason::assertion) {
        Diagnostic violated =
            make_error("assertion-failed", fmt::format("an assertion fails at t = {:.10g}: {}", f.t, f.cause));
        violated.where = f.where;
        return violated;
    }
    Diagnostic d = make_error("integration-failed", fmt::format("the integration stopped at t = {:.10g} ({}): {}", f.t,
                                                                integrate::to_string(f.reason), f.cause));
    if (!f.null_unknowns.empty() && f.near_singular && f.reason != integrate::FailureReason::not_finite)
        d.notes.push_back({Severity::note,
                           "",
                           fmt::format("not determined there: {}", variables_text(p, f.null_unknowns)),
                           {},
                           "",
                           {}});
    if (!f.error_variables.empty())
        d.notes.push_back({Severity::note,
                           "",
                           fmt::format("the error is largest in: {}", variables_text(p, f.error_variables)),
                           {},
                           "",
                           {}});
    for (std::size_t k = 0; k < f.residual_rows.size() && k < 3; ++k) {
        const int row = f.residual_rows[k].index;
        d.notes.push_back(
            {Severity::note, "", "resists: " + p.names().equation(row), p.names().equation_location(row), "", {}});
    }
    switch (f.reason) {
    case integrate::FailureReason::too_many_steps:
        d.hint = "loosen the tolerances, leave the method to the program (--method auto), or raise --max-steps";
        break;
    case integrate::FailureReason::error_test:
    case integrate::FailureReason::newton:
        d.hint = "a discontinuity, a wrong scale (give nominal values) or too tight a tolerance can cause this";
        break;
    case integrate::FailureReason::escape:
        d.hint = "if the solution should exist longer, look for a wrong sign or a missing limit in the equations below";
        break;
    case integrate::FailureReason::pole:
        d.hint = "a division by something that vanishes; --stop-when ends a run before it";
        break;
    case integrate::FailureReason::not_finite:
        if (f.domain)
            d.hint = "if the model is meant to go on, say what holds beyond: if … then … else …; else min and max help";
        break;
    case integrate::FailureReason::chattering:
        d.hint = "let what switches vary continuously near the border (a steep slope in place of the jump), give the "
                 "condition a hysteresis, or write the sliding motion as a branch of its own";
        break;
    case integrate::FailureReason::accumulation:
        d.hint =
            "infinitely many events in finite time, as of a ball that bounces lower and lower, come to an end that "
            "no event reaches: say in the model what holds from there on (below a small speed or height a branch "
            "in which it rests, held by a discrete variable), or end the run before with --stop-when";
        break;
    case integrate::FailureReason::bound: d.hint = "correct the bound or the model, or give --no-bounds"; break;
    case integrate::FailureReason::no_state_choice: d.hint = "the index of the model changes at this point"; break;
    default: break;
    }
    return d;
}

// The system Jacobian where the run stopped, in the model's words, in place of the rows and unknowns of the
// formulation.
void explain_singular(const Job& job, const integrate::IntegrationResult& result, Diagnostic& d) {
    using integrate::FailureReason;
    const FailureReason reason = result.failure.reason;
    for (const FailureReason other :
         {FailureReason::too_many_steps, FailureReason::chattering, FailureReason::accumulation, FailureReason::bound,
          FailureReason::escape, FailureReason::pole, FailureReason::assertion, FailureReason::inconsistent_start,
          FailureReason::inconsistent_event})
        if (reason == other) return;
    if (!job.explain_stop || result.failure.domain) return;
    Diagnostics singular = job.explain_stop(result.t, result.x, result.dx);
    if (singular.empty()) return;
    if (reason == FailureReason::singular_point) d.notes.clear();
    if (d.hint.empty() || reason == FailureReason::not_finite || reason == FailureReason::error_test ||
        reason == FailureReason::newton)
        d.hint = "the solution ends there, or the index of the model changes";
    d.notes.insert(d.notes.begin(), singular.begin(), singular.end());
}

// Ends that say nothing about the model's own limits (domains, bounds, events): a constraint that structure does not
// show looks like this too.
bool may_hide_a_constraint(const integrate::FailureReport& f) {
    using integrate::FailureReason;
    for (const FailureReason reason : {FailureReason::newton, FailureReason::error_test, FailureReason::singular_point,
                                       FailureReason::singular_matrix, FailureReason::no_state_choice,
                                       FailureReason::pole, FailureReason::escape, FailureReason::not_finite})
        if (f.reason == reason) return !f.domain;
    return false;
}

struct Seconds {
    double wall, cpu;
    static Seconds now() {
        timespec cpu_time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu_time);
        const auto wall_time = std::chrono::steady_clock::now().time_since_epoch();
        return {std::chrono::duration<double>(wall_time).count(),
                static_cast<double>(cpu_time.tv_sec) + 1e-9 * static_cast<double>(cpu_time.tv_nsec)};
    }
};

void add_statistics(const integrate::IntegrationResult& result, Seconds time, output::ReportData& report) {
    const integrate::Counters& c = result.statistics.counters;
    const auto add = [&](const char* name, long value) {
        report.statistics.push_back({name, std::int64_t{value}, "", ""});
    };
    add("steps", c.steps);
    add("rejected_by_error", c.error_rejections);
    add("rejected_by_newton", c.newton_rejections);
    add("rejected_by_domain", c.domain_rejections);
    add("residual_evaluations", c.residuals);
    add("jacobian_evaluations", c.jacobians);
    add("factorizations", c.factorizations);
    add("linear_solves", c.solves);
    if (!result.statistics.linear_solver.empty()) // which, and why
        report.statistics.push_back({"linear_solver", result.statistics.linear_solver, "", ""});
    add("newton_iterations", c.newton_iterations);
    add("restarts", c.restarts);
    add("events", c.events);
    add("state_switches", static_cast<long>(result.statistics.state_switches.size()));
    report.statistics.push_back({"smallest_step", result.statistics.smallest_step, "", ""});
    report.statistics.push_back({"largest_step", result.statistics.largest_step, "", ""});
    report.statistics.push_back({"highest_order", std::int64_t{result.statistics.highest_order}, "", ""});
    report.statistics.push_back({"wall_seconds", time.wall, "s", "integration and output points"});
    report.statistics.push_back({"cpu_seconds", time.cpu, "s", "the same, without waiting for other programs"});
}

void add_options(const Job& job, const SolveOptions& options, const integrate::MethodChoice& choice,
                 output::ReportData& report) {
    report.options.push_back({"method", choice.method->name, "", choice.reason});
    report.options.push_back({"rtol", job.rtol, "", ""});
    report.options.push_back({"atol", job.atol, "", "times the nominal value of each variable"});
    report.options.push_back({"certify",
                              std::string(options.certify == Certify::none    ? "none"
                                          : options.certify == Certify::steps ? "steps"
                                                                              : "all"),
                              "", "what was checked against the equations"});
    report.options.push_back({"points", std::int64_t{options.points}, "", ""});
    report.versions.push_back({"daedalus", std::string(version), "", ""});
    report.versions.push_back({"compiler", std::string(__VERSION__), "", ""});
}

void record_switches(const problem::ImplicitProblem& p, const integrate::Statistics& s,
                     output::Trajectory& trajectory) {
    for (const integrate::StateSwitch& change : s.state_switches) {
        output::StateSwitch record;
        record.t = change.t;
        for (const int i : change.left) record.before.push_back(p.names().variable(i));
        for (const int i : change.entered) record.after.push_back(p.names().variable(i));
        record.reason = "the equations for the other unknowns became ill-conditioned";
        trajectory.state_switches.push_back(std::move(record));
    }
}

// No success for a result that violates its own equations.
void certify(const Job& job, const integrate::IntegrationResult& result, const Recorder& recorder,
             const std::vector<output::VariableInfo>& outputs, Record& impl) {
    const problem::ImplicitProblem& p = *job.problem;
    for (const output::ResidualSeries& series : impl.trajectory.residuals)
        for (const double r : {series.max_at_steps, series.max_at_midpoints})
            if (!(r <= impl.largest_residual)) impl.largest_residual = r;
    impl.residual_in_tolerances = recorder.largest_in_tolerances();
    const bool complete = impl.outcome == Outcome::success || impl.outcome == Outcome::terminated;
    if (complete) warn_of_conditions(p, result.statistics, impl);
    if (complete) warn_of_impulses(recorder, outputs, impl);
    warn_of_singular_points(p, result.statistics, impl);
    if (!complete) return;
    if (std::optional<Diagnostic> undefined = without_values(impl, recorder.end_row())) {
        impl.outcome = Outcome::failed;
        impl.message = undefined->message;
        impl.report.diagnostics.push_back(std::move(*undefined));
    }
    if (impl.trajectory.residuals.empty()) return;
    warn_of_noise(p, result.statistics, impl);
    // Methods for mechanisms have multipliers from accelerations, which no error test sees.
    const integrate::Method* method = integrate::find_method(impl.report.method);
    if (method == nullptr || method->can.mechanics == integrate::MechanicalLevel::none)
        warn_of_granted_errors(p, result.t - job.t0, result.statistics, impl);
    ResidualScale size = recorder.scale();
    size.measure(result.t, result.x.data(), result.dx.data(), result.statistics.largest_step);
    warn_of_drift(p, size, impl);
    if (!recorder.violation() && !recorder.written_violation()) return;
    impl.outcome = Outcome::failed;
    Diagnostic d;
    if (recorder.violation()) {
        const Violation& v = *recorder.violation();
        d = make_error(
            "not-certified",
            fmt::format("the residual of {} reached {:.3g} at t = {:.6g}: the result does not satisfy its own equation",
                        (v.hidden ? *p.hidden_constraints().legend : p.names()).equation(v.row), v.residual, v.t));
    } else {
        d = not_certified(p, *recorder.written_violation());
    }
    impl.message = d.message;
    impl.report.diagnostics.push_back(d);
    impl.misled = std::move(d);
}

/// Which outputs are recorded, by their places; none: all.
Expected<std::optional<std::vector<int>>> places_of(const std::vector<std::string>& wanted,
                                                    const std::vector<output::VariableInfo>& outputs,
                                                    const std::vector<int>& unseen) {
    if (wanted.empty() && unseen.empty()) return std::optional<std::vector<int>>();
    if (wanted.empty()) {
        std::vector<int> seen;
        for (int v = 0; v < static_cast<int>(outputs.size()); ++v)
            if (std::find(unseen.begin(), unseen.end(), v) == unseen.end()) seen.push_back(v);
        return std::optional(std::move(seen));
    }
    std::unordered_map<std::string_view, int> place;
    for (std::size_t v = 0; v < outputs.size(); ++v) place.emplace(outputs[v].name, static_cast<int>(v));
    std::vector<int> list;
    for (const std::string& name : wanted) {
        const auto found = place.find(name);
        if (found != place.end()) {
            list.push_back(found->second);
            continue;
        }
        std::vector<std::string> names;
        names.reserve(outputs.size());
        for (const output::VariableInfo& v : outputs) names.push_back(v.name);
        const auto close = closest(name, names);
        return fail(make_error("unknown-variable", fmt::format("the model has no variable '{}' to record", name),
                               close ? fmt::format("did you mean '{}'?", *close) : std::string()));
    }
    return std::optional(std::move(list));
}

/// Shows a run to the recorder and ends it where the job's watch finds that it must not go on.
class Watched final : public integrate::Observer {
public:
    Watched(Recorder& recorder, const Job& job, const integrate::IntegrationOptions& settings)
        : recorder_(recorder), watch_(job.watch), departures_(*job.problem, settings.tolerance),
          growth_(*job.problem, settings.tolerance, settings.linear_solver, job.t1) {}
    void begin(double t, std::span<const double> x, std::span<const double> dx) override { recorder_.begin(t, x, dx); }
    integrate::Action event(const integrate::EventPoint& point) override { return recorder_.event(point); }
    void end(double t, std::span<const double> x, std::span<const double> dx) override { recorder_.end(t, x, dx); }
    integrate::Action step(const integrate::AcceptedStep& step) override {
        if (recorder_.step(step) == integrate::Action::stop) return integrate::Action::stop;
        doubtful_ = step.interpolant.doubtful();
        departures_.step(step);
        growth_.step(step);
        if (watch_) found_ = watch_(step);
        return found_ ? integrate::Action::stop : integrate::Action::proceed;
    }
    [[nodiscard]] const std::optional<Diagnostic>& found() const { return found_; }
    [[nodiscard]] const DepartureWatch& departures() const { return departures_; }
    [[nodiscard]] const GrowthWatch& growth() const { return growth_; }
    [[nodiscard]] const integrate::DoubtfulPoint& doubtful() const { return doubtful_; }

private:
    Recorder& recorder_;
    const std::function<std::optional<Diagnostic>(const integrate::AcceptedStep&)>& watch_;
    DepartureWatch departures_;
    GrowthWatch growth_;
    integrate::DoubtfulPoint doubtful_;
    std::optional<Diagnostic> found_;
};

/// What became of errors; of those that round-off leaves in each step, too.
void note_growth(const GrowthWatch& watch, const problem::ImplicitProblem& p, const integrate::Statistics& statistics,
                 Record& record) {
    const Growth& worst = watch.worst();
    if (worst.unknown < 0) return;
    record.growth = GrownErrors{p.names().variable(worst.unknown), worst.error, worst.factor, worst.t};
    for (const integrate::NoiseFloor& floor : statistics.noise)
        record.growth->noise = std::max(record.growth->noise, watch.in_tolerances(floor.unknown, floor.level));
    const auto add = [&](const char* name, double value, const char* unit, const char* note) {
        record.report.statistics.push_back({name, value, unit, note});
    };
    add("estimated_error", worst.error, "tolerances", "of the solution, by errors of steps and what becomes of them");
    add("errors_multiplied_by", worst.factor, "", "");
}

/// The equations stop to determine what they did: nothing that was computed beyond is handed out as a result.
void end_misled(const Diagnostic& found, double t, Record& record) {
    record.outcome = Outcome::failed;
    record.misled = found;
    record.hidden = true;
    record.message = fmt::format("from t = {:.6g} on the equations hide a constraint that their structure does not "
                                 "show: the run cannot go on",
                                 t);
    Diagnostic d = make_error("hidden-constraint", record.message,
                              "write the hidden constraint as an equation of its own, or give --reduce "
                              "derivative-array; --reduce none integrates the equations as written");
    d.where = found.where;
    d.notes.push_back({Severity::note, "", found.message, found.where, "", {}});
    d.notes.insert(d.notes.end(), found.notes.begin(), found.notes.end());
    record.report.diagnostics.push_back(std::move(d));
    record.report.outcome.kind = output::OutcomeKind::failed;
}

// Every variable is a known function of time: there is no step to make, only points to evaluate.
integrate::IntegrationResult nothing_to_integrate(const Job& job, Recorder& recorder) {
    recorder.known_solution();
    integrate::IntegrationResult result;
    result.outcome = integrate::Outcome::finished;
    result.t = job.t1;
    result.statistics.smallest_step = 0.0;
    return result;
}

} // namespace

Expected<Job> make_job(const SolveOptions& options, const Defaults& defaults) {
    Job job;
    job.t0 = options.from.value_or(defaults.start_time.value_or(0.0));
    if (!options.until && !defaults.stop_time)
        return fail(make_error("no-end-time", "no end time is given",
                               "add --until T, or annotation(experiment(StopTime = T)) to the model"));
    job.t1 = options.until.value_or(defaults.stop_time.value_or(0.0));
    job.rtol = options.rtol.value_or(defaults.tolerance.value_or(1e-6));
    // Small against rtol, so that a variable that decays by a few powers of ten is still meant (concentrations that
    // must not become negative); not below what round-off leaves of variables of size 1.
    job.atol = options.atol.value_or(std::min(job.rtol, std::max(1e-3 * job.rtol, 1e-12)));
    if (!std::isfinite(job.t0) || !std::isfinite(job.t1))
        return fail(
            make_error("bad-interval", fmt::format("the interval from {} to {} is not finite", job.t0, job.t1)));
    if (!(job.rtol >= 0) || !(job.atol >= 0) || job.rtol + job.atol == 0 || !std::isfinite(job.rtol + job.atol))
        return fail(make_error("bad-tolerance",
                               fmt::format("tolerances rtol = {}, atol = {} cannot be used", job.rtol, job.atol),
                               "they must not be negative, and one of them must be positive"));
    constexpr double finest = 1e-14; // about 50 units in the last place: below, rounding decides
    if (job.rtol > 0 && job.rtol < finest)
        return fail(make_error("bad-tolerance",
                               fmt::format("rtol = {} is below what double precision can deliver", job.rtol),
                               fmt::format("the smallest useful value is about {}", finest)));
    if (!(options.fixed_step >= 0.0) || !std::isfinite(options.fixed_step))
        return fail(make_error("bad-step", fmt::format("a constant step of {} cannot be used", options.fixed_step),
                               "it must be positive and finite"));
    if (options.points < 0)
        return fail(make_error("bad-points", fmt::format("{} output points cannot be made", options.points)));
    return job;
}

Diagnostics run(Job job, const SolveOptions& options, Record& record) {
    auto settings = integration_options(job, options);
    if (!settings) return std::move(settings.error());
    settings->continuation = job.continuation;
    auto choice = choose_method(options.method, job, *settings);
    if (!choice) return std::move(choice.error());
    const integrate::Reconsider reconsider =
        is_automatic(options.method) ? integrate::reconsider_at_restarts(*job.problem, *settings, *choice->method)
                                     : integrate::Reconsider{};
    record.report.method = choice->method->name;
    add_options(job, options, *choice, record.report);
    auto kept = places_of(options.variables, record.trajectory.variables, job.unseen);
    if (!kept) return std::move(kept.error());
    const std::vector<output::VariableInfo> outputs = // all of them: warnings may name others than those recorded
        *kept || !job.differentiated.empty() ? record.trajectory.variables : std::vector<output::VariableInfo>();
    if (*kept) {
        record.trajectory.variables.clear();
        for (const int v : **kept) record.trajectory.variables.push_back(outputs[static_cast<std::size_t>(v)]);
    }
    record.trajectory.values.resize(record.trajectory.variables.size());

    constexpr std::size_t most_numbers = std::size_t{1} << 25U; // 256 MB; a larger solution is not kept whole
    const auto dense =
        options.dense ? std::make_shared<DenseSolution>(*job.problem, *settings, most_numbers, *kept) : nullptr;
    if (dense) dense->follow(job.earlier);
    record.dense = dense;
    const bool goes_through = options.checkpoint.empty() && options.resume.empty(); // from start to end, as one run
    Recorder recorder(*job.problem,
                      {job.output_from.value_or(job.t0), job.t1, options.points, true, job.rtol, job.atol, job.at_event,
                       options.certify, dense, job.points_may_wait && goes_through, job.differentiated, *kept,
                       goes_through, options.fixed_step != 0.0},
                      record.trajectory);
    CheckpointFile checkpoints(options,
                               checkpoint_identity(job, options, choice->method->name, record.report.model.name));
    if (auto trouble = checkpoints.open(job, recorder, *settings)) return {*std::move(trouble)};
    if (const integrate::Method* resumed = integrate::find_method(checkpoints.method())) choice->method = resumed;
    const Seconds begin = Seconds::now();
    Watched watched(recorder, job, *settings);
    const integrate::IntegrationResult result =
        job.problem->size() == 0 ? nothing_to_integrate(job, recorder)
                                 : integrate::integrate(*job.problem, *choice->method, job.t0, job.t1, job.x0, job.dx0,
                                                        *settings, watched, reconsider);
    const Seconds end = Seconds::now();
    if (auto trouble = checkpoints.close()) record.report.diagnostics.push_back(*std::move(trouble));
    const bool goes_on =
        (result.outcome == integrate::Outcome::terminated && result.message == compile::structure_changes) ||
        (watched.found() && watched.found()->code == go_on_from_here);
    goes_on ? recorder.hand_over() : recorder.finish();
    record.pending = recorder.pending();
    record.end = {result.t, result.x, result.dx, goes_on};
    record.integrand_failed = result.integrand_failed;

    record.report.outcome = {output::OutcomeKind::success, "", job.t0, result.t, job.t1};
    switch (result.outcome) {
    case integrate::Outcome::finished: record.outcome = Outcome::success; break;
    case integrate::Outcome::terminated:
        record.outcome = Outcome::terminated;
        record.message = fmt::format("ended at t = {:.10g}: {}", result.t,
                                     result.message.empty() ? "the model terminates" : result.message);
        record.report.outcome.kind = output::OutcomeKind::stopped_early;
        break;
    case integrate::Outcome::stopped: // by an event of the caller's
        if (goes_on) {
            record.outcome = Outcome::terminated;
            record.report.outcome.kind = output::OutcomeKind::stopped_early;
            break;
        }
        if (watched.found()) {
            end_misled(*watched.found(), result.t, record);
            break;
        }
        record.outcome = Outcome::terminated;
        record.message = fmt::format("ended at t = {:.10g}: {}", result.t, *job.stopped_by);
        record.report.outcome.kind = output::OutcomeKind::stopped_early;
        break;
    case integrate::Outcome::interrupted:
        record.outcome = Outcome::interrupted;
        record.message = fmt::format("interrupted at t = {:.10g}; what was computed until then is kept", result.t);
        if (!options.checkpoint.empty())
            record.message += std::filesystem::exists(options.checkpoint)
                                  ? fmt::format("; --resume {} goes on", options.checkpoint)
                                  : fmt::format("; no checkpoint was reached yet: there is one every {} steps",
                                                std::max(options.checkpoint_every, 2000L));
        record.report.outcome.kind = output::OutcomeKind::stopped_early;
        break;
    case integrate::Outcome::failed: {
        const bool ends = result.failure.reason == integrate::FailureReason::singular_point;
        record.outcome = ends ? Outcome::ended : Outcome::failed;
        Diagnostic d = failure_diagnostic(*job.problem, result.failure);
        explain_singular(job, result, d);
        blame_small_starts(job, settings->tolerance, result.failure.reason, d);
        record.traces_failed = may_have_lost_traces(job, options, settings->tolerance, result.failure.reason);
        if (may_hide_a_constraint(result.failure)) record.misled = d;
        record.message = d.message;
        record.report.diagnostics.push_back(std::move(d));
        record.report.outcome.kind = ends ? output::OutcomeKind::stopped_early : output::OutcomeKind::failed;
    }
    }
    record_switches(*job.problem, result.statistics, record.trajectory);
    for (const integrate::MethodChange& change : result.method_changes)
        record.report.options.push_back(
            {"method_changed", change.name, "", fmt::format("from t = {:.6g} on: {}", change.t, change.reason)});
    if (result.stiff && result.method_changes.empty()) {
        Diagnostic warning =
            make_error("stiff",
                       fmt::format("the problem is stiff: stability and not accuracy limited the steps of {}",
                                   choice->method->name),
                       "an implicit method takes fewer steps: `--method radau`, or leave the choice to `auto`");
        warning.severity = Severity::warning;
        record.report.diagnostics.push_back(std::move(warning));
    }
    if (options.certify == Certify::none) {
        record.trajectory.residuals.clear();
        Diagnostic warning = make_error("not-checked", "the result was not checked against its equations",
                                        "without --certify none it is");
        warning.severity = Severity::warning;
        record.report.diagnostics.push_back(std::move(warning));
    }
    certify(job, result, recorder, outputs, record);
    for (const integrate::DoubtfulPoint& point : {watched.doubtful(), recorder.doubtful()})
        judge_doubtful_point(*job.problem, point, job.rtol, record);
    warn_of_shorter_steps(options.fixed_step, result.statistics, record);
    if (const auto left = watched.departures().found(result.x); left && options.fixed_step == 0.0)
        record.departure = DepartedVariable{job.problem->names().variable(left->unknown), left->rest, left->leave};
    if (options.fixed_step == 0.0) note_growth(watched.growth(), *job.problem, result.statistics, record);
    if (record.outcome == Outcome::success || record.outcome == Outcome::terminated)
        warn_of_small_starts(job, settings->tolerance, record);
    if (record.outcome == Outcome::failed) record.report.outcome.kind = output::OutcomeKind::failed;
    record.report.outcome.reason = record.message;
    record.trajectory.residual_tolerance = job.rtol + job.atol;
    record.trajectory.residuals_explained = !recorder.violation();
    if (options.certify != Certify::none) {
        record.report.statistics.push_back({"certified_steps", std::int64_t{recorder.checked_at_steps()}, "", ""});
        record.report.statistics.push_back({"certified_between", std::int64_t{recorder.checked_between()}, "",
                                            "points inside of steps that were checked against the equations"});
    }
    add_statistics(result, {end.wall - begin.wall, end.cpu - begin.cpu}, record.report);
    return {};
}

} // namespace daedalus::simulation
