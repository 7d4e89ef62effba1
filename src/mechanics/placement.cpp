#include "mechanics/placement.hpp"

#include <algorithm>

namespace daedalus::mechanics {

using expr::no_node;
using expr::Op;

namespace {

class Walk {
public:
    explicit Walk(const Description& d) : d_(d), a_(d.graph()) {
        ground_.placed = ground_.velocity_known = ground_.omega_known = true;
        ground_.origin = ground_.velocity = ground_.omega = a_.zero();
        ground_.turn = a_.no_turn();
        ground_.angle = a_.number(0.0);
        p_.bodies.resize(d.bodies.size());
        p_.joint_to_parent.assign(d.bodies.size(), -1);
    }

    Placement run() {
        for (const Body& b : d_.bodies) p_.moving = p_.moving || b.velocity || b.omega;
        for (const Joint& j : d_.joints) p_.moving = p_.moving || j.speed != no_node || j.velocity != no_node;
        while (true) {
            bool progress = false;
            for (std::size_t k = 0; k < d_.joints.size(); ++k) progress = through(static_cast<int>(k)) || progress;
            if (progress) continue;
            const auto open = std::find_if(p_.bodies.begin(), p_.bodies.end(), [](const auto& s) { return !s.placed; });
            if (open == p_.bodies.end()) return std::move(p_);
            alone(static_cast<std::size_t>(open - p_.bodies.begin()));
        }
    }

private:
    [[nodiscard]] const StartOfBody& of(int body) const {
        return body == ground ? ground_ : p_.bodies[static_cast<std::size_t>(body)];
    }
    [[nodiscard]] Vector center(int body) const {
        if (body == ground) return a_.zero();
        const StartOfBody& s = of(body);
        return a_.add(s.origin,
                      a_.times(a_.rotation_of_unit(s.turn), d_.bodies[static_cast<std::size_t>(body)].center));
    }
    /// Of a marker in the plane.
    [[nodiscard]] NodeId angle_of(const Quaternion& q) const {
        Graph& g = a_.g;
        return g.mul(a_.number(2.0), g.binary(Op::atan2, q.z, q.w));
    }
    [[nodiscard]] NodeId or_zero(NodeId e) const { return e == no_node ? a_.number(0.0) : e; }

    void own_turn(const Body& b, StartOfBody& s) const {
        if (!d_.in_space)
            s.turn = a_.turn(s.angle, a_.vector(0, 0, 1));
        else if (b.turn)
            s.turn = *b.turn;
    }

    void alone(std::size_t k) {
        const Body& b = d_.bodies[k];
        StartOfBody& s = p_.bodies[k];
        s.placed = s.velocity_known = s.omega_known = true;
        s.origin = b.at.value_or(a_.zero());
        s.angle = or_zero(b.angle);
        s.turn = a_.no_turn();
        own_turn(b, s);
        s.velocity = b.velocity.value_or(a_.zero());
        s.omega = b.omega ? a_.times(a_.rotation_of_unit(s.turn), *b.omega) : a_.zero();
    }

    bool through(int joint) {
        const Joint& j = d_.joints[static_cast<std::size_t>(joint)];
        const bool a_known = of(j.a.body).placed, b_known = of(j.b.body).placed;
        if (a_known == b_known) return false;
        const bool forward = a_known;
        const End &from = forward ? j.a : j.b, &to = forward ? j.b : j.a;
        p_.joint_to_parent[static_cast<std::size_t>(to.body)] = joint;
        const Body& b = d_.bodies[static_cast<std::size_t>(to.body)];
        const StartOfBody& parent = of(from.body);
        StartOfBody& s = p_.bodies[static_cast<std::size_t>(to.body)];
        s.placed = true;
        orientation(j, from, to, forward, parent, b, s);
        position(j, from, to, forward, parent, b, s);
        velocity(j, from, to, forward, parent, b, s);
        return true;
    }

    void orientation(const Joint& j, const End& from, const End& to, bool forward, const StartOfBody& parent,
                     const Body& b, StartOfBody& s) const {
        Graph& g = a_.g;
        const NodeId turned = or_zero(j.angle), along = forward ? turned : g.neg(turned);
        if (!d_.in_space) {
            const NodeId relative = g.add(g.sub(angle_of(from.turn), angle_of(to.turn)), along);
            s.angle = b.angle != no_node ? b.angle : g.add(parent.angle, relative);
        }
        const Quaternion here = a_.times(a_.times(parent.turn, from.turn), a_.turn(along, j.axis));
        s.turn = a_.times(here, a_.conjugate(to.turn));
        if (j.kind == JointKind::spherical || j.kind == JointKind::distance || j.kind == JointKind::rolling)
            s.turn = a_.no_turn();
        own_turn(b, s);
    }

    [[nodiscard]] Matrix axes_of_a(const Joint& j) const {
        return a_.rotation_of_unit(a_.times(of(j.a.body).turn, j.a.turn));
    }
    /// From the place on a to the place on b, in axes of the ground.
    [[nodiscard]] Vector offset(const Joint& j) const {
        const Vector axis = a_.normalized(j.axis);
        const Vector up = d_.in_space ? a_.vector(0, 0, 1) : a_.vector(0, 1, 0);
        switch (j.kind) {
        case JointKind::prismatic:
        case JointKind::cylindrical:
        case JointKind::slot: return a_.times(axes_of_a(j), a_.scale(or_zero(j.position), axis));
        case JointKind::distance: return j.length == no_node ? a_.zero() : a_.scale(j.length, a_.vector(1, 0, 0));
        case JointKind::rolling:
            return a_.scale(j.a.body == ground ? j.length : a_.g.neg(j.length),
                            a_.times(a_.rotation_of_unit(j.a.body == ground ? j.a.turn : j.b.turn), up));
        default: return a_.zero();
        }
    }

    void position(const Joint& j, const End& from, const End& to, bool forward, const StartOfBody& parent,
                  const Body& b, StartOfBody& s) const {
        const Vector d = offset(j);
        const Vector start = a_.add(parent.origin, a_.times(a_.rotation_of_unit(parent.turn), from.point));
        const Vector place = forward ? a_.add(start, d) : a_.sub(start, d);
        s.origin = b.at ? *b.at : a_.sub(place, a_.times(a_.rotation_of_unit(s.turn), to.point));
    }

    void velocity(const Joint& j, const End& from, const End& to, bool forward, const StartOfBody& parent,
                  const Body& b, StartOfBody& s) const {
        const Matrix turn = a_.rotation_of_unit(s.turn);
        const Vector axis = a_.times(axes_of_a(j), a_.normalized(j.axis));
        const auto relative = [&](NodeId rate) {
            const Vector r = a_.scale(or_zero(rate), axis);
            return forward ? r : a_.neg(r);
        };
        const bool carried = j.kind != JointKind::distance && j.kind != JointKind::rolling && parent.velocity_known;
        s.omega = b.omega ? a_.times(turn, *b.omega) : a_.add(parent.omega, relative(j.speed));
        const Vector place = a_.add(s.origin, a_.times(turn, to.point));
        const Vector at_place = a_.add(a_.add(parent.velocity, relative(j.velocity)),
                                       a_.cross(parent.omega, a_.sub(place, center(from.body))));
        s.velocity = b.velocity ? *b.velocity : a_.add(at_place, a_.cross(s.omega, a_.sub(center(to.body), place)));
        s.velocity_known = carried || b.velocity.has_value();
        s.omega_known = (carried && parent.omega_known && j.kind != JointKind::spherical) || b.omega.has_value();
    }

    const Description& d_;
    Algebra a_;
    StartOfBody ground_;
    Placement p_;
};

} // namespace

Placement place_bodies(const Description& description) { return Walk(description).run(); }

} // namespace daedalus::mechanics
