// The interpreter: nanoseconds per instruction of residual and Jacobian, and the price of a Jacobian in residuals, for
// every example and for a large ladder. A few nanoseconds per instruction is the goal; calls of sin or exp cost more.
#include "compile/compile.hpp"
#include "generated_models.hpp"
#include "modelica/read_modelica.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace {

using namespace daedalus;

compile::CompiledModel compiled(Expected<model::Model> model) {
    if (model) {
        auto result = compile::compile(std::make_shared<const model::Model>(*std::move(model)));
        if (result) return *std::move(result);
        std::fprintf(stderr, "%s\n", result.error().front().message.c_str());
    } else {
        std::fprintf(stderr, "%s\n", model.error().front().message.c_str());
    }
    std::exit(1);
}

/// Some point: where exactly is of no importance for speed.
struct Point {
    explicit Point(const problem::ImplicitProblem& p)
        : x(static_cast<std::size_t>(p.size()), 0.5), dx(x.size(), 0.25), r(x.size()),
          jx(static_cast<std::size_t>(p.pattern().nonzeros())), jdx(jx.size()) {}
    std::vector<double> x, dx, r, jx, jdx;
};

using benchmark::Counter;
const auto per_operation = Counter::kIsIterationInvariantRate | Counter::kInvert;

void residual(benchmark::State& state, const compile::CompiledModel& c) {
    Point at(c.problem);
    for (auto _ : state) benchmark::DoNotOptimize(c.problem.residual(0.1, at.x.data(), at.dx.data(), at.r.data()));
    state.counters["instructions"] = static_cast<double>(c.residual_instructions);
    state.counters["s/instruction"] = Counter(static_cast<double>(c.residual_instructions), per_operation);
}

void jacobian(benchmark::State& state, const compile::CompiledModel& c) {
    Point at(c.problem);
    for (auto _ : state)
        benchmark::DoNotOptimize(c.problem.jacobian(0.1, at.x.data(), at.dx.data(), at.jx.data(), at.jdx.data()));
    state.counters["instructions"] = static_cast<double>(c.jacobian_instructions);
    state.counters["s/instruction"] = Counter(static_cast<double>(c.jacobian_instructions), per_operation);
    state.counters["instructions/residual"] =
        static_cast<double>(c.jacobian_instructions) / static_cast<double>(c.residual_instructions);
}

} // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    std::vector<std::pair<std::string, compile::CompiledModel>> models;
    for (const auto& file : std::filesystem::directory_iterator(DAEDALUS_SOURCE_DIR "/examples"))
        if (file.path().extension() == ".mo")
            models.emplace_back(file.path().stem(), compiled(modelica::read_modelica_file(file.path())));
    std::sort(models.begin(), models.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    models.emplace_back("ladder_10000", compiled(modelica::read_modelica(
                                            std::make_shared<SourceFile>("ladder", benchmarks::circuit_ladder(2500)))));
    models.emplace_back("chain_100", compiled(modelica::read_modelica(
                                         std::make_shared<SourceFile>("chain", benchmarks::pendulum_chain(100)))));
    for (const auto& [name, c] : models) {
        if (c.residual_instructions == 0) continue; // everything is known in advance: nothing to measure
        benchmark::RegisterBenchmark((name + "/residual").c_str(), [&c = c](benchmark::State& s) { residual(s, c); });
        benchmark::RegisterBenchmark((name + "/jacobian").c_str(), [&c = c](benchmark::State& s) { jacobian(s, c); });
    }
    benchmark::RunSpecifiedBenchmarks();
}
