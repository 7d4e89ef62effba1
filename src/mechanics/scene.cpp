#include "mechanics/scene.hpp"

#include "mechanics/assembly.hpp"

namespace daedalus::mechanics {

using expr::no_node;
using expr::Op;

namespace {

/// Edges of a homogeneous block: Jx = m (b² + c²)/12 and so on, hence a² = 6 (Jy + Jz - Jx)/m.
Vector block(const Body& b, bool in_space, const Algebra& a) {
    Graph& g = a.g;
    if (b.particle || b.massless || !b.has_inertia) return a.zero();
    const auto edge = [&](NodeId plus, NodeId also, NodeId minus) {
        const NodeId square = g.div(g.mul(a.number(6.0), g.sub(g.add(plus, also), minus)), b.mass);
        return g.unary(Op::sqrt, g.unary(Op::abs, square));
    };
    if (!in_space) {
        const NodeId side = g.unary(Op::sqrt, g.div(g.mul(a.number(6.0), b.inertia[2]), b.mass));
        return {side, side, a.number(0.0)};
    }
    const auto& J = b.inertia;
    return {edge(J[1], J[2], J[0]), edge(J[0], J[2], J[1]), edge(J[0], J[1], J[2])};
}

} // namespace

void Assembly::describe_scene() {
    Scene& scene = d_.scene;
    scene.in_space = d_.in_space;
    scene.graph = d_.model.graph;
    scene.gravity = d_.gravity;
    for (std::size_t k = 0; k < d_.bodies.size(); ++k) {
        const Body& b = d_.bodies[k];
        Scene::Body seen{b.name, frames_[k].center, frames_[k].turn, block(b, d_.in_space, a_), {}};
        for (const Marker& m : b.markers) seen.points.push_back(a_.sub(m.point, b.center));
        scene.bodies.push_back(std::move(seen));
    }
    const auto place = [&](const End& e) {
        if (e.body == ground) return e.point;
        const Vector at = a_.sub(e.point, d_.bodies[static_cast<std::size_t>(e.body)].center);
        scene.bodies[static_cast<std::size_t>(e.body)].points.push_back(at);
        return at;
    };
    for (const Joint& j : d_.joints) {
        Scene::Link link{
            j.name, std::string(name_of(j.kind)), true, j.a.body, j.b.body, place(j.a), place(j.b), {}, no_node, false};
        link.axis = a_.times(a_.rotation_of_unit(j.a.turn), j.axis.x == no_node ? a_.zero() : j.axis);
        if (j.kind == JointKind::rolling) { // the axis is the body's own
            link.radius = j.length;
            link.disc = d_.in_space && j.axis_given;
            link.axis = a_.times(a_.rotation_of_unit(j.b.turn), j.axis.x == no_node ? a_.zero() : j.axis);
        }
        scene.links.push_back(std::move(link));
    }
    const auto line = [&](const std::string& name, const End& a, const End& b) {
        scene.links.push_back({name, "line", false, a.body, b.body, place(a), place(b), a_.zero(), no_node, false});
    };
    for (const LineForce& f : d_.line_forces) line(f.name, f.a, f.b);
    for (const Bushing& f : d_.bushings) line(f.name, f.a, f.b);
    scene.kinetic = kinetic_energy();
    scene.potential = potential_;
}

} // namespace daedalus::mechanics
