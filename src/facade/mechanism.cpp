// Mechanisms from C++: the description that mechanism files are read into, filled by calls.
#include "daedalus/mechanism.hpp"

#include "base/printable.hpp"
#include "facade/access.hpp"
#include "mechanics/read_mechanism.hpp"

#include <algorithm>
#include <stdexcept>

namespace daedalus {

namespace mech = mechanics;

struct Mechanism::Impl {
    mech::Description d;
    mech::Algebra a{d.graph()};

    [[nodiscard]] expr::NodeId node(const Expression& e) { return Expression::Access::node(e, d.graph()); }
    [[nodiscard]] expr::NodeId node(const std::optional<Expression>& e) { return e ? node(*e) : expr::no_node; }
    [[nodiscard]] mech::Vector vector(const Components& c) {
        return {node(c.x), node(c.y), d.in_space ? node(c.z) : a.number(0.0)};
    }
    [[nodiscard]] mech::Vector axial(const Components& c) {
        return d.in_space ? vector(c) : mech::Vector{a.number(0.0), a.number(0.0), node(c.z)};
    }
    [[nodiscard]] mech::Quaternion turn(const Turned& t) {
        return a.turn(node(t.angle), d.in_space ? vector(t.axis) : a.vector(0, 0, 1));
    }
    [[nodiscard]] mech::End end(const Place& p) {
        mech::End e;
        e.point = vector(p.point);
        e.turn = turn(p.turned);
        if (p.body == "ground") return e;
        const auto at = std::find_if(d.bodies.begin(), d.bodies.end(), [&](const auto& b) { return b.name == p.body; });
        if (at == d.bodies.end())
            throw std::invalid_argument("the mechanism '" + d.model.name + "' has no body '" + printable(p.body) + "'");
        e.body = static_cast<int>(at - d.bodies.begin());
        return e;
    }
    void claim(const std::string& name) {
        if (!is_printable(name) || name.empty() || name == "ground" || name == "time")
            throw std::invalid_argument("'" + printable(name) + "' cannot be a name in a mechanism");
        if (std::find(names.begin(), names.end(), name) != names.end() || d.model.find_parameter(name))
            throw std::invalid_argument("the mechanism '" + d.model.name + "' has '" + name + "' already");
        names.push_back(name);
    }
    std::vector<std::string> names;
};

namespace {
mech::JointKind kind_of(JointType type) {
    switch (type) {
    case JointType::revolute: return mech::JointKind::revolute;
    case JointType::prismatic: return mech::JointKind::prismatic;
    case JointType::spherical: return mech::JointKind::spherical;
    case JointType::universal: return mech::JointKind::universal;
    case JointType::cylindrical: return mech::JointKind::cylindrical;
    case JointType::planar: return mech::JointKind::planar;
    case JointType::screw: return mech::JointKind::screw;
    case JointType::fixed: return mech::JointKind::fixed;
    case JointType::distance: return mech::JointKind::distance;
    case JointType::slot: return mech::JointKind::slot;
    case JointType::rolling: return mech::JointKind::rolling;
    }
    throw std::invalid_argument("no such joint");
}
bool in_plane_too(JointType type) {
    return type == JointType::revolute || type == JointType::prismatic || type == JointType::fixed ||
           type == JointType::distance || type == JointType::slot || type == JointType::rolling;
}
} // namespace

Mechanism::Mechanism(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
Mechanism::Mechanism(Mechanism&&) noexcept = default;
Mechanism& Mechanism::operator=(Mechanism&&) noexcept = default;
Mechanism::~Mechanism() = default;

Mechanism Mechanism::in_plane(const std::string& name) {
    auto impl = std::make_shared<Impl>();
    impl->d.model.name = printable(name);
    impl->d.gravity = impl->a.zero();
    return Mechanism(std::move(impl));
}
Mechanism Mechanism::in_space(const std::string& name) {
    Mechanism m = in_plane(name);
    m.impl_->d.in_space = true;
    return m;
}

Expression Mechanism::parameter(const std::string& name, double value) {
    impl_->claim(name);
    model::Parameter p;
    p.name = name;
    p.binding = impl_->a.number(value);
    auto& m = impl_->d.model;
    return Expression::Access::make(m.graph, m.graph->parameter(m.add_parameter(std::move(p))));
}
Expression Mechanism::time() const { return Expression::Access::make(impl_->d.model.graph, impl_->d.graph().time()); }
Expression Mechanism::quantity(const std::string& name) {
    return Expression::Access::make(impl_->d.model.graph, impl_->d.quantity(name, {}));
}
void Mechanism::gravity(const Components& acceleration) { impl_->d.gravity = impl_->vector(acceleration); }

Place Mechanism::body(const std::string& name, const BodyOptions& o) {
    impl_->claim(name);
    Impl& i = *impl_;
    const std::size_t wanted = o.inertia.size(), dimension = i.d.in_space ? 3 : 1;
    if (wanted != 0 && wanted != dimension && !(i.d.in_space && wanted == 6))
        throw std::invalid_argument("the inertia of '" + name + "' has " + std::to_string(wanted) + " numbers, but " +
                                    (i.d.in_space ? "three or six" : "one") + " are wanted");
    mech::Body b;
    b.name = name;
    b.particle = o.inertia.empty();
    b.has_inertia = !b.particle;
    b.mass = i.node(o.mass);
    b.inertia.fill(i.a.number(0.0));
    for (std::size_t k = 0; k < wanted; ++k) b.inertia[i.d.in_space ? k : 2] = i.node(o.inertia[k]);
    b.center = i.vector(o.center);
    if (o.at) b.at = i.vector(*o.at);
    if (o.turned && i.d.in_space) b.turn = i.turn(*o.turned);
    if (o.turned && !i.d.in_space) b.angle = i.node(o.turned->angle);
    if (o.velocity) b.velocity = i.vector(*o.velocity);
    if (o.omega) b.omega = i.axial(*o.omega);
    b.at_fixed = o.fixed && o.at;
    b.turn_fixed = o.fixed && o.turned;
    b.velocity_fixed = o.fixed && o.velocity;
    b.omega_fixed = o.fixed && o.omega;
    i.d.bodies.push_back(std::move(b));
    return {name, {}, {}};
}

void Mechanism::joint(const std::string& name, JointType type, const Place& a, const Place& b, const JointOptions& o) {
    impl_->claim(name);
    Impl& i = *impl_;
    if (!i.d.in_space && !in_plane_too(type))
        throw std::invalid_argument("there is no such joint in the plane as '" + name + "'");
    if ((type == JointType::screw || type == JointType::rolling) && !o.length)
        throw std::invalid_argument("the joint '" + name + "' needs a length: its pitch or radius");
    mech::Joint j;
    j.kind = kind_of(type);
    j.name = name;
    j.a = i.end(a);
    j.b = i.end(b);
    if (j.a.body == j.b.body) throw std::invalid_argument("both ends of '" + name + "' are on one body");
    j.axis = o.axis ? i.vector(*o.axis) : i.a.vector(0, 0, 1);
    if (!i.d.in_space && type != JointType::prismatic && type != JointType::slot) j.axis = i.a.vector(0, 0, 1);
    j.second_axis = o.second_axis ? i.vector(*o.second_axis) : j.axis;
    j.axis_given = o.axis.has_value();
    j.length = i.node(o.length);
    j.angle = i.node(o.angle);
    j.position = i.node(o.position);
    j.speed = i.node(o.speed);
    j.velocity = i.node(o.velocity);
    i.d.joints.push_back(std::move(j));
}

void Mechanism::line_force(const std::string& name, const Place& a, const Place& b, const LineForceOptions& o) {
    impl_->claim(name);
    Impl& i = *impl_;
    if (o.stiffness && !o.length) throw std::invalid_argument("the spring '" + name + "' has no length at rest");
    i.d.line_forces.push_back(
        {name, {}, i.end(a), i.end(b), i.node(o.stiffness), i.node(o.length), i.node(o.damping), i.node(o.force)});
}

void Mechanism::joint_force(const std::string& name, const std::string& joint, const JointForceOptions& o) {
    impl_->claim(name);
    Impl& i = *impl_;
    const auto at = std::find_if(i.d.joints.begin(), i.d.joints.end(), [&](const auto& j) { return j.name == joint; });
    using enum mech::JointKind;
    if (at == i.d.joints.end() ||
        (at->kind != revolute && at->kind != prismatic && at->kind != cylindrical && at->kind != screw))
        throw std::invalid_argument("'" + printable(joint) +
                                    "' is no joint that a single torque or force could act in");
    if (o.friction && !o.scale) throw std::invalid_argument("the friction '" + name + "' needs a scale");
    i.d.joint_forces.push_back({name,
                                {},
                                static_cast<int>(at - i.d.joints.begin()),
                                i.node(o.stiffness),
                                i.node(o.rest),
                                i.node(o.damping),
                                i.node(o.effort),
                                i.node(o.friction),
                                i.node(o.scale)});
}

void Mechanism::force(const std::string& name, const Place& on, const Components& force, const Components& torque) {
    impl_->claim(name);
    Impl& i = *impl_;
    i.d.applied_forces.push_back({name, {}, i.end(on), i.vector(force), i.axial(torque)});
}

void Mechanism::constraint(const std::string& name, const EquationExpression& equation) {
    impl_->claim(name);
    impl_->d.conditions.push_back({name, {}, impl_->node(equation.left), impl_->node(equation.right)});
}

void Mechanism::output(const std::string& name, const Expression& value) {
    impl_->claim(name);
    impl_->d.outputs.push_back({name, {}, impl_->node(value)});
}

Expected<Model> Mechanism::model() const {
    const auto scene = std::make_shared<mech::Scene>();
    auto made = mech::to_model(impl_->d, scene.get());
    if (!made) return Unexpected{std::move(made.error())};
    auto impl = std::make_shared<Model::Impl>();
    impl->scene = scene;
    *impl->model = *std::move(made);
    return Model::make(std::move(impl));
}

} // namespace daedalus
