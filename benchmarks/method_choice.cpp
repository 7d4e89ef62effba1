// The choice of method against all fixed ones: on every problem of the test set and the wider one, at 1e-4, 1e-6 and
// 1e-8, processor time and straight-line cost of the run's work (floor.hpp) of `auto`, divided by those of the fixed
// method that needs the least. A run counts if the error at the end is at most ten tolerances, as in the tests.
//
// Usage: benchmark_method_choice [PROBLEM] [--rounds N]; with a problem all methods are listed. Also with `heatN`, the
// heat equation on an N × N grid. With `--count METHOD` the work of that method on every problem is counted, for
// comparisons of versions; no clock takes part. `--tolerance T` takes the place of the three tolerances.
#include "compile/compile.hpp"
#include "daedalus/model.hpp"
#include "facade/access.hpp"
#include "floor.hpp"
#include "generated_models.hpp"
#include "integrate/consistent_start.hpp"
#include "integrate/integration.hpp"
#include "integrate/methods/automatic.hpp"
#include "integrate/methods/registry.hpp"
#include "measure.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

namespace {

using namespace daedalus;
using namespace daedalus::benchmarks;
using nlohmann::json;

struct Task {
    std::string name;
    std::shared_ptr<const model::Model> model;
    double t0 = 0.0, t1 = 0.0;
    json end;           ///< values of variables
    json nominal;       ///< of those that have one
    double known = 0.0; ///< relative accuracy of the values
};

struct Run {
    std::string method;
    double seconds = INFINITY, work = INFINITY, error = INFINITY;
    long steps = 0;
    integrate::Counters counters;
    std::string changes;
    [[nodiscard]] bool counts() const { return std::isfinite(seconds) && error <= 10.0; }
};

class Bench {
public:
    explicit Bench(Task task) : task_(std::move(task)) {
        auto compiled = compile::compile(task_.model, {.inline_definitions = true});
        if (!compiled) return;
        compiled_ = *std::move(compiled);
        auto start = integrate::consistent_start(compiled_.initial);
        if (!start) return;
        x0_ = start->x(compiled_.initial);
        dx0_ = start->dx(compiled_.initial);
        start->hold_constants(compiled_.initial, compiled_.problem);
        links_ = compiled_.problem.links();
        environment_ = compiled_.problem.environment();
        usable_ = !x0_.empty();
    }
    [[nodiscard]] bool usable() const { return usable_; }
    [[nodiscard]] bool takes(const integrate::Method& method) const {
        const int highest_order = integrate::MethodOptions{}.max_order;
        return std::all_of(
            compiled_.problem.unknowns().begin(), compiled_.problem.unknowns().end(),
            [&](const problem::UnknownInfo& info) { return info.index <= method.highest_index(highest_order); });
    }

    /// Runs once more; the shortest time stays. Gives up after `limit` seconds.
    void run(Run& run, double tolerance, double limit) {
        problem::ImplicitProblem& p = compiled_.problem;
        if (p.links() != links_) p.set_links(links_);
        p.environment() = environment_; // clauses may have changed it
        integrate::IntegrationOptions o;
        o.tolerance.relative = tolerance;
        o.tolerance.absolute = 1e-3 * tolerance; // the default of `solve`
        std::atomic<bool> late{false};
        const double begin = cpu_seconds();
        long accepted = 0;
        o.progress = [&](double, double) {
            if (++accepted % 16 == 0 && cpu_seconds() - begin > limit) late = true;
        };
        o.interrupt = &late;
        integrate::Observer nobody;
        integrate::IntegrationResult result;
        if (run.method == "auto") {
            const integrate::Journey journey{task_.t0, task_.t1, x0_, dx0_};
            const integrate::MethodChoice choice = integrate::choose_method(p, o, &journey);
            result = integrate::integrate(p, *choice.method, task_.t0, task_.t1, x0_, dx0_, o, nobody,
                                          integrate::reconsider_at_restarts(p, o, *choice.method));
            run.changes = choice.method->name;
            for (const auto& change : result.method_changes) run.changes += "→" + change.name;
        } else {
            result =
                integrate::integrate(p, *integrate::find_method(run.method), task_.t0, task_.t1, x0_, dx0_, o, nobody);
        }
        const double seconds = cpu_seconds() - begin;
        const bool ended = result.finished() || result.outcome == integrate::Outcome::terminated;
        if (!ended) return;
        run.seconds = std::min(run.seconds, seconds);
        if (std::isfinite(run.work)) return;
        run.error = error_of(result) / tolerance;
        const integrate::Counters& c = result.statistics.counters;
        run.steps = c.steps;
        run.counters = c;
        if (costs_.residual == 0.0)
            costs_ = unit_costs(p, result.t, result.x, result.dx, std::abs(task_.t1 - task_.t0) / double(c.steps + 1));
        run.work = floor_of({c.steps, c.residuals, c.jacobians, c.factorizations, c.solves, c.complex_factorizations,
                             c.complex_solves},
                            costs_)
                       .total();
    }

private:
    [[nodiscard]] double error_of(const integrate::IntegrationResult& result) const {
        const problem::ImplicitProblem& p = compiled_.problem;
        std::vector<double> y(static_cast<std::size_t>(p.output_count()));
        static_cast<void>(p.outputs(result.t, result.x.data(), result.dx.data(), y.data()));
        for (std::size_t k = 0; k < result.integrals.size(); ++k)
            y[static_cast<std::size_t>(p.quadratures().output[k])] = result.integrals[k];
        double worst = 0.0;
        for (std::size_t v = 0; v < y.size(); ++v) {
            const std::string& name = compiled_.output_name(v);
            if (!task_.end.contains(name)) continue;
            const double reference = task_.end.at(name), scale = task_.nominal.value(name, 1.0);
            const double error = std::abs(y[v] - reference) / (scale + std::abs(reference)) - task_.known;
            if (!(error <= worst)) worst = error;
        }
        return worst;
    }

    Task task_;
    compile::CompiledModel compiled_;
    std::vector<double> x0_, dx0_;
    problem::Environment environment_; ///< of the start
    std::vector<problem::Link> links_;
    UnitCosts costs_;
    bool usable_ = false;
};

std::vector<Task> tasks(const std::string& only) {
    std::vector<Task> list;
    const std::string folder = DAEDALUS_SOURCE_DIR "/tests/problems/";
    for (const std::string where : {"", "wider/"}) {
        const json references = json::parse(std::ifstream(folder + where + "refs.json"));
        for (const auto& [name, r] : references.items()) {
            if (!only.empty() && only != name) continue;
            auto loaded = Model::from_file(folder + where + name + ".mo");
            if (!loaded) continue;
            Task task{name,
                      loaded->impl().model,
                      r.value("t0", 0.0),
                      r.at("t1"),
                      {},
                      r.value("nominal", json::object()),
                      r.contains("digits_trusted") ? std::pow(10.0, -r["digits_trusted"].get<double>()) : 0.0};
            for (const auto& [variable, value] : r.at("variables").items()) {
                const json& significant = r.at("significant");
                if (!where.empty() || std::find(significant.begin(), significant.end(), variable) != significant.end())
                    task.end[variable] = value;
            }
            list.push_back(std::move(task));
        }
    }
    if (only.rfind("heat", 0) == 0) {
        const int points = std::atoi(only.c_str() + 4);
        auto loaded = Model::from_string(heat_square(points));
        Task task{only, loaded->impl().model, 0.0, 0.1, {}, json::object(), 0.0};
        for (int k = 1; k < 4; ++k)
            task.end[fmt::format("u_{0}_{0}", k * points / 4)] =
                heat_square_at(points, k * points / 4, k * points / 4, task.t1);
        list.push_back(std::move(task));
    }
    return list;
}

struct Tally {
    int cells = 0, beyond = 0, wrong = 0;
    double logarithms = 0.0, worst = 0.0;
};

void compare(Bench& bench, const std::string& name, double tolerance, int rounds, bool details, Tally& tally) {
    std::vector<Run> runs(1);
    runs[0].method = "auto";
    bench.run(runs[0], tolerance, 100.0);
    // What takes longer than auto needs not be known.
    const double limit = std::isfinite(runs[0].seconds) ? 1.2 * runs[0].seconds + 1e-4 : 10.0;
    for (const integrate::Method& method : integrate::methods())
        if (bench.takes(method)) {
            runs.emplace_back().method = method.name;
            bench.run(runs.back(), tolerance, limit);
        }
    const auto cheapest = [&](double Run::*what) {
        const Run* best = nullptr;
        for (std::size_t k = 1; k < runs.size(); ++k)
            if (runs[k].counts() && (best == nullptr || runs[k].*what < best->*what)) best = &runs[k];
        return best;
    };
    // Those near the best and auto in turn; short runs more often.
    constexpr double at_least = 0.01; // seconds of auto
    constexpr double brief = 1e-3;    // runs that others before them slow down, by what these leave in the caches
    const int turns = std::max(rounds, static_cast<int>(std::min(40.0, at_least / runs[0].seconds)));
    for (int round = 1; round < turns; ++round) {
        const Run* best = cheapest(&Run::seconds);
        const double near = best == nullptr ? 0.0 : 1.5 * best->seconds;
        for (Run& run : runs)
            if (run.method == "auto" || (run.counts() && run.seconds <= near))
                for (int again = 0; again < (run.seconds < brief ? 2 : 1); ++again) bench.run(run, tolerance, 100.0);
    }
    const Run& own = runs[0];
    const Run* fastest = cheapest(&Run::seconds);
    const Run* least = cheapest(&Run::work);
    ++tally.cells;
    if (fastest == nullptr || !std::isfinite(own.seconds)) {
        fmt::print("{:<17}{:>7.0e}  auto {}, nothing to compare with\n", name, tolerance,
                   std::isfinite(own.seconds) ? "finished" : "failed");
        ++tally.wrong;
        return;
    }
    const double ratio = own.seconds / fastest->seconds, work = own.work / least->work;
    tally.logarithms += std::log(ratio);
    tally.worst = std::max(tally.worst, ratio);
    tally.wrong += !own.counts();
    tally.beyond += ratio > 1.5;
    fmt::print("{:<17}{:>7.0e} {:>7.2g}{:>7}{:>11.1f}  {:<9}{:>11.1f}{:>7.2f}{}  {:<9}{:>6.2f}   {}\n", name, tolerance,
               own.error, own.steps, 1e6 * own.seconds, fastest->method, 1e6 * fastest->seconds, ratio,
               ratio > 1.5 ? '*' : ' ', least->method, work, own.changes);
    if (!details) return;
    for (const Run& run : runs)
        fmt::print("    {:<10}{:>9.2g} tolerances{:>7} steps{:>11.1f} µs, work {:>9.1f} µs\n", run.method, run.error,
                   run.steps, 1e6 * run.seconds, 1e6 * run.work);
}

void count(Bench& bench, const std::string& name, double tolerance, const std::string& method) {
    Run run;
    run.method = method;
    bench.run(run, tolerance, 100.0);
    const integrate::Counters& c = run.counters;
    fmt::print("{:<19}{:>7.0e} {:>9.2g}{:>7} steps{:>5} refused{:>8} residuals{:>7} Jacobians{:>7} + {:>6} factors"
               "{:>8} + {:>7} solves\n",
               name, tolerance, run.error, c.steps, c.error_rejections + c.newton_rejections + c.domain_rejections,
               c.residuals, c.jacobians, c.factorizations - c.complex_factorizations, c.complex_factorizations,
               c.solves - c.complex_solves, c.complex_solves);
}

} // namespace

int main(int argc, char** argv) {
    std::string only, counted;
    std::vector<double> tolerances{1e-4, 1e-6, 1e-8};
    int rounds = 5;
    for (int i = 1; i < argc; ++i)
        if (!std::strcmp(argv[i], "--rounds") && i + 1 < argc)
            rounds = std::atoi(argv[++i]);
        else if (!std::strcmp(argv[i], "--count") && i + 1 < argc)
            counted = argv[++i];
        else if (!std::strcmp(argv[i], "--tolerance") && i + 1 < argc)
            tolerances = {std::atof(argv[++i])};
        else
            only = argv[i];
    if (counted.empty())
        fmt::print("{:<17}{:>7}{:>8}{:>7}{:>11}  {:<9}{:>11}{:>7}   {:<9}{:>6}   {}\n", "problem", "rtol", "error",
                   "steps", "auto µs", "fastest", "µs", "ratio", "least", "work", "auto is");
    Tally tally;
    for (Task& task : tasks(only)) {
        const std::string name = task.name;
        Bench bench(std::move(task));
        if (!bench.usable()) {
            fmt::print("{:<17} has no start\n", name);
            continue;
        }
        for (const double tolerance : tolerances)
            if (!counted.empty())
                count(bench, name, tolerance, counted);
            else
                compare(bench, name, tolerance, rounds, !only.empty(), tally);
        std::fflush(stdout);
    }
    if (!counted.empty()) return 0;
    fmt::print(
        "{} cells: {} beyond 1.5 (largest {:.2f}, geometric mean {:.2f}), {} less accurate than ten tolerances\n",
        tally.cells, tally.beyond, tally.worst, std::exp(tally.logarithms / std::max(1, tally.cells)), tally.wrong);
    return 0;
}
