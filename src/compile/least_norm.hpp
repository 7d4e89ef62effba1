// Values of least norm for variables u that the equations leave open (model::LeastNorm): of all u + V s with B V = 0
// the one with the smallest ‖D u‖, D the weights. B = ∂F/∂u depends on the solution; its rank does not.
#pragma once

#include "model/model.hpp"

#include <span>
#include <vector>

namespace daedalus::compile {

/// B of the equations as written, those that mention one of the variables, row by row.
[[nodiscard]] std::vector<expr::NodeId> open_matrix(const model::Model& model);

/// `matrix`: its values, row by row; u becomes the member of least norm. The rows that are most independent of each
/// other, as many as the rank is, span the row space; what is orthogonal to them is V (Golub & Van Loan, 5.2.8).
void take_least_norm(std::span<const double> matrix, std::span<const double> weights, int freedom,
                     std::vector<double>& u);

} // namespace daedalus::compile
