// Unknowns of a class are its variables, and of its components what they leave to their surroundings: flows and inputs
// of their connectors. Equations are those it writes, its bindings and connections, and what its own connectors and
// inputs are given from outside.
#include "modelica/translator.hpp"

#include <algorithm>

namespace daedalus::modelica {

namespace {

int size_of(const Component* c) {
    int n = 1;
    for (const int d : c->dimensions) n *= d;
    return n;
}
std::string counted(int n, const std::string& what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

} // namespace

Diagnostic unbalanced(const ClassBalance& b) {
    const std::string which = b.component.empty()
                                  ? ""
                                  : "; it is the class of '" + b.component + "'" +
                                        (b.components > 1 ? " and " + counted(b.components - 1, "other") : "");
    Diagnostic made = make_error("unbalanced-class",
                                 "the class '" + b.class_name + "' has " + counted(b.unknowns, "unknown") + " but " +
                                     counted(b.equations, "equation") + which,
                                 b.where,
                                 b.unknowns > b.equations
                                     ? "a class determines all its variables but the flows and inputs of connectors"
                                     : "flows and inputs of connectors are determined outside of the class");
    return made;
}

int Translator::determined() const {
    std::size_t n =
        model_.equations.size() + discrete_equations_.size() + clocked_equations_.size() + clock_equations_.size();
    return static_cast<int>(n);
}

void Translator::write(Component* c) {
    const int before = determined();
    finish_component(c);
    Component* owner = c->parent;
    while (owner != nullptr && owner->parent != nullptr && owner->instance != nullptr &&
           (owner->type->is_record() || owner->is_connector))
        owner = owner->parent;
    // Of an array of components, the element is what owns; of a variable below the model itself, the model.
    const Instance* instance = owner != nullptr && owner->instance != nullptr ? owner->instance : top_;
    determined_by_[instance] += determined() - before;
}

void Translator::write(Instance* instance) {
    const int before = determined();
    const std::size_t clauses = model_.clauses.size();
    equations_of(instance);
    std::unordered_set<int> set;
    for (std::size_t k = clauses; k < model_.clauses.size(); ++k)
        for (const model::WhenBranch& branch : model_.clauses[k].branches)
            for (const auto& setting : branch.settings) set.insert(setting.parameter);
    determined_by_[instance] += determined() - before + static_cast<int>(set.size());
}

// A connector, from inside its class (`own`) or from outside of it.
void Translator::count_connector(Component* c, bool own, bool flow, bool input, Count& out) {
    if (c->absent) return;
    flow = flow || c->flow;
    input = input || c->causality == ast::Causality::input;
    if (c->kind == Kind::none) {
        if (has_equality_constraint(c) || (c->type != nullptr && c->type->is_expandable)) out.unclear = true;
        if (c->instance != nullptr)
            for (Element* e : c->instance->elements)
                if (!e->is_class()) count_connector(make(e), own, flow, input, out);
        for (Component* one : c->elements) count_connector(one, own, flow, input, out);
        return;
    }
    if (c->variability >= ast::Variability::parameter || c->kind == Kind::string) return;
    const int n = size_of(c);
    if (own) {
        out.unknowns += n;
        if (flow || input) out.equations += n;
    } else if (flow || input) {
        out.unknowns += n;
        for (int k = 0; flow && k < n; ++k) // what is not connected does not flow
            if (!leaf_ids_.contains({c, k, false})) ++out.equations;
    }
}

void Translator::count_part(Component* c, Count& out) {
    if (c->absent) return;
    if (c->kind != Kind::none) {
        const bool is_parameter = c->variability >= ast::Variability::parameter;
        if (c->kind == Kind::clock) out.unclear = true;
        if (c->kind == Kind::string || c->kind == Kind::object) return;
        if (is_parameter && c->role != Role::solved_parameter) return;
        out.unknowns += size_of(c);
        const bool bound = c->modifier != nullptr && c->modifier->value.given();
        if (c->causality == ast::Causality::input && !bound) out.equations += size_of(c);
        return;
    }
    if (c->is_connector) return count_connector(c, true, false, c->causality == ast::Causality::input, out);
    for (Component* one : c->elements) count_part(one, out);
    if (c->instance == nullptr) return;
    const bool record = c->type->is_record();
    for (Element* e : c->instance->elements) {
        if (e->is_class() || e->prefixes.outer) continue;
        Component* part = make(e);
        if (record)
            count_part(part, out);
        else if (part->is_connector && !e->prefixes.is_protected)
            count_connector(part, false, false, part->causality == ast::Causality::input, out);
    }
}

Translator::Count Translator::count(Instance* instance) {
    Count result;
    result.equations = determined_by_[instance];
    for (Element* e : instance->elements) {
        if (e->is_class() || (e->prefixes.outer && !e->prefixes.inner)) continue;
        count_part(make(e), result);
    }
    return result;
}

void Translator::count_connections(std::unordered_map<const Instance*, Count>& counts) const {
    for (std::size_t i = 0; i < sets_.size(); ++i) {
        const Leaf& first = leaves_[sets_[i].front()];
        Count& c = counts[first.scope];
        if (first.component->stream)
            c.equations += static_cast<int>(std::count_if(sets_[i].begin(), sets_[i].end(),
                                                          [&](std::size_t leaf) { return leaves_[leaf].outside; }));
        else
            c.equations += first.component->flow ? 1 : static_cast<int>(sets_[i].size()) - 1;
    }
    for (const Edge& edge : edges_) counts[edge.scope->root].unclear = true;
}

void Translator::count_classes() {
    std::unordered_map<const Instance*, Count> connected;
    count_connections(connected);
    for_each_instance([&](Instance* i) {
        if (i->definition == nullptr || i->is_connector || i->is_record()) return;
        Count c = count(i);
        if (const auto it = connected.find(i); it != connected.end()) {
            c.equations += it->second.equations;
            c.unclear = c.unclear || it->second.unclear;
        }
        const std::string component = i == top_ ? "" : i->component->name;
        std::string name = i == top_ ? model_.name : std::string(i->definition->name);
        if (i != top_ && i->same_as != nullptr && !i->same_as->path.empty()) name = i->same_as->path;
        for (ClassBalance& known : balances_)
            if (known.class_name == name && known.unknowns == c.unknowns && known.equations == c.equations &&
                known.component.empty() == component.empty()) {
                ++known.components;
                return;
            }
        balances_.push_back(
            {name, component, 1, c.unknowns, c.equations, c.unclear, place(i->unit, i->definition->name_span)});
    });
}

} // namespace daedalus::modelica
