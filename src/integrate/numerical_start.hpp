// Starting values that are consistent with the difference equations of BDF on index 3, not only with the DAE
//     p' = U(t, q),   q' = F(t, p, q) + G(t, p, q) Λ,   0 = R(t, p),   R_p U_q G regular .                  NC (4.1)
// From exact values the implicit Euler method gives Λ_1 an error O(1): R(p_1) = 0 makes R_p U_q q_1 carry the defect of
// the difference quotient, and q_0 carries none. q_0 is shifted in the range of G such that
//     R_p U_q δq = R_p w ,   w = U_q (q(0) - q_1) - h U_t        NC (4.2), with q_1 of the step from exact values;
//                            w = -h^k p^(k+1) / (k+1)            for k steps, all k starting values.
// For Euler–Lagrange equations the first is NC (3.3). What δq = G ν would have been needed tells the error of Λ_1, too:
// Λ_1 - ν/h is accurate to O(h)                                  NC section 3, a posteriori.
//
// On F(t, x, x') = 0 unknowns of index 1, 2, 3 are p, q, Λ; rows with p', with q', and without derivatives are the
// three equations. With e = U_q δq - w the shift solves
//     F_p' e + F_q δq = -F_p' w ,   F_q' δq + F_Λ ν = 0 ,   R_p e = 0 ,
// a matrix on the problem's own pattern.
#pragma once

#include "integrate/iteration_matrix.hpp"
#include "integrate/statistics.hpp"

#include <string>
#include <vector>

namespace daedalus::integrate {

class NumericalStart {
public:
    NumericalStart(const problem::ImplicitProblem& problem, linalg::SolverKind kind);
    void links_changed();

    /// Why there is nothing to shift; empty: there is.
    [[nodiscard]] static std::string refusal(const problem::ImplicitProblem& problem);

    /// J and M at a point.
    [[nodiscard]] bool linearize(double t, const double* x, const double* dx, Counters& counters);
    /// The shift for w with values of index 1 (k steps).
    [[nodiscard]] bool solve_for(const double* w, Counters& counters);
    /// The shift of NC (4.2): `change` holds q(0) - q_1, by_time ∂F/∂t.
    [[nodiscard]] bool solve_for_step(const double* change, const double* by_time, double h, Counters& counters);
    /// δq in unknowns of index 2, ν in those of index 3, after either.
    [[nodiscard]] const std::vector<double>& shift() const { return shift_; }
    [[nodiscard]] int index_of(std::size_t k) const { return problem_.unknowns()[k].index; }

private:
    [[nodiscard]] bool finish(Counters& counters);

    const problem::ImplicitProblem& problem_;
    const std::size_t n_;
    JacobianValues jacobian_, split_;
    ShiftedMatrix<double> matrix_;
    enum class Row : char { kinematic, dynamic, constraint };
    std::vector<Row> row_;
    std::vector<double> shift_;
};

} // namespace daedalus::integrate
