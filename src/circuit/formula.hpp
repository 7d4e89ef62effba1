// Behavioural formulas of a deck as expressions.
#pragma once

#include "circuit/assembly.hpp"

namespace daedalus::circuit {

[[nodiscard]] NodeId lower(Assembly& a, const spice::Element& element, const spice::Formula& formula);

/// c₀ + c₁ x₁ + …: POLY(n) of SPICE.
[[nodiscard]] NodeId polynomial(Assembly& a, const std::vector<spice::Value>& coefficients,
                                const std::vector<NodeId>& x);

/// Linear between points (x₁, y₁), (x₂, y₂), …, constant outside; corners make no events.
[[nodiscard]] NodeId table(Assembly& a, const std::vector<double>& points, NodeId x);

} // namespace daedalus::circuit
