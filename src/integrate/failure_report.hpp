// Why an integration ended early, in terms that name variables and rows: never just "step size too small".
#pragma once

#include "integrate/stepper.hpp"

#include <string>
#include <vector>

namespace daedalus::integrate {

enum class FailureReason {
    none,
    too_many_steps,
    error_test,       ///< the error estimate stays above tolerance at the smallest step
    newton,           ///< the equations of a step cannot be solved at the smallest step
    not_finite,       ///< F is NaN or infinite next to the solution
    singular_matrix,  ///< the iteration matrix cannot be factorised
    singular_point,   ///< the solution ends here: the algebraic equations lose their dependence on some unknowns
    no_state_choice,  ///< no admissible choice of dummy derivatives: the index changes here
    inconsistent_start,
};
[[nodiscard]] std::string_view to_string(FailureReason reason);

/// A share of a norm or of a null vector, largest first; shares of squares sum to 1 over all components.
struct Contribution {
    int index;
    double share; ///< signed, relative to the largest for null vectors
};

struct FailureReport {
    FailureReason reason = FailureReason::none;
    double t = 0.0; ///< last accepted time
    double h = 0.0; ///< smallest step tried
    std::vector<Contribution> error_variables; ///< unknowns that dominate the error estimate or last correction
    std::vector<Contribution> residual_rows;   ///< rows of F that resist at the last iterate
    double reciprocal_condition = 1.0;         ///< of the local matrix, see below
    bool near_singular = false;
    std::vector<Contribution> null_unknowns; ///< right null vector: this combination of unknowns is undetermined
    std::vector<Contribution> null_rows;     ///< left null vector: this combination of rows determines nothing
    std::string cause;                       ///< suspected, a sentence with names
};

/// The local matrix has the columns ∂F/∂x_j + (1/σ…) of the unknowns solved for at a point: ∂F/∂x' for differential
/// and ∂F/∂x for algebraic unknowns (σ → ∞). It is regular where the problem has index ≤ 1.
class LocalMatrix {
public:
    LocalMatrix(const problem::ImplicitProblem& problem, linalg::SolverKind kind);
    /// Reciprocal condition at a point; 0 if singular, NaN if F is not defined there.
    [[nodiscard]] double analyse(double t, const double* x, const double* dx, double shift);
    /// Null vectors of the last analysis by inverse iteration (empty if it could not be factorised at all).
    void null_vectors(std::vector<double>& right, std::vector<double>& left);
    /// Column at which elimination broke down, or -1.
    [[nodiscard]] int singular_column() const { return singular_column_; }

private:
    const problem::ImplicitProblem& problem_;
    std::vector<double> jx_, jdx_, values_;
    std::unique_ptr<linalg::LinearSolver<double>> solver_;
    bool factored_ = false;
    int singular_column_ = -1;
};

struct FailureContext {
    const problem::ImplicitProblem& problem;
    const Stepper& stepper;
    FailureReason reason = FailureReason::none; ///< none: found from last_status and the local matrix
    StepStatus last_status = StepStatus::ok;
    double h = 0.0;
    double rcond_at_start = 1.0; ///< of the local matrix, for comparison
    linalg::SolverKind solver = linalg::SolverKind::automatic;
};
[[nodiscard]] FailureReport diagnose(const FailureContext& context);

} // namespace daedalus::integrate
