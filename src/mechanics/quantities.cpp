// What expressions call by name: crank.angle, crank.tip.x, hinge.speed, spring.length; in outputs also the forces of
// joints. Nothing is computed that nobody mentions.
#include "expr/substitute.hpp"
#include "mechanics/assembly.hpp"

#include <algorithm>

namespace daedalus::mechanics {

using expr::no_node;
using expr::Op;

void Assembly::name_body_quantities(int body) {
    const auto k = static_cast<std::size_t>(body);
    const std::string& name = d_.bodies[k].name;
    const Frame& f = frames_[k];
    const auto add = [&](const char* what, NodeId value) { named_.try_emplace(name + what, value); };
    add(".x", f.center.x), add(".y", f.center.y);
    add(".vx", f.velocity.x), add(".vy", f.velocity.y);
    if (!d_.in_space) {
        if (!d_.bodies[k].particle) add(".omega", f.omega.z);
        return;
    }
    add(".z", f.center.z), add(".vz", f.velocity.z);
    if (d_.bodies[k].particle) return;
    const Vector own = a_.transposed_times(f.turn, f.omega);
    add(".omega_x", own.x), add(".omega_y", own.y), add(".omega_z", own.z);
    for (int i = 0; i < 3; ++i) { // its axes: first_x … third_z
        static constexpr const char* axis[] = {".first_", ".second_", ".third_"};
        const Vector c = a_.column(f.turn, i);
        named_.try_emplace(name + axis[i] + "x", c.x);
        named_.try_emplace(name + axis[i] + "y", c.y);
        named_.try_emplace(name + axis[i] + "z", c.z);
    }
}

void Assembly::name_marker_quantities(int body) {
    const Body& b = d_.bodies[static_cast<std::size_t>(body)];
    for (const Marker& m : b.markers) {
        const Site s = site({body, m.point, m.turn, {}});
        const std::string name = b.name + "." + m.name;
        named_[name + ".x"] = s.point.x, named_[name + ".y"] = s.point.y;
        named_[name + ".vx"] = s.velocity.x, named_[name + ".vy"] = s.velocity.y;
        if (d_.in_space) named_[name + ".z"] = s.point.z, named_[name + ".vz"] = s.velocity.z;
    }
}

NodeId Assembly::counted_angle(int joint) {
    const auto known = counted_angles_.find(joint);
    if (known != counted_angles_.end()) return known->second;
    const Joint& j = d_.joints[static_cast<std::size_t>(joint)];
    const Site a = site(j.a), b = site(j.b);
    const auto [u, v] = across(j.axis);
    const Vector in_b = a_.times(b.axes, u);
    const NodeId start = g_.binary(Op::atan2, a_.dot(a_.times(a.axes, v), in_b), a_.dot(a_.times(a.axes, u), in_b));
    const NodeId angle = variable(j.name + ".angle", j.angle == no_node ? a_.number(0.0) : j.angle, false,
                                  "angle of joint " + j.name, j.span);
    counted_angles_[joint] = angle;
    d_.model.initial_equations.push_back({angle, start, "angle of joint " + j.name, j.span});
    const Vector along = a_.times(a.axes, a_.normalized(j.axis));
    rate(angle, a_.dot(along, a_.sub(b.omega, a.omega)), "turning of joint " + j.name, j.span);
    return angle;
}

JointMotion Assembly::joint_motion(int joint, bool angle_wanted) {
    if (const auto own = motion_of(joint)) return *own;
    const Joint& j = d_.joints[static_cast<std::size_t>(joint)];
    const Site a = site(j.a), b = site(j.b);
    JointMotion m;
    using enum JointKind;
    const Vector along = a_.times(a.axes, a_.normalized(j.axis));
    if (j.kind == revolute || j.kind == cylindrical || j.kind == screw) {
        const Vector relative = a_.sub(b.omega, a.omega);
        m.speed = d_.in_space ? a_.dot(along, relative) : relative.z;
        if (angle_wanted && d_.in_space) m.angle = counted_angle(joint);
        if (!d_.in_space) {
            const auto angle = [&](const End& e) {
                const NodeId own = g_.mul(a_.number(2.0), g_.binary(Op::atan2, e.turn.z, e.turn.w));
                const auto of_body = named_.find(d_.body_name(e.body) + ".angle");
                return e.body == ground || of_body == named_.end() ? own : g_.add(of_body->second, own);
            };
            m.angle = g_.sub(angle(j.b), angle(j.a));
        }
    }
    if (j.kind == prismatic || j.kind == cylindrical || j.kind == screw || j.kind == slot) {
        const Vector d = a_.sub(b.point, a.point);
        m.position = a_.dot(along, d);
        m.velocity = a_.dot(along, a_.sub(a_.sub(b.velocity, a.velocity), a_.cross(a.omega, d)));
    }
    return m;
}

NodeId Assembly::joint_quantity(const std::string& joint, const std::string& what) {
    for (std::size_t k = 0; k < d_.joints.size(); ++k) {
        if (d_.joints[k].name != joint) continue;
        const bool turns = what == "angle" || what == "speed";
        if (!turns && what != "position" && what != "velocity") return no_node;
        const JointMotion m = joint_motion(static_cast<int>(k), what == "angle");
        return what == "angle" ? m.angle : what == "speed" ? m.speed : what == "position" ? m.position : m.velocity;
    }
    return no_node;
}

NodeId Assembly::quantity(const std::string& name, const SourceSpan& span) {
    if (const auto known = named_.find(name); known != named_.end()) return known->second;
    const auto dot = name.find('.');
    const std::string owner = name.substr(0, dot), what = dot == std::string::npos ? "" : name.substr(dot + 1);
    if (const NodeId found = joint_quantity(owner, what); found != no_node) return found;
    std::vector<std::string> known;
    for (const auto& [other, value] : named_)
        if (other.starts_with(owner + ".")) known.push_back(other);
    const bool is_joint =
        std::any_of(d_.joints.begin(), d_.joints.end(), [&](const Joint& j) { return j.name == owner; });
    if (is_joint)
        for (const char* each : {"angle", "speed", "position", "velocity"}) known.push_back(owner + "." + each);
    std::string hint = suggestion(name, known);
    if (hint.empty() && !known.empty()) {
        for (const std::string& each : known) hint += (hint.empty() ? "there is: " : ", ") + each;
    }
    if (is_joint && (what.starts_with("force") || what.starts_with("torque")))
        hint = "forces of joints are unknowns of 'coordinates absolute', and of outputs only";
    problems_.error("unknown-quantity", span, "there is no quantity '" + name + "' here", hint);
    return a_.number(0.0);
}

NodeId Assembly::resolved(NodeId expression) {
    std::map<NodeId, NodeId> values; // making one may need others: not within the substitution
    const NodeId roots[] = {expression};
    for (const NodeId leaf : g_.reachable(roots)) {
        if (g_.op(leaf) != Op::variable || g_.variable_id(leaf) < Description::first_quantity) continue;
        const Quantity q = d_.quantities[static_cast<std::size_t>(g_.variable_id(leaf) - Description::first_quantity)];
        values[leaf] = quantity(q.name, q.span);
    }
    if (values.empty()) return expression;
    return expr::Substitution(g_, [&](NodeId leaf) {
        const auto at = values.find(leaf);
        return at == values.end() ? leaf : at->second;
    })(expression);
}

void Assembly::conditions() {
    for (const Condition& c : d_.conditions) {
        const NodeId row = g_.sub(resolved(c.left), resolved(c.right));
        general_row(row, c.name + ".force", "constraint " + c.name, c.span);
    }
}

NodeId Assembly::kinetic_energy() const {
    NodeId twice = a_.number(0.0);
    for (std::size_t k = 0; k < frames_.size(); ++k) {
        const Body& b = d_.bodies[k];
        const Frame& f = frames_[k];
        twice = g_.add(twice, g_.mul(b.mass, a_.dot(f.velocity, f.velocity)));
        if (b.particle) continue;
        const Vector w = d_.in_space ? a_.transposed_times(f.turn, f.omega) : f.omega;
        const auto& J = b.inertia;
        const Matrix inertia{{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}};
        twice = g_.add(twice, a_.dot(w, a_.times(inertia, w)));
    }
    return g_.mul(a_.number(0.5), twice);
}

/// Forces of joints are known here, energies too.
void Assembly::outputs() {
    for (const auto& [name, lambda] : multipliers_) named_.try_emplace(name, lambda);
    named_["kinetic_energy"] = kinetic_energy();
    named_["potential_energy"] = potential_;
    for (const Output& o : d_.outputs) {
        const NodeId value = resolved(o.value);
        const NodeId leaf = variable(o.name, no_node, false, "output", o.span);
        equation(leaf, value, "output " + o.name, o.span);
    }
}

} // namespace daedalus::mechanics
