// Robots from URDF files (the format of ROS, wiki.ros.org/urdf/XML): links with inertials, joints revolute, continuous,
// prismatic, fixed and floating, with damping, friction and mimic. What is there for pictures and for other programs is
// skipped. The root link is fixed to the ground; gravity is g along -z; each moving joint J has a parameter J.torque
// (or J.force), zero unless set.
#pragma once

#include "base/problems.hpp"
#include "mechanics/description.hpp"

#include <memory>

namespace daedalus::mechanics {

/// Adds links and joints to a description in space.
void add_robot(const SourceFile& file, Description& description, Problems& problems);

[[nodiscard]] Expected<model::Model> read_urdf(std::shared_ptr<const SourceFile> file, Scene* scene = nullptr);

} // namespace daedalus::mechanics
