// The index of each variable when the system is integrated as written, as error tests and Newton scalings of implicit
// methods need it (HW VII.6; RADAU5's index-1, -2 and -3 variables): x_j has index μ_j if a perturbation δ(t) of the
// equations reaches x_j through its derivatives up to δ^(μ_j − 1), but no higher.
//
// From the offsets of the Σ-method. The leading derivatives x_j^(d_j) solve the differentiated system f_i^(c_i) =
// δ_i^(c_i), whose entry (i, l) contains x_l up to order c_i + σ_il = d_l − w_il with the slack w_il = d_l − c_i − σ_il
// ≥ 0. Let P_j be the highest derivative of δ that reaches x_j^(d_j). Each derivative lost, w, takes one off: the lower
// derivative was solved for from less differentiated equations, or is an integral. So, with i the equation matched to
// j,
//     P_j = max( c_i,  P_l − w_il for every variable l of equation i ),        μ_j = 1 + max(0, P_j − d_j).
// Entries of S0 have w = 0, so all variables of a block share one P and it does not matter which transversal is used.
// P is the least solution; its values spread from the largest c downwards, each variable is settled once.
//
// Pendulum (x, y, u, v, λ): c = (1, 1, 0, 0, 2), d = (2, 2, 1, 1, 0), P = 2 everywhere: μ = 1, 1, 2, 2, 3.
// A pure ODE, ν = 0, has index 0 in all variables. Like everything structural, it is right where the system Jacobian is
// nonsingular, and it does not see cancellations.
#pragma once

#include "structure/incidence.hpp"
#include "structure/signature_method.hpp"

#include <vector>

namespace daedalus::structure {

[[nodiscard]] std::vector<int> index_per_variable(const SignatureMatrix& sigma, const SignatureAnalysis& analysis);

} // namespace daedalus::structure
