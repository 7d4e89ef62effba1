// Connections (specification 3.5, chapter 9): sets of connected variables, with the side from which each is connected,
// and their equations; expandable connectors; streams (chapter 15).
#include "modelica/translator.hpp"

namespace daedalus::modelica {

using ast::ExprId;
using ast::ExprKind;
using expr::NodeId;
using expr::Op;

void Translator::nodes_of(Instance* instance, std::vector<Instance*>& out) {
    out.push_back(instance);
    for (std::size_t k = out.size() - 1; k < out.size(); ++k)
        for (Instance* base : out[k]->bases) out.push_back(base);
}

void Translator::each_component(Instance* instance, const std::function<void(Component*)>& f) {
    for (std::size_t k = 0; k < instance->elements.size(); ++k) {
        Element* e = instance->elements[k];
        Component* c = e->made;
        if (e->is_class() || c == nullptr || c->element != e || c->absent) continue;
        f(c);
        if (c->instance != nullptr) each_component(c->instance, f);
        for (Component* one : c->elements)
            if (!one->absent) {
                f(one);
                each_component(one->instance, f);
            }
    }
}

void Translator::for_each_component(const std::function<void(Component*)>& f) { each_component(top_, f); }

void Translator::for_each_instance(const std::function<void(Instance*)>& f) {
    f(top_);
    std::vector<Instance*> all;
    for_each_component([&](Component* c) {
        if (c->instance != nullptr) all.push_back(c->instance);
    });
    for (Instance* instance : all) f(instance);
}

bool Translator::mentions_connections(const std::vector<ast::Equation>& list) const {
    for (const ast::Equation& e : list) {
        if (e.kind == ast::EquationKind::connect || e.kind == ast::EquationKind::call) return true;
        for (const ast::Branch& branch : e.branches)
            if (mentions_connections(branch.equations)) return true;
    }
    return false;
}

void Translator::collect_connections(Instance* instance) {
    std::vector<Instance*> nodes;
    nodes_of(instance, nodes);
    for (Instance* node : nodes)
        for (const ast::EquationSection& section : node->definition->equations)
            if (!section.initial) collect_connections(Context{node->unit, node, nullptr, -1}, section.equations);
}

void Translator::collect_connections(const Context& c, const std::vector<ast::Equation>& list) {
    for (const ast::Equation& e : list) {
        try {
            switch (e.kind) {
            case ast::EquationKind::connect: connect(c, e); break;
            case ast::EquationKind::call: {
                const ast::Call& call = c.unit->tree.call(c.at(e.left));
                const std::string name = call.function.text();
                if (name.starts_with("Connections.")) connections_call(c, c.at(e.left), name);
                break;
            }
            case ast::EquationKind::for_:
                if (mentions_connections(e.branches.get().at(0).equations))
                    for_equation(c, e, 0, [&](const Context& inside) {
                        collect_connections(inside, e.branches.get().at(0).equations);
                    });
                break;
            case ast::EquationKind::if_:
                if (!mentions_connections({e})) break;
                for (const ast::Branch& branch : e.branches) {
                    if (!ast::given(branch.condition)) {
                        collect_connections(c, branch.equations);
                        break;
                    }
                    const Quantity condition = evaluate(c, branch.condition);
                    const auto known = condition.kind == Kind::boolean && condition.is_scalar() ? fold(condition.node())
                                                                                                : std::nullopt;
                    if (!known) break; // its branches hold assertions at most
                    if (*known == 0.0) continue;
                    collect_connections(c, branch.equations);
                    break;
                }
                break;
            default: break;
            }
        } catch (const TranslationError& error) {
            keep(error, c.scope->root->path);
        }
    }
}

void Translator::connect(const Context& c, const ast::Equation& e) {
    for (const ExprId id : {e.left, e.right})
        if (c.at(id).kind != ExprKind::reference)
            fail("connect", c.unit, c.at(id).span, "connect needs the names of two connectors");
    const ast::Reference& left = c.unit->tree.reference(c.at(e.left));
    const ast::Reference& right = c.unit->tree.reference(c.at(e.right));
    Selected a = select_connector(c, left, nullptr);
    Selected b = select_connector(c, right, a.missing ? nullptr : &a);
    if (a.missing) a = select_connector(c, left, &b);
    if (a.missing || b.missing)
        unsupported(c.unit, e.span, "connections between members that neither expandable connector has");
    check_connector(c, left, a);
    check_connector(c, right, b);
    if (a.items.empty() || b.items.empty()) return; // conditional components that do not exist
    if (a.items.size() != b.items.size())
        fail("connect-size", c.unit, e.span,
             "'" + left.text() + "' has the size " + dimensions_text(a.dimensions) + ", '" + right.text() + "' has " +
                 dimensions_text(b.dimensions));
    for (std::size_t k = 0; k < a.items.size(); ++k) {
        for (const Endpoint* end : {&a.items[k], &b.items[k]}) ++cardinality_[end->component];
        pairs_.push_back({a.items[k], b.items[k], a.outside, b.outside, c.unit, e.span, c.scope});
    }
}

Translator::Selected Translator::select_connector(const Context& c, const ast::Reference& name, const Selected* other) {
    Element* e = find(name.parts[0].name, c.scope);
    if (e == nullptr || e->is_class())
        fail("unknown-identifier", c.unit, name.span, "there is no connector '" + name.text() + "'",
             suggestion(name.parts[0].name, c.scope));
    Component* first = meant(e);
    Selected result;
    result.outside = first->is_connector && first->element == e;
    select_part(c, first, name, 0, result, {}, other);
    return result;
}

void Translator::select_part(const Context& c, Component* at, const ast::Reference& name, std::size_t part,
                             Selected& out, std::vector<int> dimensions, const Selected* other) {
    if (at->absent) return;
    const ast::NamePart& here = name.parts[part];
    const bool last = part + 1 == name.parts.size();
    std::vector<bool> keeps;
    if (at->kind != Kind::none) { // a variable
        if (!last) fail("no-field", c.unit, name.span, "'" + at->name + "' has no parts");
        if (at->dimensions.empty()) {
            out.items.push_back({at, -1});
            out.dimensions = dimensions;
            return;
        }
        const auto lists = subscript_lists(c, at->dimensions, here.subscripts, keeps, name.span);
        std::size_t total = 1;
        for (std::size_t d = 0; d < lists.size(); ++d) {
            if (keeps[d]) dimensions.push_back(static_cast<int>(lists[d].size()));
            total *= lists[d].size();
        }
        for (std::size_t n = 0; n < total; ++n) {
            std::size_t rest = n, k = 0, stride = 1;
            for (std::size_t d = lists.size(); d-- > 0;) {
                k += stride * static_cast<std::size_t>(lists[d][rest % lists[d].size()]);
                rest /= lists[d].size();
                stride *= static_cast<std::size_t>(at->dimensions[d]);
            }
            out.items.push_back({at, static_cast<int>(k)});
        }
        out.dimensions = dimensions;
        return;
    }
    const auto deeper = [&](Component* one, const std::vector<int>& so_far) {
        if (last) {
            out.items.push_back({one, -1});
            out.dimensions = so_far;
            return;
        }
        const ast::NamePart& next = name.parts[part + 1];
        Element* e = find_local(one->instance, next.name);
        if (e == nullptr || e->is_class()) {
            if (e == nullptr && one->instance->is_expandable) {
                if (other == nullptr) {
                    out.missing = true;
                    return;
                }
                if (other->items.empty()) return;
                Component* like = other->items[0].component;
                std::vector<int> size = other->dimensions;
                if (!next.subscripts.empty())
                    unsupported(c.unit, name.span,
                                "single elements of arrays that an expandable connector does not declare");
                if (part + 2 < name.parts.size())
                    unsupported(c.unit, name.span, "nested members that an expandable connector does not declare");
                Component* made = expand(one->instance, next.name, like, size);
                return select_part(c, made, name, part + 1, out, so_far, other);
            }
            fail("unknown-identifier", c.unit, next.span,
                 "'" + one->name + "' has no connector '" + std::string(next.name) + "'",
                 suggestion(next.name, one->instance));
        }
        select_part(c, make(e), name, part + 1, out, so_far, other);
    };
    if (at->instance != nullptr) {
        if (!here.subscripts.empty()) fail("subscripts", c.unit, here.span, "'" + at->name + "' is no array");
        return deeper(at, dimensions);
    }
    const auto lists = subscript_lists(c, at->dimensions, here.subscripts, keeps, name.span);
    std::size_t total = 1;
    for (std::size_t d = 0; d < lists.size(); ++d) {
        if (keeps[d]) dimensions.push_back(static_cast<int>(lists[d].size()));
        total *= lists[d].size();
    }
    for (std::size_t n = 0; n < total; ++n) {
        std::size_t rest = n, k = 0, stride = 1;
        for (std::size_t d = lists.size(); d-- > 0;) {
            k += stride * static_cast<std::size_t>(lists[d][rest % lists[d].size()]);
            rest /= lists[d].size();
            stride *= static_cast<std::size_t>(at->dimensions[d]);
        }
        deeper(at->elements[k], dimensions);
    }
}

Component* Translator::expand(Instance* expandable, std::string_view name, Component* like,
                              std::vector<int> dimensions) {
    Element* e = &elements_.emplace_back();
    *e = *like->element;
    e->made = nullptr;
    e->busy = false;
    e->name = names_.emplace_back(name);
    e->owner = expandable;
    e->modifier = nullptr;
    e->prefixes = {};
    e->forced_type = like->type;
    e->forced_dimensions = std::move(dimensions);
    auto* plain = &plain_components_.emplace_back();
    plain->name = e->name;
    plain->name_span = like->element->component->name_span;
    plain->span = like->element->component->span;
    e->component = plain;
    expandable->table.emplace(e->name, e);
    expandable->elements.push_back(e);
    expandable->missing.erase(e->name);
    Component* made = make(e);
    if (made->instance != nullptr) make_all(made->instance);
    for (Component* one : made->elements) make_all(one->instance);
    return made;
}

// Connected expandable connectors have the members of each other.
void Translator::fill_expandable() {
    bool changed = true;
    for (int round = 0; changed && round < 100; ++round) {
        changed = false;
        for (std::size_t k = 0; k < pairs_.size(); ++k) {
            Component* a = pairs_[k].a.component;
            Component* b = pairs_[k].b.component;
            if (a->instance == nullptr || b->instance == nullptr) continue;
            for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)}) {
                if (!y->instance->is_expandable) continue;
                for (std::size_t i = 0; i < x->instance->elements.size(); ++i) {
                    Element* e = x->instance->elements[i];
                    if (e->is_class() || find_local(y->instance, e->name) != nullptr) continue;
                    Component* member = make(e);
                    if (member->absent) continue;
                    (void)expand(y->instance, e->name, member, member->dimensions);
                    changed = true;
                }
            }
        }
    }
}

bool Translator::has_equality_constraint(Component* c) {
    if (c->instance == nullptr || !c->type->is_record()) return false;
    Element* e = find_local(c->type, "equalityConstraint");
    return e != nullptr && e->is_class();
}

void Translator::connect_pair(const Pair& p, Component* a, Component* b) {
    if (a->absent || b->absent) return;
    if (a->kind != Kind::none || b->kind != Kind::none) {
        if (a->kind == Kind::none || b->kind == Kind::none)
            fail("connect", p.unit, p.span,
                 "'" + a->name + "' and '" + b->name + "' are connectors of different kinds");
        return connect_leaves(p, {a, -1}, {b, -1});
    }
    if (!a->elements.empty() || !b->elements.empty()) {
        if (a->elements.size() != b->elements.size())
            fail("connect-size", p.unit, p.span, "'" + a->name + "' and '" + b->name + "' have different sizes");
        for (std::size_t k = 0; k < a->elements.size(); ++k) connect_pair(p, a->elements[k], b->elements[k]);
        return;
    }
    if (a->instance == nullptr || b->instance == nullptr) return;
    if (has_equality_constraint(a) && has_equality_constraint(b)) {
        edges_.push_back({graph_node(a), graph_node(b), false, p.unit, p.span, p.scope});
        return;
    }
    for (std::size_t k = 0; k < a->instance->elements.size(); ++k) {
        Element* e = a->instance->elements[k];
        if (e->is_class()) continue;
        Element* other = find_local(b->instance, e->name);
        if (other == nullptr || other->is_class()) {
            if (make(e)->absent) continue;
            fail("connect", p.unit, p.span,
                 "'" + a->name + "' has '" + std::string(e->name) + "', but '" + b->name + "' has not");
        }
        connect_pair(p, make(e), make(other));
    }
}

std::size_t Translator::leaf_id(Component* c, int element, bool outside) {
    const auto [it, is_new] = leaf_ids_.try_emplace({c, element, outside}, leaves_.size());
    if (is_new) leaves_.push_back({c, element, outside, leaves_.size(), nullptr, {}});
    return it->second;
}

std::size_t Translator::set_of(std::size_t leaf) {
    while (leaves_[leaf].parent != leaf) leaf = leaves_[leaf].parent = leaves_[leaves_[leaf].parent].parent;
    return leaf;
}

void Translator::connect_leaves(const Pair& p, const Endpoint& a, const Endpoint& b) {
    check_connected(p, a.component, b.component);
    for (const Component* one : {a.component, b.component})
        if (one->variability >= ast::Variability::parameter) return;
    if (a.component->kind == Kind::string) return;
    if (a.component->flow != b.component->flow || a.component->stream != b.component->stream)
        fail("connect", p.unit, p.span,
             "of '" + a.component->name + "' and '" + b.component->name +
                 "', one is a flow variable and the other is not");
    const auto size = [](const Endpoint& end) {
        std::size_t n = 1;
        if (end.element < 0)
            for (const int d : end.component->dimensions) n *= static_cast<std::size_t>(d);
        return n;
    };
    if (size(a) != size(b))
        fail("connect-size", p.unit, p.span,
             "'" + a.component->name + "' and '" + b.component->name + "' have different sizes");
    for (std::size_t k = 0; k < size(a); ++k) {
        const std::size_t x = leaf_id(a.component, a.element < 0 ? static_cast<int>(k) : a.element, p.a_outside);
        const std::size_t y = leaf_id(b.component, b.element < 0 ? static_cast<int>(k) : b.element, p.b_outside);
        for (const std::size_t leaf : {x, y})
            if (leaves_[leaf].unit == nullptr) {
                leaves_[leaf].unit = p.unit;
                leaves_[leaf].span = p.span;
                leaves_[leaf].scope = p.scope->root;
            }
        const std::size_t s = set_of(x), t = set_of(y);
        if (s != t) leaves_[std::max(s, t)].parent = std::min(s, t);
    }
}

void Translator::connection_sets() {
    sets_.clear();
    set_index_.assign(leaves_.size(), 0);
    std::unordered_map<std::size_t, std::size_t> index;
    for (std::size_t k = 0; k < leaves_.size(); ++k) {
        const auto [it, is_new] = index.try_emplace(set_of(k), sets_.size());
        if (is_new) sets_.emplace_back();
        sets_[it->second].push_back(k);
        set_index_[k] = it->second;
    }
    check_sources();
    find_unused_sets();
}

// Sets of members of expandable connectors that lead, from bus to bus, to nothing but such members.
void Translator::find_unused_sets() {
    std::vector<std::size_t> joined(sets_.size());
    for (std::size_t i = 0; i < joined.size(); ++i) joined[i] = i;
    const auto root = [&](std::size_t i) {
        while (joined[i] != i) i = joined[i] = joined[joined[i]];
        return i;
    };
    const auto in_bus = [](const Component* c) {
        return c->parent != nullptr && c->parent->instance != nullptr && c->parent->instance->is_expandable &&
               (c->modifier == nullptr || !c->modifier->value.given());
    };
    for (const auto& [key, leaf] : leaf_ids_) // the inside and the outside of a connector are one variable
        if (const auto other = leaf_ids_.find({std::get<0>(key), std::get<1>(key), !std::get<2>(key)});
            other != leaf_ids_.end())
            joined[root(set_index_[leaf])] = root(set_index_[other->second]);
    unused_sets_.assign(sets_.size(), 1);
    for (std::size_t k = 0; k < leaves_.size(); ++k)
        if (!in_bus(leaves_[k].component)) unused_sets_[root(set_index_[k])] = 0;
    for (std::size_t i = 0; i < sets_.size(); ++i) unused_sets_[i] = unused_sets_[root(i)];
}

void Translator::connection_equations() {
    const auto node = [&](std::size_t leaf) {
        return value_of(leaves_[leaf].component).nodes[static_cast<std::size_t>(leaves_[leaf].element)];
    };
    for (std::size_t i = 0; i < sets_.size(); ++i) {
        if (unused_sets_[i] != 0) continue;
        const auto& set = sets_[i];
        const Leaf& first = leaves_[set.front()];
        const SourceSpan span = place(first.unit, first.span);
        if (first.component->stream) {
            for (const std::size_t leaf : set)
                if (leaves_[leaf].outside)
                    add_equation(Kind::real, node(leaf), mixed_stream(leaf, true, 0), false, span, "stream");
            continue;
        }
        if (first.component->flow) {
            NodeId sum = g_.constant(0.0);
            for (const std::size_t leaf : set)
                sum = leaves_[leaf].outside ? g_.sub(sum, node(leaf)) : g_.add(sum, node(leaf));
            add_equation(Kind::real, sum, g_.constant(0.0), false, span, "connection");
            continue;
        }
        for (std::size_t k = 1; k < set.size(); ++k)
            add_equation(first.component->kind, node(set[0]), node(set[k]), false, span, "connection");
    }
    for (const Edge& edge : edges_) {
        const Context c{edge.unit, edge.scope, nullptr, -1};
        Component* a = graph_nodes_[edge.a].component;
        Component* b = graph_nodes_[edge.b].component;
        if (!edge.broken) {
            equate(c, value_of(a), value_of(b), false, edge.span, "connection");
            continue;
        }
        Instance* f = class_of(find_local(a->type, "equalityConstraint"));
        const auto residual = call_function(c, f, {{"", value_of(a)}, {"", value_of(b)}}, edge.span, 1).at(0);
        for (const NodeId n : residual.nodes)
            add_equation(Kind::real, n, g_.constant(0.0), false, place(edge.unit, edge.span),
                         "closes a loop of connections");
    }
    unconnected_flows();
}

void Translator::unconnected_flows() {
    for_each_component([&](Component* c) {
        if (!c->flow || c->kind == Kind::none || c->variability >= ast::Variability::parameter) return;
        bool in_connector = c->is_connector;
        for (Component* around = c->parent; around != nullptr; around = around->parent)
            in_connector = in_connector || around->is_connector;
        if (!in_connector) return;
        const Quantity q = value_of(c);
        for (std::size_t k = 0; k < q.nodes.size(); ++k) {
            if (leaf_ids_.contains({c, static_cast<int>(k), false})) continue;
            add_equation(Kind::real, q.nodes[k], g_.constant(0.0), false,
                         place(c->element->unit, c->element->component->span), "not connected");
        }
    });
}

Component* Translator::flow_beside(Component* stream) {
    for (Component* around = stream->parent; around != nullptr; around = around->parent) {
        if (around->instance == nullptr) continue;
        for (Element* e : around->instance->elements)
            if (!e->is_class() && make(e)->flow && make(e)->dimensions.empty()) return make(e);
        if (around->is_connector) break;
    }
    return nullptr;
}

// The mixture that flows out of a connection set towards one of its members (section 15.2).
NodeId Translator::mixed_stream(std::size_t member, bool for_outside, int depth) {
    constexpr double smallest_flow = 1e-10; // kg/s: decides the mixture where nothing flows
    const auto& set = sets_[set_index_[member]];
    (void)for_outside;
    NodeId above = g_.constant(0.0), below = g_.constant(0.0);
    std::vector<std::pair<NodeId, NodeId>> terms; // flow towards the mixture, value
    for (const std::size_t leaf : set) {
        if (leaf == member) continue;
        const Leaf& l = leaves_[leaf];
        Component* flow = flow_beside(l.component);
        if (flow == nullptr)
            fail("stream", l.unit, l.span, "'" + l.component->name + "' has no flow variable beside it");
        const NodeId m = value_of(flow).node();
        const NodeId value = l.outside ? in_stream_node(l.component, l.element, depth + 1)
                                       : value_of(l.component).nodes[static_cast<std::size_t>(l.element)];
        terms.emplace_back(l.outside ? m : g_.neg(m), value);
    }
    if (terms.empty())
        return value_of(leaves_[member].component).nodes[static_cast<std::size_t>(leaves_[member].element)];
    if (terms.size() == 1) return terms[0].second;
    for (const auto& [m, value] : terms) {
        const NodeId weight =
            g_.select(g_.binary(Op::eq, g_.unary(Op::sign, g_.sub(m, g_.constant(smallest_flow))), g_.constant(1.0)), m,
                      g_.constant(smallest_flow));
        above = g_.add(above, g_.mul(weight, value));
        below = g_.add(below, weight);
    }
    return g_.div(above, below);
}

NodeId Translator::in_stream_node(Component* c, int element, int depth) {
    if (depth > 100) throw TranslationError{make_error("stream", "streams of '" + c->name + "' go round in circles")};
    const auto it = leaf_ids_.find({c, element, false});
    if (it == leaf_ids_.end()) return value_of(c).nodes[static_cast<std::size_t>(element)]; // not connected
    return mixed_stream(it->second, false, depth);
}

Quantity Translator::in_stream(const Context& c, const ast::Expr& e, bool actual) {
    const ast::Call& call = c.unit->tree.call(e);
    if (call.arguments.size() != 1 || c.at(call.arguments[0].value).kind != ExprKind::reference)
        fail("stream", c.unit, e.span, "'inStream' and 'actualStream' need the name of a stream variable");
    const ast::Reference& name = c.unit->tree.reference(c.at(call.arguments[0].value));
    const Selected found = select_connector(c, name, nullptr);
    if (found.items.empty() && found.dimensions.empty())
        fail("stream", c.unit, e.span, "'" + name.text() + "' does not exist");
    Quantity result;
    result.kind = Kind::real;
    result.dimensions = found.dimensions;
    for (const Endpoint& item : found.items) {
        if (item.component->kind == Kind::none || !item.component->stream)
            fail("stream", c.unit, e.span, "'" + name.text() + "' is no stream variable");
        const int element = std::max(item.element, 0);
        NodeId value = in_stream_node(item.component, element);
        if (actual) {
            Component* flow = flow_beside(item.component);
            if (flow == nullptr) fail("stream", c.unit, e.span, "'" + name.text() + "' has no flow variable beside it");
            const NodeId m = value_of(flow).node();
            value = g_.select(logical(Op::gt, m, g_.constant(0.0)), value,
                              value_of(item.component).nodes[static_cast<std::size_t>(element)]);
        }
        result.nodes.push_back(value);
    }
    if (found.dimensions.empty() && result.nodes.size() != 1)
        result.dimensions = {static_cast<int>(result.nodes.size())};
    return result;
}

} // namespace daedalus::modelica
