// From Modelica text to understanding, and to the first steps, for growing circuit ladders and chains of pendulums:
// processor time per equation, the exponent p of time ~ n^p, and the largest resident memory.
//     analyze_scaling [--benchmark_filter=…]
// Goals: analysis of 100,000 equations within 10 s and 2 GB, exponent at most 1.2.
#include "daedalus/analysis.hpp"
#include "daedalus/solve.hpp"
#include "generated_models.hpp"
#include "measure.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

namespace {

using namespace daedalus;
using benchmarks::cpu_seconds;

using Series = std::map<double, double>; ///< equations → best processor time
std::map<std::string, Series>& all_series() {
    static std::map<std::string, Series> series;
    return series;
}

template <class T>
T must(Expected<T> value) {
    if (value) return *std::move(value);
    for (const Diagnostic& d : value.error()) std::fprintf(stderr, "%s\n", d.message.c_str());
    std::exit(1);
}

/// Best of the iterations enters the fit; Google Benchmark decides how many there are.
class Stage {
public:
    Stage(benchmark::State& state, std::string name, double equations)
        : state_(state), name_(std::move(name)), equations_(equations) {}
    ~Stage() {
        state_.counters["ns/equation"] = 1e9 * best_ / equations_;
        state_.counters["best_s"] = best_;
        state_.counters["peak_MB"] = benchmarks::peak_megabytes();
        double& best = all_series()[name_].try_emplace(equations_, best_).first->second;
        best = std::min(best, best_);
    }
    template <class Work>
    void operator()(Work&& work) {
        const double before = cpu_seconds();
        work();
        const double used = cpu_seconds() - before;
        best_ = used < best_ ? used : best_;
        state_.SetIterationTime(used);
    }

private:
    benchmark::State& state_;
    std::string name_;
    double equations_;
    double best_ = 1e300;
};

void parse(benchmark::State& state) {
    const auto n = static_cast<int>(state.range(0));
    const std::string text = benchmarks::circuit_ladder(benchmarks::ladder_sections(n));
    Stage stage(state, "ladder: parse", n);
    for (auto _ : state) stage([&] { benchmark::DoNotOptimize(must(Model::from_string(text))); });
}

void parse_and_analyze(benchmark::State& state) {
    const auto n = static_cast<int>(state.range(0));
    const std::string text = benchmarks::circuit_ladder(benchmarks::ladder_sections(n));
    Stage stage(state, "ladder: parse and analyze", n);
    for (auto _ : state)
        stage([&] {
            const Analysis analysis = must(analyze(must(Model::from_string(text))));
            if (analysis.structural_index != 1 || analysis.degrees_of_freedom != n / 4) std::abort();
        });
}

void analyze_to_json(benchmark::State& state) {
    const auto n = static_cast<int>(state.range(0));
    const std::string text = benchmarks::circuit_ladder(benchmarks::ladder_sections(n));
    const Analysis analysis = must(analyze(must(Model::from_string(text))));
    Stage stage(state, "ladder: analysis to JSON", n);
    for (auto _ : state) stage([&] { benchmark::DoNotOptimize(analysis.to_json()); });
}

/// Parse, compile, consistent start and a few steps of the default method.
void solve_ladder(benchmark::State& state) {
    const auto n = static_cast<int>(state.range(0));
    const std::string text = benchmarks::circuit_ladder(benchmarks::ladder_sections(n));
    Stage stage(state, "ladder: parse, start and first steps", n);
    double steps = 0;
    for (auto _ : state)
        stage([&] {
            const Solution s = must(solve(must(Model::from_string(text)), {.until = 1e-5, .points = 2}));
            if (!s.success()) std::fprintf(stderr, "%s\n", s.message().c_str()), std::exit(1);
            steps = static_cast<double>(s.statistics().front().second);
        });
    state.counters["steps"] = steps;
}

void solve_chain(benchmark::State& state) {
    const auto links = static_cast<int>(state.range(0));
    const std::string text = benchmarks::pendulum_chain(links);
    Stage stage(state, "chain of pendulums: parse, start, solve until 0.01", 5.0 * links);
    double steps = 0;
    for (auto _ : state)
        stage([&] {
            const Solution s = must(solve(must(Model::from_string(text)), {.until = 0.01, .points = 2}));
            if (!s.success()) std::fprintf(stderr, "%s\n", s.message().c_str()), std::exit(1);
            steps = static_cast<double>(s.statistics().front().second);
        });
    state.counters["steps"] = steps;
}

BENCHMARK(parse)->RangeMultiplier(10)->Range(100, 100000)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(parse_and_analyze)->RangeMultiplier(10)->Range(100, 100000)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(analyze_to_json)->RangeMultiplier(10)->Range(100, 100000)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(solve_ladder)->RangeMultiplier(10)->Range(100, 100000)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(solve_chain)->RangeMultiplier(10)->Range(10, 1000)->UseManualTime()->Unit(benchmark::kMillisecond);

} // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    std::printf("\n");
    for (const auto& [name, series] : all_series()) {
        std::vector<double> n, seconds;
        for (const auto& [equations, best] : series) {
            n.push_back(equations);
            seconds.push_back(best);
        }
        if (n.size() < 2) continue;
        std::printf("%-55s time ~ n^%.2f, between the largest two n^%.2f\n", name.c_str(),
                    benchmarks::fitted_exponent(n, seconds),
                    benchmarks::fitted_exponent({n.end() - 2, n.end()}, {seconds.end() - 2, seconds.end()}));
    }
}
