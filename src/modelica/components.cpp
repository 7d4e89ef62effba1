// Components of the model: which there are, how large, and what values they have or which leaves stand for them.
#include "modelica/translator.hpp"

#include <cmath>

namespace daedalus::modelica {

using ast::Variability;

namespace {

constexpr int deepest_component = 200;
constexpr std::size_t most_scalars = 4000000; // of one component: more would not fit into memory with its equations

std::string index_text(std::size_t k, const std::vector<int>& dimensions) {
    std::string text = "]";
    for (std::size_t d = dimensions.size(); d-- > 0;) {
        const auto n = static_cast<std::size_t>(dimensions[d]);
        text = (d == 0 ? "[" : ",") + std::to_string(k % n + 1) + text;
        k /= n;
    }
    return text;
}

std::vector<int> index_of(std::size_t k, const std::vector<int>& dimensions) {
    std::vector<int> index(dimensions.size());
    for (std::size_t d = dimensions.size(); d-- > 0;) {
        const auto n = static_cast<std::size_t>(dimensions[d]);
        index[d] = static_cast<int>(k % n);
        k /= n;
    }
    return index;
}

/// annotation(HideResult = true)
bool hides_result(const Element& e) {
    for (const ast::Modification& annotation : e.component->annotation)
        if (annotation.name.text() == "HideResult" && ast::given(annotation.value)) {
            const ast::Expr& value = e.unit->tree[annotation.value];
            return value.kind == ast::ExprKind::boolean && value.value != 0.0;
        }
    return false;
}

} // namespace

int Translator::dimension_value(const Dimension& d) {
    const Context c{d.unit, d.scope, nullptr, -1};
    const ast::Expr& e = c.at(d.expression);
    if (e.kind == ast::ExprKind::reference) { // x[Boolean], x[Enumeration]
        const ast::Reference& name = d.unit->tree.reference(e);
        if (!name.has_subscripts())
            if (Element* found = name.parts.size() == 1 ? find(name.parts[0].name, d.scope) : nullptr;
                found == nullptr || found->is_class())
                if (Instance* type = try_class(name, d.scope, d.unit, nullptr)) {
                    if (type->kind == Kind::boolean) return 2;
                    if (type->kind == Kind::enumeration) return static_cast<int>(type->definition->literals.size());
                }
    }
    const int n = whole(c, evaluate(c, d.expression), e.span, "the size of an array");
    if (n < 0) fail("array-size", d.unit, e.span, "the size of an array is negative: " + std::to_string(n));
    return n;
}

std::vector<int> Translator::dimensions_of(Element* e, Instance* type, Modifier* m, bool& from_value) {
    std::vector<Dimension> written;
    // A redeclaration that says nothing of sizes leaves them as they are.
    const Element* sized = e;
    while (sized->component->dimensions.empty() && sized->clause->dimensions.empty() && sized->original != nullptr &&
           sized->original->component != nullptr)
        sized = sized->original;
    for (const ast::ExprId id : sized->component->dimensions) written.push_back({sized->unit, id, sized->node});
    for (const ast::ExprId id : sized->clause->dimensions) written.push_back({sized->unit, id, sized->node});
    written.insert(written.end(), type->dimensions.begin(), type->dimensions.end());
    std::vector<int> result;
    std::optional<std::vector<int>> of_value;
    for (std::size_t k = 0; k < written.size(); ++k) {
        const Dimension& d = written[k];
        if (d.unit->tree[d.expression].kind != ast::ExprKind::all) {
            result.push_back(dimension_value(d));
            continue;
        }
        from_value = true;
        if (!of_value) {
            if (m == nullptr || !m->value.given()) {
                if (Modifier* start = m ? m->part("start") : nullptr; start && start->value.given())
                    of_value = evaluate_binding(start->value).dimensions;
                else
                    fail("array-size", e->unit, e->component->name_span,
                         "the size of '" + std::string(e->name) +
                             "' is not known: it is declared with ':' and has no value");
            } else {
                of_value = evaluate_binding(m->value).dimensions;
            }
        }
        if (k >= of_value->size())
            fail("array-size", e->unit, e->component->name_span,
                 "the value of '" + std::string(e->name) + "' has fewer dimensions than its declaration");
        result.push_back((*of_value)[k]);
    }
    std::size_t total = 1;
    for (const int n : result) {
        total *= static_cast<std::size_t>(n);
        if (total > most_scalars)
            fail("too-large", e->unit, e->component->name_span,
                 "'" + std::string(e->name) + dimensions_text(result) + "' has more than 4,000,000 elements");
    }
    return result;
}

Component* Translator::make_inner(Element* e) {
    for (Instance* around = e->owner->parent; around != nullptr; around = around->parent) {
        Element* found = find_local(around, e->name);
        if (found != nullptr && !found->is_class() && found->prefixes.inner) {
            Component* inner = make(found);
            if (!inner->absent) check_outer(e, inner);
            return inner;
        }
    }
    fail("no-inner", e->unit, e->component->name_span,
         "'" + std::string(e->name) + "' is declared with 'outer', and no component around it declares it with 'inner'",
         "add to the model: inner " + e->clause->type.text() + " " + std::string(e->name) + ";");
}

/// What a name stands for where it is written: of `inner outer` the component outside, while what is declared here is
/// for the components below (specification 5.4).
Component* Translator::meant(Element* e) {
    const bool both = e->prefixes.inner && e->prefixes.outer && e->owner->component != nullptr && e->owner != top_;
    return both ? make_inner(e) : make(e);
}

Component* Translator::make(Element* e) {
    if (e->made != nullptr) return e->made;
    if (e->busy)
        fail("circular-definition", e->unit, e->component->name_span,
             "'" + std::string(e->name) + "' is needed to declare itself");
    e->busy = true;
    struct Done {
        Element* e;
        ~Done() { e->busy = false; }
    } done{e};
    if (e->prefixes.outer && !e->prefixes.inner && e->owner->component != nullptr) return e->made = make_inner(e);
    Instance* owner = e->owner;
    int depth = 0;
    for (Instance* p = owner; p != nullptr; p = p->parent)
        if (++depth > deepest_component) {
            int same = 0;
            for (const Instance* around = owner->parent; around != nullptr; around = around->parent)
                if (around->definition == owner->definition) ++same;
            if (same > deepest_component / 2)
                throw TooLarge{make_error("cyclic-component",
                                          "the class '" + std::string(owner->definition->name) + "' contains itself",
                                          place(owner->unit, owner->definition->name_span))};
            throw TooLarge{
                make_error("cyclic-component",
                           "components are nested deeper than " + std::to_string(deepest_component) + " levels",
                           place(e->unit, e->component->name_span), "does a class contain itself?")};
        }
    components_.emplace_back();
    Component* c = &components_.back();
    c->element = e;
    c->name = (owner->path.empty() ? "" : owner->path + ".") + std::string(e->name);
    c->parent = owner->component;
    const Element* conditional = e; // a redeclaration keeps the condition of what it replaces
    while (conditional->original != nullptr && conditional->original->component != nullptr &&
           !ast::given(conditional->component->condition))
        conditional = conditional->original;
    if (ast::given(conditional->component->condition)) {
        const Context context{conditional->unit, conditional->node, nullptr, -1};
        const ast::ExprId written = conditional->component->condition;
        const Quantity condition = evaluate(context, written);
        if (!truth(context, condition, context.at(written).span, "the condition of a component")) {
            c->absent = true;
            return e->made = c;
        }
    }
    Instance* type = e->forced_type != nullptr ? e->forced_type : find_class(e->clause->type, e->node, e->unit);
    build(type);
    Modifier* m = e->modifier;
    Component* around = owner->component;
    if (around != nullptr && around->modifier != nullptr && around->modifier->value.given()) {
        Modifier* explicit_part = around->modifier->part(e->name);
        if (explicit_part == nullptr || !explicit_part->value.given())
            m = merge(with_field(nullptr, around->modifier->value, e->name), m);
    }
    c->type = type;
    c->modifier = m;
    c->kind = type->kind;
    c->flow = e->prefixes.flow || type->prefixes.flow;
    c->stream = e->prefixes.stream || type->prefixes.stream;
    c->variability = e->prefixes.variability;
    c->causality = e->prefixes.causality != ast::Causality::none ? e->prefixes.causality : type->prefixes.causality;
    c->is_protected = e->prefixes.is_protected || hides_result(*e);
    if (around != nullptr) {
        c->is_protected = c->is_protected || around->is_protected;
        c->variability = std::max(c->variability, around->variability);
        if (around->type != nullptr && around->type->is_record()) { // flow Complex i
            c->flow = c->flow || around->flow;
            c->stream = c->stream || around->stream;
        }
        if (c->causality == ast::Causality::none && around->type != nullptr &&
            (around->type->is_record() || around->type->is_connector))
            c->causality = around->causality;
    }
    c->is_connector = type->is_connector;
    check_component(c, type);
    bool from_value = false;
    c->dimensions = e->forced_type != nullptr ? e->forced_dimensions : dimensions_of(e, type, m, from_value);
    if (c->kind != Kind::none) {
        if (type->kind_modifier != nullptr)
            check_final(m, type->kind_modifier, e->name);
        else if (type->definition == nullptr)
            check_final(m, type->modifier, e->name);
        c->modifier =
            merge(m, type->kind_modifier != nullptr ? type->kind_modifier
                                                    : (type->definition == nullptr ? type->modifier : nullptr));
        return e->made = c;
    }
    if (type->definition->is_partial && e->owner->component != nullptr && !type->is_function())
        fail("partial-class", e->unit, e->component->name_span,
             "'" + std::string(e->name) + "' is of the partial class '" + e->clause->type.text() + "'",
             "redeclare it with a class that is complete");
    if (c->dimensions.empty()) {
        make_parts(c, type);
        return e->made = c;
    }
    std::size_t count = 1;
    for (const int n : c->dimensions) count *= static_cast<std::size_t>(n);
    for (std::size_t k = 0; k < count; ++k) {
        components_.emplace_back(*c);
        Component* one = &components_.back();
        one->elements.clear();
        one->dimensions.clear();
        one->name = c->name + index_text(k, c->dimensions);
        one->modifier = element_of(m, index_of(k, c->dimensions));
        make_parts(one, type);
        c->elements.push_back(one);
    }
    return e->made = c;
}

void Translator::make_parts(Component* c, Instance* type) {
    Instance* made = new_instance(type->definition, type->unit, type->outer);
    made->modifier = merge(c->modifier, type->modifier);
    made->inherited = type->inherited;
    made->path = c->name;
    made->component = c;
    made->parent = c->element->owner;
    made->same_as = type->same_as != nullptr ? type->same_as : type;
    made->is_connector = type->is_connector;
    made->is_expandable = type->is_expandable;
    c->instance = made;
    check_modifiers(made);
    check_protected_modification(c, made);
}

void Translator::make_all(Instance* instance) {
    build(instance);
    for (std::size_t k = 0; k < instance->elements.size(); ++k) {
        Element* e = instance->elements[k];
        if (e->is_class()) continue;
        try {
            Component* c = make(e);
            if (c->absent || c->element != e) continue; // an outer component is made where its inner one is
            if (c->instance != nullptr) make_all(c->instance);
            for (Component* one : c->elements) make_all(one->instance);
            check_balanced_connector(c->elements.empty() ? c : c->elements.front());
        } catch (const TranslationError& error) {
            keep(error, (instance->path.empty() ? "" : instance->path + ".") + std::string(e->name));
        }
    }
}

Quantity Translator::evaluate_binding(const Binding& b) {
    const Context context{b.unit, b.scope, nullptr, -1};
    if (b.steps.empty()) return evaluate(context, b.expression);
    const auto key = std::make_tuple(b.unit, ast::index(b.expression), b.scope);
    auto it = bindings_.find(key);
    if (it == bindings_.end()) it = bindings_.emplace(key, evaluate(context, b.expression)).first;
    Quantity q = it->second;
    for (const Binding::Step& step : b.steps) {
        if (step.index >= 0) {
            if (q.is_scalar()) continue; // the same for all elements
            if (step.index >= q.dimensions[0])
                fail("array-size", b.unit, context.at(b.expression).span,
                     "this value has " + std::to_string(q.dimensions[0]) + " elements, too few for what it modifies");
            q = row_of(q, static_cast<std::size_t>(step.index));
            continue;
        }
        if (q.kind != Kind::record)
            fail("type", b.unit, context.at(b.expression).span,
                 "a record with the field '" + std::string(step.field) + "' is needed here, not " +
                     std::string(spelling(q.kind)));
        std::vector<Quantity> fields;
        for (const auto& record : q.records) {
            Quantity* field = record->find(step.field);
            if (field == nullptr)
                fail("type", b.unit, context.at(b.expression).span,
                     "this record has no field '" + std::string(step.field) + "'");
            fields.push_back(*field);
        }
        if (q.is_scalar()) {
            Quantity only = fields.front();
            q = std::move(only);
        } else {
            std::vector<int> dimensions = q.dimensions;
            if (fields.empty())
                unsupported(b.unit, context.at(b.expression).span, "fields of an empty array of records");
            dimensions.insert(dimensions.end(), fields[0].dimensions.begin(), fields[0].dimensions.end());
            Quantity all = like(fields[0], dimensions);
            for (const Quantity& f : fields) append(all, f);
            q = std::move(all);
        }
    }
    return q;
}

std::optional<Quantity> Translator::attribute(Component* c, std::string_view name) {
    Modifier* m = c->modifier ? c->modifier->part(name) : nullptr;
    if (m == nullptr || !m->value.given()) return std::nullopt;
    return evaluate_binding(m->value);
}

bool Translator::is_fixed_false(Component* c) {
    const auto fixed = attribute(c, "fixed");
    if (!fixed || fixed->kind != Kind::boolean || fixed->nodes.empty()) return false;
    const auto value = fold(fixed->nodes.front());
    return value && *value == 0.0;
}

Role Translator::role_of(Component* c) {
    if (c->variability == Variability::constant) return Role::constant;
    if (c->kind == Kind::object) return Role::parameter;
    if (c->variability == Variability::parameter) {
        if (c->valued && (c->role == Role::solved_parameter || c->role == Role::held)) return c->role;
        if (has_nodes(c->kind) && (c->modifier == nullptr || !c->modifier->value.given()) && is_fixed_false(c)) {
            if (!c->initial_tried) {
                c->initial_tried = true;
                c->busy = true;
                if (auto found = initial_value(c)) {
                    c->value = std::move(*found);
                    c->value.type = c->type;
                    c->valued = true;
                }
                c->busy = false;
            }
            if (c->valued) return Role::parameter;
            return c->kind == Kind::real ? Role::solved_parameter : Role::held; // which the start sets
        }
        return Role::parameter;
    }
    if (c->kind == Kind::string) return Role::parameter;
    if (c->set_by_when) return Role::held;
    return c->kind == Kind::real || c->kind == Kind::clock ? Role::variable : Role::defined;
}

// parameter p(fixed = false): what the initial equations and algorithms of its class give it, where that is known now.
std::optional<Quantity> Translator::initial_value(Component* c) {
    const std::string_view name = c->element->name;
    std::vector<Instance*> nodes;
    nodes_of(c->element->owner, nodes);
    struct Restore {
        bool& flag;
        bool before;
        ~Restore() { flag = before; }
    } restore{time_is_start_, time_is_start_};
    time_is_start_ = true;
    for (Instance* node : nodes) {
        const Context at{node->unit, node, nullptr, -1};
        for (const ast::AlgorithmSection& section : node->definition->algorithms) {
            if (!section.initial) continue;
            std::vector<const ast::Reference*> names;
            assigned_names(section.statements, node->unit, names, false, false);
            bool sets = false;
            for (const ast::Reference* one : names) sets = sets || one->parts[0].name == name;
            if (!sets) continue;
            try {
                Frame frame;
                for (const ast::Reference* one : names) {
                    if (frame.find(one->parts[0].name) != nullptr) continue;
                    Element* e = find(one->parts[0].name, node);
                    if (e == nullptr || e->is_class()) return std::nullopt;
                    frame.locals.emplace_back(one->parts[0].name,
                                              default_local(Context{e->unit, e->node, nullptr, -1}, e));
                }
                Running running;
                running.frame = &frame;
                Context inside = at;
                inside.frame = &frame;
                execute(inside, section.statements, running);
                Quantity q = *frame.find(name);
                if (fold_all(q))
                    return fit(std::move(q), c->kind, c->dimensions, "'" + c->name + "'", node->unit, section.span);
            } catch (const TranslationError&) { // it depends on what is not known yet
            }
        }
        const std::function<std::optional<Quantity>(const std::vector<ast::Equation>&)> look =
            [&](const std::vector<ast::Equation>& list) -> std::optional<Quantity> {
            for (const ast::Equation& e : list) {
                if (e.kind == ast::EquationKind::if_) {
                    for (const ast::Branch& branch : e.branches) {
                        if (ast::given(branch.condition)) {
                            const Quantity condition = evaluate(at, branch.condition);
                            const auto known = condition.kind == Kind::boolean && condition.is_scalar()
                                                   ? fold(condition.node())
                                                   : std::nullopt;
                            if (!known) return std::nullopt;
                            if (*known == 0.0) continue;
                        }
                        if (auto found = look(branch.equations)) return found;
                        break;
                    }
                }
                if (e.kind != ast::EquationKind::equality) continue;
                for (const auto& [left, right] : {std::pair(e.left, e.right), std::pair(e.right, e.left)}) {
                    if (at.at(left).kind != ast::ExprKind::reference) continue;
                    const ast::Reference& target = node->unit->tree.reference(at.at(left));
                    if (!target.is_simple() || target.parts[0].name != name) continue;
                    Quantity q = evaluate(at, right);
                    if (fold_all(q))
                        return fit(std::move(q), c->kind, c->dimensions, "'" + c->name + "'", node->unit, e.span);
                }
            }
            return std::nullopt;
        };
        for (const ast::EquationSection& section : node->definition->equations) {
            if (!section.initial) continue;
            try {
                if (auto found = look(section.equations)) return found;
            } catch (const TranslationError&) {
            }
        }
    }
    return std::nullopt;
}

Quantity Translator::fit(Quantity q, Kind kind, const std::vector<int>& dimensions, const std::string& what,
                         const Unit* unit, Span span) {
    if (kind == Kind::real && q.kind == Kind::integer) q.kind = Kind::real;
    if (q.kind != kind) {
        std::string hint;
        if (kind == Kind::integer && q.kind == Kind::real) hint = "integer(…) gives the integer part";
        fail("type", unit, span,
             what + " must be " + (kind == Kind::integer || kind == Kind::enumeration ? "an " : "a ") +
                 std::string(spelling(kind)) + ", but this is " +
                 (q.kind == Kind::integer || q.kind == Kind::enumeration ? "an " : "a ") +
                 std::string(spelling(q.kind)),
             hint);
    }
    if (q.dimensions == dimensions) return q;
    if (q.is_scalar() && !dimensions.empty()) {
        Quantity all = like(q, dimensions);
        const std::size_t n = all.size();
        for (std::size_t k = 0; k < n; ++k) append(all, q);
        return all;
    }
    fail("array-size", unit, span,
         what + " has the size " + dimensions_text(dimensions) + ", but this value has " +
             dimensions_text(q.dimensions));
}

Quantity Translator::compute_value(Component* c) {
    const Unit* unit = c->element->unit;
    const Span span = c->element->component->name_span;
    const std::string what = "'" + c->name + "'";
    Modifier* m = c->modifier;
    Quantity q;
    if (m != nullptr && m->value.given()) {
        q = evaluate_binding(m->value);
        if (q.is_scalar() && !c->dimensions.empty() && !m->each && m->value.steps.empty())
            fail("array-size", m->value.unit, m->value.unit->tree[m->value.expression].span,
                 what + " has the size " + dimensions_text(c->dimensions) + ", but this value is a scalar",
                 "fill(…) makes an array of it");
        q = fit(std::move(q), c->kind, c->dimensions, what, m->value.unit,
                m->value.unit->tree[m->value.expression].span);
        if (c->kind == Kind::enumeration && !same_literals(c->type, q.type))
            fail("type", m->value.unit, m->value.unit->tree[m->value.expression].span,
                 what + " is of the enumeration '" + std::string(c->type->definition->name) +
                     "', but this is a value of '" + std::string(q.type->definition->name) + "'");
    } else if (auto found = is_fixed_false(c) ? initial_value(c) : std::nullopt) {
        return *found;
    } else if (auto start = attribute(c, "start")) {
        q = fit(std::move(*start), c->kind, c->dimensions, what, unit, span);
        Diagnostic warning =
            make_error("parameter-from-start", "the parameter " + what + " has no value; its start value is used",
                       place(unit, span), "write " + std::string(c->element->name) + " = …");
        warning.severity = Severity::warning;
        model_.warnings.push_back(std::move(warning));
    } else if (std::find(c->dimensions.begin(), c->dimensions.end(), 0) != c->dimensions.end()) {
        q.kind = c->kind;
        q.dimensions = c->dimensions;
        q.type = c->type;
        return q;
    } else {
        fail(c->role == Role::constant ? "constant-without-value" : "parameter-without-value", unit, span,
             std::string(c->role == Role::constant ? "the constant " : "the parameter ") + what + " has no value",
             "write " + std::string(c->element->name) + " = …");
    }
    // Numbers of the model itself can be changed without translating it again.
    const bool changeable = c->role == Role::parameter && c->element->owner == top_ &&
                            (is_number(c->kind) || c->kind == Kind::boolean) && c->dimensions.empty() &&
                            !c->element->prefixes.final_ && (m == nullptr || !m->final_);
    if (changeable) {
        model::Parameter p;
        p.name = c->name;
        p.binding = q.node();
        p.description = c->element->component->description;
        p.span = place(unit, c->element->component->span);
        p.is_protected = c->is_protected;
        p.type = value_type(c->kind);
        if (auto u = attribute(c, "unit"); u && !u->strings.empty()) p.unit = u->strings.front();
        q.nodes.front() = g_.parameter(model_.add_parameter(std::move(p)));
    }
    return q;
}

Quantity Translator::variable_leaves(Component* c) {
    Quantity q;
    q.kind = c->kind;
    q.dimensions = c->dimensions;
    q.type = c->type;
    const std::size_t n = q.size();
    std::optional<Quantity> start;
    if (c->role == Role::held)
        if (start = attribute(c, "start"); start)
            start = fit(std::move(*start), c->kind, c->dimensions, "the start value of '" + c->name + "'",
                        c->element->unit, c->element->component->name_span);
    for (std::size_t k = 0; k < n; ++k) {
        const std::string name = c->dimensions.empty() ? c->name : c->name + index_text(k, c->dimensions);
        if (c->kind == Kind::clock) {
            ClockedLeaf leaf;
            leaf.kind = Kind::clock;
            leaf.span = place(c->element->unit, c->element->component->span);
            q.nodes.push_back(clocked_leaf(std::move(leaf)));
        } else if (c->role == Role::held) {
            const int id = hold(name, start ? start->nodes[k] : expr::no_node, c);
            q.nodes.push_back(g_.parameter(id));
            held_.emplace(expr::index(q.nodes.back()), id);
        } else if (c->role == Role::defined) {
            q.nodes.push_back(g_.parameter(first_placeholder + static_cast<int>(placeholders_.size())));
            placeholders_.push_back({c, k, expr::no_node});
        } else {
            model::Variable v;
            v.name = name;
            v.description = c->element->component->description;
            v.span = place(c->element->unit, c->element->component->span);
            v.is_parameter = c->role == Role::solved_parameter;
            v.is_protected = c->is_protected;
            q.nodes.push_back(g_.variable(model_.add_variable(std::move(v))));
            variable_owner_.emplace_back(c, k);
        }
    }
    return q;
}

Quantity Translator::value_of(Component* c) {
    if (c->valued) return c->value;
    const Span span = c->element->component->name_span;
    if (c->absent)
        fail("absent-component", c->element->unit, span,
             "'" + c->name + "' does not exist: the condition of its declaration is false");
    if (c->busy)
        fail("circular-definition", c->element->unit, span, "the value of '" + c->name + "' depends on itself");
    if (c->kind == Kind::none) return record_of(c);
    c->role = role_of(c);
    const bool known = c->role == Role::constant || c->role == Role::parameter;
    if (!known && !simulating_) { // only its size can be asked for so early
        Quantity shape;
        shape.kind = c->kind;
        shape.dimensions = c->dimensions;
        shape.type = c->type;
        shape.nodes.assign(shape.size(), g_.parameter(first_placeholder - 1));
        return shape;
    }
    c->busy = true;
    struct Done {
        Component* c;
        ~Done() { c->busy = false; }
    } done{c};
    c->value = known ? compute_value(c) : variable_leaves(c);
    if (known) check_variability(c, c->value);
    c->value.type = c->value.type != nullptr ? c->value.type : c->type;
    c->valued = true;
    return c->value;
}

Quantity Translator::record_of(Component* c) {
    Quantity q;
    q.kind = Kind::record;
    q.type = c->type;
    q.dimensions = c->dimensions;
    const auto one = [&](Instance* instance) {
        auto record = std::make_shared<Record>();
        build(instance);
        for (Element* e : instance->elements) {
            if (e->is_class()) continue;
            Component* part = make(e);
            if (part->absent) continue;
            record->fields.emplace_back(std::string(e->name), value_of(part));
        }
        q.records.push_back(std::move(record));
    };
    if (c->instance != nullptr) one(c->instance);
    for (Component* element : c->elements) one(element->instance);
    return q;
}

} // namespace daedalus::modelica
