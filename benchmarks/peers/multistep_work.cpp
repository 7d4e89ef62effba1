// BDF beside SUNDIALS IDA on the same equations: steps and evaluations at equal achieved error. Both integrate the
// compiled index-1 problem (states fixed for IDA; where that breaks down it integrates the underlying ODE) with their
// own error control over a range of tolerances; errors are the largest at 40 times, between steps included, against
// Radau at 1e-13. `benchmark_multistep [PROBLEM] [--runs] [--own]`; --runs prints
// every run, --own counts for BDF alone.
#include "compile/compile.hpp"
#include "facade/access.hpp"
#include "integrate/consistent_start.hpp"
#include "integrate/integration.hpp"
#include "integrate/methods/registry.hpp"
#include "shifted_jacobian.hpp"

#include <daedalus/daedalus.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <optional>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

using namespace daedalus;

namespace {

constexpr int samples = 40;

struct Problem {
    compile::CompiledModel compiled;
    std::vector<problem::Link> links;
    std::vector<double> x0, dx0;
    double t0 = 0, t1 = 1;
    std::vector<int> significant; ///< outputs that count
    std::vector<double> scale;    ///< of each of them: largest value seen
    std::vector<double> reference;

    [[nodiscard]] double time(int k) const { return k == samples ? t1 : t0 + (t1 - t0) * k / samples; }
    void outputs(double t, const double* x, const double* dx, std::vector<double>& to) {
        std::vector<double> all(compiled.outputs.size());
        static_cast<void>(compiled.problem.outputs(t, x, dx, all.data()));
        for (const int s : significant) to.push_back(all[static_cast<std::size_t>(s)]);
    }
    [[nodiscard]] double error(const std::vector<double>& values) const {
        if (values.size() != reference.size()) return NAN;
        double worst = 0;
        for (std::size_t k = 0; k < values.size(); ++k) {
            const double e =
                std::abs(values[k] - reference[k]) / (std::abs(reference[k]) + scale[k % significant.size()]);
            if (!(e <= worst)) worst = e;
        }
        return worst;
    }
};

struct Run {
    double tolerance = 0, error = NAN;
    long steps = 0, residuals = 0, jacobians = 0, rejected = 0;
    [[nodiscard]] double evaluations() const { return static_cast<double>(residuals + jacobians); }
};

struct Sampler : integrate::Observer {
    explicit Sampler(Problem& problem) : p(problem), x(p.x0.size()), dx(p.x0.size()) {}
    integrate::Action step(const integrate::AcceptedStep& s) override {
        for (; next <= samples && p.time(next) <= s.t; ++next) {
            s.interpolant.evaluate(p.time(next), x.data(), dx.data());
            p.outputs(p.time(next), x.data(), dx.data(), values);
        }
        return integrate::Action::proceed;
    }
    Problem& p;
    std::vector<double> x, dx, values;
    int next = 1;
};

std::vector<double> ours(Problem& p, const char* method, double tolerance, Run& run) {
    if (p.compiled.problem.links() != p.links) p.compiled.problem.set_links(p.links);
    integrate::IntegrationOptions o;
    o.tolerance.relative = o.tolerance.absolute = tolerance;
    o.step.max_steps = 40'000;
    Sampler sampler(p);
    const auto r =
        integrate::integrate(p.compiled.problem, *integrate::find_method(method), p.t0, p.t1, p.x0, p.dx0, o, sampler);
    const integrate::Counters& c = r.statistics.counters;
    run.steps = c.steps;
    run.rejected = c.error_rejections + c.newton_rejections + c.domain_rejections;
    run.residuals = c.residuals;
    run.jacobians = c.jacobians;
    if (!r.finished()) return {};
    return sampler.values;
}

std::vector<double> ida(Problem& p, double tolerance, Run& run) {
    if (p.compiled.problem.links() != p.links) p.compiled.problem.set_links(p.links);
    const problem::ImplicitProblem& f = p.compiled.problem;
    SUNContext context = nullptr;
    SUNContext_Create(nullptr, &context);
    const int n = f.size();
    N_Vector y = N_VNew_Serial(n, context), yp = N_VNew_Serial(n, context), absolute = N_VNew_Serial(n, context);
    std::copy(p.x0.begin(), p.x0.end(), N_VGetArrayPointer(y));
    std::copy(p.dx0.begin(), p.dx0.end(), N_VGetArrayPointer(yp));
    for (int i = 0; i < n; ++i)
        N_VGetArrayPointer(absolute)[i] = tolerance * f.unknowns()[static_cast<std::size_t>(i)].nominal;
    void* memory = IDACreate(context);
    IDAInit(
        memory,
        [](double t, N_Vector a, N_Vector b, N_Vector r, void* user) {
            return static_cast<problem::ImplicitProblem*>(user)->residual(
                       t, N_VGetArrayPointer(a), N_VGetArrayPointer(b), N_VGetArrayPointer(r)) ==
                           problem::EvalStatus::ok
                       ? 0
                       : 1;
        },
        p.t0, y, yp);
    IDASetUserData(memory, &p.compiled.problem);
    IDASVtolerances(memory, tolerance, absolute);
    SUNMatrix matrix = SUNDenseMatrix(n, n, context);
    SUNLinearSolver linear = SUNLinSol_Dense(y, matrix, context);
    IDASetLinearSolver(memory, linear, matrix);
    IDASetJacFn(memory, [](double t, double cj, N_Vector a, N_Vector b, N_Vector, SUNMatrix j, void* user, N_Vector,
                           N_Vector, N_Vector) {
        const auto& q = *static_cast<problem::ImplicitProblem*>(user);
        std::vector<double> values(static_cast<std::size_t>(q.pattern().nonzeros()));
        const auto s =
            benchmarks::shifted_jacobian(q, t, N_VGetArrayPointer(a), N_VGetArrayPointer(b), cj, values.data());
        for (int c = 0; c < q.size(); ++c)
            for (int k = q.pattern().column_start[static_cast<std::size_t>(c)];
                 k < q.pattern().column_start[static_cast<std::size_t>(c) + 1]; ++k)
                SUNDenseMatrix_Column(j, c)[q.pattern().row_index[static_cast<std::size_t>(k)]] =
                    values[static_cast<std::size_t>(k)];
        return s == problem::EvalStatus::ok ? 0 : 1;
    });
    IDASetMaxNumSteps(memory, 40'000);
    IDASetErrHandlerFn(
        memory, [](int, const char*, const char*, char*, void*) {}, nullptr);
    std::vector<double> values;
    bool ok = true;
    for (int k = 1; ok && k <= samples; ++k) {
        double reached = 0;
        if (k == samples) IDASetStopTime(memory, p.t1);
        ok = IDASolve(memory, p.time(k), &reached, y, yp, IDA_NORMAL) >= 0;
        if (ok) p.outputs(p.time(k), N_VGetArrayPointer(y), N_VGetArrayPointer(yp), values);
    }
    long failures = 0, newton_failures = 0;
    IDAGetNumSteps(memory, &run.steps);
    IDAGetNumResEvals(memory, &run.residuals);
    IDAGetNumJacEvals(memory, &run.jacobians);
    IDAGetNumErrTestFails(memory, &failures);
    IDAGetNumNonlinSolvConvFails(memory, &newton_failures);
    run.rejected = failures + newton_failures;
    IDAFree(&memory);
    SUNLinSolFree(linear);
    SUNMatDestroy(matrix);
    for (N_Vector v : {y, yp, absolute}) N_VDestroy(v);
    SUNContext_Free(&context);
    if (!ok) values.clear();
    return values;
}

std::optional<Problem> prepared(const std::string& file, const nlohmann::json& r, Reduction reduce) {
    auto loaded = Model::from_file(file);
    if (!loaded) return std::nullopt;
    compile::CompileOptions how;
    how.reduce = reduce;
    auto compiled = compile::compile(loaded->impl().model, how);
    if (!compiled) return std::nullopt;
    Problem p;
    p.compiled = *std::move(compiled);
    const auto start = integrate::consistent_start(p.compiled.initial);
    if (!start) return std::nullopt;
    start->hold_constants(p.compiled.initial, p.compiled.problem);
    p.x0 = start->x(p.compiled.initial);
    p.dx0 = start->dx(p.compiled.initial);
    p.links = p.compiled.problem.links();
    p.t0 = r.at("t0");
    p.t1 = r.at("t1");
    for (const std::string name : r.at("significant"))
        for (std::size_t k = 0; k < p.compiled.outputs.size(); ++k)
            if (p.compiled.output_name(k) == name) p.significant.push_back(static_cast<int>(k));
    Run nobody;
    p.reference = ours(p, "radau", 1e-13, nobody);
    if (p.reference.empty()) p.reference = ours(p, "radau", 1e-11, nobody);
    p.scale.assign(p.significant.size(), 1e-30);
    for (std::size_t k = 0; k < p.reference.size(); ++k) {
        double& s = p.scale[k % p.significant.size()];
        s = std::max(s, std::abs(p.reference[k]));
    }
    if (p.reference.empty()) return std::nullopt;
    return p;
}

/// What a work–precision curve says at an error: the cheapest way to reach it, linear in logarithms.
template <class Cost>
double at_error(const std::vector<Run>& runs, double error, Cost cost) {
    std::vector<std::pair<double, double>> corners; // error, cost: no other run is as accurate and cheaper
    for (const Run& a : runs) {
        if (!std::isfinite(a.error)) continue;
        const bool dominated = std::any_of(runs.begin(), runs.end(), [&](const Run& b) {
            return &a != &b && b.error <= a.error && cost(b) < cost(a);
        });
        if (!dominated) corners.emplace_back(a.error, cost(a));
    }
    std::sort(corners.begin(), corners.end(), std::greater<>());
    for (std::size_t k = 1; k < corners.size(); ++k) {
        if (corners[k].first > error || corners[k - 1].first < error) continue;
        const double share = std::log(corners[k - 1].first / error) / std::log(corners[k - 1].first / corners[k].first);
        return corners[k - 1].second * std::pow(corners[k].second / corners[k - 1].second, share);
    }
    return NAN;
}

} // namespace

int main(int argc, char** argv) {
    std::string only;
    bool all_runs = false, own_only = false;
    for (int i = 1; i < argc; ++i) {
        if (!std::strcmp(argv[i], "--runs"))
            all_runs = true;
        else if (!std::strcmp(argv[i], "--own"))
            own_only = true;
        else
            only = argv[i];
    }
    const std::string folder = std::string(DAEDALUS_SOURCE_DIR) + "/tests/problems/";
    const nlohmann::json references = nlohmann::json::parse(std::ifstream(folder + "refs.json"));
    std::printf("BDF / IDA at equal error: steps, evaluations (residuals + Jacobians)\n%-16s", "error");
    for (const int d : {3, 5, 7, 9}) std::printf("       1e-%-9d", d);
    std::printf("\n");
    double sum_steps = 0, sum_evaluations = 0;
    int cells = 0;
    for (const auto& [name, r] : references.items()) {
        if (!only.empty() && name != only) continue;
        auto p = prepared(folder + name + ".mo", r, Reduction::automatic);
        if (!p) {
            std::printf("%-16s no reference\n", name.c_str());
            continue;
        }
        std::optional<Problem> q; // of IDA, where fixed states break down
        std::vector<Run> mine, theirs;
        for (int k = 4; k <= 22; ++k) {
            Run a{.tolerance = std::pow(10.0, -0.5 * k)}, b = a;
            a.error = p->error(ours(*p, "bdf", a.tolerance, a));
            mine.push_back(a);
            if (!own_only) b.error = (q ? *q : *p).error(ida(q ? *q : *p, b.tolerance, b));
            if (!own_only && !q && !(b.error < 100 * a.tolerance + 0.1) &&
                p->compiled.problem.state_choice().blocks.size() > 0) {
                q = prepared(folder + name + ".mo", r, Reduction::underlying_ode);
                if (q) b.error = q->error(ida(*q, b.tolerance, b));
                if (!q) q = *p;
            }
            theirs.push_back(b);
            if (all_runs)
                std::printf("  %.1e  BDF %.1e (x%.2g): %ld+%ld steps, %ld res, %ld jac   IDA %.1e: %ld+%ld steps, %ld "
                            "res, %ld jac\n",
                            a.tolerance, a.error, a.error / a.tolerance, a.steps, a.rejected, a.residuals, a.jacobians,
                            b.error, b.steps, b.rejected, b.residuals, b.jacobians);
        }
        std::printf("%-16s", name.c_str());
        for (const int d : {3, 5, 7, 9}) {
            const auto ratio = [&](auto cost) {
                const double theirs_at = own_only ? 1.0 : at_error(theirs, std::pow(10.0, -d), cost);
                return at_error(mine, std::pow(10.0, -d), cost) / theirs_at;
            };
            const double steps = ratio([](const Run& x) { return static_cast<double>(x.steps + x.rejected); });
            const double evaluations = ratio([](const Run& x) { return x.evaluations(); });
            std::printf("   %6.2f %6.2f  ", steps, evaluations);
            if (!std::isfinite(steps)) continue;
            sum_steps += std::log(steps);
            sum_evaluations += std::log(evaluations);
            ++cells;
        }
        std::printf("%s\n", q ? "(IDA: underlying ODE)" : "");
        std::fflush(stdout);
    }
    if (cells > 0)
        std::printf("geometric mean of %d: steps %.2f, evaluations %.2f\n", cells, std::exp(sum_steps / cells),
                    std::exp(sum_evaluations / cells));
    return 0;
}
