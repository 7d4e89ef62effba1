// A system of index 1 that is nearly of index 2, x' = f(t, x, y), 0 = g(t, x, y) with g_y almost singular, made robust
// against errors in its equations (Mattheij & Wijckmans, (8.2)): the differentiated constraint is added and one more
// multiplier per constraint makes room for it,
//     x' = f + g_xᵀ μ,      0 = g,      0 = g_t + g_x f + g_y y'.
// x and y stay what they are, and μ = 0; errors of size δ no longer reach y as δ/h, and the constraints do not drift.
#pragma once

#include "daedalus/expected.hpp"
#include "daedalus/model.hpp"

namespace daedalus {

/// Fails where the equations are not der(x) = f or free of derivatives, with the one that is not named. To be solved
/// as it is written (Reduction::none): reducing its index would only find μ = 0 again.
[[nodiscard]] Expected<Model> stabilized(const Model& model);

} // namespace daedalus
