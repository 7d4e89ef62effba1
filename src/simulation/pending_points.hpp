// Output points that nobody has asked for yet. A caller who wants the end of a run does not pay for them; who reads
// columns or writes files gets them from the pieces of the solution, by the code that takes them from steps
// (output_points), with matrices of their own: they are the same whoever asked for what before.
#pragma once

#include "output/trajectory.hpp"
#include "simulation/dense_solution.hpp"
#include "simulation/output_points.hpp"
#include "simulation/written_check.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace daedalus::simulation {

class PendingPoints {
public:
    /// `next`: the first of them; `end`: what is recorded of the last one, if it is known. `sizes`: those that the
    /// check of equations as written knows.
    PendingPoints(std::shared_ptr<const DenseSolution> solution, PointOptions options, int next,
                  std::vector<double> end, std::vector<double> sizes);

    struct Found {
        std::optional<WrittenViolation> violation; ///< the worst equation that one of them does not satisfy
        integrate::DoubtfulPoint doubtful;
    };
    /// Puts them behind the points of a trajectory.
    [[nodiscard]] Found find(output::Trajectory& trajectory) const;
    [[nodiscard]] double relative_tolerance() const { return options_.rtol; }
    /// The last one, or nothing.
    [[nodiscard]] const std::vector<double>& end() const { return end_; }
    [[nodiscard]] const problem::ImplicitProblem& problem() const { return solution_->problem(); }

private:
    std::shared_ptr<const DenseSolution> solution_;
    PointOptions options_;
    int next_;
    std::vector<double> end_, sizes_;
};

} // namespace daedalus::simulation
