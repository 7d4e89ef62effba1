// The end of a projected Runge–Kutta step (Ascher & Petzold 1991; W (3.21)) for semi-explicit problems of index 2,
//     x' = f(t, x, y),  0 = g(t, x),  g_x f_y regular:
//   1. x̂ = x + f_y μ with g(t, x̂) = 0;
//   2. y and x' from  x' = f(t, x̂, y),  0 = g_t + g_x x', the hidden constraint.
// With rows and unknowns of F so split, both are solved by one matrix,
//     [ ∂F/∂x'  ∂F/∂y ] (δ )     [ 0 ]          ∂F/∂x' δ + ∂F/∂y μ = 0  says  δ = f_y μ
//     [ ∂g/∂x     0   ] (μ ) = - [ g ]
// whose entries lie on the problem's own pattern.
#pragma once

#include "integrate/error_norm.hpp"
#include "integrate/iteration_matrix.hpp"
#include "integrate/stepper.hpp"

#include <functional>

namespace daedalus::integrate {

class ProjectedEnd {
public:
    ProjectedEnd(const problem::ImplicitProblem& problem, linalg::SolverKind kind);
    void links_changed();

    /// ∂F/∂t at a point where F is known.
    using TimeDerivative =
        std::function<bool(double t, const double* x, const double* dx, const double* F, double* result)>;
    /// Moves x and dx at t, the end of a step of size h, as above; `round_off`: corrections below it, in the norm, are
    /// none.
    [[nodiscard]] StepStatus apply(double t, double h, double* x, double* dx, const ErrorNorm& norm, double round_off,
                                   const TimeDerivative& time_derivative, Counters& counters);

    /// Why F is not of this form; empty: it is.
    [[nodiscard]] static std::string refusal(const problem::ImplicitProblem& problem);

private:
    [[nodiscard]] StepStatus factor(double t, const double* x, const double* dx, Counters& counters);
    [[nodiscard]] StepStatus onto_constraint(double t, double* x, const double* dx, const ErrorNorm& norm,
                                             double round_off, Counters& counters);
    [[nodiscard]] StepStatus hidden_constraint(double t, double h, double* x, double* dx, const ErrorNorm& norm,
                                               double round_off, const TimeDerivative& time_derivative,
                                               Counters& counters);

    const problem::ImplicitProblem& problem_;
    const std::size_t n_;
    JacobianValues jacobian_, split_; ///< as evaluated; without ∂F/∂x in dynamic rows
    ShiftedMatrix<double> matrix_;
    std::vector<char> dynamic_row_, differential_;
    std::vector<double> residual_, by_time_, delta_;
};

} // namespace daedalus::integrate
