// A model compiled once, for many runs: other parameters, start values, tolerances, methods, from several threads.
#pragma once

#include "daedalus/expected.hpp"
#include "daedalus/initial_values.hpp"
#include "daedalus/model.hpp"
#include "daedalus/options.hpp"
#include "daedalus/solution.hpp"

#include <memory>

namespace daedalus {

class Run;

/// Immutable and cheap to copy; copies share the compilation. Everything here may be called by several threads at the
/// same time. Runs that differ in numbers only (parameters, start values, interval, tolerances) share machine code; an
/// option that asks for other equations (a formulation, another set of given start values) is compiled when it first
/// occurs, and kept.
class CompiledModel {
public:
    [[nodiscard]] Expected<Solution> solve(const SolveOptions& options = {}) const;
    [[nodiscard]] Expected<InitialValues> start(const SolveOptions& options = {}) const;
    /// A run that the caller drives (daedalus/stepwise.hpp).
    [[nodiscard]] Expected<Run> begin(const SolveOptions& options) const;
    [[nodiscard]] const std::string& name() const;

    struct Impl;
    explicit CompiledModel(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
    [[nodiscard]] const Impl& impl() const { return *impl_; }

private:
    std::shared_ptr<const Impl> impl_;
};

} // namespace daedalus
