// Tractability index of a model: the projector chain (projector_chain.hpp) on its linearisation along the solution,
//     E(t) = F_x'(t, x(t), x'(t)) ,   H(t) = F_x(t, x(t), x'(t)) ,
// whose time derivatives are blocks of the Jacobian of the derivative array,
//     H^(j) = ∂(D^j F)/∂x ,   E^(j) = ∂(D^j F)/∂x' - j H^(j-1) .
// A nonlinear system has the index of its linearisation along a solution (Lamour, März & Tischendorf 2013, chapter 3,
// as far as the leading term is properly stated). Nothing is taken from the ranks of the array itself.
#pragma once

#include "analysis/projector_chain.hpp"
#include "problem/derivative_array.hpp"

#include <optional>
#include <span>
#include <string>

namespace daedalus::analysis {

struct TractabilityIndex {
    std::optional<int> index;
    std::string reason; ///< how found, or why not
};

/// E and H with constant coefficients.
[[nodiscard]] TractabilityIndex tractability_index(const linalg::Matrix& e, const linalg::Matrix& h);

/// Along the solution through z, which holds x and its true derivatives up to x^(order + 1) at least. Serves an index
/// up to `order`.
[[nodiscard]] TractabilityIndex tractability_index(problem::DerivativeArray& array, int order, double t,
                                                   std::span<const double> z);

} // namespace daedalus::analysis
