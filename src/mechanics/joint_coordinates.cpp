// Coordinates of joints, for what hangs together as a tree: hinge.angle, rail.position. Joints of the tree need no
// constraints; those that close loops, and what is no lower pair, stay constraints between the frames.
//
// A joint is a sequence of steps from the frame on the parent to the frame on the child, a turn about an axis, a slide
// along one, or any turn (a quaternion). Velocities and accelerations pass outwards over the steps,
//     turn n, θ:   ω += n θ',  α += n θ'' + ω × n θ'
//     slide n, s:  v += ω × n s + n s',  a += α × n s + ω × (ω × n s) + 2 ω × n s' + n s''
// and forces of inertia and all others inwards; what is left along a step is its equation of motion (the recursive
// Newton-Euler algorithm; Featherstone 2008, ch. 5). Expressions are shared, so that all rows together grow with the
// number of bodies; the mass matrix is full.
//
// With many bodies, what passes from one to the next (how it is turned, where it is, ω, α, a, the load that its joint
// carries) becomes unknowns that the recursion's own equations define. Every row then knows one body and its
// neighbours, and eliminating accelerations and loads from the tips of the tree to its root, as sparse elimination
// does by itself, takes O(N) operations: it is the articulated-body algorithm (Featherstone 2008, ch. 7; Rodriguez
// 1987).
#include "mechanics/joint_coordinates.hpp"

#include "expr/evaluate.hpp"
#include "mechanics/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daedalus::mechanics {

using expr::no_node;
using expr::Op;

namespace {

/// What passes from body to body.
struct Moving {
    Matrix turn;
    Vector point, velocity, omega, acceleration, alpha;
};

struct Step {
    enum Kind { turning, sliding, any_turn } kind = turning;
    Vector axis;                     ///< in the frame before it
    NodeId q = no_node, u = no_node; ///< leaves; of any turn:
    Quaternion p;
    Vector w;
    Vector direction, point; ///< in axes of the ground, when it has been passed
    Matrix axes;             ///< behind it
};

struct Link {
    int body = 0, parent = ground, joint = -1; ///< -1: free
    std::vector<Step> steps;
};

class JointCoordinates : public Assembly {
public:
    using Assembly::Assembly;

protected:
    [[nodiscard]] bool is_constraint(int joint) const override {
        return std::none_of(links_.begin(), links_.end(), [&](const Link& l) { return l.joint == joint; });
    }
    [[nodiscard]] std::optional<JointMotion> motion_of(int joint) override {
        const auto at = motions_.find(joint);
        if (at == motions_.end()) return {};
        return at->second;
    }

    // The tree

    void make_frames() override {
        constexpr std::size_t few = 10; // bodies: above, sparse rows are cheaper (docs/mechanics.md)
        named_steps_ = d_.bodies.size() > few;
        frames_.resize(d_.bodies.size());
        moving_.resize(d_.bodies.size());
        std::vector<char> done(d_.bodies.size(), 0);
        for (std::size_t left = d_.bodies.size(); left > 0;)
            for (std::size_t k = 0; k < d_.bodies.size(); ++k) {
                if (done[k]) continue;
                const Link link = link_of(static_cast<int>(k));
                if (link.parent != ground && !done[static_cast<std::size_t>(link.parent)]) continue;
                links_.push_back(link);
                done[k] = 1;
                --left;
                frame(links_.back());
            }
        named_positions();
        for (const Link& l : links_)
            if (l.joint >= 0) compare_with_placement(l);
    }

    /// Where the author puts a body may not be where its joint lets it be.
    void compare_with_placement(const Link& l) {
        const Body& b = d_.bodies[static_cast<std::size_t>(l.body)];
        if (!b.at && !b.turn) return;
        const auto parameter = [&](NodeId leaf) { return parameter_value(leaf); };
        const auto at_start = [&](NodeId leaf) { return value_at_start(leaf); };
        const StartOfBody& s = placement_.bodies[static_cast<std::size_t>(l.body)];
        const Frame& f = frames_[static_cast<std::size_t>(l.body)];
        const Matrix turn = a_.rotation_of_unit(s.turn);
        const Vector wanted = a_.add(s.origin, a_.times(turn, b.center));
        const auto off = [&](NodeId is, NodeId said) {
            constexpr double round_off = 1e-9; // of lengths and of entries of a rotation, as people write them
            const double x = expr::evaluate(g_, is, at_start), y = expr::evaluate(g_, said, parameter);
            return !(std::abs(x - y) <= round_off * (1.0 + std::abs(y)));
        };
        const auto off_vector = [&](const Vector& is, const Vector& said) {
            return off(is.x, said.x) || off(is.y, said.y) || off(is.z, said.z);
        };
        if (off_vector(f.center, wanted) || off_vector(f.turn.row0, turn.row0) || off_vector(f.turn.row1, turn.row1))
            problems_.warning("moved-at-start", b.span,
                              fmt::format("'{}' starts where joint '{}' lets it be, not where it is put", b.name,
                                          d_.joints[static_cast<std::size_t>(l.joint)].name),
                              "'coordinates absolute' changes all bodies as little as possible instead");
    }

    [[nodiscard]] double parameter_value(NodeId leaf) {
        if (!parameters_) {
            auto values = model::parameter_values(d_.model);
            parameters_ = values ? *std::move(values) : std::vector<double>();
        }
        const auto id = static_cast<std::size_t>(g_.parameter_id(leaf));
        return g_.op(leaf) == Op::parameter && id < parameters_->size() ? (*parameters_)[id] : 0.0;
    }
    [[nodiscard]] double value_at_start(NodeId leaf) {
        if (g_.op(leaf) != Op::variable) return parameter_value(leaf);
        if (const auto named = start_of_named_.find(leaf); named != start_of_named_.end()) return named->second;
        const NodeId start = d_.model.variables[static_cast<std::size_t>(g_.variable_id(leaf))].start;
        return start == no_node ? 0.0 : expr::evaluate(g_, start, [&](NodeId l) { return parameter_value(l); });
    }

    /// A quantity that neighbours are told: an unknown of its own where there are many bodies.
    NodeId named(const std::string& name, NodeId value, const std::string& about, const SourceSpan& span,
                 double nominal = 1.0) {
        if (!named_steps_ || g_.is_constant(value) || g_.op(value) == Op::variable) return value;
        const NodeId leaf = variable(name, no_node, false, about, span);
        d_.model.variables[static_cast<std::size_t>(g_.variable_id(leaf))].nominal = a_.number(nominal);
        start_of_named_[leaf] = expr::evaluate(g_, value, [&](NodeId l) { return value_at_start(l); });
        equation(leaf, value, about, span);
        return leaf;
    }
    Vector named(const std::string& name, const Vector& v, const std::string& about, const SourceSpan& span,
                 double nominal = 1.0) {
        return {named(name + "x", v.x, about, span, nominal), named(name + "y", v.y, about, span, nominal),
                named(name + "z", v.z, about, span, nominal)};
    }

    /// How large accelerations and loads are, for tolerances: what gravity makes of bodies on arms as long as theirs.
    struct Sizes {
        double acceleration = 1.0, arm = 1.0, weight = 1.0;
    };
    [[nodiscard]] Sizes sizes(const Body& b) {
        const auto value = [&](NodeId e) { return expr::evaluate(g_, e, [&](NodeId l) { return value_at_start(l); }); };
        const auto positive = [](double size) { return size > 0.0 && std::isfinite(size) ? size : 1.0; };
        if (total_mass_ == 0.0)
            for (const Body& body : d_.bodies) total_mass_ += value(body.mass);
        Sizes s;
        s.acceleration = positive(value(a_.norm(d_.gravity)));
        s.arm = positive(value(a_.norm(b.center)));
        s.weight = positive(total_mass_ * s.acceleration);
        return s;
    }

    void name_motion(const Body& b, Moving& m, NodeId& angle) {
        if (!named_steps_) return;
        const std::string about = "of " + b.name, place = "where " + b.name + " is";
        if (d_.in_space) {
            const auto axis = [&](const char* name, int k) {
                return named(b.name + name, a_.column(m.turn, k), "axes " + about, b.span);
            };
            const Vector first = axis(".first_", 0), second = axis(".second_", 1), third = axis(".third_", 2);
            m.turn = a_.transposed({first, second, third});
        } else if (!b.particle) {
            angle = named(b.name + ".angle", angle, place, b.span);
            const NodeId c = g_.unary(Op::cos, angle), s = g_.unary(Op::sin, angle);
            m.turn = {{c, g_.neg(s), a_.number(0.0)}, {s, c, a_.number(0.0)}, a_.vector(0, 0, 1)};
        }
        m.point = named(b.name + ".", m.point, place, b.span);
        m.omega = named(b.name + ".turning_", m.omega, "angular velocity " + about + ", axes of the ground", b.span);
        const Sizes size = sizes(b);
        m.alpha =
            named(b.name + ".alpha_", m.alpha, "angular acceleration " + about, b.span, size.acceleration / size.arm);
        m.acceleration = named(b.name + ".a", m.acceleration, "acceleration " + about, b.span, size.acceleration);
    }

    [[nodiscard]] Link link_of(int body) const {
        Link l;
        l.body = body;
        const int joint = placement_.joint_to_parent[static_cast<std::size_t>(body)];
        if (joint < 0) return l;
        const Joint& j = d_.joints[static_cast<std::size_t>(joint)];
        const bool particle = d_.bodies[static_cast<std::size_t>(body)].particle;
        if (!has_coordinates(j, d_) || particle) return l;
        l.joint = joint;
        l.parent = j.a.body == body ? j.b.body : j.a.body;
        return l;
    }

    // Coordinates

    NodeId coordinate(const std::string& name, const std::string& speed_name, NodeId start, NodeId speed,
                      const SourceSpan& span, NodeId& u) {
        const NodeId q = variable(name, start, false, "coordinate of a joint", span);
        u = variable(speed_name, placement_.moving ? speed : no_node, false, "its velocity", span);
        velocities_.insert(u);
        rate(q, u, "velocity of " + name, span);
        return q;
    }

    /// Relative motion at the start, of end b in end a.
    struct Relative {
        Quaternion turn;
        Vector point, omega, velocity; ///< in axes of a; velocity as seen from a
        NodeId angle = no_node;        ///< in the plane
    };
    [[nodiscard]] Relative relative(const Joint& j) const {
        const auto pose = [&](const End& e) {
            StartOfBody s;
            s.origin = s.velocity = s.omega = a_.zero();
            s.turn = a_.no_turn();
            s.angle = a_.number(0.0);
            return e.body == ground ? s : placement_.bodies[static_cast<std::size_t>(e.body)];
        };
        const StartOfBody A = pose(j.a), B = pose(j.b); // NOLINT(readability-identifier-naming): the ends
        const auto place = [&](const StartOfBody& s, const End& e, Vector& point, Vector& velocity) {
            const Matrix turn = a_.rotation_of_unit(s.turn);
            point = a_.add(s.origin, a_.times(turn, e.point));
            const Vector center =
                e.body == ground ? a_.zero()
                                 : a_.add(s.origin, a_.times(turn, d_.bodies[static_cast<std::size_t>(e.body)].center));
            velocity = a_.add(s.velocity, a_.cross(s.omega, a_.sub(point, center)));
        };
        Vector pa, va, pb, vb;
        place(A, j.a, pa, va);
        place(B, j.b, pb, vb);
        Relative r;
        const Quaternion in_a = a_.times(A.turn, j.a.turn), in_b = a_.times(B.turn, j.b.turn);
        const Matrix axes = a_.rotation_of_unit(in_a);
        r.turn = a_.times(a_.conjugate(in_a), in_b);
        r.point = a_.transposed_times(axes, a_.sub(pb, pa));
        r.omega = a_.transposed_times(axes, a_.sub(B.omega, A.omega));
        r.velocity = a_.transposed_times(axes, a_.sub(a_.sub(vb, va), a_.cross(A.omega, a_.sub(pb, pa))));
        if (!d_.in_space) {
            const auto own = [&](const Quaternion& q) {
                return g_.mul(a_.number(2.0), g_.binary(Op::atan2, q.z, q.w));
            };
            r.angle = g_.sub(g_.add(B.angle, own(j.b.turn)), g_.add(A.angle, own(j.a.turn)));
        }
        return r;
    }
    /// Of a turn about a unit vector.
    [[nodiscard]] NodeId angle_about(const Quaternion& q, const Vector& n) const {
        return g_.mul(a_.number(2.0), g_.binary(Op::atan2, a_.dot({q.x, q.y, q.z}, n), q.w));
    }

    /// From a to b. The quaternion of a spherical joint is that of the child in the parent.
    std::vector<Step> steps_of(int number, bool forward) {
        using enum JointKind;
        const Joint& j = d_.joints[static_cast<std::size_t>(number)];
        const Relative start = relative(j);
        const Vector n = a_.normalized(j.axis);
        JointMotion& m = motions_[number];
        std::vector<Step> steps;
        const auto slide = [&](const Vector& axis, const char* name, const char* speed) -> Step& {
            Step s;
            s.kind = Step::sliding;
            s.axis = axis;
            s.q = coordinate(j.name + name, j.name + speed, a_.dot(axis, start.point), a_.dot(axis, start.velocity),
                             j.span, s.u);
            steps.push_back(s);
            return steps.back();
        };
        const auto turn = [&](const Vector& axis, const char* name, const char* speed, NodeId angle) {
            Step s;
            s.axis = axis;
            s.q = coordinate(j.name + name, j.name + speed, angle, a_.dot(axis, start.omega), j.span, s.u);
            steps.push_back(s);
        };
        const NodeId angle = j.angle != no_node ? j.angle : d_.in_space ? angle_about(start.turn, n) : start.angle;
        if (j.kind == prismatic || j.kind == cylindrical) {
            const Step& s = slide(n, ".position", ".velocity");
            m.position = s.q, m.velocity = s.u;
        }
        if (j.kind == planar) {
            const auto [u, v] = across(j.axis);
            slide(u, ".x", ".vx");
            slide(v, ".y", ".vy");
        }
        if (j.kind == revolute || j.kind == cylindrical || j.kind == planar) {
            turn(n, ".angle", ".speed", angle);
            m.angle = steps.back().q, m.speed = steps.back().u;
        }
        if (j.kind == universal) universal_steps(j, start, turn);
        if (j.kind == spherical) {
            const Vector back = a_.neg(a_.transposed_times(a_.rotation_of_unit(start.turn), start.omega));
            steps.push_back(any_turn(j.name, forward ? start.turn : a_.conjugate(start.turn),
                                     forward ? start.omega : back, j.span));
        }
        return steps;
    }

    /// About the axis on a, then about the one on b; where they are orthogonal, both angles are read off the turn.
    template <class Turn>
    void universal_steps(const Joint& j, const Relative& start, const Turn& turn) {
        const Vector e = a_.normalized(j.axis), f = a_.normalized(j.second_axis), h = a_.cross(e, f);
        const Matrix R = a_.rotation_of_unit(start.turn); // NOLINT: R f = cos f + sin h seen along e; likewise e
        const Vector f_in_a = a_.times(R, f), e_in_b = a_.transposed_times(R, e);
        const NodeId first = g_.binary(Op::atan2, a_.dot(f_in_a, h), a_.dot(f_in_a, f));
        const NodeId second = g_.neg(g_.binary(Op::atan2, a_.dot(e_in_b, a_.cross(f, e)), a_.dot(e_in_b, e)));
        turn(e, ".angle_1", ".speed_1", first);
        turn(f, ".angle_2", ".speed_2", second);
    }

    Step any_turn(const std::string& name, const Quaternion& start, const Vector& omega, const SourceSpan& span) {
        Step s;
        s.kind = Step::any_turn;
        const auto leaf = [&](const char* what, NodeId value) {
            return variable(name + what, value, false, "orientation", span);
        };
        s.p = {leaf(".q0", start.w), leaf(".q1", start.x), leaf(".q2", start.y), leaf(".q3", start.z)};
        const Vector own = a_.transposed_times(a_.rotation_of_unit(start), omega); // in axes behind the turn
        const auto speed = [&](const char* what, NodeId value) {
            const NodeId u =
                variable(name + what, placement_.moving ? value : no_node, false, "angular velocity", span);
            velocities_.insert(u);
            return u;
        };
        s.w = {speed(".omega_x", own.x), speed(".omega_y", own.y), speed(".omega_z", own.z)};
        const Quaternion z = a_.rate(s.p, s.w);
        const NodeId length = g_.add(g_.add(g_.mul(s.p.w, s.p.w), g_.mul(s.p.x, s.p.x)),
                                     g_.add(g_.mul(s.p.y, s.p.y), g_.mul(s.p.z, s.p.z)));
        d_.model.initial_equations.push_back({length, a_.number(1.0), "unit quaternion", span});
        const NodeId back = g_.sub(a_.number(1.0), length);
        const auto turning = [&](NodeId q, NodeId z_omega) {
            rates_[q] = z_omega;
            equation(der(q), g_.add(z_omega, g_.mul(back, q)), "turning of " + name, span);
        };
        turning(s.p.w, z.w), turning(s.p.x, z.x), turning(s.p.y, z.y), turning(s.p.z, z.z);
        return s;
    }

    /// A body that no joint of the tree holds.
    std::vector<Step> free_steps(int body) {
        const Body& b = d_.bodies[static_cast<std::size_t>(body)];
        const StartOfBody& s = placement_.bodies[static_cast<std::size_t>(body)];
        std::vector<Step> steps;
        const Vector center = a_.add(s.origin, a_.times(a_.rotation_of_unit(s.turn), b.center));
        const auto slide = [&](const Vector& axis, const char* name, const char* speed) {
            Step step;
            step.kind = Step::sliding;
            step.axis = axis;
            step.q = coordinate(b.name + name, b.name + speed, a_.dot(axis, center), a_.dot(axis, s.velocity), b.span,
                                step.u);
            steps.push_back(step);
        };
        slide(a_.vector(1, 0, 0), ".x", ".vx");
        slide(a_.vector(0, 1, 0), ".y", ".vy");
        if (d_.in_space) slide(a_.vector(0, 0, 1), ".z", ".vz");
        if (b.particle) return steps;
        if (d_.in_space) {
            steps.push_back(any_turn(b.name, s.turn, s.omega, b.span));
        } else {
            Step step;
            step.axis = a_.vector(0, 0, 1);
            step.q = coordinate(b.name + ".angle", b.name + ".omega", s.angle, s.omega.z, b.span, step.u);
            steps.push_back(step);
        }
        return steps;
    }

    // Outwards

    [[nodiscard]] Matrix turned(const Matrix& R, const Step& s) const { // NOLINT: letter of a rotation
        if (s.kind == Step::any_turn) return a_.times(R, a_.rotation(s.p));
        const NodeId c = g_.unary(Op::cos, s.q), n = g_.unary(Op::sin, s.q), v = g_.sub(a_.number(1.0), c);
        const Vector& e = s.axis; // Rodrigues' formula
        const auto entry = [&](NodeId x, NodeId y) { return g_.mul(v, g_.mul(x, y)); };
        const Matrix own{{g_.add(c, entry(e.x, e.x)), g_.sub(entry(e.x, e.y), g_.mul(n, e.z)),
                          g_.add(entry(e.x, e.z), g_.mul(n, e.y))},
                         {g_.add(entry(e.x, e.y), g_.mul(n, e.z)), g_.add(c, entry(e.y, e.y)),
                          g_.sub(entry(e.y, e.z), g_.mul(n, e.x))},
                         {g_.sub(entry(e.x, e.z), g_.mul(n, e.y)), g_.add(entry(e.y, e.z), g_.mul(n, e.x)),
                          d_.in_space ? g_.add(c, entry(e.z, e.z)) : a_.number(1.0)}};
        return a_.times(R, own);
    }

    void pass(Moving& m, Step& s, bool forward) {
        s.point = m.point;
        if (s.kind == Step::any_turn) {
            m.turn = s.axes = turned(m.turn, s);
            const Vector own = a_.times(m.turn, s.w);
            m.alpha = a_.add(
                m.alpha, a_.add(a_.times(m.turn, Vector{der(s.w.x), der(s.w.y), der(s.w.z)}), a_.cross(m.omega, own)));
            m.omega = a_.add(m.omega, own);
            return;
        }
        // Backwards the same coordinate moves the other way.
        const Vector n = s.direction = a_.times(m.turn, forward ? s.axis : a_.neg(s.axis));
        const Vector rate = a_.scale(s.u, n), change = a_.scale(der(s.u), n);
        if (s.kind == Step::turning) {
            Step turn = s;
            if (!forward) turn.axis = a_.neg(s.axis);
            m.turn = turned(m.turn, turn);
            m.alpha = a_.add(m.alpha, a_.add(change, a_.cross(m.omega, rate)));
            m.omega = a_.add(m.omega, rate);
            return;
        }
        const Vector d = a_.scale(s.q, n), swing = a_.cross(m.omega, d);
        m.acceleration =
            a_.add(m.acceleration, a_.add(a_.add(a_.cross(m.alpha, d), a_.cross(m.omega, swing)),
                                          a_.add(a_.scale(a_.number(2.0), a_.cross(m.omega, rate)), change)));
        m.velocity = a_.add(m.velocity, a_.add(swing, rate));
        m.point = a_.add(m.point, d);
    }

    void carry(Moving& m, const Vector& arm) const { ///< to another point of the same body
        m.acceleration =
            a_.add(m.acceleration, a_.add(a_.cross(m.alpha, arm), a_.cross(m.omega, a_.cross(m.omega, arm))));
        m.velocity = a_.add(m.velocity, a_.cross(m.omega, arm));
        m.point = a_.add(m.point, arm);
    }

    void frame(Link& l) {
        const Body& b = d_.bodies[static_cast<std::size_t>(l.body)];
        Moving m{a_.unit(), a_.zero(), a_.zero(), a_.zero(), a_.zero(), a_.zero()};
        NodeId angle = a_.number(0.0);
        if (l.joint < 0) {
            l.steps = free_steps(l.body);
            for (Step& s : l.steps) pass(m, s, true);
            if (!b.particle && !d_.in_space) angle = l.steps.back().q;
        } else {
            const Joint& j = d_.joints[static_cast<std::size_t>(l.joint)];
            const bool forward = j.b.body == l.body;
            const End &from = forward ? j.a : j.b, &to = forward ? j.b : j.a;
            if (from.body != ground) {
                m = moving_[static_cast<std::size_t>(from.body)];
                carry(m, a_.times(m.turn, a_.sub(from.point, d_.bodies[static_cast<std::size_t>(from.body)].center)));
            } else {
                m.point = from.point;
            }
            m.turn = a_.times(m.turn, a_.rotation_of_unit(from.turn));
            l.steps = steps_of(l.joint, forward);
            if (!forward) std::reverse(l.steps.begin(), l.steps.end());
            for (Step& s : l.steps) pass(m, s, forward);
            m.turn = a_.times(m.turn, a_.rotation_of_unit(a_.conjugate(to.turn)));
            carry(m, a_.times(m.turn, a_.sub(b.center, to.point)));
            angle = planar_angle(j, from, to, forward);
        }
        name_motion(b, m, angle);
        moving_[static_cast<std::size_t>(l.body)] = m;
        Frame& f = frames_[static_cast<std::size_t>(l.body)];
        f = {m.turn, m.point, m.velocity, m.omega, a_.zero(), a_.zero()};
        if (!d_.in_space && !b.particle) named_[b.name + ".angle"] = angle;
    }
    [[nodiscard]] NodeId planar_angle(const Joint& j, const End& from, const End& to, bool forward) {
        if (d_.in_space) return no_node;
        const auto own = [&](const Quaternion& q) { return g_.mul(a_.number(2.0), g_.binary(Op::atan2, q.z, q.w)); };
        const int number = static_cast<int>(&j - d_.joints.data());
        const NodeId moved = motions_[number].angle == no_node ? a_.number(0.0) : motions_[number].angle;
        const NodeId base = from.body == ground ? a_.number(0.0) : named_.at(d_.body_name(from.body) + ".angle");
        const NodeId offset = g_.add(base, g_.sub(own(from.turn), own(to.turn)));
        return forward ? g_.add(offset, moved) : g_.sub(offset, moved);
    }

    // Inwards

    struct Wrench {
        Vector force, moment; ///< about the centre of mass of its body
    };

    void equations_of_motion() override {
        std::vector<Wrench> carried(d_.bodies.size(), {a_.zero(), a_.zero()});
        for (std::size_t k = links_.size(); k-- > 0;) {
            const Link& l = links_[k];
            const auto body = static_cast<std::size_t>(l.body);
            const Wrench own = inertia(l.body);
            const Body& b = d_.bodies[body];
            const Sizes size = named_steps_ ? sizes(b) : Sizes{};
            const Wrench w{named(b.name + ".load_", a_.add(carried[body].force, own.force), "load on " + b.name, b.span,
                                 size.weight),
                           named(b.name + ".load_moment_", a_.add(carried[body].moment, own.moment),
                                 "moment of the load on " + b.name, b.span, size.weight * size.arm)};
            const Vector center = frames_[body].center;
            for (const Step& s : l.steps) row(l, s, w, center);
            if (l.parent == ground) continue;
            Wrench& to = carried[static_cast<std::size_t>(l.parent)];
            const Vector arm = a_.sub(center, frames_[static_cast<std::size_t>(l.parent)].center);
            to.force = a_.add(to.force, w.force);
            to.moment = a_.add(to.moment, a_.add(w.moment, a_.cross(arm, w.force)));
        }
    }

    /// Forces of inertia less what acts.
    [[nodiscard]] Wrench inertia(int body) const {
        const auto k = static_cast<std::size_t>(body);
        const Body& b = d_.bodies[k];
        const Moving& m = moving_[k];
        const Frame& f = frames_[k];
        Wrench w{a_.sub(a_.scale(b.mass, m.acceleration), f.force), a_.zero()};
        if (b.particle) return w;
        const auto& J = b.inertia;
        const Matrix inertia{{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}};
        const auto momentum = [&](const Vector& of) {
            return d_.in_space ? a_.times(m.turn, a_.times(inertia, a_.transposed_times(m.turn, of)))
                               : Vector{a_.number(0), a_.number(0), g_.mul(J[2], of.z)};
        };
        w.moment = a_.sub(a_.add(momentum(m.alpha), a_.cross(m.omega, momentum(m.omega))), f.torque);
        return w;
    }

    void row(const Link& l, const Step& s, const Wrench& w, const Vector& center) {
        const Body& b = d_.bodies[static_cast<std::size_t>(l.body)];
        const std::string about =
            "balance of forces at " + (l.joint < 0 ? b.name : d_.joints[static_cast<std::size_t>(l.joint)].name);
        const SourceSpan span = l.joint < 0 ? b.span : d_.joints[static_cast<std::size_t>(l.joint)].span;
        if (s.kind == Step::sliding) return equation(a_.dot(s.direction, w.force), extra_force(s.u), about, span);
        const Vector moment = a_.add(w.moment, a_.cross(a_.sub(center, s.point), w.force));
        if (s.kind == Step::turning) return equation(a_.dot(s.direction, moment), extra_force(s.u), about, span);
        const Vector own = a_.transposed_times(s.axes, moment);
        equation(own.x, extra_force(s.w.x), about, span);
        equation(own.y, extra_force(s.w.y), about, span);
        equation(own.z, extra_force(s.w.z), about, span);
    }

    /// Where bodies are is shown all the same.
    void named_positions() {
        for (std::size_t k = 0; k < d_.bodies.size(); ++k) {
            const Body& b = d_.bodies[k];
            const auto show = [&](const char* what, NodeId value) {
                const std::string name = b.name + what;
                if (d_.model.find_variable(name)) return;
                const NodeId leaf = variable(name, no_node, false, "where " + b.name + " is", b.span);
                equation(leaf, value, "place of " + b.name, b.span);
            };
            show(".x", frames_[k].center.x);
            show(".y", frames_[k].center.y);
            if (d_.in_space)
                show(".z", frames_[k].center.z);
            else if (!b.particle)
                show(".angle", named_.at(b.name + ".angle"));
        }
    }

    std::vector<Link> links_; ///< parents before children
    std::vector<Moving> moving_;
    std::map<int, JointMotion> motions_;
    bool named_steps_ = false; ///< what passes from body to body has names
    std::map<NodeId, double> start_of_named_;
    double total_mass_ = 0.0;                       ///< 0: not known yet
    std::optional<std::vector<double>> parameters_; ///< as in the file
};

} // namespace

void assemble_joints(Description& description, const Placement& placement, Problems& problems) {
    for (const Body& b : description.bodies)
        if (b.at_fixed || b.turn_fixed || b.velocity_fixed || b.omega_fixed)
            problems.error(
                "not-supported", b.span,
                fmt::format("in coordinates of joints, start values of the body '{}' cannot be fixed", b.name),
                "say 'coordinates absolute'");
    JointCoordinates(description, placement, problems).run();
}

} // namespace daedalus::mechanics
