// Joints as constraints with the forces that act along them. Two kinds of rows make all lower pairs (García de Jalón &
// Bayo 1994, ch. 3; Haug 1989, ch. 9): a component of the vector between two points vanishes, or two directions are
// orthogonal. The virtual work of a row says which forces belong to it:
//
//     e·(x_b - x_a):  e at x_b on b; -e at x_b on a, if e turns with a, else at x_a
//     a·b:            d/dt = (ω_b - ω_a)·(b × a), hence torque b × a on the second body
#include "expr/differentiate.hpp"
#include "expr/evaluate.hpp"
#include "expr/substitute.hpp"
#include "mechanics/assembly.hpp"

#include <cmath>

namespace daedalus::mechanics {

using expr::no_node;
using expr::Op;

namespace {
/// What messages call a row: its joint, and the force that belongs to it.
std::string about(const Joint& j, const std::string& force) {
    return std::string(name_of(j.kind)) + " joint " + j.name + " (" + force + "): ";
}
/// A row that holds whatever the coordinates are, as those across the plane of a planar loop do: nothing is held by it,
/// and no motion tells its force. Left and right are sums of a few lengths, off by their roundings.
bool says_nothing(Graph& g, NodeId left, NodeId right) {
    constexpr double rounding = 1e-14;
    const NodeId difference = g.sub(left, right);
    return g.op(difference) == Op::constant && std::abs(g.constant_value(difference)) <= rounding;
}
} // namespace

/// Two unit vectors orthogonal to a constant one and to each other, right-handed: (u, v, axis).
std::array<Vector, 2> Assembly::across(const Vector& axis) const {
    const auto parameters = model::parameter_values(d_.model);
    const auto value = [&](NodeId e) {
        return expr::evaluate(g_, e, [&](NodeId leaf) {
            return parameters && g_.op(leaf) == Op::parameter
                       ? (*parameters)[static_cast<std::size_t>(g_.parameter_id(leaf))]
                       : 0.0;
        });
    };
    const double x = std::abs(value(axis.x)), y = std::abs(value(axis.y)), z = std::abs(value(axis.z));
    const Vector other = z >= x && z >= y ? a_.vector(1, 0, 0) : x >= y ? a_.vector(0, 1, 0) : a_.vector(0, 0, 1);
    const Vector n = a_.normalized(axis);
    const Vector v = a_.normalized(a_.cross(n, other));
    return {a_.cross(v, n), v};
}

void Assembly::point_row(const Joint& j, const Site& a, const Site& b, const Vector& e, bool turns_with_a,
                         const std::string& name) {
    const Vector d = a_.sub(b.point, a.point);
    const NodeId left = turns_with_a ? a_.dot(e, d) : a_.dot(e, b.point),
                 right = turns_with_a ? a_.number(0.0) : a_.dot(e, a.point);
    if (says_nothing(g_, left, right)) return;
    const NodeId lambda = multiplier(j.name + "." + name, "force of joint " + j.name, j.span);
    const Vector force = a_.scale(lambda, e);
    act(b.body, b.arm, force);
    act(a.body, turns_with_a ? a_.add(a.arm, d) : a.arm, a_.neg(force));
    equation(left, right, about(j, name) + "points meet", j.span);
}

void Assembly::orthogonal_row(const Joint& j, const Vector& in_a, const Vector& in_b, const std::string& name) {
    if (says_nothing(g_, a_.dot(in_a, in_b), a_.number(0.0))) return;
    const NodeId lambda = multiplier(j.name + "." + name, "torque of joint " + j.name, j.span);
    const Vector torque = a_.scale(lambda, a_.cross(in_b, in_a));
    act_torque(j.b.body, torque);
    act_torque(j.a.body, a_.neg(torque));
    equation(a_.dot(in_a, in_b), a_.number(0.0), about(j, name) + "directions are orthogonal", j.span);
}

void Assembly::points_coincide(const Joint& j, const Site& a, const Site& b) {
    point_row(j, a, b, a_.vector(1, 0, 0), false, "force_x");
    point_row(j, a, b, a_.vector(0, 1, 0), false, "force_y");
    if (d_.in_space) point_row(j, a, b, a_.vector(0, 0, 1), false, "force_z");
}

void Assembly::axes_parallel(const Joint& j, const Site& a, const Site& b, const std::array<Vector, 2>& sides,
                             const Vector& axis) {
    const Vector along = a_.times(b.axes, axis);
    orthogonal_row(j, a_.times(a.axes, sides[0]), along, "torque_1");
    orthogonal_row(j, a_.times(a.axes, sides[1]), along, "torque_2");
}

/// In the plane: angles differ by what the markers are turned, and by what is between the bodies at the start.
void Assembly::same_angle(const Joint& j) {
    const NodeId lambda = multiplier(j.name + ".torque", "torque of joint " + j.name, j.span);
    const Vector torque{a_.number(0), a_.number(0), lambda};
    act_torque(j.b.body, torque);
    act_torque(j.a.body, a_.neg(torque));
    const auto angle = [&](const End& e) {
        const NodeId marker = g_.mul(a_.number(2.0), g_.binary(Op::atan2, e.turn.z, e.turn.w));
        return e.body == ground ? marker : g_.add(named_.at(d_.body_name(e.body) + ".angle"), marker);
    };
    equation(angle(j.b), angle(j.a), about(j, "torque") + "angles are equal", j.span);
}

/// (|d|² - L²)/(2L), whose multiplier is the force that pushes the ends apart.
void Assembly::distance_row(const Joint& j, const Site& a, const Site& b) {
    const Vector d = a_.sub(b.point, a.point);
    NodeId length = j.length;
    if (length == no_node) { // as at the start
        const auto start = [&](const End& e) {
            if (e.body == ground) return e.point;
            const StartOfBody& s = placement_.bodies[static_cast<std::size_t>(e.body)];
            return a_.add(s.origin, a_.times(a_.rotation_of_unit(s.turn), e.point));
        };
        length = a_.norm(a_.sub(start(j.b), start(j.a)));
    }
    const NodeId lambda = multiplier(j.name + ".force", "force of joint " + j.name, j.span);
    const Vector force = a_.scale(g_.div(lambda, length), d);
    act(b.body, b.arm, force);
    act(a.body, a.arm, a_.neg(force));
    const NodeId twice = g_.mul(a_.number(2.0), length);
    equation(g_.div(a_.dot(d, d), twice), g_.mul(a_.number(0.5), length), "distance joint " + j.name, j.span);
}

/// The slide is pitch × angle / 2π; a state counts the turns.
void Assembly::screw_row(const Joint& j, int number) {
    const JointMotion m = joint_motion(number, true);
    const NodeId per_angle = g_.div(j.length, a_.number(2.0 * 3.14159265358979323846));
    general_row(g_.sub(m.position, g_.mul(per_angle, m.angle)), j.name + ".force", "screw joint " + j.name, j.span);
}

/// A circle (in the plane), a ball, or a disc about an axis, on the ground's plane through the place of the other end.
/// The point of contact c has no velocity: v + ω × c = 0. Across the plane that is the derivative of a constraint on
/// positions; along it, it is non-holonomic.
void Assembly::rolling_rows(const Joint& j) {
    const bool ground_first = j.a.body == ground;
    const Site base = site(ground_first ? j.a : j.b), wheel = site(ground_first ? j.b : j.a);
    const Vector normal = a_.column(base.axes, d_.in_space ? 2 : 1);
    Vector c = a_.scale(g_.neg(j.length), normal); // from the middle to the contact
    NodeId height = j.length;
    if (d_.in_space && j.axis_given) {
        const Vector axis = a_.times(wheel.axes, a_.normalized(j.axis));
        const NodeId lean = a_.dot(normal, axis);
        const NodeId upright = g_.unary(Op::sqrt, g_.sub(a_.number(1.0), g_.mul(lean, lean)));
        c = a_.scale(g_.neg(g_.div(j.length, upright)), a_.sub(normal, a_.scale(lean, axis)));
        height = g_.mul(j.length, upright);
    }
    const Vector velocity = a_.add(wheel.velocity, a_.cross(wheel.omega, c));
    const Vector arm = a_.add(wheel.arm, c);
    const auto force_along = [&](const Vector& e, const std::string& name) {
        const NodeId lambda = multiplier(j.name + "." + name, "force of joint " + j.name, j.span);
        act(wheel.body, arm, a_.scale(lambda, e));
    };
    force_along(normal, "force_normal");
    equation(a_.dot(normal, a_.sub(wheel.point, base.point)), height, "rolling joint " + j.name + ": contact", j.span);
    const auto slip = [&](int column, const std::string& name) {
        const Vector e = a_.column(base.axes, column);
        force_along(e, name);
        equation(a_.dot(e, velocity), a_.number(0.0), "rolling joint " + j.name + ": no slip", j.span);
    };
    slip(0, d_.in_space ? "force_1" : "force_along");
    if (d_.in_space) slip(1, "force_2");
}

void Assembly::general_row(NodeId row, const std::string& name, const std::string& about, const SourceSpan& span) {
    NodeId w = a_.number(0.0); // g_y Z v
    for (const expr::Partial& p : expr::gradient(g_, row)) {
        const auto rate_of = rates_.find(p.leaf);
        if (rate_of == rates_.end()) {
            problems_.error("not-a-position", span,
                            "'" + name.substr(0, name.find('.')) +
                                "' mentions a velocity or a force, but constraints are on positions");
            return;
        }
        w = g_.add(w, g_.mul(p.value, rate_of->second));
    }
    const NodeId lambda = multiplier(name, "force of " + name.substr(0, name.find('.')), span);
    for (const expr::Partial& p : expr::gradient(g_, w)) {
        if (!velocities_.contains(p.leaf)) continue;
        // The row may depend on time only through t: what is linear in v is what does work.
        NodeId& sum = extra_forces_.try_emplace(p.leaf, a_.number(0.0)).first->second;
        sum = g_.add(sum, g_.mul(p.value, lambda));
    }
    equation(row, a_.number(0.0), about, span);
}

void Assembly::constrain(const Joint& j) {
    using enum JointKind;
    const int number = static_cast<int>(&j - d_.joints.data());
    if (j.kind == rolling) return rolling_rows(j);
    const Site a = site(j.a), b = site(j.b);
    if (j.kind == distance) return distance_row(j, a, b);
    const Vector axis = a_.normalized(j.axis);
    const Vector along = a_.times(a.axes, axis);
    if (!d_.in_space && (j.kind == prismatic || j.kind == slot)) {
        const Vector n{g_.neg(along.y), along.x, a_.number(0.0)};
        point_row(j, a, b, n, true, "force");
        if (j.kind == prismatic) same_angle(j);
        return;
    }
    if (!d_.in_space) {
        points_coincide(j, a, b);
        if (j.kind == fixed) same_angle(j);
        return;
    }
    const std::array<Vector, 2> sides = across(j.axis);
    const auto slide = [&] {
        point_row(j, a, b, a_.times(a.axes, sides[0]), true, "force_1");
        point_row(j, a, b, a_.times(a.axes, sides[1]), true, "force_2");
    };
    const auto no_twist = [&] {
        orthogonal_row(j, a_.times(a.axes, sides[0]), a_.times(b.axes, sides[1]), "torque_3");
    };
    switch (j.kind) {
    case spherical: points_coincide(j, a, b); break;
    case revolute:
        points_coincide(j, a, b);
        axes_parallel(j, a, b, sides, axis);
        break;
    case universal:
        points_coincide(j, a, b);
        orthogonal_row(j, along, a_.times(b.axes, a_.normalized(j.second_axis)), "torque");
        break;
    case fixed:
        points_coincide(j, a, b);
        axes_parallel(j, a, b, sides, axis);
        no_twist();
        break;
    case slot: slide(); break;
    case cylindrical:
        slide();
        axes_parallel(j, a, b, sides, axis);
        break;
    case screw:
        slide();
        axes_parallel(j, a, b, sides, axis);
        screw_row(j, number);
        break;
    case prismatic:
        slide();
        axes_parallel(j, a, b, sides, axis);
        no_twist();
        break;
    case planar:
        point_row(j, a, b, along, true, "force");
        axes_parallel(j, a, b, sides, axis);
        break;
    default: break;
    }
}

} // namespace daedalus::mechanics
