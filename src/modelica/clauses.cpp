// When-clauses, what expressions say about events, and algorithm sections (specification 3.5, sections 8.3.5, 3.7.5
// and 11). A variable that a clause sets is held: a parameter of the model that events change.
#include "modelica/translator.hpp"

namespace daedalus::modelica {

using ast::EquationKind;
using ast::ExprId;
using ast::ExprKind;
using ast::StatementKind;
using expr::NodeId;
using expr::Op;

int Translator::hold(const std::string& name, NodeId start, Component* c) {
    model::Parameter p;
    p.name = name;
    p.binding = start == expr::no_node ? g_.constant(0.0) : start;
    p.is_held = true;
    if (c != nullptr) {
        p.description = c->element->component->description;
        p.span = place(c->element->unit, c->element->component->span);
        p.is_protected = c->is_protected;
        p.type = value_type(c->kind);
    }
    return model_.add_parameter(std::move(p));
}

NodeId Translator::pre(const Context& c, NodeId node, Kind kind, Span span) {
    const Op op = g_.op(node);
    if (op == Op::constant || op == Op::variable || op == Op::time) return node;
    if (op != Op::parameter) fail("pre-of-expression", c.unit, span, "'pre' needs the name of a variable");
    const int id = g_.parameter_id(node);
    const bool placeholder = id >= first_placeholder;
    if (!placeholder && !held_.contains(expr::index(node))) return node;
    if (const auto it = memories_.find(expr::index(node)); it != memories_.end()) return g_.parameter(it->second);
    std::string name;
    NodeId start = expr::no_node;
    if (placeholder) {
        const Placeholder& p = placeholders_[static_cast<std::size_t>(id - first_placeholder)];
        name = p.component->name + (p.component->dimensions.empty() ? "" : "[" + std::to_string(p.element + 1) + "]");
        if (auto q = attribute(p.component, "start")) {
            q = fit(std::move(*q), p.component->kind, p.component->dimensions, "the start value of '" + name + "'",
                    c.unit, span);
            start = q->nodes[p.element];
        } else if (p.component->kind == Kind::enumeration) {
            start = g_.constant(1.0);
        }
    } else {
        name = model_.parameters[static_cast<std::size_t>(id)].name;
        start = model_.parameters[static_cast<std::size_t>(id)].binding;
    }
    const int memory = hold("pre(" + name + ")", start, nullptr);
    model_.parameters[static_cast<std::size_t>(memory)].type = value_type(kind);
    memories_.emplace(expr::index(node), memory);
    model_.memories.push_back({memory, node});
    return g_.parameter(memory);
}

std::optional<Quantity> Translator::event_call(const Context& c, const ast::Expr& e, const std::string& name) {
    const ast::Call& call = c.unit->tree.call(e);
    const auto count = [&](std::size_t n) {
        if (call.arguments.size() != n)
            fail("argument-count", c.unit, e.span,
                 "'" + name + "' takes " + std::to_string(n) + (n == 1 ? " argument" : " arguments") + ", not " +
                     std::to_string(call.arguments.size()));
    };
    if (name == "initial" || name == "terminal") {
        count(0);
        int& flag = name == "initial" ? model_.initial_flag : model_.terminal_flag;
        if (flag < 0) flag = hold(name + "()", expr::no_node, nullptr);
        return scalar(Kind::boolean, g_.parameter(flag));
    }
    if (name == "sample") {
        count(2);
        std::vector<NodeId> node;
        for (const ast::Argument& a : call.arguments) {
            const Quantity q = evaluate(c, a.value);
            if (!is_number(q.kind)) fail("type", c.unit, e.span, "'sample' takes two numbers, or a value and a clock");
            if (varies(q.node()) || !q.is_scalar()) (void)number(c, q, e.span, "an argument of 'sample'");
            node.push_back(q.node());
        }
        const auto [it, is_new] = sample_ids_.try_emplace({node[0], node[1]}, -1);
        if (is_new) {
            it->second = hold("sample " + std::to_string(model_.samples.size() + 1), expr::no_node, nullptr);
            model_.samples.push_back({it->second, node[0], node[1], place(c.unit, e.span)});
        }
        return scalar(Kind::boolean, g_.binary(Op::ge, g_.time(), g_.parameter(it->second)));
    }
    if (name == "pre" || name == "edge" || name == "change") {
        count(1);
        const Quantity now = evaluate(c, call.arguments[0].value);
        if (!has_nodes(now.kind))
            fail("type", c.unit, e.span, "'" + name + "' of a " + std::string(spelling(now.kind)));
        Quantity before = map_nodes(now, [&](NodeId n) { return pre(c, n, now.kind, e.span); });
        if (name == "pre") return before;
        Quantity result = like(now, now.dimensions);
        result.kind = Kind::boolean;
        if (name == "edge" && now.kind != Kind::boolean)
            fail("type", c.unit, e.span, "the argument of 'edge' must be true or false");
        for (std::size_t k = 0; k < now.nodes.size(); ++k)
            result.nodes.push_back(
                name == "change" ? g_.binary(Op::ne, now.nodes[k], before.nodes[k])
                                 : logical(Op::logical_and, now.nodes[k], g_.unary(Op::logical_not, before.nodes[k])));
        return result;
    }
    if (name == "cardinality") {
        count(1);
        if (c.at(call.arguments[0].value).kind != ExprKind::reference)
            fail("type", c.unit, e.span, "'cardinality' needs a connector");
        const Selected found = select_connector(c, c.unit->tree.reference(c.at(call.arguments[0].value)), nullptr);
        int n = 0;
        for (const Endpoint& item : found.items)
            if (const auto it = cardinality_.find(item.component); it != cardinality_.end()) n += it->second;
        return scalar(Kind::integer, g_.constant(n));
    }
    if (name == "Connections.isRoot" || name == "Connections.rooted" || name == "rooted") {
        count(1);
        Component* r = overdetermined(c, call.arguments[0].value);
        const auto it = graph_ids_.find(r);
        if (r == nullptr || it == graph_ids_.end()) return scalar(Kind::boolean, g_.constant(0.0));
        const GraphNode& node = graph_nodes_[it->second];
        if (name == "Connections.isRoot")
            return scalar(Kind::boolean, g_.constant(node.root || node.chosen ? 1.0 : 0.0));
        for (const auto& [a, b] : branches_) {
            if (a != it->second && b != it->second) continue;
            const std::size_t other = a == it->second ? b : a;
            return scalar(Kind::boolean, g_.constant(node.distance < graph_nodes_[other].distance ? 1.0 : 0.0));
        }
        return scalar(Kind::boolean, g_.constant(node.distance == 0 ? 1.0 : 0.0));
    }
    return std::nullopt;
}

void Translator::mark_target(const Context& c, const ast::Reference& name) {
    Element* e = find(name.parts[0].name, c.scope);
    if (e == nullptr || e->is_class()) return;
    std::vector<Component*> at{meant(e)};
    for (std::size_t part = 0;; ++part) {
        std::vector<Component*> single;
        for (Component* one : at) {
            if (one->absent) continue;
            if (one->elements.empty())
                single.push_back(one);
            else
                single.insert(single.end(), one->elements.begin(), one->elements.end());
        }
        if (part + 1 == name.parts.size()) {
            const std::function<void(Component*)> mark = [&](Component* one) {
                if (one->kind != Kind::none)
                    one->set_by_when = true;
                else if (one->instance != nullptr)
                    for (Element* field : one->instance->elements)
                        if (!field->is_class()) mark(make(field));
            };
            for (Component* one : single) mark(one);
            return;
        }
        at.clear();
        for (Component* one : single)
            if (one->instance != nullptr)
                if (Element* next = find_local(one->instance, name.parts[part + 1].name); next && !next->is_class())
                    at.push_back(make(next));
    }
}

void Translator::mark_when_targets(const Context& c, const std::vector<ast::Equation>& list, bool inside) {
    for (const ast::Equation& e : list) {
        if (e.kind == EquationKind::equality && inside) {
            const ast::Expr& left = c.at(e.left);
            if (left.kind == ExprKind::reference) mark_target(c, c.unit->tree.reference(left));
            if (left.kind == ExprKind::tuple)
                for (std::uint32_t k = 0; k < left.count; ++k)
                    if (const ExprId id = c.unit->tree.operand(left, k);
                        ast::given(id) && c.at(id).kind == ExprKind::reference)
                        mark_target(c, c.unit->tree.reference(c.at(id)));
        }
        if (e.kind == EquationKind::if_ && !inside) {
            for (const ast::Branch& branch : e.branches) {
                std::optional<double> known;
                if (ast::given(branch.condition)) {
                    bool has_when = false;
                    const std::function<void(const std::vector<ast::Equation>&)> look =
                        [&](const std::vector<ast::Equation>& equations) {
                            for (const ast::Equation& one : equations) {
                                has_when = has_when || one.kind == EquationKind::when;
                                for (const ast::Branch& deeper : one.branches) look(deeper.equations);
                            }
                        };
                    for (const ast::Branch& any : e.branches) look(any.equations);
                    if (!has_when) break;
                    const Quantity condition = evaluate(c, branch.condition);
                    known = condition.kind == Kind::boolean && condition.is_scalar() ? fold(condition.node())
                                                                                     : std::nullopt;
                    if (known && *known == 0.0) continue;
                }
                mark_when_targets(c, branch.equations, inside);
                if (known) break;
            }
            continue;
        }
        if (e.kind == EquationKind::when && !e.branches.empty() && is_clock(c, e.branches[0].condition)) continue;
        for (const ast::Branch& branch : e.branches)
            mark_when_targets(c, branch.equations, inside || e.kind == EquationKind::when);
    }
}

void Translator::assigned_names(const std::vector<ast::Statement>& list, const Unit* unit,
                                std::vector<const ast::Reference*>& out, bool only_when, bool inside) const {
    for (const ast::Statement& s : list) {
        if (s.kind == StatementKind::assign && (inside || !only_when)) {
            const ast::Expr& left = unit->tree[s.left];
            if (left.kind == ExprKind::reference) out.push_back(&unit->tree.reference(left));
            if (left.kind == ExprKind::tuple)
                for (std::uint32_t k = 0; k < left.count; ++k)
                    if (const ExprId id = unit->tree.operand(left, k);
                        ast::given(id) && unit->tree[id].kind == ExprKind::reference)
                        out.push_back(&unit->tree.reference(unit->tree[id]));
        }
        for (const ast::StatementBranch& branch : s.branches)
            assigned_names(branch.statements, unit, out, only_when, inside || s.kind == StatementKind::when);
    }
}

void Translator::mark_when_targets(Instance* instance) {
    std::vector<Instance*> nodes;
    nodes_of(instance, nodes);
    for (Instance* node : nodes) {
        const Context c{node->unit, node, nullptr, -1};
        for (const ast::EquationSection& section : node->definition->equations)
            if (!section.initial) mark_when_targets(c, section.equations, false);
        for (const ast::AlgorithmSection& section : node->definition->algorithms) {
            if (section.initial) continue;
            std::vector<const ast::Reference*> names;
            assigned_names(section.statements, node->unit, names, true, false);
            for (const ast::Reference* name : names) mark_target(c, *name);
        }
    }
}

std::vector<NodeId> Translator::when_conditions(const Context& c, ExprId id, bool&) {
    const Quantity q = evaluate(c, id);
    if (q.kind != Kind::boolean) {
        if (c.at(id).kind == ExprKind::call) unsupported(c.unit, c.at(id).span, "clocked equations (when Clock(…))");
        fail("type", c.unit, c.at(id).span,
             "the condition of 'when' must be true or false, but this is a " + std::string(spelling(q.kind)));
    }
    return q.nodes;
}

void Translator::when_equation(const Context& c, const ast::Equation& e) {
    if (!e.branches.empty() && is_clock(c, e.branches[0].condition)) return clocked_when(c, e);
    model::When clause;
    for (const ast::Branch& branch : e.branches) {
        model::WhenBranch& made = clause.branches.emplace_back();
        made.span = place(c.unit, e.span);
        bool at_start = false;
        made.conditions = when_conditions(c, branch.condition, at_start);
        const Restored<model::WhenBranch*> inside(acting_, &made);
        const Restored<NodeId> nothing_else(guard_, expr::no_node);
        when_actions(c, branch.equations, expr::no_node, made);
    }
    model_.clauses.push_back(std::move(clause));
}

void Translator::set_held(const Context& c, NodeId left, NodeId right, NodeId guard, Span span,
                          model::WhenBranch& branch) {
    const auto it = held_.find(expr::index(left));
    if (it == held_.end())
        fail("when-left-side", c.unit, span, "inside a when-clause the left side is the name of a variable",
             "write v = …, where the clause sets v");
    branch.settings.push_back({it->second, guard == expr::no_node ? right : g_.select(guard, right, left)});
}

void Translator::set_held(const Context& c, const Quantity& left, const Quantity& right, NodeId guard, Span span,
                          model::WhenBranch& branch) {
    if (left.dimensions != right.dimensions)
        fail("array-size", c.unit, span,
             "the sides of this equation have different sizes: " + dimensions_text(left.dimensions) + " and " +
                 dimensions_text(right.dimensions));
    if (left.kind == Kind::record && right.kind == Kind::record) {
        for (std::size_t k = 0; k < left.records.size(); ++k)
            for (auto& [name, field] : left.records[k]->fields)
                if (Quantity* other = right.records[k]->find(name)) set_held(c, field, *other, guard, span, branch);
        return;
    }
    if (left.kind != right.kind && !(left.kind == Kind::real && right.kind == Kind::integer))
        fail("type", c.unit, span,
             "the sides of this equation are a " + std::string(spelling(left.kind)) + " and a " +
                 std::string(spelling(right.kind)));
    for (std::size_t k = 0; k < left.nodes.size(); ++k) set_held(c, left.nodes[k], right.nodes[k], guard, span, branch);
}

void Translator::reinit(const Context& c, const ast::Call& call, Span span, NodeId guard, model::WhenBranch& branch) {
    if (call.arguments.size() != 2)
        fail("argument-count", c.unit, span, "'reinit' takes 2 arguments: a variable and its new value");
    const Quantity variable = evaluate(c, call.arguments[0].value);
    const Quantity value = evaluate(c, call.arguments[1].value);
    if (!is_number(variable.kind) || !is_number(value.kind) || variable.dimensions != value.dimensions)
        fail("type", c.unit, span, "reinit needs a variable and a value of the same size");
    for (std::size_t k = 0; k < variable.nodes.size(); ++k) {
        if (g_.op(variable.nodes[k]) != Op::variable)
            fail("reinit-of", c.unit, span, "reinit needs the name of a variable whose derivative occurs");
        branch.reinits.push_back(
            {variable.nodes[k],
             guard == expr::no_node ? value.nodes[k] : g_.select(guard, value.nodes[k], variable.nodes[k]),
             place(c.unit, span)});
    }
}

void Translator::when_actions(const Context& c, const std::vector<ast::Equation>& list, NodeId guard,
                              model::WhenBranch& branch) {
    for (const ast::Equation& e : list) {
        switch (e.kind) {
        case EquationKind::equality: {
            const ast::Expr& left = c.at(e.left);
            if (left.kind == ExprKind::tuple) {
                const auto values = call_many(c, c.at(e.right), left.count);
                for (std::uint32_t k = 0; k < left.count && k < values.size(); ++k)
                    if (const ExprId id = c.unit->tree.operand(left, k); ast::given(id))
                        set_held(c, evaluate(c, id), values[k], guard, e.span, branch);
                break;
            }
            set_held(c, evaluate(c, e.left), evaluate(c, e.right), guard, e.span, branch);
            break;
        }
        case EquationKind::if_: {
            NodeId not_before = guard;
            for (const ast::Branch& one : e.branches) {
                NodeId here = not_before;
                if (ast::given(one.condition)) {
                    const Quantity condition = evaluate(c, one.condition);
                    if (condition.kind != Kind::boolean || !condition.is_scalar())
                        fail("type", c.unit, c.at(one.condition).span, "the condition of 'if' must be true or false");
                    if (const auto known = fold(condition.node())) {
                        if (*known == 0.0) continue;
                        when_actions(c, one.equations, not_before, branch);
                        break;
                    }
                    here = not_before == expr::no_node ? condition.node()
                                                       : logical(Op::logical_and, not_before, condition.node());
                    const NodeId negated = g_.unary(Op::logical_not, condition.node());
                    not_before = not_before == expr::no_node ? negated : logical(Op::logical_and, not_before, negated);
                }
                when_actions(c, one.equations, here, branch);
            }
            break;
        }
        case EquationKind::for_:
            for_equation(c, e, 0, [&](const Context& inside) {
                when_actions(inside, e.branches.get().at(0).equations, guard, branch);
            });
            break;
        case EquationKind::call: {
            const ast::Call& call = c.unit->tree.call(c.at(e.left));
            const std::string name = call.function.text();
            if (name == "reinit")
                reinit(c, call, e.span, guard, branch);
            else if (name == "terminate" && guard == expr::no_node) {
                branch.terminates = true;
                if (!call.arguments.empty()) branch.message = message_of(c, call.arguments[0].value);
            } else if (name == "assert")
                assertion(c, call, e.span, guard, &branch);
            else if (name == "terminate")
                unsupported(c.unit, e.span, "'terminate(…)' under a condition inside a when-clause");
            else
                (void)call_many(c, c.at(e.left), 0);
            break;
        }
        case EquationKind::invalid: break;
        default: unsupported(c.unit, e.span, "this kind of equation inside a when-clause");
        }
    }
}

void Translator::when_statement(const Context& c, const ast::Statement& s, Running& r) {
    model::When clause;
    const auto before = r.frame->locals;
    for (const ast::StatementBranch& branch : s.branches) {
        model::WhenBranch made;
        made.span = place(c.unit, s.span);
        bool at_start = false;
        made.conditions = when_conditions(c, branch.condition, at_start);
        std::vector<std::pair<NodeId, NodeId>> watched; // held leaf, its value before
        const std::function<Quantity(const Quantity&)> inside_value = [&](const Quantity& q) {
            Quantity copy = map_nodes(q, [&](NodeId n) {
                return n != expr::no_node && held_.contains(expr::index(n)) ? pre(c, n, q.kind, s.span) : n;
            });
            for (auto& record : copy.records) {
                auto fields = std::make_shared<Record>();
                for (auto& [name, field] : record->fields) fields->fields.emplace_back(name, inside_value(field));
                record = std::move(fields);
            }
            return copy;
        };
        for (auto& [name, q] : r.frame->locals) q = inside_value(q);
        const auto at_entry = r.frame->locals;
        Running inner = r;
        inner.branch = &made;
        const Restored<model::WhenBranch*> inside(acting_, &made);
        execute(c, branch.statements, inner);
        const std::function<void(const Quantity&, const Quantity&, const Quantity&)> settle =
            [&](const Quantity& leaf, const Quantity& was, const Quantity& now) {
                for (std::size_t k = 0; k < leaf.nodes.size(); ++k)
                    if (was.nodes[k] != now.nodes[k])
                        set_held(c, leaf.nodes[k], now.nodes[k], expr::no_node, s.span, made);
                for (std::size_t k = 0; k < leaf.records.size(); ++k)
                    for (std::size_t f = 0; f < leaf.records[k]->fields.size(); ++f)
                        settle(leaf.records[k]->fields[f].second, was.records[k]->fields[f].second,
                               now.records[k]->fields[f].second);
            };
        for (std::size_t v = 0; v < before.size(); ++v)
            settle(before[v].second, at_entry[v].second, r.frame->locals[v].second);
        r.frame->locals = before;
        clause.branches.push_back(std::move(made));
    }
    model_.clauses.push_back(std::move(clause));
}

// The section as one function of what it reads: executed here, it leaves an equation for every variable it assigns.
void Translator::algorithm(const Context& c, const ast::AlgorithmSection& section) {
    std::vector<const ast::Reference*> names;
    assigned_names(section.statements, c.unit, names, false, false);
    Frame frame;
    std::vector<Quantity> leaves;
    const std::function<Quantity(const Quantity&)> before = [&](const Quantity& q) {
        Quantity copy = map_nodes(q, [&](NodeId n) {
            if (section.initial || held_.contains(expr::index(n))) return n;
            if (g_.op(n) == Op::variable) {
                const auto& [owner, k] = variable_owner_[static_cast<std::size_t>(g_.variable_id(n))];
                if (auto start = attribute(owner, "start"))
                    return fit(std::move(*start), owner->kind, owner->dimensions, "the start value", c.unit,
                               section.span)
                        .nodes[k];
                return g_.constant(0.0);
            }
            return pre_for_section(c, n, q.kind, section.span);
        });
        for (auto& record : copy.records) {
            auto fields = std::make_shared<Record>();
            for (auto& [name, field] : record->fields) fields->fields.emplace_back(name, before(field));
            record = std::move(fields);
        }
        return copy;
    };
    for (const ast::Reference* name : names) {
        const std::string_view first = name->parts[0].name;
        bool known = false;
        for (const auto& [key, q] : frame.locals) known = known || key == first;
        if (known) continue;
        Element* e = find(first, c.scope);
        if (e == nullptr || e->is_class())
            fail("unknown-identifier", c.unit, name->span, "'" + name->text() + "' is not declared",
                 suggestion(first, c.scope));
        leaves.push_back(value_of(make(e)));
        frame.locals.emplace_back(first, before(leaves.back()));
    }
    const auto at_entry = frame.locals;
    Running running;
    running.frame = &frame;
    running.in_section = true;
    Context inside = c;
    inside.frame = &frame;
    execute(inside, section.statements, running);
    const std::function<void(const Quantity&, const Quantity&, const Quantity&, bool)> equations =
        [&](const Quantity& leaf, const Quantity& was, const Quantity& now, bool whole_variable) {
            for (std::size_t k = 0; k < leaf.nodes.size(); ++k) {
                if (held_.contains(expr::index(leaf.nodes[k]))) {
                    if (!section.initial) continue;
                    if (now.nodes[k] != leaf.nodes[k])
                        discrete_initial_.push_back({leaf.nodes[k], now.nodes[k], place(c.unit, section.span)});
                    continue;
                }
                if (!whole_variable && was.nodes[k] == now.nodes[k]) continue;
                add_equation(leaf.kind, leaf.nodes[k], now.nodes[k], section.initial, place(c.unit, section.span),
                             "algorithm");
            }
            for (std::size_t k = 0; k < leaf.records.size(); ++k)
                for (std::size_t f = 0; f < leaf.records[k]->fields.size(); ++f)
                    equations(leaf.records[k]->fields[f].second, was.records[k]->fields[f].second,
                              now.records[k]->fields[f].second, false);
        };
    for (std::size_t v = 0; v < leaves.size(); ++v)
        equations(leaves[v], at_entry[v].second, frame.locals[v].second, leaves[v].is_scalar() || !section.initial);
}

// pre(v) as the value that a discrete variable has when the section begins; made only if the section reads it.
NodeId Translator::pre_for_section(const Context& c, NodeId n, Kind kind, Span span) { return pre(c, n, kind, span); }

} // namespace daedalus::modelica
