#include "model/model.hpp"

#include <utility>

namespace daedalus::model {

namespace {

template <class Named>
auto names_of(const std::vector<Named>& list) {
    return [&list](std::size_t k) -> const std::string& { return list[k].name; };
}

} // namespace

int Model::add_variable(Variable variable) {
    variables.push_back(std::move(variable));
    variable_ids_.add(names_of(variables));
    return static_cast<int>(variables.size()) - 1;
}

std::shared_ptr<expr::Graph> Model::copy_of_graph() const {
    return as_read ? std::make_shared<expr::Graph>(graph->first(*as_read)) : std::make_shared<expr::Graph>(*graph);
}

void Model::keep_variables(const std::vector<char>& keep) {
    std::vector<Variable> all = std::exchange(variables, {});
    variable_ids_.clear();
    for (std::size_t v = 0; v < all.size(); ++v)
        if (keep[v] != 0) (void)add_variable(std::move(all[v]));
}

int Model::add_parameter(Parameter parameter) {
    parameters.push_back(std::move(parameter));
    parameter_ids_.add(names_of(parameters));
    return static_cast<int>(parameters.size()) - 1;
}

std::vector<NodeId> Model::past_expressions() const {
    std::vector<NodeId> list;
    for (const Delay& d : delays) list.insert(list.end(), {d.value, d.duration});
    for (const Transport& p : transports) {
        list.insert(list.end(), {p.in0, p.in1, p.position, p.forward});
        list.insert(list.end(), p.points.begin(), p.points.end());
        list.insert(list.end(), p.values.begin(), p.values.end());
    }
    return list;
}

std::optional<std::string> Model::event_part() const {
    if (!clauses.empty()) return "a when-clause";
    if (!discrete.empty()) return "the discrete variable '" + discrete.front().name + "'";
    if (!samples.empty()) return "sample()";
    if (!memories.empty()) return "pre()";
    if (!delays.empty()) return "delay()";
    if (!transports.empty()) return "spatialDistribution()";
    if (terminal_flag >= 0) return "terminal()";
    if (initial_flag >= 0) return "initial()";
    return std::nullopt;
}

std::optional<int> Model::find_variable(const std::string& wanted) const {
    return variable_ids_.find(wanted, names_of(variables));
}

std::optional<int> Model::find_parameter(const std::string& wanted) const {
    return parameter_ids_.find(wanted, names_of(parameters));
}

std::string Model::variable_name(int id, int order) const {
    // Notes of derivatives (expr::Graph) may mention variables that a pass has removed.
    const bool exists = static_cast<std::size_t>(id) < variables.size();
    std::string base = exists ? variables[static_cast<std::size_t>(id)].name : "a removed variable";
    if (order == 0) return base;
    if (order == 1) return "der(" + base + ")";
    return "der(" + base + ", " + std::to_string(order) + ")";
}

expr::Names Model::names() const {
    return {[this](int id, int order) { return variable_name(id, order); },
            [this](int id) { return parameters[static_cast<std::size_t>(id)].name; }};
}

std::string Model::text(NodeId expression, std::size_t max_length) const {
    return expr::to_string(*graph, expression, names(), expr::Notation::plain, max_length);
}

std::string Model::text(const Equation& equation, std::size_t max_length) const {
    return text(equation.left, max_length) + " = " + text(equation.right, max_length);
}

} // namespace daedalus::model
