// Whole integrations as library calls, compiled once and run many times: how far the integrator is from the arithmetic
// it cannot avoid.
//
//     floor = evaluations × their cost + factorisations and solves × those of straight-line LU ,
// with the counts of the run itself and each cost measured alone, the smaller of start and end. "other" is what
// remains: stage algebra, norms, step control, output of the method, and solvers that are not straight-line (yet).
// Digits are those of positions or other differential variables of index 1 at the end, against a run with tolerance
// 1e-12.
//
// Usage: benchmark_solve [PROBLEM [METHOD [RTOL]]]; with all three the run is repeated without a table, for profilers.
#include "daedalus/solve.hpp"

#include "compile/compile.hpp"
#include "floor.hpp"
#include "integrate/consistent_start.hpp"
#include "integrate/integration.hpp"
#include "integrate/methods/registry.hpp"
#include "measure.hpp"
#include "modelica/read_modelica.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <string>

namespace {

using namespace daedalus;
using namespace daedalus::benchmarks;

constexpr const char* folder = DAEDALUS_SOURCE_DIR "/tests/problems/";

struct Problem {
    std::string name, file;
    double until;
    double scale = 0.0;                ///< of end values that may be near zero
    std::vector<double> absolute = {}; ///< tolerance per component, times rtol
};
const std::vector<Problem> problems{{"pendulum", "pendulum", 10.0, 1.0},
                                    {"andrews", "andrews", 0.03},
                                    {"caraxis", "caraxis", 3.0},
                                    {"transamp", "transamp", 0.2},
                                    {"robertson", "robertson_dae", 1e11, 0.0, {1e-6, 1e-12, 1.0}},
                                    {"chemakzo", "chemakzo", 180.0}};

template <class T>
T must(Expected<T> value) {
    if (value) return *std::move(value);
    for (const Diagnostic& d : value.error()) fmt::print(stderr, "{}\n", d.message);
    std::exit(1);
}

double thread_seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Smallest processor time of one run, in µs.
template <class Work>
double best_microseconds(Work&& work, double budget, int together = 1) {
    double best = 1e300;
    for (double spent = 0.0; spent < budget;) {
        const double before = thread_seconds();
        for (int k = 0; k < together; ++k) work();
        const double used = thread_seconds() - before;
        best = std::min(best, used / together);
        spent += used;
    }
    return 1e6 * best;
}

class Bench {
public:
    explicit Bench(const Problem& problem)
        : problem_(problem), model_(must(Model::from_file(folder + problem.file + ".mo"))),
          compiled_(must(compile::compile(std::make_shared<const model::Model>(
              must(modelica::read_modelica_file(folder + problem.file + ".mo")))))) {
        const auto start = must(integrate::consistent_start(compiled_.initial));
        x0_ = start.x(compiled_.initial);
        dx0_ = start.dx(compiled_.initial);
    }
    integrate::IntegrationResult integrate(const std::string& method, double rtol) {
        integrate::IntegrationOptions options;
        options.tolerance.relative = options.tolerance.absolute = rtol;
        for (const double a : problem_.absolute) options.tolerance.absolute_each.push_back(rtol * a);
        integrate::Observer nothing;
        run_ = compiled_.problem; // a run may exchange links
        const double before = thread_seconds();
        auto result = integrate::integrate(run_, *integrate::find_method(method), 0.0, problem_.until, x0_, dx0_,
                                           options, nothing);
        seconds_ = thread_seconds() - before;
        return result;
    }
    double best_run(const std::string& method, double rtol, double budget) {
        double best = 1e300;
        for (double spent = 0.0; spent < budget; spent += seconds_) {
            (void)integrate(method, rtol);
            best = std::min(best, seconds_);
        }
        return 1e6 * best;
    }
    std::vector<double> end_values(const integrate::IntegrationResult& r) {
        std::vector<double> y(static_cast<std::size_t>(compiled_.problem.output_count())), chosen;
        (void)compiled_.problem.outputs(r.t, r.x.data(), r.dx.data(), y.data());
        for (std::size_t v = 0; v < y.size(); ++v)
            if (compiled_.outputs[v].differential && compiled_.structure.of_variables[v].index <= 1)
                chosen.push_back(y[v]);
        return chosen;
    }
    double digits(const integrate::IntegrationResult& r) {
        if (reference_.empty()) reference_ = end_values(integrate("radau", 1e-12));
        const std::vector<double> y = end_values(r);
        double worst = 1e-17;
        for (std::size_t k = 0; k < y.size(); ++k)
            if (reference_[k] != 0.0)
                worst =
                    std::max(worst, std::abs(y[k] - reference_[k]) / std::max(std::abs(reference_[k]), problem_.scale));
        return -std::log10(worst);
    }
    void row(const std::string& method, double rtol) {
        const auto result = integrate(method, rtol);
        if (result.outcome != integrate::Outcome::finished) {
            fmt::print("{:<10}{:<8}{:>7.0e}  failed: {}\n", problem_.name, method, rtol, result.failure.cause);
            return;
        }
        const double correct = digits(result);
        const double total = best_run(method, rtol, 0.15);
        SolveOptions options;
        options.until = problem_.until;
        options.method = method;
        options.rtol = options.atol = rtol;
        const double whole = best_microseconds([&] { (void)must(solve(model_, options)); }, 0.05);
        const integrate::Counters& c = result.statistics.counters;
        const double step = problem_.until / static_cast<double>(c.steps);
        const UnitCosts costs =
            smaller(unit_costs(run_, 0.0, x0_, dx0_, step), unit_costs(run_, result.t, result.x, result.dx, step));
        const Floor parts = floor_of(
            {c.steps, c.residuals, c.jacobians, c.factorizations, c.solves, c.complex_factorizations, c.complex_solves},
            costs);
        const double residuals = 1e6 * parts.residuals, jacobians = 1e6 * parts.jacobians;
        const double factors = 1e6 * parts.factors, solves = 1e6 * parts.solves, floor = 1e6 * parts.total();
        fmt::print("{:<10}{:<8}{:>7.0e}{:>8.1f}{:>7}{:>8}{:>7}{:>7}{:>9.0f}{:>8.2f}{:>9.0f}{:>8.2f}{:>7.0f}{:>5.0f}"
                   "{:>5.0f}{:>5.0f}{:>6.0f}{:>10.0f}\n",
                   problem_.name, method, rtol, correct, c.steps, c.residuals, c.jacobians, c.factorizations, total,
                   total / static_cast<double>(c.steps), floor, total / floor, 100 * residuals / total,
                   100 * jacobians / total, 100 * factors / total, 100 * solves / total, 100 * (1 - floor / total),
                   whole);
    }
    void repeat(const std::string& method, double rtol) {
        for (int k = 0; k < 50; ++k) (void)integrate(method, rtol);
        fmt::print("{:.1f} µs\n", best_run(method, rtol, 1.0));
    }

private:
    Problem problem_;
    Model model_;
    compile::CompiledModel compiled_;
    problem::ImplicitProblem run_;
    std::vector<double> x0_, dx0_, reference_;
    double seconds_ = 0.0;
};

} // namespace

int main(int argc, char** argv) {
    const std::string only = argc > 1 ? argv[1] : "", method = argc > 2 ? argv[2] : "";
    if (argc > 3) {
        for (const Problem& p : problems)
            if (p.name == only) Bench(p).repeat(method, std::atof(argv[3]));
        return 0;
    }
    fmt::print("{:<10}{:<8}{:>7}{:>8}{:>7}{:>8}{:>7}{:>7}{:>9}{:>8}{:>9}{:>8}{:>7}{:>5}{:>5}{:>5}{:>6}{:>10}\n",
               "problem", "method", "rtol", "digits", "steps", "resid", "jac", "fact", "run µs", "µs/step", "floor µs",
               "/floor", "res %", "jac", "fac", "sol", "other", "solve() µs");
    for (const Problem& p : problems) {
        if (!only.empty() && only != p.name) continue;
        Bench bench(p);
        for (const char* m : {"radau", "bdf"})
            for (const double rtol : {1e-4, 1e-6, 1e-9})
                if (method.empty() || method == m) bench.row(m, rtol);
    }
    return 0;
}
