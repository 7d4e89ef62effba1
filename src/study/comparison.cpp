#include "study/comparison.hpp"

#include "base/diagnostic.hpp"
#include "compile/compile.hpp"
#include "integrate/methods/registry.hpp"
#include "simulation/files_of_run.hpp"
#include "simulation/parallel.hpp"
#include "simulation/solve_model.hpp"
#include "study/motion_measures.hpp"
#include "study/tight_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <ctime>
#include <mutex>

namespace daedalus::study {

namespace {

constexpr double default_tolerances[] = {1e-3, 1e-5, 1e-7, 1e-9};
constexpr std::size_t looks = 200;       // steps of a run that are looked at
constexpr double worth_repeating = 0.02; // seconds: shorter runs are measured again, since clocks and caches vary
constexpr int repetitions = 3;
constexpr double long_enough = 1.0; // seconds: what fails after that fails with smaller tolerances too
// Solutions that differ by more say nothing about each other's digits.
constexpr double agreement = 1e-4;
// An error is known where the reference is a tenth of it.
constexpr double margin = 10.0;

struct Pair {
    Reduction reduction = Reduction::automatic;
    std::string method;
    std::vector<CompareRun> runs;
    std::string refused;
};

/// What is compared where nobody says.
struct Defaults {
    std::string kind;
    std::vector<Reduction> reductions;
    std::vector<std::string> methods;
};

Defaults defaults_for(const MotionMeasures& measures, int index) {
    using enum Reduction;
    if (measures.is_mechanism() && measures.constraints() > 0) {
        Defaults d{fmt::format("a mechanism with {} constraint{} on velocities, of index {} as written",
                               measures.constraints(), measures.constraints() == 1 ? "" : "s", index),
                   {automatic, dummy, projection, project_velocity, underlying_ode, baumgarte, ggl, index2,
                    overdetermined, tangent},
                   {"auto", "dop853", "dopri5", "radau", "bdf", "phem56", "mexx"}};
        if (measures.hamiltonian()) d.methods.insert(d.methods.end(), {"rattle", "rattle4"});
        return d;
    }
    if (index <= 1 && measures.is_mechanism())
        return {"a mechanism without constraints",
                {automatic},
                {"auto", "dop853", "dopri5", "radau", "bdf", "phem56", "mexx"}};
    if (index <= 1)
        return {fmt::format("a system of index {}", index),
                {automatic},
                {"auto", "radau", "bdf", "rodas4", "rodas5", "esdirk4", "limex", "dop853", "dopri5"}};
    return {fmt::format("a system of index {}", index),
            {automatic, none, dummy, projection, underlying_ode, ggl, baumgarte, derivative_array},
            {"auto", "radau", "bdf", "rodas5", "dop853"}};
}

/// By default `auto` leaves the choice to the program, which is one combination, not many; and methods that work with
/// the parts of the equations of motion do the same in most formulations: they get their own, and projection.
bool worth_a_run(Reduction reduction, const std::string& method) {
    const integrate::Method* known = integrate::find_method(method);
    if (known != nullptr && known->can.mechanics != integrate::MechanicalLevel::none)
        return reduction == Reduction::automatic ||
               (reduction == Reduction::projection && known->can.mechanics == integrate::MechanicalLevel::velocity);
    return (reduction == Reduction::automatic) == (method == "auto");
}

std::vector<Pair> pairs_of(const std::vector<Reduction>& reductions, const std::vector<std::string>& methods,
                           bool by_default) {
    std::vector<Pair> pairs;
    for (const Reduction reduction : reductions)
        for (const std::string& method : methods)
            if (!by_default || reductions.size() == 1 || worth_a_run(reduction, method))
                pairs.push_back({reduction, method, {}, {}});
    return pairs;
}

std::optional<Diagnostic> check(const CompareOptions& options) {
    std::vector<std::string> known{"auto"};
    for (const integrate::Method& m : integrate::methods()) known.push_back(m.name);
    for (const std::string& name : options.methods) {
        if (name == "auto" || integrate::find_method(name) != nullptr) continue;
        const auto close = closest(name, known);
        return make_error("unknown-method", fmt::format("there is no method '{}'", name),
                          close ? fmt::format("did you mean '{}'?", *close) : "`list methods` names them");
    }
    for (const double tolerance : options.tolerances)
        if (!(tolerance >= 1e-13) || !(tolerance < 1.0))
            return make_error("bad-tolerance", fmt::format("a tolerance of {} cannot be compared", tolerance),
                              "they are relative: between 1e-13 and 1");
    if (options.accuracy && !(*options.accuracy > 0.0 && *options.accuracy < 1.0))
        return make_error("bad-accuracy", fmt::format("an accuracy of {} cannot be asked for", *options.accuracy),
                          "it is relative: between 0 and 1");
    if (options.solve.fixed_step != 0.0)
        return make_error("compare-steps", "constant steps are chosen by the comparison itself",
                          "leave --fixed-step out");
    return std::nullopt;
}

double thread_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Ends a run when the user wants that, or when it takes too long.
class Watchdog {
public:
    Watchdog(const std::atomic<bool>* user, double limit) : user_(user), limit_(limit), begin_(thread_seconds()) {}
    void attach(SolveOptions& o) {
        o.interrupt = &stop_;
        o.progress = [this](double, double) {
            constexpr unsigned rarely = 16; // steps: asking the clock costs as much as a small step
            if (user_ != nullptr && user_->load(std::memory_order_relaxed)) stop_ = true;
            if (++steps_ % rarely == 0 && thread_seconds() - begin_ > limit_) stop_ = too_long_ = true;
        };
    }
    [[nodiscard]] bool too_long() const { return too_long_; }

private:
    const std::atomic<bool>* user_;
    double limit_, begin_;
    unsigned steps_ = 0;
    std::atomic<bool> stop_ = false;
    bool too_long_ = false;
};

class Grid {
public:
    Grid(const simulation::Compilations& compilations, const CompareOptions& options, const TightReference& reference,
         MotionMeasures& measures, std::vector<double> tolerances)
        : compilations_(compilations), options_(options), reference_(reference), measures_(measures),
          tolerances_(std::move(tolerances)) {}

    [[nodiscard]] std::size_t runs_per_pair() const { return tolerances_.size(); }

    /// All tolerances of a pair, the largest first: what is refused once need not be asked again.
    void run(Pair& pair, const std::function<void(std::size_t)>& done) {
        bool hopeless = false;
        for (std::size_t k = 0; k < tolerances_.size(); ++k) {
            CompareRun run = empty_run(pair, k);
            if (options_.solve.interrupt != nullptr && options_.solve.interrupt->load()) {
                run.outcome = Outcome::interrupted;
                run.message = "interrupted before it began";
            } else if (hopeless) {
                run.message = "left out, since the run before it failed after a long time";
            } else {
                solve(pair, run, k == 0);
                hopeless = !run.success() && run.seconds > long_enough;
                if (!pair.refused.empty()) return done(tolerances_.size() - k);
            }
            pair.runs.push_back(std::move(run));
            done(1);
        }
    }

    [[nodiscard]] SolveOptions options_of(const Pair& pair, std::size_t k) const {
        SolveOptions o = options_.solve;
        const CompareRun run = empty_run(pair, k);
        o.reduction = pair.reduction;
        o.method = pair.method;
        o.rtol = tolerances_[k];
        o.fixed_step = run.step;
        o.points = 0;
        o.dense = false;
        if (o.certify == Certify::all) o.certify = Certify::steps; // nothing between steps is kept
        o.variables = {};
        o.checkpoint = o.resume = {};
        return o;
    }

private:
    [[nodiscard]] CompareRun empty_run(const Pair& pair, std::size_t k) const {
        CompareRun run;
        run.reduction = pair.reduction;
        run.method = pair.method;
        run.tolerance = tolerances_[k];
        const integrate::Method* method = integrate::find_method(pair.method);
        if (method == nullptr || !method->can.constant_steps_only) return run;
        // From the steps of the reference on, each a fourth of the one before: with order 2 a digit and a half.
        run.tolerance = 0.0;
        run.step = reference_.mean_step * std::pow(0.25, static_cast<double>(k));
        return run;
    }

    void solve(Pair& pair, CompareRun& run, bool first) {
        const std::size_t k = pair.runs.size();
        for (int repetition = 0; repetition < repetitions; ++repetition) {
            SolveOptions o = options_of(pair, k);
            Watchdog watchdog(options_.solve.interrupt, options_.seconds_per_run);
            watchdog.attach(o);
            auto record = simulation::solve_model(compilations_, o, simulation::Detail::numbers);
            if (!record) {
                (first ? pair.refused : run.message) = record.error().front().message;
                return;
            }
            if (repetition == 0) judge(*record, run);
            const double seconds = number(*record, "cpu_seconds");
            run.seconds = repetition == 0 ? seconds : std::min(run.seconds, seconds);
            if (watchdog.too_long()) {
                run.outcome = Outcome::failed;
                run.message = fmt::format("stopped at t = {:.4g} after {:g} seconds", record->report.outcome.t_reached,
                                          options_.seconds_per_run);
            }
            if (run.seconds > worth_repeating || !run.success()) return;
        }
    }

    static double number(const simulation::Record& record, std::string_view name) {
        for (const output::Fact& fact : record.report.statistics) {
            if (fact.name != name) continue;
            if (const auto* value = std::get_if<double>(&fact.value)) return *value;
            if (const auto* value = std::get_if<std::int64_t>(&fact.value)) return static_cast<double>(*value);
        }
        return CompareRun::none;
    }

    void judge(const simulation::Record& record, CompareRun& run) {
        run.outcome = record.outcome;
        run.message = record.message;
        run.used = record.report.method;
        const output::Trajectory& of = record.trajectory;
        run.steps = static_cast<std::int64_t>(of.steps.size());
        run.evaluations = static_cast<std::int64_t>(number(record, "residual_evaluations"));
        run.factorizations = static_cast<std::int64_t>(number(record, "factorizations"));
        const std::size_t n = of.points(), stride = std::max<std::size_t>(1, (n + looks - 1) / looks);
        std::vector<double> y(of.values.size()), exact;
        const auto worst = [](double& of_all, double value) {
            if (std::isnan(of_all) || !(value <= of_all)) of_all = value;
        };
        for (std::size_t k = 0; k < n; k = k + 1 == n ? n : std::min(k + stride, n - 1)) {
            if (!reference_.solution->covers(of.time[k])) continue;
            for (std::size_t i = 0; i < y.size(); ++i) y[i] = of.values[i][k];
            reference_.solution->evaluate(of.time[k], exact);
            const double error = reference_.distance(y, exact);
            const std::lock_guard lock(measuring_);
            const MotionMeasures::Reading reading = measures_.read(of.time[k], y, exact);
            worst(run.error, error);
            if (!std::isnan(reading.position)) worst(run.position_drift, reading.position);
            if (!std::isnan(reading.velocity)) worst(run.velocity_drift, reading.velocity);
            if (!std::isnan(reading.energy)) worst(run.energy_error, std::abs(reading.energy));
            run.history.time.push_back(of.time[k]);
            run.history.error.push_back(error);
            run.history.position.push_back(reading.position);
            run.history.velocity.push_back(reading.velocity);
            run.history.energy.push_back(reading.energy);
        }
        for (const std::size_t k : reference_.variables)
            run.finals.push_back(of.values[k].empty() ? CompareRun::none : of.values[k].back());
        if (measures_.is_mechanism()) return;
        for (const output::ResidualSeries& series : of.residuals)
            if (series.differentiations > 0) worst(run.velocity_drift, series.max_at_steps);
    }

    const simulation::Compilations& compilations_;
    const CompareOptions& options_;
    const TightReference& reference_;
    MotionMeasures& measures_;
    std::vector<double> tolerances_;
    std::mutex measuring_;
};

/// Two ways that share as little as possible: an implicit one on the reduced equations, an explicit one that projects.
std::vector<ReferenceWay> ways_for(const MotionMeasures& measures) {
    using enum Reduction;
    if (measures.constraints() > 0)
        return {{dummy, "radau"}, {projection, "dop853"}, {ggl, "radau"}, {dummy, "bdf"}, {automatic, "auto"}};
    return {{automatic, "radau"}, {automatic, "dop853"}, {automatic, "rodas6"},
            {automatic, "bdf"},   {none, "radau"},       {automatic, "auto"}};
}

void learn_sizes(const TightReference& reference, MotionMeasures& measures) {
    constexpr int places = 20;
    std::vector<double> y;
    for (int k = 0; k <= places; ++k) {
        const double t = reference.from + (reference.until - reference.from) * k / places;
        reference.solution->evaluate(t, y);
        measures.learn(t, y, reference.scale);
    }
}

/// Compilations are made one after another, so that no result depends on which thread comes first.
void compile_all(const simulation::Compilations& compilations, const Grid& grid, std::vector<Pair>& pairs) {
    for (Pair& pair : pairs)
        if (const Diagnostics errors = simulation::compile_for(compilations, grid.options_of(pair, 0)); !errors.empty())
            pair.refused = errors.front().message;
}

} // namespace

Expected<CompareResult> run_comparison(const simulation::Compilations& compilations, const CompareOptions& options,
                                       EnergyFunction energy) {
    if (auto trouble = check(options)) return fail(*std::move(trouble));
    auto extended = compilations.extended(options.solve);
    if (!extended) return Unexpected{std::move(extended.error())};
    const simulation::Compilations& all = **extended;
    std::vector<double> tolerances = options.tolerances;
    if (tolerances.empty()) tolerances.assign(std::begin(default_tolerances), std::end(default_tolerances));
    std::sort(tolerances.begin(), tolerances.end(), std::greater<>());
    tolerances.erase(std::unique(tolerances.begin(), tolerances.end()), tolerances.end());

    MotionMeasures measures(all, options.solve, std::move(energy));
    constexpr double finest = 1e-13, more = 1e-2; // of the smallest tolerance
    const double tight = std::max(finest, more * tolerances.back());
    auto reference = tight_reference(all, options.solve, tight, ways_for(measures), agreement);
    if (!reference) return Unexpected{std::move(reference.error())};
    learn_sizes(*reference, measures);

    const Defaults defaults = defaults_for(measures, reference->index);
    CompareResult result;
    result.model = all.model()->name;
    result.kind = defaults.kind;
    result.from = reference->from;
    result.until = reference->until;
    result.reference = reference->text;
    result.reference_error = reference->error;
    result.energy = measures.energy();
    result.accuracy = options.accuracy.value_or(options.solve.rtol.value_or(1e-6));
    if (result.accuracy < margin * reference->error) {
        result.accuracy = margin * reference->error;
        result.reference += fmt::format("; accuracies below {:.1e} cannot be told apart", result.accuracy);
    }
    for (const std::size_t k : reference->variables) result.variables.push_back(all.model()->variables[k].name);
    for (output::NamedFile& file : simulation::files_of_run(all.model().get(), options.solve))
        result.files.push_back({std::move(file.what), std::move(file.path)});

    Grid grid(all, options, *reference, measures, tolerances);
    std::vector<Pair> pairs = pairs_of(options.reductions.empty() ? defaults.reductions : options.reductions,
                                       options.methods.empty() ? defaults.methods : options.methods,
                                       options.reductions.empty() && options.methods.empty());
    compile_all(all, grid, pairs);
    std::mutex reporting;
    std::size_t done = 0;
    const std::size_t count = pairs.size() * grid.runs_per_pair();
    simulation::for_each_index(pairs.size(), options.threads, [&](std::size_t i) {
        const auto tell = [&](std::size_t more_done) {
            const std::lock_guard lock(reporting);
            done += more_done;
            if (options.progress) options.progress(done, count);
        };
        if (pairs[i].refused.empty())
            grid.run(pairs[i], tell);
        else
            tell(grid.runs_per_pair());
    });
    for (Pair& pair : pairs) {
        if (!pair.refused.empty()) result.refused.push_back({pair.reduction, pair.method, pair.refused});
        for (CompareRun& run : pair.runs) {
            result.interrupted = result.interrupted || run.outcome == Outcome::interrupted;
            result.runs.push_back(std::move(run));
        }
    }
    rank_by_cost(result);
    return result;
}

} // namespace daedalus::study
