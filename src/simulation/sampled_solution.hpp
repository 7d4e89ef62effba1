// A model solved quietly, for analyses: values of its variables at given times.
#pragma once

#include "compile/compile.hpp"
#include "integrate/consistent_start.hpp"
#include "simulation/compilations.hpp"

#include <string>
#include <vector>

namespace daedalus::simulation {

struct SampledSolution {
    std::vector<std::vector<double>> values; ///< per time, per variable; as far as it went
    bool complete = false;
    std::string why_not;
};

struct SamplingOptions {
    double tolerance = 1e-6;
    long max_steps = 20'000;
};

/// How such solutions are compiled: nothing but numbers is wanted of them.
[[nodiscard]] compile::CompileOptions quietly(compile::CompileOptions how);

/// `times` ascend from the start time on.
[[nodiscard]] SampledSolution sample_solution(const Compilations& model, const compile::CompileOptions& how,
                                              const integrate::StartOptions& start, const std::vector<double>& times,
                                              const SamplingOptions& options = {});

} // namespace daedalus::simulation
