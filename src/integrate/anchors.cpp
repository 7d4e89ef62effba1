#include "integrate/anchors.hpp"

#include "integrate/run.hpp"

#include <cmath>

namespace daedalus::integrate {

void Anchors::load(Run&, const Checkpoint& c) { last_anchor_ = c.statistics.counters.steps; }

Flow Anchors::before(Run& run) {
    const CheckpointOptions& wanted = run.options.checkpoint;
    if (!wanted.save && wanted.resume == nullptr) return Flow::proceed;
    constexpr long distance = 2000; // accepted steps; beginning anew costs one or two of them, and the linear solver
    const long steps = run.steps();
    if (run.options.method.fixed_step || steps - last_anchor_ < distance) return Flow::proceed;
    // Where the solution ends, steps shrink and shrink, and what the method has seen of it must not be forgotten.
    // A run of such steps would take a hundred times as many as a run may have (StepOptions::max_steps, 10⁷).
    constexpr double tiny = 1e-9; // of the run
    if (std::abs(run.control.wanted()) < tiny * run.interval.length()) return Flow::proceed;
    const Checkpoint c = run.save();
    if (wanted.save && steps - last_saved_ >= wanted.every) {
        last_saved_ = steps;
        wanted.save(c);
    }
    run.load(c);
    return Flow::proceed;
}

} // namespace daedalus::integrate
