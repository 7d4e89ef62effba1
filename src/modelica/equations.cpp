// Equation sections, binding equations and attributes of variables.
#include "modelica/translator.hpp"

#include <cmath>

namespace daedalus::modelica {

using ast::EquationKind;
using ast::ExprId;
using ast::ExprKind;
using expr::NodeId;
using expr::Op;

void Translator::equations_of(Instance* instance) {
    std::vector<Instance*> nodes;
    nodes_of(instance, nodes);
    for (Instance* node : nodes) {
        const Context c{node->unit, node, nullptr, -1};
        for (const ast::EquationSection& section : node->definition->equations) {
            const Restored<bool> at_start(initial_, section.initial);
            equation_list(c, section.equations, section.initial);
        }
        for (const ast::AlgorithmSection& section : node->definition->algorithms) {
            const Restored<bool> at_start(initial_, section.initial);
            try {
                algorithm(c, section);
            } catch (const TranslationError& error) {
                keep(error, instance->path);
            }
        }
        if (node->definition->is_external)
            unsupported(node->unit, node->definition->external_span, "external functions");
    }
}

void Translator::equation_list(const Context& c, const std::vector<ast::Equation>& list, bool initial) {
    for (const ast::Equation& e : list) {
        if (redirected_ != nullptr) { // inside an if-equation: one failure is the failure of all of it
            equation(c, e, initial);
            continue;
        }
        try {
            equation(c, e, initial);
        } catch (const TranslationError& error) {
            keep(error, c.scope->root->path);
        }
    }
}

void Translator::for_equation(const Context& c, const ast::Equation& e, std::size_t index,
                              const std::function<void(const Context&)>& body) {
    if (index == e.indices.size()) return body(c);
    std::vector<ExprId> roots;
    const std::function<void(const std::vector<ast::Equation>&)> collect = [&](const std::vector<ast::Equation>& list) {
        for (const ast::Equation& one : list) {
            roots.push_back(one.left);
            roots.push_back(one.right);
            for (const ast::Branch& branch : one.branches) collect(branch.equations);
        }
    };
    if (!ast::given(e.indices[index].range)) collect(e.branches.get().at(0).equations);
    Frame frame;
    frame.up = c.frame;
    frame.locals.emplace_back(e.indices[index].name, Quantity{});
    Context inside = c;
    inside.frame = &frame;
    for (const Quantity& value : loop_values(c, e.indices[index], roots)) {
        frame.locals[0].second = value;
        for_equation(inside, e, index + 1, body);
    }
}

void Translator::equation(const Context& c, const ast::Equation& e, bool initial) {
    switch (e.kind) {
    case EquationKind::equality: {
        const ast::Expr& left = c.at(e.left);
        if (left.kind == ExprKind::tuple) {
            const ast::Expr& right = c.at(e.right);
            if (right.kind != ExprKind::call)
                fail("tuple", c.unit, right.span, "several results come from a function call only");
            const auto values = call_many(c, right, left.count);
            for (std::uint32_t k = 0; k < left.count; ++k) {
                const ExprId id = c.unit->tree.operand(left, k);
                if (!ast::given(id)) continue;
                if (k >= values.size())
                    fail("tuple", c.unit, left.span,
                         "the function has only " + std::to_string(values.size()) + " results");
                equate(c, evaluate(c, id), values[k], initial, e.span, e.description);
            }
            return;
        }
        return equate(c, evaluate(c, e.left), evaluate(c, e.right), initial, e.span, e.description);
    }
    case EquationKind::if_: return if_equation(c, e, initial);
    case EquationKind::for_:
        return for_equation(
            c, e, 0, [&](const Context& inside) { equation_list(inside, e.branches.get().at(0).equations, initial); });
    case EquationKind::when:
        if (redirected_ != nullptr)
            unsupported(c.unit, e.span, "when-equations inside if-equations whose condition varies in time");
        return when_equation(c, e);
    case EquationKind::connect: return; // done before
    case EquationKind::call: return call_equation(c, e);
    case EquationKind::invalid: return;
    }
}

void Translator::equate(const Context& c, const Quantity& a, const Quantity& b, bool initial, Span span,
                        const std::string& description) {
    if (a.size() == 0 && b.size() == 0) return;
    if (a.dimensions != b.dimensions)
        fail("array-size", c.unit, span,
             "the sides of this equation have different sizes: " + dimensions_text(a.dimensions) + " and " +
                 dimensions_text(b.dimensions));
    if (a.kind == Kind::record && b.kind == Kind::record) {
        for (std::size_t k = 0; k < a.records.size(); ++k)
            for (auto& [name, field] : a.records[k]->fields) {
                Quantity* other = b.records[k]->find(name);
                if (other == nullptr)
                    fail("type", c.unit, span, "the records of this equation have different fields: '" + name + "'");
                equate(c, field, *other, initial, span, description);
            }
        return;
    }
    if (a.kind == Kind::string && b.kind == Kind::string) {
        for (std::size_t k = 0; k < a.strings.size() && k < b.strings.size(); ++k)
            if (!is_known(a.strings[k]) || !is_known(b.strings[k])) return;
        if (a.strings != b.strings) unsupported(c.unit, span, "equations between strings");
        return;
    }
    const bool numbers = is_number(a.kind) && is_number(b.kind);
    if (!numbers && (a.kind != b.kind || !has_nodes(a.kind)))
        fail("type", c.unit, span,
             "the sides of this equation are a " + std::string(spelling(a.kind)) + " and a " +
                 std::string(spelling(b.kind)),
             a.kind == Kind::boolean || b.kind == Kind::boolean
                 ? "turn a Boolean into a number with (if b then 1 else 0)"
                 : "");
    const Kind kind = a.kind == b.kind ? a.kind : Kind::real;
    for (std::size_t k = 0; k < a.nodes.size(); ++k)
        add_equation(kind, a.nodes[k], b.nodes[k], initial, place(c.unit, span), description);
}

void Translator::add_equation(Kind kind, NodeId a, NodeId b, bool initial, SourceSpan span,
                              const std::string& description) {
    if (a == expr::no_node || b == expr::no_node)
        throw TranslationError{make_error("no-value", "a part of a record in this equation is given no value", span,
                                          "the function that returns the record must set all of its fields")};
    if (a == b) return; // says nothing
    if (kind == Kind::clock) {
        clock_equations_.emplace_back(a, b);
        return;
    }
    if (kind != Kind::real) {
        if (g_.is_constant(a) && g_.is_constant(b))
            throw TranslationError{make_error("contradiction", "this equation cannot hold", span)};
        auto& list = initial                           ? discrete_initial_
                     : redirected_discrete_ != nullptr ? *redirected_discrete_
                                                       : discrete_equations_;
        list.push_back({a, b, span});
        return;
    }
    const NodeId roots[2] = {a, b};
    bool unknown = false;
    for (const NodeId leaf : g_.reachable(roots)) {
        const Op op = g_.op(leaf);
        unknown = unknown || op == Op::variable || op == Op::time;
        if (op == Op::parameter) {
            const int id = g_.parameter_id(leaf);
            unknown = unknown || id >= first_placeholder || model_.parameters[static_cast<std::size_t>(id)].is_held;
        }
    }
    if (!unknown && redirected_ == nullptr) {
        const auto x = fold(a), y = fold(b);
        if (x && y && std::abs(*x - *y) <= 1e-9 * (1.0 + std::abs(*x) + std::abs(*y))) return; // holds anyway
        throw TranslationError{
            make_error("equation-without-unknown", "no unknown occurs in this equation", span,
                       "an equation relates variables; parameters and numbers alone determine nothing")};
    }
    if (initial && redirected_ == nullptr) {
        for (const auto& [left, right] : {std::pair(a, b), std::pair(b, a)})
            if (g_.op(left) == Op::parameter && g_.parameter_id(left) < first_placeholder &&
                model_.parameters[static_cast<std::size_t>(g_.parameter_id(left))].is_held) {
                discrete_initial_.push_back({left, right, span});
                return;
            }
    }
    model::Equation made{a, b, description, span};
    if (redirected_ != nullptr)
        redirected_->push_back(std::move(made));
    else
        (initial ? model_.initial_equations : model_.equations).push_back(std::move(made));
}

void Translator::if_equation(const Context& c, const ast::Equation& e, bool initial) {
    std::vector<NodeId> conditions;
    std::vector<const ast::Branch*> open;
    const ast::Branch* last = nullptr;
    for (const ast::Branch& branch : e.branches) {
        if (!ast::given(branch.condition)) {
            last = &branch;
            break;
        }
        const Quantity condition = evaluate(c, branch.condition);
        if (condition.kind != Kind::boolean || !condition.is_scalar())
            fail("type", c.unit, c.at(branch.condition).span,
                 "the condition of 'if' must be true or false, but this is a " + std::string(spelling(condition.kind)));
        if (const auto known = fold(condition.node())) {
            if (*known == 0.0) continue;
            last = &branch;
            break;
        }
        conditions.push_back(condition.node());
        open.push_back(&branch);
    }
    if (open.empty()) {
        if (last != nullptr) equation_list(c, last->equations, initial);
        return;
    }
    std::vector<std::vector<model::Equation>> reals;
    std::vector<std::vector<DiscreteEquation>> discretes;
    auto* outer = redirected_;
    auto* outer_discrete = redirected_discrete_;
    const NodeId outer_guard = guard_;
    struct Restore {
        Translator& t;
        std::vector<model::Equation>* reals;
        std::vector<DiscreteEquation>* discretes;
        NodeId guard;
        ~Restore() {
            t.redirected_ = reals;
            t.redirected_discrete_ = discretes;
            t.guard_ = guard;
        }
    };
    {
        const Restore restore{*this, outer, outer_discrete, outer_guard};
        NodeId not_before = outer_guard == expr::no_node ? g_.constant(1.0) : outer_guard;
        for (std::size_t k = 0; k <= open.size(); ++k) {
            auto& r = reals.emplace_back();
            auto& d = discretes.emplace_back();
            redirected_ = &r;
            redirected_discrete_ = &d;
            guard_ = k < open.size() ? logical(Op::logical_and, not_before, conditions[k]) : not_before;
            if (k < open.size()) {
                equation_list(c, open[k]->equations, false);
                not_before = logical(Op::logical_and, not_before, g_.unary(Op::logical_not, conditions[k]));
            } else if (last != nullptr) {
                equation_list(c, last->equations, false);
            }
        }
    }
    for (const auto& list : reals)
        if (list.size() != reals[0].size())
            fail(last == nullptr ? "if-without-else" : "if-branches-differ", c.unit, e.span,
                 "the branches of this if-equation have different numbers of equations: " +
                     std::to_string(reals[0].size()) + " and " + std::to_string(list.size()),
                 "every branch must determine the same number of unknowns");
    for (const auto& list : discretes)
        if (list.size() != discretes[0].size())
            fail("if-branches-differ", c.unit, e.span,
                 "the branches of this if-equation have different numbers of equations");
    // Equation by equation; those with the same left side go together, in whatever order they are written.
    const auto merged = [&](auto& lists, auto&& add) {
        for (std::size_t i = 0; i < lists[0].size(); ++i) {
            for (std::size_t k = 1; k < lists.size(); ++k)
                for (std::size_t j = i; j < lists[k].size(); ++j)
                    if (lists[k][j].left == lists[0][i].left) {
                        std::swap(lists[k][j], lists[k][i]);
                        break;
                    }
            bool same_left = true;
            for (const auto& list : lists) same_left = same_left && list[i].left == lists[0][i].left;
            add(i, same_left);
        }
    };
    merged(reals, [&](std::size_t i, bool same_left) {
        const auto side = [&](const model::Equation& q) { return same_left ? q.right : g_.sub(q.left, q.right); };
        NodeId right = side(reals.back()[i]);
        for (std::size_t k = open.size(); k-- > 0;) right = g_.select(conditions[k], side(reals[k][i]), right);
        add_equation(Kind::real, same_left ? reals[0][i].left : g_.constant(0.0), right, initial, place(c.unit, e.span),
                     e.description);
    });
    merged(discretes, [&](std::size_t i, bool same_left) {
        if (!same_left)
            unsupported(c.unit, e.span, "if-equations that determine different discrete variables in their branches");
        NodeId right = discretes.back()[i].right;
        for (std::size_t k = open.size(); k-- > 0;) right = g_.select(conditions[k], discretes[k][i].right, right);
        add_equation(Kind::boolean, discretes[0][i].left, right, initial, place(c.unit, e.span), e.description);
    });
}

void Translator::call_equation(const Context& c, const ast::Equation& e) {
    const ast::Call& call = c.unit->tree.call(c.at(e.left));
    const std::string name = call.function.text();
    if (name.starts_with("Connections.")) return;
    if (name == "assert") return assertion(c, call, e.span, guard_, nullptr);
    if (name == "terminate" || name == "reinit")
        fail("outside-when", c.unit, e.span, "'" + name + "(…)' stands outside a when-clause",
             "it happens at an event: when … then " + name + "(…); end when;");
    (void)call_many(c, c.at(e.left), 0);
}

std::string Translator::message_of(const Context& c, ExprId id) {
    try {
        const Quantity q = evaluate(c, id);
        if (q.kind == Kind::string && !q.strings.empty()) return shown_text(q.strings.front());
    } catch (const TranslationError&) { // it has numbers in it that are not known yet: the text in between
        std::string all;
        for (std::uint32_t k = ast::index(c.at(id).first); k <= ast::index(id); ++k)
            if (c.unit->tree.expressions[k].kind == ExprKind::string)
                all += evaluate(c, ExprId{k}).strings.front() + "… ";
        return all;
    }
    return {};
}

std::string Translator::message_level(const Context& c, const ast::Call& call) {
    for (std::size_t k = 0; k < call.arguments.size(); ++k)
        if (k == 2 || call.arguments[k].name == "level") {
            const Quantity q = evaluate(c, call.arguments[k].value);
            if (q.kind == Kind::enumeration)
                return number(c, q, c.at(call.arguments[k].value).span, "the level") == 1.0 ? "warning" : "error";
        }
    return "error";
}

/// assert(…, AssertionLevel.warning): what is known not to hold is said, what varies is not looked at.
void Translator::warn(const Context& c, const ast::Call& call, Span span, bool conditional) {
    const auto say = [&](const char* code, const std::string& text) {
        Diagnostic d = make_error(code, text, place(c.unit, span));
        d.severity = Severity::warning;
        for (const Diagnostic& known : model_.warnings)
            if (known.message == d.message && known.where == d.where) return; // of another instance
        model_.warnings.push_back(std::move(d));
    };
    std::vector<char> changeable; // parameters stay so: a warning decides nothing
    for (const model::Parameter& parameter : model_.parameters) changeable.push_back(parameter.is_constant ? 0 : 1);
    std::optional<double> known;
    try {
        const Quantity condition = evaluate(c, call.arguments[0].value);
        if (condition.kind == Kind::boolean && condition.is_scalar()) known = fold(condition.node());
    } catch (const TranslationError& error) { // what is not supported yet is not worth more than a warning
        if (error.diagnostic.code != "not-supported") throw;
    }
    for (std::size_t k = 0; k < changeable.size(); ++k)
        if (changeable[k] != 0) model_.parameters[k].is_constant = false;
    if (known && !conditional) {
        if (*known != 0.0) return;
        const std::string message = call.arguments.size() > 1 ? message_of(c, call.arguments[1].value) : std::string();
        say("assertion", "an assertion warns" + (message.empty() ? std::string() : ": " + message));
    } else if (c.scope->root == top_) {
        say("assert-ignored", "an assertion that only warns is not checked while the run goes on");
    }
}

void Translator::assertion(const Context& c, const ast::Call& call, Span span, NodeId guard,
                           model::WhenBranch* branch) {
    if (call.arguments.empty())
        fail("argument-count", c.unit, span, "'assert' takes a condition, a message and perhaps a level");
    if (message_level(c, call) == "warning") return warn(c, call, span, guard != expr::no_node || branch != nullptr);
    const Quantity condition = evaluate(c, call.arguments[0].value);
    if (condition.kind != Kind::boolean || !condition.is_scalar())
        fail("type", c.unit, span, "the condition of 'assert' must be true or false");
    const auto known = fold(condition.node());
    if (known && *known != 0.0) return;
    std::string message = call.arguments.size() > 1 ? message_of(c, call.arguments[1].value) : std::string();
    if (message.empty()) message = "it does not hold that";
    if (call.arguments.size() < 3) { // in a flat text, which gives the level, the condition stands there already
        constexpr std::size_t longest = 60;
        const Span where = c.at(call.arguments[0].value).span;
        const std::string_view words = c.unit->file->text().substr(where.begin, where.end - where.begin);
        message += " (" + std::string(words.substr(0, longest)) + (words.size() > longest ? "…)" : ")");
    }
    if (known && guard == expr::no_node && branch == nullptr)
        fail("assertion", c.unit, span, "an assertion does not hold: " + message);
    must_hold(condition.node(), message, guard, branch, place(c.unit, span));
}

NodeId Translator::both(NodeId a, NodeId b) {
    if (a == expr::no_node) return b;
    return b == expr::no_node ? a : logical(Op::logical_and, a, b);
}

namespace {

/// sign(a - b) == ±1 as a relation that makes events (the inverse of expr::without_events): of a condition and its
/// assertion, both must change sides at the same event.
NodeId with_events(expr::Graph& g, NodeId condition) {
    const NodeId roots[] = {condition};
    std::unordered_map<NodeId, NodeId> changed;
    const auto of = [&](NodeId node) {
        const auto it = changed.find(node);
        return it == changed.end() ? node : it->second;
    };
    for (const NodeId node : g.reachable(roots)) {
        const Op op = g.op(node);
        if (expr::is_leaf(op)) continue;
        if ((op == Op::eq || op == Op::ne) && g.op(g.operand(node, 0)) == Op::sign &&
            g.is_constant(g.operand(node, 1)) && std::abs(g.constant_value(g.operand(node, 1))) == 1.0) {
            const NodeId difference = g.operand(g.operand(node, 0), 0), zero = g.constant(0.0);
            const bool two = g.op(difference) == Op::sub;
            const bool above = g.constant_value(g.operand(node, 1)) > 0;
            changed.emplace(node, g.binary(op == Op::eq ? (above ? Op::gt : Op::lt)
                                           : above      ? Op::le
                                                        : Op::ge,
                                           two ? g.operand(difference, 0) : difference,
                                           two ? g.operand(difference, 1) : zero));
        } else if (const NodeId made = g.rebuilt(node, of); made != node) {
            changed.emplace(node, made);
        }
    }
    return of(condition);
}

} // namespace

void Translator::must_hold(NodeId holds, std::string message, NodeId guard, model::WhenBranch* branch,
                           SourceSpan where) {
    if (asserted_in_loop(holds, message, guard, where)) return;
    if (initial_) {
        if (model_.initial_flag < 0) model_.initial_flag = hold("initial()", expr::no_node, nullptr);
        guard = both(guard, g_.parameter(model_.initial_flag));
    }
    if (guard != expr::no_node)
        holds = logical(Op::logical_or, g_.unary(Op::logical_not, with_events(g_, guard)), holds);
    if (g_.is_constant(holds) && g_.constant_value(holds) != 0.0) return;
    model::WhenBranch::Assertion made{holds, std::move(message), where};
    if (branch != nullptr) {
        branch->assertions.push_back(std::move(made));
        return;
    }
    if (!always_asserted_.insert(holds).second) return; // a function may be called twice alike
    model::WhenBranch own;
    own.span = where;
    own.also_at_start = true;
    own.conditions.push_back(g_.unary(Op::logical_not, holds));
    own.assertions.push_back(std::move(made));
    model_.clauses.push_back({{std::move(own)}});
}

void Translator::finish_component(Component* c) {
    if (c->kind == Kind::none || c->absent) return;
    c->role = role_of(c);
    if (c->role == Role::constant || c->role == Role::parameter) {
        const bool asked = c->role == Role::constant && c->modifier != nullptr && c->modifier->value.given();
        if (c->kind == Kind::object || (c->element->owner != top_ && !asked)) return; // looked at where it is used
        (void)value_of(c);
        return;
    }
    (void)value_of(c);
    if (c->kind != Kind::clock && (c->role == Role::variable || c->role == Role::solved_parameter)) finish_variable(c);
    Modifier* m = c->modifier;
    if (m == nullptr || !m->value.given()) return;
    const Span span = m->value.unit->tree[m->value.expression].span;
    if (c->role == Role::held)
        fail("set-twice", m->value.unit, span, "'" + c->name + "' has a value here and is set by a when-clause too",
             "its value at the start is an attribute: (start = …)");
    Quantity q = evaluate_binding(m->value);
    if (q.is_scalar() && !c->dimensions.empty() && !m->each && m->value.steps.empty())
        fail("array-size", m->value.unit, span,
             "'" + c->name + "' has the size " + dimensions_text(c->dimensions) + ", but this value is a scalar");
    q = fit(std::move(q), c->kind, c->dimensions, "'" + c->name + "'", m->value.unit, span);
    for (std::size_t k = 0; k < q.nodes.size(); ++k)
        add_equation(c->kind, c->value.nodes[k], q.nodes[k], false, place(m->value.unit, span),
                     c->element->component->description);
}

// Real v annotation(__Daedalus(finalValue = 0)): the value at the end of the run. Modelica leaves names that begin with
// two underscores to tools, and other tools pass over them.
std::optional<Quantity> Translator::boundary_condition(Component* c) {
    const Element* e = c->element;
    for (const ast::Modification& annotation : e->component->annotation) {
        if (annotation.name.text() != "__Daedalus") continue;
        for (const ast::Modification& written : annotation.arguments) {
            if (written.name.text() == "afterwards") {
                afterwards_.insert(c->name);
                continue;
            }
            if (written.name.text() != "finalValue" || !ast::given(written.value))
                fail("unknown-annotation", e->unit, written.name.span,
                     "__Daedalus has no annotation '" + written.name.text() + "' for a variable",
                     "write finalValue = …");
            return fit(evaluate({e->unit, e->node, nullptr, -1}, written.value), Kind::real, c->dimensions,
                       "the final value of '" + c->name + "'", e->unit, written.span);
        }
    }
    return std::nullopt;
}

void Translator::finish_variable(Component* c) {
    const Unit* unit = c->element->unit;
    const Span span = c->element->component->name_span;
    const auto get = [&](const char* name, Kind kind) -> std::optional<Quantity> {
        auto q = attribute(c, name);
        if (!q) return std::nullopt;
        return fit(std::move(*q), kind, c->dimensions, "the attribute '" + std::string(name) + "' of '" + c->name + "'",
                   unit, span);
    };
    const auto start = get("start", Kind::real), nominal = get("nominal", Kind::real), min = get("min", Kind::real),
               max = get("max", Kind::real);
    const auto fixed = get("fixed", Kind::boolean);
    const auto select_state = get("stateSelect", Kind::enumeration);
    const auto unit_text = attribute(c, "unit");
    for (std::size_t k = 0; k < c->value.nodes.size(); ++k) {
        model::Variable& v = model_.variables[static_cast<std::size_t>(g_.variable_id(c->value.nodes[k]))];
        const auto checked = [&](const std::optional<Quantity>& q, const char* name) {
            if (!q) return expr::no_node;
            const NodeId roots[1] = {q->nodes[k]};
            for (const NodeId leaf : g_.reachable(roots))
                if (g_.op(leaf) == Op::variable || g_.op(leaf) == Op::time ||
                    (g_.op(leaf) == Op::parameter &&
                     (g_.parameter_id(leaf) >= first_placeholder - 1 ||
                      model_.parameters[static_cast<std::size_t>(g_.parameter_id(leaf))].is_held)))
                    fail("attribute-varies", unit, span,
                         "the attribute '" + std::string(name) + "' of '" + c->name +
                             "' may depend on parameters and constants only",
                         "a relation between start values is written as an initial equation");
            return q->nodes[k];
        };
        v.start = checked(start, "start");
        v.nominal = checked(nominal, "nominal");
        v.min = checked(min, "min");
        v.max = checked(max, "max");
        if (fixed)
            v.fixed = number({unit, c->element->node, nullptr, -1}, slice(*fixed, k, {}), span,
                             "the attribute 'fixed'") != 0.0;
        if (select_state) {
            const int s = static_cast<int>(
                number({unit, c->element->node, nullptr, -1}, slice(*select_state, k, {}), span, "stateSelect"));
            v.state_select = static_cast<model::StateSelect>(s - 3);
        }
        if (unit_text && !unit_text->strings.empty())
            v.unit = unit_text->strings[std::min(k, unit_text->strings.size() - 1)];
        v.final_value = checked(boundary_condition(c), "finalValue");
        v.is_input = c->causality == ast::Causality::input && c->element->owner == top_ &&
                     (c->modifier == nullptr || !c->modifier->value.given()) && !connected_.contains(c);
        // Limits that are those of the machine say nothing.
        const auto infinite = [&](NodeId n) {
            return n != expr::no_node && g_.is_constant(n) && std::abs(g_.constant_value(n)) >= 1e59;
        };
        if (infinite(v.min)) v.min = expr::no_node;
        if (infinite(v.max)) v.max = expr::no_node;
        if (v.is_parameter) {
            v.fixed = false;
            model_.equations.push_back({g_.variable(g_.variable_id(c->value.nodes[k]), 1), g_.constant(0.0),
                                        v.name + " is a parameter", v.span});
        }
    }
}

} // namespace daedalus::modelica
