// Equations of motion from energies (HW (1.41)-(1.45), S (16)): with T(t, q, q'), U(t, q), constraints g and
// generalised forces Q,
//     q' = v,   d/dt ∂T/∂v - ∂T/∂q + ∂U/∂q = Q - Gᵀ λ,   0 = g(t, q)   or   0 = w(t, q, v), then with w_v for G
//
//   lagrangian pendulum
//   parameter m = 1, L = 1, g = 9.81
//   coordinate x = L, y = 0
//   kinetic m/2*(der(x)^2 + der(y)^2)
//   potential m*g*y
//   constraint rod: x^2 + y^2 = L^2
//
// as the model of a file (.lagrange). Velocities are called v_x, multipliers lambda_rod.
#pragma once

#include "model/model.hpp"

#include <memory>

namespace daedalus::mechanics {

[[nodiscard]] Expected<model::Model> read_lagrangian(std::shared_ptr<const SourceFile> file);

} // namespace daedalus::mechanics
