// What of a mechanism can be seen: where bodies are and how they are turned, as expressions in the variables of its
// model, with joints and springs at places that bodies carry along. And its energies.
#pragma once

#include "mechanics/vectors.hpp"

#include <memory>
#include <string>
#include <vector>

namespace daedalus::mechanics {

struct Scene {
    struct Body {
        std::string name;
        Vector center; ///< of mass, in axes of the ground
        Matrix turn;   ///< axes of the body to axes of the ground
        /// Edges of a block of the same mass and inertia, along the axes of the body (without those of the deviation
        /// moments); zero for particles and bodies without mass.
        Vector size;
        std::vector<Vector> points; ///< places on it, from its centre of mass, in its axes
    };
    /// Places of the ground are in its axes, those of bodies as above.
    struct Link {
        std::string name;
        std::string kind;   ///< "revolute", …; of springs and actuators "line"
        bool joint = false; ///< or a force
        int a = -1, b = -1; ///< bodies; -1: ground
        Vector at_a, at_b;
        Vector axis;                   ///< of joints that have one, in axes of body a
        NodeId radius = expr::no_node; ///< of what rolls
        bool disc = false;             ///< and is one, about its axis
    };
    bool in_space = false;
    std::shared_ptr<const Graph> graph;
    Vector gravity;
    std::vector<Body> bodies;
    std::vector<Link> links;
    NodeId kinetic = expr::no_node, potential = expr::no_node; ///< potential: of gravity and springs
};

} // namespace daedalus::mechanics
