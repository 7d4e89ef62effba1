// Springs, dampers, actuators, bushings, friction and given forces.
#include "mechanics/assembly.hpp"

namespace daedalus::mechanics {

using expr::no_node;
using expr::Op;

void Assembly::line_force(const LineForce& f) {
    const Site a = site(f.a), b = site(f.b);
    const Vector d = a_.sub(b.point, a.point);
    const NodeId length = a_.norm(d);
    const Vector direction{g_.div(d.x, length), g_.div(d.y, length), g_.div(d.z, length)};
    NodeId pull = a_.number(0.0);
    if (f.stiffness != no_node) {
        const NodeId stretch = g_.sub(length, f.length);
        pull = g_.mul(f.stiffness, stretch);
        add_energy(g_.mul(a_.number(0.5), g_.mul(pull, stretch)));
    }
    const NodeId speed = a_.dot(direction, a_.sub(b.velocity, a.velocity));
    if (f.damping != no_node) pull = g_.add(pull, g_.mul(f.damping, speed));
    named_[f.name + ".length"] = length;
    named_[f.name + ".speed"] = speed;
    if (f.force != no_node) pull = g_.sub(pull, resolved(f.force));
    named_[f.name + ".pull"] = pull;
    const Vector force = a_.scale(pull, direction);
    act(a.body, a.arm, force);
    act(b.body, b.arm, a_.neg(force));
}

void Assembly::joint_force(const JointForce& f) {
    const Joint& j = d_.joints[static_cast<std::size_t>(f.joint)];
    const bool turns = j.kind != JointKind::prismatic;
    const JointMotion m = joint_motion(f.joint, f.stiffness != no_node);
    const NodeId rate = turns ? m.speed : m.velocity;
    NodeId effort = a_.number(0.0);
    if (f.stiffness != no_node) {
        const NodeId q = turns ? m.angle : m.position;
        const NodeId stretch = f.rest == no_node ? q : g_.sub(q, f.rest);
        effort = g_.neg(g_.mul(f.stiffness, stretch));
        add_energy(g_.mul(a_.number(0.5), g_.mul(f.stiffness, g_.mul(stretch, stretch))));
    }
    if (f.damping != no_node) effort = g_.sub(effort, g_.mul(f.damping, rate));
    if (f.friction != no_node) effort = g_.sub(effort, g_.mul(f.friction, g_.unary(Op::tanh, g_.div(rate, f.scale))));
    if (f.effort != no_node) effort = g_.add(effort, resolved(f.effort));
    named_[f.name + (turns ? ".torque" : ".force")] = effort;
    if (motion_of(f.joint)) { // the freedom is a coordinate
        NodeId& sum = extra_forces_.try_emplace(rate, a_.number(0.0)).first->second;
        sum = g_.add(sum, effort);
        return;
    }
    const Site a = site(j.a), b = site(j.b);
    const Vector along = a_.times(a.axes, a_.normalized(j.axis));
    if (turns) {
        act_torque(b.body, a_.scale(effort, along));
        act_torque(a.body, a_.neg(a_.scale(effort, along)));
    } else { // at the same point, so that nothing but the slide feels it
        act(b.body, b.arm, a_.scale(effort, along));
        act(a.body, a_.add(a.arm, a_.sub(b.point, a.point)), a_.neg(a_.scale(effort, along)));
    }
}

/// The small turn of b against a is ½ Σ a_k × b_k over their axes: the vector of sin(angle) × axis.
void Assembly::bushing(const Bushing& f) {
    const Site a = site(f.a), b = site(f.b);
    const auto in_a = [&](const Vector& v) { return a_.transposed_times(a.axes, v); };
    const auto out_of_a = [&](const Vector& v) { return a_.times(a.axes, v); };
    const auto each = [&](const Vector& s, const Vector& t) {
        return Vector{g_.mul(s.x, t.x), g_.mul(s.y, t.y), g_.mul(s.z, t.z)};
    };
    const Vector gap = a_.sub(b.point, a.point), d = in_a(gap);
    // Seen from a, which turns.
    const Vector speed = in_a(a_.sub(a_.sub(b.velocity, a.velocity), a_.cross(a.omega, gap)));
    const Vector spring = each(f.stiffness, d);
    add_energy(g_.mul(a_.number(0.5), a_.dot(spring, d)));
    const Vector force = out_of_a(a_.neg(a_.add(spring, each(f.damping, speed))));
    act(b.body, b.arm, force);
    act(a.body, a_.add(a.arm, gap), a_.neg(force));
    Vector turn = a_.zero();
    if (!d_.in_space) {
        const auto angle = [&](const End& e) {
            const NodeId own = g_.mul(a_.number(2.0), g_.binary(Op::atan2, e.turn.z, e.turn.w));
            return e.body == ground ? own : g_.add(named_.at(d_.body_name(e.body) + ".angle"), own);
        };
        turn.z = g_.sub(angle(f.b), angle(f.a));
    } else if (!a_.is_zero(f.turn_stiffness)) {
        for (int k = 0; k < 3; ++k) turn = a_.add(turn, a_.cross(a_.column(a.axes, k), a_.column(b.axes, k)));
        turn = in_a(a_.scale(a_.number(0.5), turn));
    }
    const Vector turning = in_a(a_.sub(b.omega, a.omega));
    const Vector torque = out_of_a(a_.neg(a_.add(each(f.turn_stiffness, turn), each(f.turn_damping, turning))));
    act_torque(b.body, torque);
    act_torque(a.body, a_.neg(torque));
}

void Assembly::applied(const AppliedForce& f) {
    const Site on = site(f.on);
    const auto of = [&](const Vector& v) { return Vector{resolved(v.x), resolved(v.y), resolved(v.z)}; };
    act(on.body, on.arm, of(f.force));
    act_torque(on.body, of(f.torque));
}

} // namespace daedalus::mechanics
