// Unknowns that round-off keeps from their tolerance, and how a method finds out.
//
// An error estimate, or a last correction of Newton's, that does not shrink with the step is round-off, amplified by
// the equations (forces of stiff springs, multipliers of stiff problems). Several refusals down to a tenth of the step
// must say so; then the components that make it are granted what they need, for the rest of the run, and the report
// names them. What takes more than twelve of sixteen digits is not granted: that is a jump, or a singular point.
#pragma once

#include "integrate/error_norm.hpp"
#include "integrate/statistics.hpp"
#include "problem/implicit_problem.hpp"

#include <span>
#include <vector>

namespace daedalus::integrate {

/// Refusals for one reason since the last accepted step, where it is emptied: `= {}`.
class Stall {
public:
    /// A step of size h was refused for something of this size; true if it and those before, down to the share `down`
    /// of the first, prove noise.
    [[nodiscard]] bool proves_noise(double h, double size, double down = 0.1);
    /// It is known to be noise: the next refusal proves it.
    void certain(double h) { *this = Stall(10.0 * h); }
    Stall() = default;

private:
    explicit Stall(double h) : h_(h), count_(3) {}
    double h_ = 0, size_ = 0; ///< of the first refusal
    int count_ = 0;
};

class NoiseFloors {
public:
    explicit NoiseFloors(const problem::ImplicitProblem& problem) : problem_(&problem) {}
    /// `error`, of this size in `norm` for a step from (t, x), is noise: raises the tolerances of what makes it.
    void grant(double t, std::span<const double> x, double size, std::span<const double> error, ErrorNorm& norm);
    /// Keeps the largest level of each unknown.
    void note(const NoiseFloor& floor);
    /// Raises the tolerances of another norm to the same levels.
    void apply(ErrorNorm& norm) const;
    [[nodiscard]] std::span<const NoiseFloor> list() const { return list_; }

private:
    const problem::ImplicitProblem* problem_;
    std::vector<NoiseFloor> list_;
};

} // namespace daedalus::integrate
