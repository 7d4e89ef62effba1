// Where bodies are at the start. What the author does not say follows from the joints, walked from the ground and from
// bodies whose place is known: a revolute joint brings two points together, and so on. Loops need not close: what the
// walk leaves open is for the consistent start, which changes least. Values are expressions in parameters.
#pragma once

#include "mechanics/description.hpp"

#include <vector>

namespace daedalus::mechanics {

struct StartOfBody {
    bool placed = false;
    Vector origin;                ///< of the body's frame
    Quaternion turn;              ///< of length 1
    NodeId angle = expr::no_node; ///< in the plane
    Vector velocity;              ///< of the centre of mass
    Vector omega;                 ///< in axes of the ground
    bool velocity_known = false, omega_known = false;
};

struct Placement {
    std::vector<StartOfBody> bodies;
    bool moving = false;              ///< something is said about velocities
    std::vector<int> joint_to_parent; ///< per body: the joint through which it was placed, or -1
};

[[nodiscard]] Placement place_bodies(const Description& description);

} // namespace daedalus::mechanics
