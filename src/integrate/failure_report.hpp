// Why an integration ended early, in terms that name variables and rows: never just "step size too small".
#pragma once

#include "integrate/stepper.hpp"

#include <optional>
#include <string>
#include <vector>

namespace daedalus::integrate {

enum class FailureReason {
    none,
    too_many_steps,
    error_test,      ///< the error estimate stays above tolerance at the smallest step
    newton,          ///< the equations of a step cannot be solved at the smallest step
    not_finite,      ///< F is NaN or infinite next to the solution
    singular_matrix, ///< the iteration matrix cannot be factorised
    singular_point,  ///< the solution ends here: the algebraic equations lose their dependence on some unknowns
    escape,          ///< an unknown grows beyond all bounds in finite time
    pole,            ///< a derivative does, while its unknown stays moderate
    no_state_choice, ///< no admissible choice of dummy derivatives: the index changes here
    inconsistent_start,
    inconsistent_event, ///< no values were found that satisfy the equations behind an event
    chattering,         ///< conditions switch back and forth without time passing
    accumulation,       ///< events come faster and faster: infinitely many in finite time (Zeno)
    bound,              ///< a variable leaves its declared bounds, however small the step
    assertion,          ///< an assertion of the model does not hold; the cause is its message
    unsuitable,         ///< the method cannot run on this problem; the cause says why
    projection,         ///< no point of the constraints was found next to the end of a step
};
[[nodiscard]] std::string_view to_string(FailureReason reason);

/// A share of a norm or of a null vector, largest first; shares of squares sum to 1 over all components.
struct Contribution {
    int index;
    double share; ///< signed, relative to the largest for null vectors
};

struct FailureReport {
    FailureReason reason = FailureReason::none;
    double t = 0.0;                            ///< last accepted time
    double h = 0.0;                            ///< smallest step tried
    std::vector<Contribution> error_variables; ///< unknowns that dominate the error estimate or last correction
    std::vector<Contribution> residual_rows;   ///< rows of F that resist at the last iterate
    double smallest_singular_value = 1.0;      ///< of the local matrix, relative to its value at the start
    bool near_singular = false;
    bool domain = false;                     ///< an operation of a row has no value; the cause says which
    std::vector<Contribution> null_unknowns; ///< right null vector: this combination is undetermined
    std::vector<Contribution> null_rows;     ///< left null vector: this combination of rows determines nothing
    double value = 0.0;                      ///< of what grows, where the run stopped
    int growing = -1;                        ///< the unknown of an escape or a pole
    std::string cause;                       ///< suspected, a sentence with names
    std::optional<Location> where;           ///< in the model, where that is known
};

struct FailureContext {
    const problem::ImplicitProblem& problem;
    const Stepper& stepper;
    FailureReason reason = FailureReason::none; ///< none: found from last_status and the local matrix
    StepStatus last_status = StepStatus::ok;
    double h = 0.0;
    double t_start = 0.0; ///< where the method was last started: what a healthy local matrix looks like
    std::span<const double> x_start, dx_start;
    double tolerance = 1e-6; ///< relative
    linalg::SolverKind solver = linalg::SolverKind::automatic;
    double t_begin = 0.0; ///< of the run
};
/// What leaves the domain of the model, or cannot be followed, may be an oscillation that the equations let grow: a
/// part of a sentence that says so, or nothing.
[[nodiscard]] std::string unstable_mode(const FailureContext& context);
[[nodiscard]] FailureReport diagnose(const FailureContext& context);

} // namespace daedalus::integrate
