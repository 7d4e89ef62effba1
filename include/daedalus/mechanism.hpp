// Mechanisms written in C++: rigid bodies in the plane or in space, joints between them, forces; the equations follow.
//
//   auto m = daedalus::Mechanism::in_plane("pendulum");
//   m.gravity({0, -9.81});
//   auto rod = m.body("rod", {.mass = 1, .inertia = {0.1}, .center = {0.5, 0}});
//   m.joint("hinge", daedalus::JointType::revolute, m.ground(), rod);
//   const auto solution = daedalus::solve(*m.model(), {.until = 10});          // solution->final("rod.angle")
//
// The same as text: files ending in .mech (docs/mechanics.md), read by Model::from_file. What can only be a mistake in
// the writing, a name used twice or a place on a body of another mechanism, throws std::invalid_argument; what numbers
// say, a negative mass, is an error of model().
#pragma once

#include "daedalus/expected.hpp"
#include "daedalus/expression.hpp"
#include "daedalus/model.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace daedalus {

enum class JointType {
    revolute,    ///< turns about an axis; in the plane about a point
    prismatic,   ///< slides along an axis
    spherical,   ///< two points coincide
    universal,   ///< and two axes, one on each body, are orthogonal
    cylindrical, ///< turns about an axis and slides along it
    planar,      ///< slides in a plane and turns about its normal
    screw,       ///< turns about an axis, and slides along it by `length` per turn
    fixed,       ///< nothing moves
    distance,    ///< two points keep a distance
    slot,        ///< a point stays on a line
    rolling      ///< a ball or circle of radius `length`, or a disc about an axis, rolls on the ground without slipping
};

struct Components {
    Expression x = 0, y = 0, z = 0; ///< z: in space
};
struct Turned {
    Expression angle = 0;
    Components axis = {0, 0, 1};
};

/// A place on a body or on the ground, with axes.
struct Place {
    std::string body = "ground";
    Components point = {}; ///< in the frame of the body
    Turned turned = {};

    [[nodiscard]] Place at(const Components& other) const { return {body, other, turned}; }
    [[nodiscard]] Place turned_by(const Turned& other) const { return {body, point, other}; }
};

struct BodyOptions {
    Expression mass = 0;
    std::vector<Expression> inertia = {}; ///< about the centre of mass: J; Jxx, Jyy, Jzz; or with Jxy, Jxz, Jyz.
                                          ///< Empty: a particle, which has no orientation
    Components center = {};               ///< of mass, in the body's frame
    // At the start; what is not given follows from the joints
    std::optional<Components> at = {};
    std::optional<Turned> turned = {};
    std::optional<Components> velocity = {}; ///< of the centre of mass
    std::optional<Components> omega = {};    ///< in axes of the body; in the plane z
    bool fixed = false;                      ///< what is given must hold, else it is changed as little as possible
};

struct JointOptions {
    /// In the axes of the first place, and the same in those of the second; default: z. What rolls is a disc about it,
    /// or without it a ball.
    std::optional<Components> axis = {};
    std::optional<Components> second_axis = {}; ///< universal: in the axes of the second place
    std::optional<Expression> length = {};      ///< distance, radius, or advance per turn
    std::optional<Expression> angle = {}, position = {}, speed = {}, velocity = {}; ///< at the start
};

struct LineForceOptions {
    std::optional<Expression> stiffness = {}, length = {}, damping = {};
    std::optional<Expression> force = {}; ///< pushes the ends apart
};
struct JointForceOptions {
    std::optional<Expression> stiffness = {}, rest = {}, damping = {};
    std::optional<Expression> effort = {};               ///< torque or force on the second body
    std::optional<Expression> friction = {}, scale = {}; ///< friction · tanh(speed/scale)
};

class Mechanism {
public:
    [[nodiscard]] static Mechanism in_plane(const std::string& name);
    [[nodiscard]] static Mechanism in_space(const std::string& name);
    Mechanism(Mechanism&&) noexcept;
    Mechanism& operator=(Mechanism&&) noexcept;
    ~Mechanism();

    Expression parameter(const std::string& name, double value);
    [[nodiscard]] Expression time() const;
    /// What moves, by name, for forces, constraints and outputs: "rod.angle", "rod.vx", "hinge.speed".
    [[nodiscard]] Expression quantity(const std::string& name);

    void gravity(const Components& acceleration);
    [[nodiscard]] Place ground() const { return {}; }
    Place body(const std::string& name, const BodyOptions& options);
    void joint(const std::string& name, JointType type, const Place& a, const Place& b,
               const JointOptions& options = {});
    /// A spring, damper or actuator on the line between two places.
    void line_force(const std::string& name, const Place& a, const Place& b, const LineForceOptions& options);
    /// A torsion spring, motor or friction in a revolute, prismatic, cylindrical or screw joint.
    void joint_force(const std::string& name, const std::string& joint, const JointForceOptions& options);
    /// Components in axes of the ground.
    void force(const std::string& name, const Place& on, const Components& force, const Components& torque = {});
    /// A constraint on positions, with time: a drive.
    void constraint(const std::string& name, const EquationExpression& equation);
    void output(const std::string& name, const Expression& value);

    /// The equations of what was described so far.
    [[nodiscard]] Expected<Model> model() const;

private:
    struct Impl;
    explicit Mechanism(std::shared_ptr<Impl> impl);
    std::shared_ptr<Impl> impl_;
};

} // namespace daedalus
