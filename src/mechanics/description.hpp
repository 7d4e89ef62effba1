// A mechanism as its author describes it: bodies, joints, what pulls and pushes, and where it starts. Values are
// expressions in parameters; those that may change on the way (forces, drives, outputs) may mention time and
// quantities of the mechanism by name ("crank.angle"), which stand in the graph as leaves that only the description
// knows, until coordinates are chosen.
//
// Lengths, masses and times are in any consistent units; angles are radians.
#pragma once

#include "mechanics/scene.hpp"
#include "mechanics/vectors.hpp"
#include "model/model.hpp"

#include <optional>
#include <string>
#include <vector>

namespace daedalus::mechanics {

constexpr int ground = -1; ///< in the place of a body

/// A place on a body, with axes of its own: position and turn relative to the body's frame.
struct Marker {
    std::string name;
    Vector point;
    Quaternion turn;
    SourceSpan span;
};

struct Body {
    std::string name;
    SourceSpan span;
    bool particle = false; ///< a mass without extent: it has no orientation
    bool massless = false; ///< between joints; what hangs on it has a mass
    NodeId mass = expr::no_node;
    /// About the centre of mass, in axes of the body: Jxx, Jyy, Jzz, Jxy, Jxz, Jyz; in the plane only the third.
    std::array<NodeId, 6> inertia{};
    bool has_inertia = false;
    SourceSpan mass_span, inertia_span;
    Vector center; ///< of mass, in the body's frame
    std::vector<Marker> markers;

    // At the start: what is not given follows from the joints.
    std::optional<Vector> at; ///< the origin of its frame
    bool at_fixed = false;
    std::optional<Quaternion> turn;
    NodeId angle = expr::no_node; ///< in the plane
    bool turn_fixed = false;
    std::optional<Vector> velocity; ///< of the centre of mass
    bool velocity_fixed = false;
    std::optional<Vector> omega; ///< in axes of the body
    bool omega_fixed = false;
};

/// Where something acts: a place on a body or on the ground.
struct End {
    int body = ground;
    Vector point;
    Quaternion turn;
    SourceSpan span;
};

enum class JointKind {
    revolute,
    prismatic,
    spherical,
    universal,
    cylindrical,
    planar,
    screw,
    fixed,
    distance,
    slot,
    rolling
};

struct Joint {
    JointKind kind = JointKind::fixed;
    std::string name;
    SourceSpan span;
    End a, b;
    Vector axis;                   ///< in the axes of end a, and with the same components in those of end b
    Vector second_axis;            ///< universal: in the axes of end b
    bool axis_given = false;       ///< rolling: a disc about this axis, else a ball
    NodeId length = expr::no_node; ///< distance: length; rolling: radius; screw: advance per turn
    // At the start
    NodeId angle = expr::no_node, position = expr::no_node, speed = expr::no_node, velocity = expr::no_node;
};

/// Along the line between two places: stiffness (L - length) + damping L' - force pulls them together.
struct LineForce {
    std::string name;
    SourceSpan span;
    End a, b;
    NodeId stiffness = expr::no_node, length = expr::no_node, damping = expr::no_node, force = expr::no_node;
};
/// Along the freedom of a joint, angle or position q: effort - stiffness (q - rest) - damping q' - friction.
struct JointForce {
    std::string name;
    SourceSpan span;
    int joint = 0;
    NodeId stiffness = expr::no_node, rest = expr::no_node, damping = expr::no_node, effort = expr::no_node;
    NodeId friction = expr::no_node; ///< size of dry friction …
    NodeId scale = expr::no_node;    ///< … regularised: friction tanh(q'/scale)
};
/// Springs and dampers in all directions, in the axes of end a.
struct Bushing {
    std::string name;
    SourceSpan span;
    End a, b;
    Vector stiffness, damping, turn_stiffness, turn_damping;
};
/// Components in axes of the ground.
struct AppliedForce {
    std::string name;
    SourceSpan span;
    End on;
    Vector force, torque;
};
/// left = right, in quantities of position and time.
struct Condition {
    std::string name;
    SourceSpan span;
    NodeId left = expr::no_node, right = expr::no_node;
};
struct Output {
    std::string name;
    SourceSpan span;
    NodeId value = expr::no_node;
};

enum class Coordinates {
    automatic,
    absolute, ///< position and orientation of each body, joints are constraints
    joint     ///< what the joints leave free
};

/// A quantity of the mechanism that an expression mentions.
struct Quantity {
    std::string name;
    SourceSpan span;
};

struct Description {
    model::Model model; ///< name, parameters, graph; variables and equations come when coordinates are chosen
    bool in_space = false;
    Coordinates coordinates = Coordinates::automatic;
    Vector gravity;
    std::vector<Marker> ground_markers;
    std::vector<Body> bodies;
    std::vector<Joint> joints;
    std::vector<LineForce> line_forces;
    std::vector<JointForce> joint_forces;
    std::vector<Bushing> bushings;
    std::vector<AppliedForce> applied_forces;
    std::vector<Condition> conditions;
    std::vector<Output> outputs;
    Scene scene;                      ///< when coordinates are chosen
    std::vector<Quantity> quantities; ///< leaf first_quantity + k stands for quantities[k]

    /// Leaves of quantities are variables behind all that a model has.
    static constexpr int first_quantity = 1 << 28;
    /// The leaf that stands for a quantity.
    [[nodiscard]] NodeId quantity(const std::string& name, const SourceSpan& span);
    [[nodiscard]] Graph& graph() const { return *model.graph; }
    [[nodiscard]] const std::string& body_name(int body) const;
};

[[nodiscard]] std::string_view name_of(JointKind kind);

} // namespace daedalus::mechanics
