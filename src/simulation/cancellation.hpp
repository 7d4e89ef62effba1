// Where structure counts derivatives that cancel: the combination of equations in which they do, in the model's words.
#pragma once

#include "linalg/dense_matrix.hpp"
#include "problem/legend.hpp"

#include <string>

namespace daedalus::simulation {

/// A combination of as few equations as possible, each with derivatives in it, that has none: yᵀ F_x' = 0. Empty where
/// there is none.
[[nodiscard]] std::string combination_without_derivatives(const linalg::Matrix& leading, const problem::Legend& names);

} // namespace daedalus::simulation
