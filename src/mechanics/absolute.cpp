// Absolute coordinates: centre of mass and orientation of each body. In the plane
//     x' = vx, y' = vy, angle' = omega,   m vx' = Fx, m vy' = Fy, J omega' = T;
// in space p' = Z(p) ω with quaternions p and ω in axes of the body, and Euler's equations J ω' + ω × J ω = Rᵀ T.
// The mass matrix is constant and block diagonal, and every joint is a constraint.
#include "mechanics/assembly.hpp"

namespace daedalus::mechanics {

using expr::no_node;

namespace {

class Absolute : public Assembly {
public:
    using Assembly::Assembly;

protected:
    struct Unknowns {
        Vector position, velocity; ///< leaves
        Quaternion turn;           ///< leaves, in space
        NodeId angle = no_node;    ///< leaf, in the plane
        Vector omega;              ///< leaves, in axes of the body
    };

    [[nodiscard]] bool is_constraint(int) const override { return true; }
    [[nodiscard]] std::optional<JointMotion> motion_of(int) override { return {}; }

    void make_frames() override {
        for (std::size_t k = 0; k < d_.bodies.size(); ++k) body(k);
    }

    /// Start values of a vector, as far as they are known.
    Vector leaves(const Body& b, const std::vector<std::string>& names, const Vector& start, bool known, bool fixed,
                  const std::string& about) {
        const auto one = [&](std::size_t i, NodeId value) {
            if (i >= names.size() || names[i].empty()) return a_.number(0.0);
            return variable(b.name + "." + names[i], known ? value : no_node, fixed, about, b.span);
        };
        return {one(0, start.x), one(1, start.y), one(2, start.z)};
    }

    void body(std::size_t k) {
        const Body& b = d_.bodies[k];
        const StartOfBody& s = placement_.bodies[k];
        const bool space = d_.in_space;
        Unknowns u;
        const Vector center = a_.add(s.origin, a_.times(a_.rotation_of_unit(s.turn), b.center));
        using Names = std::vector<std::string>;
        u.position = leaves(b, space ? Names{"x", "y", "z"} : Names{"x", "y"}, center, true, b.at_fixed,
                            "centre of mass of " + b.name);
        orientation(b, s, u);
        u.velocity = leaves(b, space ? Names{"vx", "vy", "vz"} : Names{"vx", "vy"}, s.velocity,
                            placement_.moving && s.velocity_known, b.velocity_fixed, "velocity of " + b.name);
        if (!b.particle) {
            const Vector omega = a_.transposed_times(a_.rotation_of_unit(s.turn), s.omega);
            u.omega = leaves(b, space ? Names{"omega_x", "omega_y", "omega_z"} : Names{"", "", "omega"},
                             space ? omega : s.omega, placement_.moving && s.omega_known, b.omega_fixed,
                             "angular velocity of " + b.name);
        }
        Frame f;
        f.center = u.position;
        f.velocity = u.velocity;
        f.force = f.torque = a_.zero();
        f.turn = b.particle ? a_.unit() : space ? a_.rotation(u.turn) : a_.unit();
        f.omega = a_.zero();
        if (!b.particle && !space) {
            const NodeId c = g_.unary(expr::Op::cos, u.angle), sine = g_.unary(expr::Op::sin, u.angle);
            f.turn.row0 = {c, g_.neg(sine), a_.number(0.0)};
            f.turn.row1 = {sine, c, a_.number(0.0)};
            f.omega = u.omega;
        } else if (!b.particle) {
            f.omega = a_.times(f.turn, u.omega);
        }
        frames_.push_back(f);
        unknowns_.push_back(u);
        kinematics(b, u);
    }

    void orientation(const Body& b, const StartOfBody& s, Unknowns& u) {
        if (b.particle) return;
        if (!d_.in_space) {
            u.angle = variable(b.name + ".angle", s.angle, b.turn_fixed, "angle of " + b.name, b.span);
            named_[b.name + ".angle"] = u.angle;
            return;
        }
        const auto one = [&](const char* name, NodeId start) {
            return variable(b.name + "." + name, start, b.turn_fixed, "orientation of " + b.name, b.span);
        };
        u.turn = {one("q0", s.turn.w), one("q1", s.turn.x), one("q2", s.turn.y), one("q3", s.turn.z)};
        if (!b.turn_fixed)
            d_.model.initial_equations.push_back({length(u.turn), a_.number(1.0), "unit quaternion", b.span});
    }
    [[nodiscard]] NodeId length(const Quaternion& p) const {
        return g_.add(g_.add(g_.mul(p.w, p.w), g_.mul(p.x, p.x)), g_.add(g_.mul(p.y, p.y), g_.mul(p.z, p.z)));
    }

    void kinematics(const Body& b, const Unknowns& u) {
        const std::string about = "velocity of " + b.name;
        const auto component = [&](NodeId q, NodeId v) {
            velocities_.insert(v);
            rate(q, v, about, b.span);
        };
        component(u.position.x, u.velocity.x);
        component(u.position.y, u.velocity.y);
        if (d_.in_space) component(u.position.z, u.velocity.z);
        if (b.particle) return;
        if (!d_.in_space) return component(u.angle, u.omega.z);
        for (const NodeId w : {u.omega.x, u.omega.y, u.omega.z}) velocities_.insert(w);
        const Quaternion turning = a_.rate(u.turn, u.omega);
        const NodeId back = g_.sub(a_.number(1.0), length(u.turn));
        const auto one = [&](NodeId q, NodeId z_omega) {
            rates_[q] = z_omega; // in constraints the other term vanishes: they do not depend on |p|
            equation(der(q), g_.add(z_omega, g_.mul(back, q)), "turning of " + b.name, b.span);
        };
        one(u.turn.w, turning.w), one(u.turn.x, turning.x), one(u.turn.y, turning.y), one(u.turn.z, turning.z);
    }

    void equations_of_motion() override {
        for (std::size_t k = 0; k < d_.bodies.size(); ++k) {
            const Body& b = d_.bodies[k];
            const Unknowns& u = unknowns_[k];
            const Frame& f = frames_[k];
            const auto balance = [&](NodeId v, NodeId inertia, NodeId force, const std::string& about) {
                equation(inertia, g_.add(force, extra_force(v)), about + b.name, b.span);
            };
            const auto force = [&](NodeId v, NodeId F) {
                balance(v, g_.mul(b.mass, der(v)), F, "balance of forces on ");
            };
            force(u.velocity.x, f.force.x);
            force(u.velocity.y, f.force.y);
            if (d_.in_space) force(u.velocity.z, f.force.z);
            if (b.particle) continue;
            const std::string about = "balance of torques on ";
            if (!d_.in_space) {
                balance(u.omega.z, g_.mul(b.inertia[2], der(u.omega.z)), f.torque.z, about);
                continue;
            }
            const auto& J = b.inertia;
            const Matrix inertia{{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}};
            const Vector torque = a_.transposed_times(f.turn, f.torque);
            const Vector spin = a_.cross(u.omega, a_.times(inertia, u.omega));
            const Vector change = a_.times(inertia, Vector{der(u.omega.x), der(u.omega.y), der(u.omega.z)});
            balance(u.omega.x, g_.add(change.x, spin.x), torque.x, about);
            balance(u.omega.y, g_.add(change.y, spin.y), torque.y, about);
            balance(u.omega.z, g_.add(change.z, spin.z), torque.z, about);
        }
    }

    std::vector<Unknowns> unknowns_;
};

} // namespace

void assemble_absolute(Description& description, const Placement& placement, Problems& problems) {
    Absolute(description, placement, problems).run();
}

} // namespace daedalus::mechanics
