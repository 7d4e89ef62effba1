// A step that is kept after its method went on: what the method knows of it, stages or differences, from which its
// continuous output follows when somebody asks: for a copy, with the bits that the method would have given, and, where
// continuous output costs evaluations of F (extra stages), without these.
#pragma once

#include "integrate/options.hpp"
#include "integrate/stepper.hpp"
#include "problem/implicit_problem.hpp"

#include <cstddef>
#include <memory>

namespace daedalus::integrate {

class StepReader;

class KeptStep {
public:
    virtual ~KeptStep() = default;
    /// Of steps like this one, for a problem with the links that it had.
    [[nodiscard]] virtual std::unique_ptr<StepReader> make_reader(const problem::ImplicitProblem& problem,
                                                                  const IntegrationOptions& options) const = 0;
    /// Numbers that it holds.
    [[nodiscard]] virtual std::size_t size() const = 0;
};

/// Continuous output of the step read last. What it gives does not depend on what was read before.
class StepReader : public ContinuousOutput {
public:
    /// False: the step is of another method. It must outlive what is asked of it.
    [[nodiscard]] virtual bool read(const KeptStep& step) = 0;
    virtual void links_changed() = 0;
};

} // namespace daedalus::integrate
