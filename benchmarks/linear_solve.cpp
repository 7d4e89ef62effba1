// Factorisation and solve of Newton matrices: straight-line LU against KLU (reusing its pivots) and dense elimination
// on the same values; columns are processor time and ratios. Goal: five times as fast as KLU up to 500 unknowns.
#include "compile/compile.hpp"
#include "generated_models.hpp"
#include "linalg/klu_api.hpp"
#include "linalg/klu_solver.hpp"
#include "linalg/straight_line_lu.hpp"
#include "measure.hpp"
#include "modelica/read_modelica.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

namespace {

using namespace daedalus;
using namespace daedalus::linalg;
using Complex = std::complex<double>;

/// J + σ M on its pattern; J and M apart, so that real and complex shifts can be tried.
struct Matrices {
    std::string name;
    SparsityPattern pattern;
    std::vector<double> j, m;
};

Matrices of_model(std::string name, Expected<model::Model> model) {
    if (model) {
        const auto compiled = compile::compile(std::make_shared<const model::Model>(*std::move(model)));
        if (compiled) {
            const problem::ImplicitProblem& p = compiled->problem;
            Matrices result{std::move(name), p.pattern(), {}, {}};
            result.j.resize(p.pattern().row_index.size());
            result.m.resize(result.j.size());
            std::mt19937 rng(1);
            std::uniform_real_distribution<double> u(0.2, 0.9);
            std::vector<double> x(static_cast<std::size_t>(p.size())), dx(x.size());
            for (double& v : x) v = u(rng);
            for (double& v : dx) v = u(rng);
            if (p.jacobian(0.1, x.data(), dx.data(), result.j.data(), result.m.data()) == problem::EvalStatus::ok)
                return result;
        }
    }
    std::fprintf(stderr, "%s: no matrix\n", name.c_str());
    std::exit(1);
}

/// Modified nodal analysis of a random circuit: a mesh of near neighbours, controlled sources, voltage sources.
Matrices circuit(int n) {
    std::mt19937 rng(2);
    std::uniform_real_distribution<double> u(0.1, 1.0);
    const int sources = n / 10, nodes = n - sources;
    std::vector<std::pair<int, int>> places;
    std::vector<std::pair<std::pair<int, int>, std::pair<double, double>>> stamps;
    auto stamp = [&](int i, int j, double g, double c) {
        if (i >= 0 && j >= 0) stamps.push_back({{i, j}, {g, c}});
    };
    auto two_pole = [&](int a, int b, double g, double c) {
        stamp(a, a, g, c), stamp(b, b, g, c), stamp(a, b, -g, -c), stamp(b, a, -g, -c);
    };
    for (int a = 0; a < nodes; ++a) {
        two_pole(a, a + 1 < nodes ? a + 1 : -1, u(rng), 0.0);
        const int far = a + 2 + static_cast<int>(rng() % 12);
        two_pole(a, far < nodes ? far : -1, u(rng), 0.0);
        two_pole(a, -1, 1e-3 * u(rng), u(rng));
        if (a % 5 == 0) stamp(a, std::min(nodes - 1, a + static_cast<int>(rng() % 20)), 10.0 * u(rng), 0.0);
    }
    for (int s = 0; s < sources; ++s) {
        const int a = static_cast<int>(rng() % static_cast<unsigned>(nodes));
        stamp(a, nodes + s, 1.0, 0.0), stamp(nodes + s, a, 1.0, 0.0), stamp(nodes + s, nodes + s, -0.05 * u(rng), 0.0);
    }
    for (const auto& s : stamps) places.push_back(s.first);
    Matrices result{"circuit_" + std::to_string(n), SparsityPattern::from_entries(n, n, places), {}, {}};
    result.j.resize(result.pattern.row_index.size());
    result.m.resize(result.j.size());
    for (const auto& [place, value] : stamps) {
        const auto e = static_cast<std::size_t>(result.pattern.find(place.first, place.second));
        result.j[e] += value.first;
        result.m[e] += value.second;
    }
    return result;
}

template <class Scalar>
double time_of(LinearSolver<Scalar>& solver, int n, const std::vector<std::vector<Scalar>>& values, bool& regular) {
    std::vector<Scalar> b(static_cast<std::size_t>(n));
    std::size_t next = 0;
    for (const auto& v : values) regular = regular && solver.factor(v) == FactorStatus::ok;
    if (!regular) return std::nan("");
    int repeats = 1;
    auto work = [&] {
        for (int r = 0; r < repeats; ++r) {
            (void)solver.factor(values[next++ % values.size()]);
            std::fill(b.begin(), b.end(), Scalar(1.0));
            solver.solve(b);
        }
    };
    while (true) { // some milliseconds at a time: the clock's grain
        const double before = benchmarks::cpu_seconds();
        work();
        if (benchmarks::cpu_seconds() - before > 2e-3) break;
        repeats *= 2;
    }
    return benchmarks::best_cpu_seconds(work, 0.1) / repeats;
}

/// KLU alone, without our equilibration and checks: refactor and solve.
template <class Scalar>
double time_of_bare_klu(const SparsityPattern& pattern, std::vector<Scalar> values) {
    SparsityPattern p = pattern;
    klu_common common;
    klu_defaults(&common);
    klu_symbolic* symbolic = klu_analyze(p.cols, p.column_start.data(), p.row_index.data(), &common);
    using Api = KluApi<Scalar>;
    klu_numeric* numeric =
        Api::factor(p.column_start.data(), p.row_index.data(), Api::raw(values.data()), symbolic, &common);
    double best = std::nan("");
    if (numeric != nullptr) {
        std::vector<Scalar> b(static_cast<std::size_t>(p.cols));
        int repeats = 1;
        auto work = [&] {
            for (int r = 0; r < repeats; ++r) {
                Api::refactor(p.column_start.data(), p.row_index.data(), Api::raw(values.data()), symbolic, numeric,
                              &common);
                std::fill(b.begin(), b.end(), Scalar(1.0));
                Api::solve(symbolic, numeric, p.cols, 1, Api::raw(b.data()), &common);
            }
        };
        while (true) {
            const double before = benchmarks::cpu_seconds();
            work();
            if (benchmarks::cpu_seconds() - before > 2e-3) break;
            repeats *= 2;
        }
        best = benchmarks::best_cpu_seconds(work, 0.1) / repeats;
        Api::free_numeric(&numeric, &common);
    }
    klu_free_symbolic(&symbolic, &common);
    return best;
}

template <class Scalar>
void report(const Matrices& a, double order_of_dense) {
    std::vector<std::vector<Scalar>> values;
    for (double h : {1e-2, 0.8e-2, 1.3e-2}) {
        Scalar shift;
        if constexpr (std::is_same_v<Scalar, double>)
            shift = 3.6 / h;
        else
            shift = Scalar(2.7, 3.05) / h;
        auto& v = values.emplace_back(a.j.size());
        for (std::size_t k = 0; k < v.size(); ++k) v[k] = a.j[k] + shift * a.m[k];
    }
    bool regular = true;
    StraightLineLu<Scalar> straight(a.pattern);
    const double before = benchmarks::cpu_seconds();
    regular = straight.factor(values.front()) == FactorStatus::ok;
    const double build = benchmarks::cpu_seconds() - before;
    const double line = time_of<Scalar>(straight, a.pattern.cols, values, regular);

    const auto klu = make_linear_solver<Scalar>(a.pattern, SolverKind::klu);
    const double sparse = time_of<Scalar>(*klu, a.pattern.cols, values, regular);
    const double bare = time_of_bare_klu(a.pattern, values.front());
    double full = std::nan("");
    if (a.pattern.cols <= order_of_dense) {
        const auto dense = make_linear_solver<Scalar>(a.pattern, SolverKind::dense);
        full = time_of<Scalar>(*dense, a.pattern.cols, values, regular);
    }
    std::printf("%-22s %5d %-7s %8zu %9.2f %9.2f %9.2f %9.2f %10.2f %7.1f %7.1f %7.1f  %s%s\n", a.name.c_str(),
                a.pattern.cols, std::is_same_v<Scalar, double> ? "real" : "complex", straight.operations(), 1e3 * build,
                1e6 * line, 1e6 * sparse, 1e6 * bare, 1e6 * full, sparse / line, bare / line, full / line,
                straight.is_machine_code() ? "" : "(interpreted)", straight.handed_over() ? " (handed over)" : "");
    if (!regular) std::printf("   not regular\n");
}

/// Five-point grid of side² points with `fields` coupled unknowns each: where UMFPACK overtakes KLU, and at which
/// number of operations per entry of the factors.
void report_grid(int side, int fields) {
    std::vector<std::pair<int, int>> entries;
    auto unknown = [&](int i, int j, int f) { return (i * side + j) * fields + f; };
    for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j)
            for (int f = 0; f < fields; ++f) {
                for (int g = 0; g < fields; ++g) entries.emplace_back(unknown(i, j, f), unknown(i, j, g));
                for (auto [di, dj] : {std::pair{1, 0}, std::pair{-1, 0}, std::pair{0, 1}, std::pair{0, -1}})
                    if (i + di >= 0 && i + di < side && j + dj >= 0 && j + dj < side)
                        entries.emplace_back(unknown(i, j, f), unknown(i + di, j + dj, f));
            }
    const int n = side * side * fields;
    const auto p = SparsityPattern::from_entries(n, n, entries);
    std::vector<std::vector<double>> values(1, std::vector<double>(p.row_index.size(), -1.0));
    for (int k = 0; k < n; ++k) values[0][static_cast<std::size_t>(p.find(k, k))] = 5.0 + fields;
    bool regular = true;
    KluSolver<double> klu(p);
    const double sparse = time_of<double>(klu, n, values, regular);
    const auto multifrontal = make_linear_solver<double>(p, SolverKind::umfpack);
    const double fronts = time_of<double>(*multifrontal, n, values, regular);
    const KluCounts counts = klu.counts();
    std::printf("grid %3d x %3d x %d  KLU %9.2f ms  %s %9.2f ms  ratio %5.2f  operations %.2g, per entry %.0f\n", side,
                side, fields, 1e3 * sparse, std::string(multifrontal->name()).c_str(), 1e3 * fronts, sparse / fronts,
                counts.operations, counts.operations / counts.entries);
}

} // namespace

int main(int argc, char** argv) {
    const std::string wanted = argc > 1 ? argv[1] : ""; // part of a name
    std::vector<Matrices> matrices;
    auto text = [](const std::string& s) { return modelica::read_modelica(std::make_shared<SourceFile>("text", s)); };
    for (const char* name : {"pendulum", "transamp", "andrews", "caraxis", "crank", "ringmod_dae"}) {
        const std::string file = std::string(DAEDALUS_SOURCE_DIR "/tests/problems/") + name + ".mo";
        if (auto model = modelica::read_modelica_file(file)) matrices.push_back(of_model(name, std::move(model)));
    }
    for (int links : {10, 100, 1000})
        matrices.push_back(of_model("chain_" + std::to_string(links), text(benchmarks::pendulum_chain(links))));
    matrices.push_back(of_model("ladder_100", text(benchmarks::circuit_ladder(100))));
    for (int n : {100, 500, 2000}) matrices.push_back(circuit(n));
    std::printf("factor + solve, µs     n             operations  build ms straight      KLU  bare KLU      dense   "
                "KLU/s  bare/s dense/s\n");
    for (const Matrices& a : matrices) {
        if (a.name.find(wanted) == std::string::npos) continue;
        report<double>(a, 600);
        report<Complex>(a, 600);
    }
    if (std::string("grid").find(wanted) != std::string::npos)
        for (auto [side, fields] : {std::pair{50, 1}, {100, 1}, {50, 2}, {100, 2}, {200, 1}, {300, 1}})
            report_grid(side, fields);
}
