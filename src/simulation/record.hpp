// What a run leaves behind: the trajectory, how it ended, and everything that a report says about it.
#pragma once

#include "daedalus/solution.hpp"
#include "output/overwriting.hpp"
#include "output/report_data.hpp"
#include "output/trajectory.hpp"
#include "simulation/dense_solution.hpp"
#include "simulation/pending_points.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace daedalus::simulation {

/// See departure_watch.
struct DepartedVariable {
    std::string variable;
    double rest = 0.0, leave = 0.0;
};

/// What became of the errors that the steps of a run made (growth_watch.hpp).
struct GrownErrors {
    std::string variable;
    double error = 0.0;  ///< of the solution, estimated, in tolerances
    double factor = 1.0; ///< by which errors were multiplied
    double t = 0.0;      ///< when
    double noise = 0.0;  ///< what round-off makes of single steps at most, in tolerances
};

struct Record {
    Outcome outcome = Outcome::failed;
    std::string message;
    std::vector<std::string> start_notes; ///< what had to be changed to start at all
    output::Trajectory trajectory;
    output::ReportData report;
    std::shared_ptr<const DenseSolution> dense;   ///< null: not asked for
    std::shared_ptr<const PendingPoints> pending; ///< output points that the trajectory does not have yet
    double largest_residual = 0.0;
    double residual_in_tolerances = 0.0;
    bool integrand_failed = false; ///< a quadrature's: the whole system can say more about it
    bool traces_failed = false;    ///< so it may be: variables below the absolute tolerance that was chosen
    /// What derivative arrays might mend, where structure was relied on: a constraint that it does not show, or a start
    /// or run that failed.
    std::optional<Diagnostic> misled;
    /// Where the run ended, in the integrator's unknowns.
    struct End {
        double t = 0.0;
        std::vector<double> x, dx;
        bool structure_changes = false; ///< and that is why: another mode goes on from there
    } end;
    std::vector<int> hiding;              ///< equations of the model whose combination hides it, where that is known
    bool hidden = false;                  ///< the first of these: nothing was integrated
    std::vector<output::NamedFile> files; ///< that results must not replace
    std::optional<GrownErrors> growth;    ///< not known of large models, and of higher index as written
    std::optional<DepartedVariable> departure; ///< that the run may owe to an error that the tolerance allows
    int index = 0; ///< of the model: by structure, or by derivative arrays where these were used (-1: undecided)
};

/// What is said of outputs that are no numbers, if there are any. `end_row`: the last point, if others are still to be
/// found.
[[nodiscard]] std::optional<Diagnostic> without_values(const Record& record, std::span<const double> end_row = {});
/// What is said of a point that does not satisfy an equation of a problem as written.
[[nodiscard]] Diagnostic not_certified(const problem::ImplicitProblem& problem, const WrittenViolation& violation);

/// All output points go to the trajectory. If one of them violates its equations, the record is none of a success any
/// more.
void deliver_points(Record& record);

} // namespace daedalus::simulation
