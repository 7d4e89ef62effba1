// Discrete equations: which variable each of them determines, in an order in which they can be evaluated; and clauses
// in the order of their use.
#include "expr/substitute.hpp"
#include "modelica/translator.hpp"

namespace daedalus::modelica {

using expr::NodeId;
using expr::Op;

namespace {

/// Positions such that whatever uses a parameter comes behind what sets it; as given where that is a circle.
std::vector<std::size_t> by_use(const std::vector<std::vector<int>>& sets, const std::vector<std::vector<int>>& uses) {
    std::unordered_map<int, std::size_t> setter;
    for (std::size_t i = 0; i < sets.size(); ++i)
        for (const int p : sets[i]) setter.emplace(p, i);
    std::vector<std::vector<std::size_t>> users(sets.size());
    std::vector<int> waiting(sets.size(), 0);
    for (std::size_t i = 0; i < uses.size(); ++i)
        for (const int p : uses[i])
            if (const auto it = setter.find(p); it != setter.end() && it->second != i) {
                users[it->second].push_back(i);
                ++waiting[i];
            }
    std::vector<std::size_t> order;
    std::vector<char> done(sets.size(), 0);
    const auto take = [&](std::size_t i) {
        order.push_back(i);
        done[i] = 1;
    };
    for (std::size_t first = 0; first < sets.size(); ++first)
        if (waiting[first] == 0) take(first);
    for (std::size_t next = 0; next < order.size(); ++next)
        for (const std::size_t user : users[order[next]])
            if (--waiting[user] == 0 && !done[user]) take(user);
    for (std::size_t i = 0; i < sets.size(); ++i)
        if (!done[i]) order.push_back(i);
    return order;
}

template <class T>
void arrange(std::vector<T>& items, const std::vector<std::size_t>& order) {
    std::vector<T> sorted;
    sorted.reserve(items.size());
    for (const std::size_t i : order) sorted.push_back(std::move(items[i]));
    items = std::move(sorted);
}

} // namespace

std::string Translator::placeholder_name(std::size_t k) {
    const Placeholder& p = placeholders_[k];
    std::string name = p.component->name;
    if (p.component->dimensions.empty()) return name;
    std::string text = "]";
    std::size_t rest = p.element;
    for (std::size_t d = p.component->dimensions.size(); d-- > 0;) {
        const auto size = static_cast<std::size_t>(p.component->dimensions[d]);
        text = (d == 0 ? "[" : ",") + std::to_string(rest % size + 1) + text;
        rest /= size;
    }
    return name + text;
}

NodeId Translator::placeholder_start(std::size_t k) {
    const Placeholder& p = placeholders_[k];
    auto start = attribute(p.component, "start");
    if (!start) return p.component->kind == Kind::enumeration ? g_.constant(1.0) : expr::no_node;
    return fit(std::move(*start), p.component->kind, p.component->dimensions,
               "the start value of '" + placeholder_name(k) + "'", p.component->element->unit,
               p.component->element->component->name_span)
        .nodes[p.element];
}

void Translator::solve_discrete() {
    const std::size_t n = placeholders_.size();
    const auto placeholder = [&](NodeId node) -> int {
        if (g_.op(node) != Op::parameter || g_.parameter_id(node) < first_placeholder) return -1;
        return g_.parameter_id(node) - first_placeholder;
    };
    // v = not w says w = not v as well
    const auto bare = [&](NodeId node, bool& negated) -> int {
        negated = g_.op(node) == Op::logical_not;
        return placeholder(negated ? g_.operand(node, 0) : node);
    };
    struct Alias {
        std::size_t a, b;
        bool negated;
        SourceSpan span;
        bool used = false;
    };
    std::vector<Alias> aliases;
    std::vector<SourceSpan> where(n);
    const auto define = [&](std::size_t k, NodeId value, const SourceSpan& span) {
        Placeholder& p = placeholders_[k];
        if (p.value != expr::no_node)
            throw TranslationError{
                make_error("set-twice", "'" + placeholder_name(k) + "' is determined by two equations", span)};
        p.value = value;
        where[k] = span;
    };
    std::vector<DiscreteEquation> waiting;
    for (const DiscreteEquation& e : discrete_equations_) {
        bool left_negated = false, right_negated = false;
        const int left = bare(e.left, left_negated), right = bare(e.right, right_negated);
        if (left >= 0 && right >= 0)
            aliases.push_back({static_cast<std::size_t>(left), static_cast<std::size_t>(right),
                               left_negated != right_negated, e.span});
        else if (left >= 0 || right >= 0) {
            const auto k = static_cast<std::size_t>(left >= 0 ? left : right);
            const bool negated = left >= 0 ? left_negated : right_negated;
            const NodeId other = left >= 0 ? e.right : e.left;
            define(k, negated ? g_.unary(Op::logical_not, other) : other, e.span);
        } else
            throw TranslationError{make_error(
                "not-supported", "not supported yet: discrete equations that define neither side by its name", e.span)};
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (Alias& alias : aliases) {
            if (alias.used) continue;
            const bool a = placeholders_[alias.a].value != expr::no_node,
                       b = placeholders_[alias.b].value != expr::no_node;
            if (a == b) continue;
            const std::size_t to = a ? alias.b : alias.a, from = a ? alias.a : alias.b;
            NodeId value = g_.parameter(first_placeholder + static_cast<int>(from));
            if (alias.negated) value = g_.unary(Op::logical_not, value);
            define(to, value, alias.span);
            alias.used = changed = true;
        }
    }
    for (const Alias& alias : aliases)
        if (!alias.used && placeholders_[alias.a].value != expr::no_node)
            throw TranslationError{make_error(
                "set-twice", "'" + placeholder_name(alias.a) + "' is determined by two equations", alias.span)};
    for (std::size_t k = 0; k < n; ++k) {
        if (placeholders_[k].value != expr::no_node) continue;
        Component* c = placeholders_[k].component;
        if (c->causality == ast::Causality::input && c->element->owner == top_) { // a free input keeps its start value
            auto start = attribute(c, "start");
            placeholders_[k].value = start ? fit(std::move(*start), c->kind, c->dimensions, "the start value",
                                                 c->element->unit, c->element->component->name_span)
                                                 .nodes[placeholders_[k].element]
                                           : g_.constant(c->kind == Kind::enumeration ? 1.0 : 0.0);
            continue;
        }
        throw TranslationError{make_error("no-definition", "nothing says what '" + placeholder_name(k) + "' is",
                                          place(c->element->unit, c->element->component->name_span),
                                          "write an equation for it, or set it in a when-clause")};
    }
    // In the order of use, by a search that remembers where it is.
    std::vector<char> state(n, 0);
    std::vector<std::size_t> order;
    const auto uses = [&](std::size_t k) {
        std::vector<std::size_t> list;
        const NodeId roots[1] = {placeholders_[k].value};
        for (const NodeId leaf : g_.reachable(roots))
            if (const int p = placeholder(leaf); p >= 0) list.push_back(static_cast<std::size_t>(p));
        return list;
    };
    for (std::size_t first = 0; first < n; ++first) {
        if (state[first] != 0) continue;
        std::vector<std::pair<std::size_t, std::vector<std::size_t>>> stack;
        stack.emplace_back(first, uses(first));
        state[first] = 1;
        while (!stack.empty()) {
            auto& [k, rest] = stack.back();
            if (rest.empty()) {
                state[k] = 2;
                order.push_back(k);
                stack.pop_back();
                continue;
            }
            const std::size_t next = rest.back();
            rest.pop_back();
            if (state[next] == 1)
                throw TranslationError{make_error(
                    "circular-definition",
                    "'" + placeholder_name(next) + "' is defined by itself, through other discrete variables",
                    where[next], "pre(" + placeholder_name(next) + ") is its value before the event")};
            if (state[next] == 0) {
                state[next] = 1;
                stack.emplace_back(next, uses(next));
            }
        }
    }
    expr::Substitution substitute(g_, [&](NodeId leaf) {
        const int p = placeholder(leaf);
        return p < 0 ? leaf : placeholders_[static_cast<std::size_t>(p)].value;
    });
    for (const std::size_t k : order) placeholders_[k].value = substitute(placeholders_[k].value);
    const auto replace = [&](NodeId& node) {
        if (node != expr::no_node) node = substitute(node);
    };
    for (auto* list : {&model_.equations, &model_.initial_equations})
        for (model::Equation& e : *list) {
            replace(e.left);
            replace(e.right);
            replace(e.homotopy);
        }
    expr::rewrite_derivatives(g_, [&](NodeId e) { return substitute(e); });
    for (model::When& clause : model_.clauses)
        for (model::WhenBranch& branch : clause.branches) {
            for (NodeId& node : branch.conditions) replace(node);
            for (auto& s : branch.settings) replace(s.value);
            for (auto& r : branch.reinits) replace(r.value);
            for (auto& a : branch.assertions) replace(a.holds);
        }
    for (model::Memory& memory : model_.memories) replace(memory.value);
    model_.visit_past(replace);
    for (std::size_t k = 0; k < n; ++k) {
        const Component* c = placeholders_[k].component;
        model_.discrete.push_back({placeholder_name(k), placeholders_[k].value, "", c->element->component->description,
                                   place(c->element->unit, c->element->component->span), c->is_protected,
                                   value_type(c->kind)});
    }
    for_each_component([&](Component* c) {
        if (c->kind == Kind::none || c->role != Role::held || !c->valued) return;
        for (const NodeId node : c->value.nodes) {
            const model::Parameter& p = model_.parameters[static_cast<std::size_t>(g_.parameter_id(node))];
            model_.discrete.push_back({p.name, node, "", p.description, p.span, p.is_protected, p.type});
        }
    });
    for (DiscreteEquation& e : discrete_initial_) {
        replace(e.left);
        replace(e.right);
    }
    begin_discrete();
}

// Initial equations of discrete variables: where they begin. Numbers first; then v = w, from whichever is known; what
// is left begins at the start value of the other side, or is computed by the initial event.
void Translator::begin_discrete() {
    std::unordered_set<int> known;
    const auto held = [&](NodeId node) -> int {
        if (g_.op(node) != Op::parameter || g_.parameter_id(node) >= first_placeholder - 1) return -1;
        const int id = g_.parameter_id(node);
        return model_.parameters[static_cast<std::size_t>(id)].is_held ? id : -1;
    };
    // v and pre(v) begin alike.
    const auto begin_at = [&](int id, double value) {
        std::vector<int> all{id};
        for (const auto& [leaf, memory] : memories_) {
            const auto it = held_.find(leaf);
            if (memory == id && it != held_.end()) all.push_back(it->second);
            if (it != held_.end() && it->second == id) all.push_back(memory);
        }
        for (const int one : all) {
            model_.parameters[static_cast<std::size_t>(one)].binding = g_.constant(value);
            known.insert(one);
        }
    };
    std::vector<DiscreteEquation> rest;
    for (const DiscreteEquation& e : discrete_initial_) {
        const auto left = fold(e.left), right = fold(e.right);
        if (left && right && *left == *right) continue;
        if (held(e.left) >= 0 && right)
            begin_at(held(e.left), *right);
        else if (held(e.right) >= 0 && left)
            begin_at(held(e.right), *left);
        else
            rest.push_back(e);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (DiscreteEquation& e : rest)
            for (const auto& [x, y] : {std::pair(e.left, e.right), std::pair(e.right, e.left)}) {
                const int a = held(x), b = held(y);
                if (a < 0 || b < 0 || known.contains(a) || !known.contains(b)) continue;
                begin_at(a, g_.constant_value(model_.parameters[static_cast<std::size_t>(b)].binding));
                changed = true;
            }
    }
    in_order_of_use(rest, held);
    for (const DiscreteEquation& e : rest) {
        const int a = held(e.left) >= 0 ? held(e.left) : held(e.right);
        const NodeId other = held(e.left) >= 0 ? e.right : e.left;
        if (a < 0)
            throw TranslationError{
                make_error("not-supported", "not supported yet: this initial equation of discrete variables", e.span)};
        if (known.contains(a)) continue;
        bool begins = true;
        const NodeId roots[1] = {other};
        for (const NodeId leaf : g_.reachable(roots))
            begins = begins && g_.op(leaf) != Op::variable && g_.op(leaf) != Op::time;
        if (begins) {
            expr::Substitution starts(g_, [&](NodeId leaf) {
                return g_.op(leaf) == Op::parameter
                           ? model_.parameters[static_cast<std::size_t>(g_.parameter_id(leaf))].binding
                           : leaf;
            });
            if (const auto value = fold(starts(other))) {
                begin_at(a, *value);
                continue;
            }
        }
        int target = a;
        for (const auto& [leaf, memory] : memories_)
            if (memory == target && held_.contains(leaf)) target = held_.at(leaf);
        if (model_.initial_flag < 0) model_.initial_flag = hold("initial()", expr::no_node, nullptr);
        model::WhenBranch branch;
        branch.conditions.push_back(g_.parameter(model_.initial_flag));
        branch.settings.push_back({target, other});
        branch.span = e.span;
        model_.clauses.push_back({{std::move(branch)}});
    }
}

/// What defines a discrete variable at the start comes before what uses it there: r_raw = random(…) before
/// r = quantile(r_raw).
void Translator::in_order_of_use(std::vector<DiscreteEquation>& list, const std::function<int(NodeId)>& held) const {
    std::vector<std::vector<int>> sets, uses;
    for (const DiscreteEquation& e : list) {
        const int left = held(e.left);
        sets.push_back({left >= 0 ? left : held(e.right)});
        const NodeId other[1] = {left >= 0 ? e.right : e.left};
        std::vector<int>& used = uses.emplace_back();
        for (const NodeId leaf : g_.reachable(other))
            if (const int id = held(leaf); id >= 0) used.push_back(id);
    }
    arrange(list, by_use(sets, uses));
}

void Translator::order_clauses() {
    const auto held_leaves = [&](const std::vector<NodeId>& expressions, std::vector<int>& out) {
        for (const NodeId leaf : g_.reachable(expressions))
            if (g_.op(leaf) == Op::parameter) out.push_back(g_.parameter_id(leaf));
    };
    std::vector<std::vector<int>> sets(model_.clauses.size()), uses(model_.clauses.size());
    for (std::size_t i = 0; i < model_.clauses.size(); ++i)
        for (model::WhenBranch& branch : model_.clauses[i].branches) {
            std::vector<std::vector<int>> set_here, used_here;
            for (const auto& setting : branch.settings) {
                set_here.push_back({setting.parameter});
                held_leaves({setting.value}, used_here.emplace_back());
            }
            arrange(branch.settings, by_use(set_here, used_here));
            std::vector<NodeId> used = branch.conditions;
            for (const auto& setting : branch.settings) {
                sets[i].push_back(setting.parameter);
                used.push_back(setting.value);
            }
            for (const auto& r : branch.reinits) used.push_back(r.value);
            for (const auto& a : branch.assertions) used.push_back(a.holds);
            held_leaves(used, uses[i]);
        }
    arrange(model_.clauses, by_use(sets, uses));
}

} // namespace daedalus::modelica
