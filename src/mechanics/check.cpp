#include "mechanics/check.hpp"

#include "expr/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace daedalus::mechanics {

using expr::no_node;

/// Of the symmetric matrix, by the trigonometric solution of its cubic (Smith 1961).
std::array<double, 3> principal_moments(const std::array<double, 6>& j) {
    const double mean = (j[0] + j[1] + j[2]) / 3.0;
    const double a = j[0] - mean, b = j[1] - mean, c = j[2] - mean;
    const double p = (a * a + b * b + c * c + 2.0 * (j[3] * j[3] + j[4] * j[4] + j[5] * j[5])) / 6.0;
    if (!(p > 0.0)) return {mean, mean, mean};
    const double det = a * (b * c - j[5] * j[5]) - j[3] * (j[3] * c - j[5] * j[4]) + j[4] * (j[3] * j[5] - b * j[4]);
    const double third = std::acos(std::clamp(det / (2.0 * p * std::sqrt(p)), -1.0, 1.0)) / 3.0;
    std::array<double, 3> moments{};
    for (std::size_t k = 0; k < 3; ++k)
        moments[k] =
            mean + 2.0 * std::sqrt(p) * std::cos(third + 2.0 * std::numbers::pi * static_cast<double>(k) / 3.0);
    std::sort(moments.begin(), moments.end());
    return moments;
}

namespace {

class Check {
public:
    Check(const Description& d, Problems& problems, std::vector<double> parameters)
        : d_(d), problems_(problems), parameters_(std::move(parameters)) {}

    void run() {
        for (const Body& b : d_.bodies) body(b);
        for (const Joint& j : d_.joints) joint(j);
        for (const JointForce& f : d_.joint_forces)
            if (f.scale != no_node && !(value(f.scale) > 0.0))
                problems_.error(
                    "not-positive", f.span,
                    fmt::format("the scale of friction '{}' is {}, but must be positive", f.name, value(f.scale)));
        finite(d_.gravity, {}, "gravity");
    }

private:
    [[nodiscard]] double value(NodeId e) const {
        return expr::evaluate(*d_.model.graph, e, [&](NodeId leaf) {
            return d_.model.graph->op(leaf) == expr::Op::parameter
                       ? parameters_[static_cast<std::size_t>(d_.model.graph->parameter_id(leaf))]
                       : 0.0;
        });
    }
    bool finite(const Vector& v, const SourceSpan& where, const std::string& what) {
        const bool good = std::isfinite(value(v.x)) && std::isfinite(value(v.y)) && std::isfinite(value(v.z));
        if (!good) problems_.error("not-finite", where, what + " has no finite value");
        return good;
    }
    void turned(const Quaternion& q, const SourceSpan& where) {
        if (!std::isfinite(value(q.w)) || !std::isfinite(value(q.x)))
            problems_.error("not-finite", where, "the turn has no value: an axis must not be (0, 0, 0)");
    }

    void body(const Body& b) {
        if (b.massless) return;
        if (b.mass == no_node) {
            problems_.error("missing-value", b.span, "'" + b.name + "' has no mass", "as in: { mass = 1 }");
        } else if (const double mass = value(b.mass); !(mass > 0.0) || !std::isfinite(mass)) {
            problems_.error("impossible-mass", b.mass_span,
                            fmt::format("the mass of '{}' is {}, but must be positive", b.name, mass),
                            mass == 0.0 ? "a rod without mass is a 'distance' joint between what it connects" : "");
        }
        if (!b.particle) inertia(b);
        for (const Marker& m : b.markers) {
            finite(m.point, m.span, "the marker '" + m.name + "'");
            turned(m.turn, m.span);
        }
        finite(b.center, b.span, "the center of '" + b.name + "'");
        if (b.at) finite(*b.at, b.span, "the position of '" + b.name + "'");
        if (b.turn) turned(*b.turn, b.span);
    }

    void inertia(const Body& b) {
        if (!b.has_inertia) {
            problems_.error("missing-value", b.span, "the body '" + b.name + "' has no inertia",
                            "a mass without extent is declared by 'particle'");
            return;
        }
        if (!d_.in_space) {
            const double J = value(b.inertia[2]);
            if (!(J > 0.0) || !std::isfinite(J))
                problems_.error("impossible-inertia", b.inertia_span,
                                fmt::format("the inertia of '{}' is {}, but must be positive", b.name, J),
                                "a mass without extent is declared by 'particle'");
            return;
        }
        std::array<double, 6> j{};
        for (std::size_t k = 0; k < 6; ++k) j[k] = value(b.inertia[k]);
        const auto m = principal_moments(j);
        // Round-off of the moments themselves; a plane body has equality.
        const double slack = 1e-12 * (std::abs(m[0]) + std::abs(m[2]));
        if (!(m[0] > 0.0) || !std::isfinite(m[2]))
            problems_.error("impossible-inertia", b.inertia_span,
                            fmt::format("no body has the inertia of '{}': its principal moments are {:.6g}, {:.6g} and "
                                        "{:.6g}, but must be positive",
                                        b.name, m[0], m[1], m[2]));
        else if (m[2] > m[0] + m[1] + slack)
            problems_.error("impossible-inertia", b.inertia_span,
                            fmt::format("no body has the inertia of '{}': of its principal moments {:.6g}, {:.6g} and "
                                        "{:.6g} the largest exceeds the sum of the others",
                                        b.name, m[0], m[1], m[2]));
    }

    void joint(const Joint& j) {
        for (const Vector& axis : {j.axis, j.second_axis})
            if (finite(axis, j.span, "an axis of '" + j.name + "'") && value(axis.x) == 0.0 && value(axis.y) == 0.0 &&
                value(axis.z) == 0.0) {
                problems_.error("no-direction", j.span, "the axis of '" + j.name + "' is zero");
                break;
            }
        if (j.length != no_node && j.kind != JointKind::screw && !(value(j.length) > 0.0))
            problems_.error("not-positive", j.span,
                            fmt::format("the {} of '{}' is {}, but must be positive",
                                        j.kind == JointKind::rolling ? "radius" : "length", j.name, value(j.length)),
                            j.kind == JointKind::rolling ? ""
                            : d_.in_space                ? "points that coincide are joined by 'spherical'"
                                                         : "points that coincide are joined by 'revolute'");
        const bool orients = j.kind != JointKind::spherical && j.kind != JointKind::distance &&
                             !(j.kind == JointKind::revolute && !d_.in_space) && j.kind != JointKind::slot;
        for (const End& e : {j.a, j.b})
            if (orients && e.body != ground && d_.bodies[static_cast<std::size_t>(e.body)].particle)
                problems_.error("no-orientation", e.span,
                                fmt::format("'{}' is a particle and has no orientation that a {} joint could hold",
                                            d_.body_name(e.body), name_of(j.kind)));
        if (j.kind == JointKind::rolling && j.a.body != ground && j.b.body != ground)
            problems_.error("not-supported", j.span, "'" + j.name + "' must roll on the ground",
                            "one of its ends is 'ground'");
    }

    const Description& d_;
    Problems& problems_;
    std::vector<double> parameters_;
};

} // namespace

void check(const Description& description, Problems& problems) {
    auto parameters = model::parameter_values(description.model);
    if (!parameters) {
        for (const Diagnostic& d : parameters.error()) problems.add(d);
        return;
    }
    Check(description, problems, *std::move(parameters)).run();
}

void demand_of_parameters(Description& d) {
    expr::Graph& g = *d.model.graph;
    const auto positive = [&](const std::string& name, NodeId e, const SourceSpan& span) {
        if (g.is_constant(e)) return; // known to be
        model::Parameter p;
        p.name = name;
        p.binding = g.unary(expr::Op::log, e);
        p.is_final = true;
        p.description = "no number where no body is like that";
        p.span = span;
        (void)d.model.add_parameter(std::move(p));
    };
    for (const Body& b : d.bodies) {
        if (b.massless) continue;
        positive(b.name + ".log_mass", b.mass, b.mass_span);
        if (b.particle) continue;
        const auto& J = b.inertia;
        if (!d.in_space) {
            positive(b.name + ".log_inertia", J[2], b.inertia_span);
            continue;
        }
        // Leading minors of [Jxx Jxy Jxz; Jxy Jyy Jyz; Jxz Jyz Jzz] (Sylvester).
        const auto minor = [&](NodeId p, NodeId q, NodeId r, NodeId s) { return g.sub(g.mul(p, s), g.mul(q, r)); };
        const NodeId second = minor(J[0], J[3], J[3], J[1]);
        const NodeId third = g.add(g.sub(g.mul(J[2], second), g.mul(J[5], minor(J[0], J[3], J[4], J[5]))),
                                   g.mul(J[4], minor(J[3], J[1], J[4], J[5])));
        positive(b.name + ".log_inertia_1", J[0], b.inertia_span);
        positive(b.name + ".log_inertia_2", second, b.inertia_span);
        positive(b.name + ".log_inertia_3", third, b.inertia_span);
    }
}

} // namespace daedalus::mechanics
