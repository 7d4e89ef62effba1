#include "transform/system.hpp"

#include <algorithm>

namespace daedalus::transform {

NodeId System::residual(int row) const {
    const SystemEquation& e = equations[static_cast<std::size_t>(row)];
    return graph().sub(e.left, e.right);
}

int System::introduce(const std::string& name) {
    extended = std::make_shared<model::Model>(*model); // earlier copies of this system keep theirs
    model = extended.get();
    model::Variable variable;
    variable.name = name;
    const int id = extended->add_variable(std::move(variable));
    variables.push_back(id);
    ++introduced;
    return id;
}

std::vector<int> System::columns() const {
    std::vector<int> column(model->variables.size(), -1);
    for (std::size_t j = 0; j < variables.size(); ++j)
        column[static_cast<std::size_t>(variables[j])] = static_cast<int>(j);
    return column;
}

SourceSpan System::span(int row) const {
    const int origin = equations[static_cast<std::size_t>(row)].origin;
    return origin < 0 ? SourceSpan{} : model->equations[static_cast<std::size_t>(origin)].span;
}

structure::SignatureMatrix System::signature() const {
    const std::vector<int> column = columns();
    std::vector<structure::SignatureEntry> entries;
    const expr::Graph& g = graph();
    for (std::size_t i = 0; i < equations.size(); ++i) {
        const NodeId roots[] = {residual(static_cast<int>(i))};
        for (const NodeId node : g.reachable(roots))
            if (g.op(node) == expr::Op::variable)
                entries.push_back({static_cast<int>(i), column[static_cast<std::size_t>(g.variable_id(node))],
                                   g.derivative_order(node)});
    }
    return structure::SignatureMatrix::from_entries(static_cast<int>(equations.size()),
                                                    static_cast<int>(variables.size()), entries);
}

void System::index_aliases() {
    alias_names_.clear();
    const expr::Graph& g = graph();
    for (const Elimination& e : eliminations)
        if (g.op(e.value) == expr::Op::variable)
            alias_names_.push_back({{g.variable_id(e.value), g.derivative_order(e.value)}, e.variable});
    std::sort(alias_names_.begin(), alias_names_.end());
}

std::string System::name(const JetEntry& entry) const {
    // What a formulation adds: derivatives that have no variable of their own, and multipliers.
    if (entry.variable < 0) return "der";
    if (const auto extra = static_cast<std::size_t>(entry.variable); extra >= model->variables.size())
        return "mu[" + std::to_string(extra - model->variables.size() + 1) + "]";
    if (entry.order > 0) {
        const auto it = std::lower_bound(alias_names_.begin(), alias_names_.end(), std::pair(entry, -1));
        if (it != alias_names_.end() && it->first == entry)
            return model->variables[static_cast<std::size_t>(it->second)].name;
        // der(u) rather than der(x, 2) where u stands for der(x).
        for (int k = entry.order - 1; k > 0; --k) {
            const auto lower =
                std::lower_bound(alias_names_.begin(), alias_names_.end(), std::pair(JetEntry{entry.variable, k}, -1));
            if (lower != alias_names_.end() && lower->first == JetEntry{entry.variable, k})
                return model->variable_name(lower->second, entry.order - k);
        }
    }
    return model->variable_name(entry.variable, entry.order);
}

expr::Names System::names() const {
    return {[this](int id, int order) {
                return name({id, order});
            },
            [this](int id) {
                const auto p = static_cast<std::size_t>(id);
                if (p < model->parameters.size()) return model->parameters[p].name;
                const std::size_t k = p - model->parameters.size();
                return k < held.size() ? model->variables[static_cast<std::size_t>(held[k].variable)].name
                                       : "alpha"; // of Baumgarte
            }};
}

std::string System::text(int row, std::size_t max_length) const {
    const SystemEquation& e = equations[static_cast<std::size_t>(row)];
    const expr::Names n = names();
    return expr::to_string(graph(), e.left, n, expr::Notation::plain, max_length) + " = " +
           expr::to_string(graph(), e.right, n, expr::Notation::plain, max_length);
}

System make_system(const model::Model& model, std::vector<double> parameters) {
    System system;
    system.model = &model;
    system.parameters = std::move(parameters);
    for (std::size_t i = 0; i < model.equations.size(); ++i)
        system.equations.push_back({model.equations[i].left, model.equations[i].right, static_cast<int>(i), {}});
    for (std::size_t j = 0; j < model.variables.size(); ++j) system.variables.push_back(static_cast<int>(j));
    for (const model::Implied& implied : model.implied) {
        system.replaced.push_back({implied.equation, system.residual(implied.equation), false});
        SystemEquation& e = system.equations[static_cast<std::size_t>(implied.equation)];
        e.left = implied.instead;
        e.right = model.graph->constant(0.0);
    }
    return system;
}

} // namespace daedalus::transform
