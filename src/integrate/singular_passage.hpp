// Points at which the algebraic equations are singular although their solution goes on: q |q| = Δp where a flow turns
// round, z³ = x at zero. No step reaches such a point, since slopes are infinite there, and none is needed: states go
// straight on over a short way, and all other unknowns are solved for behind it.
//
// Solutions that end have no values behind. Where branches meet, the determinant of the equations changes its sign
// along each of them, and no branch is taken. What is found must come from the values before: the shorter the way, the
// nearer to them; and where no condition changes sides, steeply, as roots do.
#pragma once

#include "integrate/consistent_jump.hpp"
#include "integrate/stepper.hpp"

#include <optional>
#include <span>

namespace daedalus::integrate {

/// A short piece of the solution between two points: straight.
class SingularPassage final : public ContinuousOutput {
public:
    struct Point {
        double t;
        BranchPoint at;
    };
    /// From `before` in the direction of `room`, and no further; to the branches `beyond`. `weights` of x, in
    /// tolerances: states may leave their solution by one. `regular`: an earlier point on the same side.
    [[nodiscard]] static std::optional<SingularPassage> find(problem::ImplicitProblem& problem, ConsistentJump& jump,
                                                             linalg::SolverKind kind, const Point& regular,
                                                             const Point& before, const Branches& beyond, double room,
                                                             double smallest, std::span<const double> weights);

    [[nodiscard]] const Point& behind() const { return behind_; }
    /// Slopes are infinite at the singular point; false: only a branch ended there.
    [[nodiscard]] bool steep() const { return steep_; }
    /// The unknown that changes most: the equations do not determine it at the singular point.
    [[nodiscard]] int undetermined() const { return undetermined_; }
    void interpolate(double time, double* x, double* dx) const override;

private:
    Point before_, behind_;
    int undetermined_ = -1;
    bool steep_ = false;
};

} // namespace daedalus::integrate
