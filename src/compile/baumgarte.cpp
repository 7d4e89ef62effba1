#include "compile/baumgarte.hpp"

#include "compile/compilation.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cmath>

namespace daedalus::compile {

namespace {

const Compilation& compilation_of(const CompiledModel& compiled) {
    assert(compiled.compilation != nullptr);
    return *compiled.compilation;
}

/// Columns that a differentiated equation determines: what moves on the constraints.
std::vector<char> constrained_columns(const transform::ReducedSystem& r) {
    std::vector<char> constrained(r.analysis.d.size(), 0);
    for (int i = 0; i < r.analysis.system_jacobian.rows; ++i)
        if (r.analysis.c[static_cast<std::size_t>(i)] > 0)
            for (const int j : r.analysis.system_jacobian.row(i)) constrained[static_cast<std::size_t>(j)] = 1;
    return constrained;
}

} // namespace

RateOfSolution rate_at_start(const CompiledModel& compiled, std::span<const double> u, double interval) {
    const Compilation& c = compilation_of(compiled);
    const std::vector<char> constrained = constrained_columns(c.reduced);
    // Rate of x: (|x^(k)| / |x|)^(1/k), the inverse of the time in which the k-th term of its series reaches x itself.
    double rate = 0.0;
    std::string fastest;
    for (std::size_t j = 0; j < c.system.variables.size(); ++j) {
        if (constrained[j] == 0) continue;
        const int base = c.initial.unknown({c.system.variables[j], 0});
        const double size = std::max(std::abs(u[static_cast<std::size_t>(base)]),
                                     c.initial.data[static_cast<std::size_t>(base)].nominal);
        for (int k = 1; k <= c.reduced.analysis.d[j]; ++k) {
            const int at = c.initial.unknown({c.system.variables[j], k});
            const double r = std::pow(std::abs(u[static_cast<std::size_t>(at)]) / size, 1.0 / k);
            if (r <= rate) continue;
            rate = r;
            fastest = c.system.name({c.system.variables[j], 0});
        }
    }
    // What is not forgotten within the interval adds up over all of it: no less than one decay.
    const double slowest = std::isfinite(interval) && interval != 0.0 ? 1.0 / std::abs(interval) : 1.0;
    if (rate >= slowest) return {rate, fmt::format("the rate at which {} changes at the start", fastest)};
    return {slowest, "the solution hardly moves at the start: the interval counts"};
}

namespace {

void set_own_parameters(CompiledModel& compiled, double first, double second) {
    const Compilation& c = *compiled.compilation;
    const expr::Graph& g = c.system.graph();
    problem::Environment& e = compiled.problem.environment();
    e.set(static_cast<std::size_t>(g.parameter_id(c.formulation.alpha)), first);
    e.set(static_cast<std::size_t>(g.parameter_id(c.formulation.second)), second);
}

} // namespace

void set_baumgarte_alpha(CompiledModel& compiled, double alpha, double beta) {
    assert(compiled.reduce == Reduction::baumgarte);
    set_own_parameters(compiled, alpha, beta);
}

void set_regularisation(CompiledModel& compiled, double epsilon, double mu) {
    assert(regularises(compiled.reduce));
    set_own_parameters(compiled, epsilon, mu);
}

} // namespace daedalus::compile
