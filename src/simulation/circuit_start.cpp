#include "simulation/circuit_start.hpp"

#include <algorithm>

namespace daedalus::simulation {

namespace {

bool uses_initial_conditions(const spice::Netlist& netlist) {
    return std::any_of(netlist.analyses.begin(), netlist.analyses.end(), [](const spice::Analysis& a) {
        return a.kind == spice::Analysis::Kind::transient && a.use_initial_conditions;
    });
}

/// The overrides that the equations at rest know: others are of the transient model alone.
std::vector<model::ParameterOverride> known_to(const model::Model& m,
                                               const std::vector<model::ParameterOverride>& parameters) {
    std::vector<model::ParameterOverride> list;
    for (const model::ParameterOverride& p : parameters)
        if (m.find_parameter(p.name)) list.push_back(p);
    return list;
}

} // namespace

Expected<std::vector<model::StartSource::Start>>
CircuitStart::find(const std::vector<model::ParameterOverride>& parameters) const {
    const spice::Netlist& netlist = *circuit_->netlist;
    const circuit::Equations& moving = circuit_->transient;
    const std::vector<model::Variable>& variables = moving.model->variables;
    std::vector<char> holds(variables.size(), 0);
    for (const int v : moving.node_voltage)
        if (v >= 0) holds[static_cast<std::size_t>(v)] = 1;
    for (std::size_t e = 0; e < netlist.elements.size(); ++e)
        if (netlist.elements[e].kind == spice::ElementKind::inductor && moving.branch_current[e] >= 0)
            holds[static_cast<std::size_t>(moving.branch_current[e])] = 1;
    std::vector<double> values(variables.size(), 0.0);
    if (uses_initial_conditions(netlist)) {
        for (const spice::NodeValue& given : netlist.initial)
            if (given.reference == 0 && given.node > 0)
                values[static_cast<std::size_t>(moving.node_voltage[static_cast<std::size_t>(given.node)])] =
                    given.value.number;
    } else {
        OperatingPoint::Request request{.parameters = known_to(*circuit_->operating_point.model, parameters),
                                        .initial_conditions = true,
                                        .time_begins = true};
        const std::lock_guard lock(mutex_);
        if (!solver_) solver_ = std::make_unique<OperatingPoint>(circuit_);
        auto found = solver_->find(request);
        if (!found) return Unexpected{std::move(found.error())};
        const model::Model& rest = *circuit_->operating_point.model;
        for (std::size_t v = 0; v < variables.size(); ++v)
            if (const auto there = rest.find_variable(variables[v].name))
                values[v] = found->values[static_cast<std::size_t>(*there)];
    }
    std::vector<Start> starts;
    for (std::size_t v = 0; v < variables.size(); ++v) starts.push_back({variables[v].name, values[v], holds[v] != 0});
    return starts;
}

std::shared_ptr<model::Model> transient_model(const std::shared_ptr<const circuit::Circuit>& circuit) {
    auto m = std::make_shared<model::Model>(*circuit->transient.model); // the circuit must not lead back to itself
    m->start_source = std::make_shared<const CircuitStart>(circuit);
    return m;
}

} // namespace daedalus::simulation
