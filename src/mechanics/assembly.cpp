#include "mechanics/assembly.hpp"

namespace daedalus::mechanics {

using expr::no_node;

Assembly::Assembly(Description& description, const Placement& placement, Problems& problems)
    : d_(description), placement_(placement), problems_(problems), a_(description.graph()), g_(description.graph()) {
    potential_ = a_.number(0.0);
}

void Assembly::run() {
    make_frames();
    for (std::size_t k = 0; k < d_.bodies.size(); ++k) {
        name_body_quantities(static_cast<int>(k));
        name_marker_quantities(static_cast<int>(k));
    }
    gravity();
    for (const LineForce& f : d_.line_forces) line_force(f);
    for (const JointForce& f : d_.joint_forces) joint_force(f);
    for (const Bushing& f : d_.bushings) bushing(f);
    for (const AppliedForce& f : d_.applied_forces) applied(f);
    for (std::size_t k = 0; k < d_.joints.size(); ++k)
        if (is_constraint(static_cast<int>(k))) constrain(d_.joints[k]);
    conditions();
    equations_of_motion();
    outputs();
    describe_scene();
}

NodeId Assembly::variable(const std::string& name, NodeId start, bool fixed, const std::string& about,
                          const SourceSpan& span) {
    model::Variable v;
    v.name = name;
    v.start = start;
    v.fixed = fixed && start != no_node;
    v.description = about;
    v.span = span;
    if (d_.model.find_variable(name) || d_.model.find_parameter(name)) {
        problems_.error("declared-twice", span, "there is something called '" + name + "' already");
        return a_.number(0.0);
    }
    return g_.variable(d_.model.add_variable(std::move(v)));
}

void Assembly::equation(NodeId left, NodeId right, const std::string& about, const SourceSpan& span) {
    d_.model.equations.push_back({left, right, about, span});
}

void Assembly::rate(NodeId position, NodeId value, const std::string& about, const SourceSpan& span) {
    rates_[position] = value;
    equation(der(position), value, about, span);
}

NodeId Assembly::multiplier(const std::string& name, const std::string& about, const SourceSpan& span) {
    const NodeId lambda = variable(name, no_node, false, about, span);
    multipliers_[name] = lambda;
    return lambda;
}

NodeId Assembly::extra_force(NodeId velocity) const {
    const auto at = extra_forces_.find(velocity);
    return at == extra_forces_.end() ? a_.number(0.0) : at->second;
}

} // namespace daedalus::mechanics
