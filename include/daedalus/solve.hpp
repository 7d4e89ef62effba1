// The one call: explain, start, solve, certify.
#pragma once

#include "daedalus/expected.hpp"
#include "daedalus/model.hpp"
#include "daedalus/options.hpp"
#include "daedalus/solution.hpp"

#include <string>
#include <vector>

namespace daedalus {

/// Errors in the model, its structure, its initial values or the options come back as diagnostics. A numerical failure
/// on the way is a Solution with its outcome: what was computed is kept.
[[nodiscard]] Expected<Solution> solve(const Model& model, const SolveOptions& options = {});
/// The same of a model that is not needed any more: a large one takes less time and memory, for it is not copied.
[[nodiscard]] Expected<Solution> solve(Model&& model, const SolveOptions& options = {});

/// The interval that solve() integrates over: from the options, else the model's experiment annotation, else from 0.
struct Interval {
    double from = 0.0;
    double until = 0.0;
};
[[nodiscard]] Expected<Interval> interval(const Model& model, const SolveOptions& options = {});

struct MethodInfo {
    std::string name;
    std::string description;
};
[[nodiscard]] std::vector<MethodInfo> methods();

struct FunctionInfo {
    std::string name;
    std::string description;
};
/// Elementary functions known to expressions and models.
[[nodiscard]] std::vector<FunctionInfo> functions();

} // namespace daedalus
