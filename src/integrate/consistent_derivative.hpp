// x' at a consistent point where F leaves parts of it open: the derivatives of algebraic unknowns.
//
// Differentiating F(t, x, x') = 0 once gives  M x'' + J x' + F_t = 0, linear equations for (x_d'', x_a') with the local
// matrix [M_d, J_a]. Where that is singular although the index is 1 (see consistent_output.hpp),
//     (J + σ M) p = σ M x'_0 - F_t     has     p = x' + O(1/σ) ,
// and one Richardson step in 1/σ removes the first error term. F_t is a central difference in t. Multistep predictors
// and starting values of Runge–Kutta stages are as good as this x'.
#pragma once

#include "integrate/consistency_matrix.hpp"
#include "integrate/iteration_matrix.hpp"

#include <optional>
#include <span>
#include <vector>

namespace daedalus::integrate {

class ConsistentDerivative {
public:
    ConsistentDerivative(const problem::ImplicitProblem& problem, linalg::SolverKind kind);
    /// Replaces dx by the full derivative; false (dx unchanged) if that is impossible. `time_scale`: length over which
    /// x changes noticeably.
    [[nodiscard]] bool find(double t, double time_scale, std::span<const double> x, std::span<double> dx);
    [[nodiscard]] const Counters& counters() const { return counters_; }

private:
    [[nodiscard]] bool differentiate_in_time(double t, double step, const double* x, const double* dx);
    [[nodiscard]] bool tells_all() const;
    [[nodiscard]] bool by_local_matrix(std::span<double> dx);
    [[nodiscard]] bool by_large_shifts(double shift, std::span<const double> x, std::span<double> dx);
    [[nodiscard]] bool solve_with(double shift, std::vector<double>& p);

    const problem::ImplicitProblem& problem_;
    linalg::SolverKind kind_;
    JacobianValues jacobian_;
    ConsistencyMatrix local_;
    std::optional<ShiftedMatrix<double>> matrix_; ///< made where it is needed
    std::vector<char> differential_;
    std::vector<double> F_t_, other_, p_, fine_, leading_; ///< leading_: M x'
    int revision_;
    Counters counters_;
};

} // namespace daedalus::integrate
