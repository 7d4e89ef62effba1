// The kinematic part of MJCF, the format of MuJoCo (its XML reference, mujoco.readthedocs.io): bodies with inertials or
// inertias of their geoms, joints hinge, slide, ball and free with damping, stiffness and frictionloss, defaults by
// classes, and <equality> connect, weld and joint, which close loops. Angles are degrees unless the compiler says
// radian. Equalities, soft there, hold exactly here; what touches, passes through. What would move the bodies otherwise
// than this reads it (armature, tendons, fluids, servos, …) is refused by name; what is for pictures is skipped.
#pragma once

#include "base/problems.hpp"
#include "mechanics/description.hpp"

#include <memory>

namespace daedalus::mechanics {

[[nodiscard]] Expected<model::Model> read_mjcf(std::shared_ptr<const SourceFile> file, Scene* scene = nullptr);

} // namespace daedalus::mechanics
