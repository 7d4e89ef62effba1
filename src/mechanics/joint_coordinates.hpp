// Equations in coordinates of joints, and when they are taken.
#pragma once

#include "base/problems.hpp"
#include "mechanics/description.hpp"
#include "mechanics/placement.hpp"

#include <string>

namespace daedalus::mechanics {

/// Whether the freedoms of a joint can be coordinates.
[[nodiscard]] bool has_coordinates(const Joint& joint, const Description& description);

void assemble_joints(Description& description, const Placement& placement, Problems& problems);

/// What is taken where the author leaves it open, and why.
struct Choice {
    bool joints = false;
    std::string reason;
};
[[nodiscard]] Choice choose_coordinates(const Description& description, const Placement& placement);

} // namespace daedalus::mechanics
