// From a description to equations. Whatever the coordinates are, bodies have frames (where they are, how they turn, how
// fast), forces act on frames, and joints constrain them:
//
//     M v' = f(t, q, v) + G(t, q)ᵀ λ,   q' = Z(q) v,   0 = g(t, q),   0 = A(t, q) v - b(t)             HW (1.46)
//
// The sign is such that λ are the forces and torques of the joint on its second body. Coordinates of bodies:
// absolute.cpp; of joints: joint_coordinates.cpp.
//
// Quaternions need no constraint: rotations are those of p/|p|, so that |p| is without meaning. Where it drifts,
// nothing else does, and p' = Z(p) ω + (1 - |p|²) p brings it back to 1 in a unit of time.
#pragma once

#include "base/problems.hpp"
#include "mechanics/description.hpp"
#include "mechanics/placement.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>

namespace daedalus::mechanics {

/// A body on its way; vectors in axes of the ground.
struct Frame {
    Matrix turn;   ///< axes of the body to axes of the ground
    Vector center; ///< of mass
    Vector velocity, omega;
    Vector force, torque; ///< all that act on it, about the centre of mass
};

/// A place on a body on its way.
struct Site {
    int body = ground;
    Vector arm; ///< from the centre of mass
    Vector point, velocity, omega;
    Matrix axes;
};

/// Coordinate and velocity of a joint's freedoms, or expressions for them.
struct JointMotion {
    NodeId angle = expr::no_node, speed = expr::no_node;       ///< of turning
    NodeId position = expr::no_node, velocity = expr::no_node; ///< of sliding
};

class Assembly {
public:
    Assembly(Description& description, const Placement& placement, Problems& problems);
    virtual ~Assembly() = default;

    /// The equations, in the description's model.
    void run();

protected:
    // Coordinates
    virtual void make_frames() = 0;
    virtual void equations_of_motion() = 0;
    /// A joint that the coordinates do not take care of becomes constraints.
    [[nodiscard]] virtual bool is_constraint(int joint) const = 0;
    [[nodiscard]] virtual std::optional<JointMotion> motion_of(int joint) = 0;

    // Variables and equations
    NodeId variable(const std::string& name, NodeId start, bool fixed, const std::string& about,
                    const SourceSpan& span);
    void equation(NodeId left, NodeId right, const std::string& about, const SourceSpan& span);
    /// q' = v: v is named as well.
    void rate(NodeId position, NodeId value, const std::string& about, const SourceSpan& span);
    [[nodiscard]] NodeId der(NodeId leaf) const { return g_.variable(g_.variable_id(leaf), 1); }
    NodeId multiplier(const std::string& name, const std::string& about, const SourceSpan& span);
    /// Generalised forces on a velocity besides those that act on frames.
    [[nodiscard]] NodeId extra_force(NodeId velocity) const;

    // Frames (frames.cpp)
    [[nodiscard]] Site site(const End& end) const;
    void act(int body, const Vector& arm, const Vector& force);
    void act_torque(int body, const Vector& torque);
    void gravity();

    // Joints (joint_rows.cpp)
    void constrain(const Joint& joint);
    [[nodiscard]] std::array<Vector, 2> across(const Vector& axis) const;
    /// 0 = e·(x_b - x_a), e fixed in the ground or in body a.
    void point_row(const Joint& j, const Site& a, const Site& b, const Vector& e, bool turns_with_a,
                   const std::string& name);
    void orthogonal_row(const Joint& j, const Vector& in_a, const Vector& in_b, const std::string& name);
    void points_coincide(const Joint& j, const Site& a, const Site& b);
    void axes_parallel(const Joint& j, const Site& a, const Site& b, const std::array<Vector, 2>& sides,
                       const Vector& axis);
    void distance_row(const Joint& j, const Site& a, const Site& b);
    void screw_row(const Joint& j, int number);
    void rolling_rows(const Joint& j);
    void same_angle(const Joint& j);
    /// 0 = g(t, y) of any form: its forces are (g_y Z)ᵀ λ.
    void general_row(NodeId g, const std::string& name, const std::string& about, const SourceSpan& span);

    // Forces (elements.cpp)
    void line_force(const LineForce& f);
    void joint_force(const JointForce& f);
    void bushing(const Bushing& f);
    void applied(const AppliedForce& f);
    void add_energy(NodeId part);

    // Quantities by name (quantities.cpp)
    [[nodiscard]] NodeId quantity(const std::string& name, const SourceSpan& span);
    [[nodiscard]] NodeId resolved(NodeId expression);
    void name_body_quantities(int body);
    void name_marker_quantities(int body);
    [[nodiscard]] JointMotion joint_motion(int joint, bool angle_wanted);
    [[nodiscard]] NodeId joint_quantity(const std::string& joint, const std::string& what);
    /// The angle of a joint in space, counted through whole turns: a state of its own.
    [[nodiscard]] NodeId counted_angle(int joint);
    void outputs();
    void conditions();
    [[nodiscard]] NodeId kinetic_energy() const;
    void describe_scene(); ///< (scene.cpp)

    Description& d_;
    const Placement& placement_;
    Problems& problems_;
    Algebra a_;
    Graph& g_;
    std::vector<Frame> frames_;
    std::map<std::string, NodeId, std::less<>> named_; ///< quantities
    std::map<std::string, NodeId> multipliers_;        ///< quantities of outputs only
    std::map<NodeId, NodeId> rates_;                   ///< position → Z v
    std::set<NodeId> velocities_;
    std::map<NodeId, NodeId> extra_forces_;
    std::map<int, NodeId> counted_angles_;
    NodeId potential_ = expr::no_node; ///< of gravity and springs
};

/// The coordinates in which bodies are free and joints are constraints.
void assemble_absolute(Description& description, const Placement& placement, Problems& problems);

} // namespace daedalus::mechanics
