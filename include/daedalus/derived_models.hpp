// Models that are made of models: the necessary conditions of an optimal control problem, and the equations of the
// terms of an expansion in a small parameter. (A third is in stabilize.hpp.)
#pragma once

#include "daedalus/expected.hpp"
#include "daedalus/model.hpp"

#include <string>

namespace daedalus {

/// Minimise ∫ φ dt subject to y' = f(t, y, u), 0 = g(t, y, u), where u are all variables whose derivatives do not occur
/// (Hairer & Wanner (1.33)–(1.39)): with H = φ + vᵀ f + wᵀ g,
///     y' = f,   0 = g,   v' = −H_y,   0 = H_u.
/// Of index 1 if H_uu is invertible and there is no g (1.40). The conditions v(T) = 0 (1.36) make it a boundary value
/// problem: adjoints have finalValue = 0 in the text, and `solve` refuses the model.
/// `cost` is a formula in the names of the model. Fails, with the equation named, where a
/// derivative is not given as der(y) = f.
[[nodiscard]] Expected<Model> optimality_conditions(const Model& model, const std::string& cost);

/// Every variable as x = x_0 + ε x_1 + … + ε^l x_l, equal powers of ε compared (Wijckmans (1.25)–(1.29)): equations for
/// x_0, …, x_l. With l = 0 the reduced system, ε = 0. Where ε y' = g(x, y) with g_y invertible, its index is l + 1.
/// Fails where no parameter has that name, or the equations cannot be expanded at ε = 0.
[[nodiscard]] Expected<Model> perturbation_hierarchy(const Model& model, const std::string& parameter, int order);

} // namespace daedalus
