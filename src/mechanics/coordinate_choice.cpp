// Which coordinates a mechanism gets where its author leaves that open.
#include "expr/evaluate.hpp"
#include "mechanics/joint_coordinates.hpp"

#include <fmt/format.h>

#include <cmath>

namespace daedalus::mechanics {

using expr::Op;

namespace {
double value_of(const Description& d, NodeId e) {
    const auto parameters = model::parameter_values(d.model);
    return expr::evaluate(*d.model.graph, e, [&](NodeId leaf) {
        return parameters && d.model.graph->op(leaf) == Op::parameter
                   ? (*parameters)[static_cast<std::size_t>(d.model.graph->parameter_id(leaf))]
                   : 0.0;
    });
}
} // namespace

bool has_coordinates(const Joint& j, const Description& d) {
    using enum JointKind;
    if (j.kind == revolute || j.kind == prismatic || j.kind == fixed) return true;
    if (j.kind == universal) { // the cross has both axes, at a right angle
        constexpr double round_off = 1e-14;
        const Algebra a(d.graph());
        return std::abs(value_of(d, a.dot(a.normalized(j.axis), a.normalized(j.second_axis)))) < round_off;
    }
    return d.in_space && (j.kind == spherical || j.kind == cylindrical || j.kind == planar);
}

Choice choose_coordinates(const Description& d, const Placement& placement) {
    // With few coordinates rows that have all of them are small. Chains of 100, 300 and 1,000 rods cost some 5, 15 and
    // 75 us per evaluation in those of bodies; in those of joints the loads and accelerations that pass along the chain
    // are unknowns, too, and matrices as sparse but larger (`tools/benchmark mechanisms`).
    constexpr int many = 10;
    std::vector<char> used(d.joints.size(), 0);
    int coordinates = 0;
    for (std::size_t k = 0; k < d.bodies.size(); ++k) {
        const Body& b = d.bodies[k];
        const int joint = placement.joint_to_parent[k];
        if (b.at_fixed || b.turn_fixed || b.velocity_fixed || b.omega_fixed)
            return {false, fmt::format("start values of '{}' are fixed", b.name)};
        if (joint < 0) {
            coordinates += d.in_space ? 6 : 3;
            continue;
        }
        const Joint& j = d.joints[static_cast<std::size_t>(joint)];
        if (b.particle || !has_coordinates(j, d))
            return {false, fmt::format("joint '{}' has no coordinates of its own", j.name)};
        used[static_cast<std::size_t>(joint)] = 1;
        using enum JointKind;
        coordinates += j.kind == fixed                                ? 0
                       : j.kind == spherical || j.kind == planar      ? 3
                       : j.kind == cylindrical || j.kind == universal ? 2
                                                                      : 1;
    }
    for (std::size_t k = 0; k < d.joints.size(); ++k)
        if (!used[k]) return {false, fmt::format("joint '{}' closes a loop", d.joints[k].name)};
    for (const Quantity& q : d.quantities)
        for (const Joint& j : d.joints)
            if (q.name.starts_with(j.name + ".force") || q.name.starts_with(j.name + ".torque"))
                return {false, fmt::format("'{}' is asked for", q.name)};
    if (coordinates > many)
        return {false, fmt::format("for {} coordinates of joints those of bodies are cheaper", coordinates)};
    return {true, "the joints form a tree"};
}

} // namespace daedalus::mechanics
