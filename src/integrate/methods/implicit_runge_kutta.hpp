// Implicit Runge–Kutta methods of any tableau with a regular matrix of stages (stage_form.hpp): Gauss, Radau IA and
// IIA, Lobatto IIIA, IIIB, IIIC, diagonally implicit ones. (Radau IIA with 1, 3, 5, 7, 9 stages has a faster stepper of
// its own, radau.hpp.)
//
// The end of a step, where b is not the last row of A:
//   direct     y_{n+1} = R(∞) y_n + Σ e_j Y_j, as the limit of singularly perturbed problems: W (3.6), (3.12)
//   indirect   y_{n+1} and x'_{n+1} from F = 0 at the end, given x_{n+1}: W (3.7); index 1
//   projected  x_{n+1} goes back to its constraint, y_{n+1} is taken from the hidden one: W (3.21); index 2
// Where nobody says, index 1 is indirect (y has the order of x), and higher index direct.
//
// Error estimate: h γ (x_n' - p(0)), where p interpolates the stage derivatives at c_i ≠ 0 and 1/γ is the shift of a
// real matrix, which filters it: (J + 1/(hγ) M) e = M (x_n' - p(0)). It is the difference of the embedded quadrature
// formula that adds the node 0 to the stages (HW (8.17)–(8.19) for Radau IIA; de Swart & Söderlind 1997 for any
// tableau).
#pragma once

#include "integrate/stepper.hpp"
#include "integrate/tableau/stage_form.hpp"

namespace daedalus::integrate {

/// Lives as long as its steppers, which refer to it.
struct ImplicitMethod {
    tableau::ButcherTableau tableau;
    tableau::StageForm form;
};

[[nodiscard]] std::unique_ptr<Stepper> make_implicit_runge_kutta(const problem::ImplicitProblem& problem,
                                                                 const IntegrationOptions& options,
                                                                 const ImplicitMethod& method);

} // namespace daedalus::integrate
