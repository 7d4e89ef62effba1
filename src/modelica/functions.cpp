// Functions (specification 3.5, chapter 12): their statements are executed here, with numbers where those are known and
// with expressions elsewhere. Loops run as often as their bounds say now; an `if` whose condition is not known yet
// leaves a choice between the values of its branches.
#include "modelica/translator.hpp"

#include <limits>

namespace daedalus::modelica {

using ast::ExprId;
using ast::ExprKind;
using ast::StatementKind;
using expr::NodeId;
using expr::Op;

namespace {

constexpr long most_steps = 20000000; // statements executed in all: a translation that takes longer goes nowhere
constexpr int deepest_call = 120;

bool same(const Quantity& a, const Quantity& b) {
    if (a.kind != b.kind || a.dimensions != b.dimensions || a.nodes != b.nodes || a.strings != b.strings ||
        a.records.size() != b.records.size())
        return false;
    for (std::size_t k = 0; k < a.records.size(); ++k) {
        if (a.records[k] == b.records[k]) continue;
        const auto& x = a.records[k]->fields;
        const auto& y = b.records[k]->fields;
        if (x.size() != y.size()) return false;
        for (std::size_t f = 0; f < x.size(); ++f)
            if (!same(x[f].second, y[f].second)) return false;
    }
    return true;
}

} // namespace

// A value that has not been given yet, of the right size.
Quantity Translator::default_local(const Context& c, Element* e) {
    Instance* type = find_class(e->clause->type, e->node, e->unit);
    build(type);
    if (type->kind == Kind::none && type->definition != nullptr && !type->is_record() && !type->is_function() &&
        type->definition->kind != ast::ClassKind::class_)
        fail("type", e->unit, e->component->name_span,
             "'" + std::string(e->name) + "' in a function is of a " +
                 std::string(ast::spelling(type->definition->kind)) +
                 "; variables of functions are of types and records");
    std::vector<int> dimensions;
    const auto add = [&](const Dimension& d, bool in_frame) {
        const Context at{d.unit, d.scope, in_frame ? c.frame : nullptr, -1};
        if (at.at(d.expression).kind == ExprKind::all) {
            dimensions.push_back(0); // takes the size of what is assigned
            return;
        }
        if (at.at(d.expression).kind == ExprKind::reference && !in_frame) {
            dimensions.push_back(dimension_value(d));
            return;
        }
        const int n = whole(at, evaluate(at, d.expression), at.at(d.expression).span, "the size of an array");
        if (n < 0 || n > 4000000)
            fail("array-size", d.unit, at.at(d.expression).span, "an array of the size " + std::to_string(n));
        dimensions.push_back(n);
    };
    for (const ExprId id : e->component->dimensions) add({e->unit, id, e->node}, true);
    for (const ExprId id : e->clause->dimensions) add({e->unit, id, e->node}, true);
    for (const Dimension& d : type->dimensions) add(d, false);
    Quantity q;
    q.kind = type->kind;
    q.type = type;
    q.dimensions = dimensions;
    const std::size_t n = q.size();
    if (n > 4000000) fail("too-large", e->unit, e->component->name_span, "the array has more than 4,000,000 elements");
    if (q.kind == Kind::string)
        q.strings.assign(n, "");
    else if (has_nodes(q.kind))
        q.nodes.assign(n, expr::no_node);
    else if (q.kind == Kind::none) {
        q.kind = Kind::record;
        for (std::size_t k = 0; k < n; ++k) {
            auto record = std::make_shared<Record>();
            for (Element* field : type->elements) {
                if (field->is_class()) continue;
                const Depth nested(*this, c, field->component->name_span);
                Quantity value;
                Modifier* given = e->modifier ? e->modifier->part(field->name) : nullptr;
                if (given != nullptr && given->value.given()) { // output Complex z(re = x)
                    value =
                        evaluate(Context{given->value.unit, given->value.scope, c.frame, -1}, given->value.expression);
                    Instance* field_type = find_class(field->clause->type, field->node, field->unit);
                    build(field_type);
                    if (field_type->kind == Kind::real) value = to_real(std::move(value));
                } else if (Modifier* m = field->modifier; m != nullptr && m->value.given()) {
                    try {
                        value = evaluate_binding(m->value);
                    } catch (const TranslationError&) { // it depends on other fields
                        value = default_local(Context{field->unit, type, nullptr, -1}, field);
                    }
                } else {
                    value = default_local(Context{field->unit, type, nullptr, -1}, field);
                }
                record->fields.emplace_back(std::string(field->name), std::move(value));
            }
            q.records.push_back(std::move(record));
        }
    }
    return q;
}

const ast::ClassDefinition* Translator::body_of(Instance* function, Instance** node) {
    std::vector<Instance*> nodes{function};
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        const ast::ClassDefinition& d = *nodes[k]->definition;
        if (d.is_external || !d.algorithms.empty()) {
            *node = nodes[k];
            return &d;
        }
        nodes.insert(nodes.end(), nodes[k]->bases.begin(), nodes[k]->bases.end());
    }
    return nullptr;
}

std::vector<Quantity> Translator::call_function(const Context& c, Instance* function, Arguments given, Span span,
                                                std::size_t wanted) {
    build(function);
    const std::string name(function->definition->name);
    if (function->definition->is_partial)
        fail("partial-class", c.unit, span, "the function '" + name + "' is partial and cannot be called",
             "redeclare it with a function that is complete");
    std::vector<Element*> inputs;
    for (Element* e : function->elements)
        if (!e->is_class() && e->prefixes.causality == ast::Causality::input) inputs.push_back(e);
    std::vector<std::optional<Quantity>> values(inputs.size());
    std::size_t position = 0;
    for (auto& [key, value] : given) {
        std::size_t slot = inputs.size();
        if (key.empty())
            slot = position++;
        else
            for (std::size_t k = 0; k < inputs.size(); ++k)
                if (inputs[k]->name == key) slot = k;
        if (slot >= inputs.size())
            fail(key.empty() ? "argument-count" : "unknown-argument", c.unit, span,
                 key.empty() ? "'" + name + "' takes " + std::to_string(inputs.size()) +
                                   (inputs.size() == 1 ? " argument" : " arguments")
                             : "'" + name + "' has no argument '" + key + "'");
        if (values[slot])
            fail("argument-twice", c.unit, span,
                 "the argument '" + std::string(inputs[slot]->name) + "' is given twice");
        values[slot] = std::move(value);
    }
    // A function of scalars applied to arrays gives arrays (section 12.4.6).
    std::optional<std::vector<int>> extra;
    std::vector<std::size_t> ranks(inputs.size(), 0);
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        Element* e = inputs[k];
        Instance* type = find_class(e->clause->type, e->node, e->unit);
        build(type);
        ranks[k] = e->component->dimensions.size() + e->clause->dimensions.size() + type->dimensions.size();
        if (!values[k] || values[k]->rank() <= ranks[k]) continue;
        const std::vector<int> more(values[k]->dimensions.begin(),
                                    values[k]->dimensions.end() - static_cast<std::ptrdiff_t>(ranks[k]));
        if (extra && *extra != more)
            fail("array-size", c.unit, span, "the arguments of '" + name + "' have sizes that do not fit together");
        extra = more;
    }
    if (extra) {
        std::size_t n = 1;
        for (const int d : *extra) n *= static_cast<std::size_t>(d);
        std::vector<Quantity> results;
        for (std::size_t i = 0; i < n; ++i) {
            Arguments one;
            for (std::size_t k = 0; k < inputs.size(); ++k) {
                if (!values[k]) continue;
                if (values[k]->rank() <= ranks[k]) {
                    one.emplace_back(std::string(inputs[k]->name), *values[k]);
                    continue;
                }
                const std::vector<int> rest(values[k]->dimensions.end() - static_cast<std::ptrdiff_t>(ranks[k]),
                                            values[k]->dimensions.end());
                std::size_t size = 1;
                for (const int d : rest) size *= static_cast<std::size_t>(d);
                one.emplace_back(std::string(inputs[k]->name), slice(*values[k], i * size, rest));
            }
            auto part = call_function(c, function, std::move(one), span, wanted);
            for (std::size_t r = 0; r < part.size(); ++r) {
                if (i == 0) {
                    std::vector<int> dimensions = *extra;
                    dimensions.insert(dimensions.end(), part[r].dimensions.begin(), part[r].dimensions.end());
                    results.push_back(like(part[r], dimensions));
                }
                append(results[r], part[r]);
            }
        }
        if (n == 0) {
            Quantity none;
            none.kind = Kind::real;
            none.dimensions = *extra;
            results.push_back(none);
        }
        return results;
    }
    Frame frame;
    bool constant = true;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        Element* e = inputs[k];
        if (!values[k]) {
            Modifier* m = e->modifier;
            if (m == nullptr || !m->value.given())
                fail("argument-count", c.unit, span,
                     "the argument '" + std::string(e->name) + "' of '" + name + "' is missing");
            const bool own = m->value.scope->root == function;
            const Context at{m->value.unit, m->value.scope, own ? &frame : nullptr, -1};
            values[k] = evaluate(at, m->value.expression);
        }
        Instance* type = find_class(e->clause->type, e->node, e->unit);
        build(type);
        Quantity& q = *values[k];
        if (type->kind == Kind::real && (q.kind == Kind::integer || q.size() == 0)) q.kind = Kind::real;
        const bool fits = q.kind == type->kind ||
                          (type->kind == Kind::none && (q.kind == Kind::record || q.kind == Kind::function)) ||
                          q.size() == 0 || (q.kind == Kind::function && type->is_function());
        if (!fits)
            fail("type", c.unit, span,
                 "the argument '" + std::string(e->name) + "' of '" + name + "' must be a " +
                     std::string(spelling(type->kind)) + ", but this is a " + std::string(spelling(q.kind)));
        if (q.rank() != ranks[k] && q.kind != Kind::function)
            fail("array-size", c.unit, span,
                 "the argument '" + std::string(e->name) + "' of '" + name + "' has " + std::to_string(ranks[k]) +
                     " dimensions, not " + std::to_string(q.rank()));
        Quantity folded = q;
        if (constant && fold_all(folded))
            q = std::move(folded);
        else
            constant = false;
        frame.locals.emplace_back(e->name, q);
    }
    if (++in_function_ > deepest_call) {
        --in_function_;
        fail("nested-too-deep", c.unit, span,
             "functions call each other deeper than " + std::to_string(deepest_call) + " levels");
    }
    struct Inside {
        int& n;
        ~Inside() { --n; }
    } inside{in_function_};
    const Depth nested(*this, c, span);
    return run_with_derivative(c, function, frame, span);
}

// Outputs and protected variables, with their values if they have some. Such a value may depend on a variable that is
// declared further below: what cannot be evaluated waits for the others.
std::vector<Element*> Translator::add_locals(Instance* function, Frame& frame) {
    std::vector<Element*> outputs, waiting;
    for (Element* e : function->elements) {
        if (e->is_class() || e->prefixes.causality == ast::Causality::input) continue;
        waiting.push_back(e);
        if (e->prefixes.causality == ast::Causality::output) outputs.push_back(e);
    }
    while (!waiting.empty()) {
        std::vector<Element*> later;
        std::optional<TranslationError> trouble;
        for (Element* e : waiting) try {
                frame.locals.emplace_back(e->name, local_value(function, e, frame));
            } catch (const TranslationError& error) {
                if (!trouble) trouble = error;
                later.push_back(e);
            }
        if (later.size() == waiting.size()) throw *trouble;
        waiting = std::move(later);
    }
    return outputs;
}

Quantity Translator::local_value(Instance* function, Element* e, Frame& frame) {
    Modifier* m = e->modifier;
    if (m == nullptr || !m->value.given()) return default_local(Context{e->unit, e->node, &frame, -1}, e);
    if (e->prefixes.variability == ast::Variability::constant) return value_of(make(e));
    const bool own = m->value.scope->root == function;
    Quantity q = evaluate(Context{m->value.unit, m->value.scope, own ? &frame : nullptr, -1}, m->value.expression);
    Instance* type = find_class(e->clause->type, e->node, e->unit);
    build(type);
    if (type->kind == Kind::real) q = to_real(std::move(q));
    const std::size_t rank = e->component->dimensions.size() + e->clause->dimensions.size() + type->dimensions.size();
    if (!q.is_scalar() || rank == 0) return q;
    const Quantity shape = default_local(Context{e->unit, e->node, &frame, -1}, e);
    const auto kind = q.kind;
    return fit(std::move(q), kind, shape.dimensions, "'" + std::string(e->name) + "'", e->unit,
               e->component->name_span);
}

std::vector<Quantity> Translator::run_function(const Context& c, Instance* function, Frame& frame, Span span) {
    Instance* node = nullptr;
    const ast::ClassDefinition* body = body_of(function, &node);
    const std::string name(function->definition->name);
    if (body == nullptr) {
        if (function->definition->is_partial)
            fail("partial-function", c.unit, span, "the function '" + name + "' is partial: it has no statements",
                 "redeclare it");
        fail("partial-function", c.unit, span, "the function '" + name + "' has no statements");
    }
    const std::vector<Element*> outputs = add_locals(function, frame);
    if (body->is_external) return external_function(c, node, frame, span);
    if (node->root->path == "Modelica.Math.Nonlinear.solveOneNonlinearEquation" ||
        function->path == "Modelica.Math.Nonlinear.solveOneNonlinearEquation") {
        const NodeId low = frame.find("u_min")->node(), high = frame.find("u_max")->node();
        return {root_of(c, *frame.find("f"), low, high, span)};
    }
    Running running;
    running.frame = &frame;
    running.around = guard_;
    const Context at{node->unit, node, &frame, -1};
    for (const ast::AlgorithmSection& section : body->algorithms) execute(at, section.statements, running);
    std::vector<Quantity> results;
    // Fields of records that nothing sets are refused where they are read.
    for (Element* e : outputs) {
        results.push_back(*frame.find(e->name));
        for (const NodeId n : results.back().nodes)
            if (n == expr::no_node)
                fail("no-value", e->unit, e->component->name_span,
                     "the result '" + std::string(e->name) + "' of '" + name + "' gets no value");
    }
    return results;
}

NodeId Translator::guard_of(const Running& r) {
    NodeId all = r.path;
    for (const NodeId one : {r.active, r.loop})
        if (one != expr::no_node) all = all == expr::no_node ? one : logical(Op::logical_and, all, one);
    return all;
}

void Translator::execute(const Context& c, const std::vector<ast::Statement>& list, Running& r) {
    for (const ast::Statement& s : list) {
        if (r.stopped || r.broken) return;
        if (++steps_ > most_steps)
            fail("too-long", c.unit, s.span, "functions run for more than 20,000,000 statements");
        execute_one(c, s, r);
    }
}

void Translator::execute_one(const Context& c, const ast::Statement& s, Running& r) {
    const Restored<NodeId> outside(guard_, r.around);
    const Under here(*this, guard_of(r));
    switch (s.kind) {
    case StatementKind::assign: {
        const ast::Expr& left = c.at(s.left);
        if (left.kind == ExprKind::tuple) {
            const ast::Expr& right = c.at(s.right);
            if (right.kind != ExprKind::call)
                fail("tuple", c.unit, right.span, "several results come from a function call only");
            const auto values = call_many(c, right, left.count);
            for (std::uint32_t k = 0; k < left.count; ++k) {
                const ExprId target = c.unit->tree.operand(left, k);
                if (!ast::given(target)) continue;
                if (k >= values.size())
                    fail("tuple", c.unit, left.span,
                         "the function has only " + std::to_string(values.size()) + " results");
                assign(c, c.unit->tree.reference(c.at(target)), values[k], s.span, r);
            }
            return;
        }
        if (left.kind != ExprKind::reference)
            fail("assign", c.unit, left.span, "the left side of ':=' is the name of a variable");
        assign(c, c.unit->tree.reference(left), evaluate(c, s.right), s.span, r);
        return;
    }
    case StatementKind::call: {
        const ast::Call& call = c.unit->tree.call(c.at(s.left));
        const std::string name = call.function.text();
        if (r.branch != nullptr && name == "reinit") return reinit(c, call, s.span, guard_of(r), *r.branch);
        if (r.branch != nullptr && name == "terminate" && guard_of(r) == expr::no_node) {
            r.branch->terminates = true;
            if (!call.arguments.empty()) r.branch->message = message_of(c, call.arguments[0].value);
            return;
        }
        if (name == "assert") {
            if (r.in_section) return assertion(c, call, s.span, guard_of(r), r.branch);
            const Restored<int> with_events(in_function_, 0); // an event tells when it fails
            return assertion(c, call, s.span, guard_, acting_);
        }
        if (name == "terminate" || name == "reinit") {
            if (!r.in_section) fail("outside-when", c.unit, s.span, "'" + name + "(…)' in a function");
            unsupported(c.unit, s.span, "'" + name + "(…)' outside a when-statement");
        }
        // Messages under conditions that are not known yet would only stop the run.
        if (guard_of(r) != expr::no_node && (name.ends_with("error") || name.ends_with("print"))) return;
        (void)call_many(c, c.at(s.left), 0);
        return;
    }
    case StatementKind::if_: return execute_if(c, s, r);
    case StatementKind::for_: {
        const NodeId around = r.loop;
        execute_for(c, s, 0, r);
        r.loop = around;
        return;
    }
    case StatementKind::while_: {
        const ast::StatementBranch& body = s.branches.at(0);
        for (;;) {
            const Quantity condition = evaluate(c, body.condition);
            const auto known =
                condition.kind == Kind::boolean && condition.is_scalar() ? fold(condition.node()) : std::nullopt;
            if (!known) {
                open_while(c, s, r);
                break;
            }
            if (*known == 0.0) break;
            execute(c, body.statements, r);
            if (r.stopped || r.broken) break;
            if (++steps_ > most_steps)
                fail("too-long", c.unit, s.span, "functions run for more than 20,000,000 statements");
        }
        r.broken = false;
        return;
    }
    case StatementKind::when:
        if (!r.in_section) fail("when-in-function", c.unit, s.span, "a when-statement in a function");
        return when_statement(c, s, r);
    case StatementKind::return_: r.stopped = true; return;
    case StatementKind::break_: r.broken = true; return;
    case StatementKind::invalid: fail("syntax", c.unit, s.span, "this cannot be read");
    }
}

void Translator::execute_if(const Context& c, const ast::Statement& s, Running& r) {
    // From the first condition that is not known on, all branches are executed, and their values chosen from.
    const std::function<void(std::size_t, Running&)> from = [&](std::size_t k, Running& run) {
        for (; k < s.branches.size(); ++k) {
            const ast::StatementBranch& branch = s.branches[k];
            if (!ast::given(branch.condition)) return execute(c, branch.statements, run);
            const Quantity condition = evaluate(c, branch.condition);
            if (condition.kind != Kind::boolean || !condition.is_scalar())
                fail("type", c.unit, c.at(branch.condition).span, "the condition of 'if' must be true or false");
            if (const auto known = fold(condition.node())) {
                if (*known == 0.0) continue;
                return execute(c, branch.statements, run);
            }
            const auto before = run.frame->locals;
            Running yes = run, no = run;
            const auto under = [&](NodeId node) {
                return run.path == expr::no_node ? node : logical(Op::logical_and, run.path, node);
            };
            yes.path = under(condition.node());
            no.path = under(g_.unary(Op::logical_not, condition.node()));
            execute(c, branch.statements, yes);
            auto after_yes = std::move(run.frame->locals);
            run.frame->locals = before;
            from(k + 1, no);
            for (std::size_t v = 0; v < run.frame->locals.size() && v < after_yes.size(); ++v) {
                Quantity& mine = run.frame->locals[v].second;
                if (!same(mine, after_yes[v].second))
                    mine = select(condition.node(), after_yes[v].second, mine, c.unit, s.span);
            }
            // Where one of the paths has left the function or the loop, its values stay: what follows counts elsewhere.
            const NodeId always = g_.constant(1.0), never = g_.constant(0.0);
            const auto chosen = [&](NodeId otherwise, NodeId x, NodeId y) {
                const NodeId now = g_.select(condition.node(), x, y);
                return now == always ? otherwise : now;
            };
            const auto of = [&](bool left, NodeId active) {
                return left ? never : active == expr::no_node ? always : active;
            };
            if (yes.stopped && no.stopped)
                run.stopped = true;
            else
                run.active = chosen(run.active, of(yes.stopped, yes.active), of(no.stopped, no.active));
            if (yes.broken && no.broken)
                run.broken = true;
            else
                run.loop = chosen(run.loop, of(yes.broken, yes.loop), of(no.broken, no.loop));
            return;
        }
    };
    from(0, r);
}

void Translator::execute_for(const Context& c, const ast::Statement& s, std::size_t index, Running& r) {
    if (index == s.indices.size()) return execute(c, s.branches.at(0).statements, r);
    if (open_for(c, s, index, r)) return;
    std::vector<ExprId> body;
    for (const ast::Statement& one : s.branches.at(0).statements) {
        body.push_back(one.left);
        body.push_back(one.right);
    }
    const auto values = loop_values(c, s.indices[index], body);
    Frame frame;
    frame.up = c.frame;
    frame.locals.emplace_back(s.indices[index].name, Quantity{});
    Context inside = c;
    inside.frame = &frame;
    for (const Quantity& value : values) {
        frame.locals[0].second = value;
        execute_for(inside, s, index + 1, r);
        if (r.stopped) return;
        if (r.broken) {
            r.broken = false;
            return;
        }
    }
}

Quantity Translator::assigned_part(const Context& c, Quantity whole, const ast::Reference& target, std::size_t part,
                                   const Quantity& value, Span span, NodeId active) {
    const ast::NamePart& here = target.parts[part];
    const bool last = part + 1 == target.parts.size();
    if (here.subscripts.empty()) {
        if (last) {
            Quantity converted = value;
            if (whole.kind == Kind::real && converted.kind == Kind::integer) converted.kind = Kind::real;
            if (converted.size() == 0 && whole.ok()) converted.kind = whole.kind;
            if (whole.ok() && converted.kind != whole.kind)
                fail("type", c.unit, span,
                     "'" + target.text() + "' is a " + std::string(spelling(whole.kind)) + ", but this value is a " +
                         std::string(spelling(converted.kind)));
            if (converted.rank() != whole.rank() || (converted.dimensions != whole.dimensions && whole.size() > 0 &&
                                                     converted.size() > 0 && whole.size() != 0))
                if (whole.rank() != converted.rank() || whole.size() != 0)
                    fail("array-size", c.unit, span,
                         "'" + target.text() + "' has the size " + dimensions_text(whole.dimensions) +
                             ", but this value has " + dimensions_text(converted.dimensions));
            converted.type = whole.type != nullptr ? whole.type : converted.type;
            if (active != expr::no_node && whole.dimensions == converted.dimensions)
                return select(active, converted, whole, c.unit, span);
            return converted;
        }
        if (whole.kind != Kind::record || !whole.is_scalar())
            fail("no-field", c.unit, span, "'" + std::string(here.name) + "' is no record");
        auto record = std::make_shared<Record>(*whole.records[0]);
        Quantity* field = record->find(target.parts[part + 1].name);
        if (field == nullptr)
            fail("no-field", c.unit, span,
                 "the record has no field '" + std::string(target.parts[part + 1].name) + "'");
        *field = assigned_part(c, *field, target, part + 1, value, span, active);
        whole.records[0] = std::move(record);
        return whole;
    }
    std::vector<bool> keeps;
    std::vector<NodeId> varying(whole.dimensions.size(), expr::no_node);
    const auto lists = subscript_lists(c, whole.dimensions, here.subscripts, keeps, span, &varying);
    const NodeId everywhere = active, unset = g_.constant(std::numeric_limits<double>::quiet_NaN());
    std::vector<int> dimensions;
    for (std::size_t d = 0; d < lists.size(); ++d)
        if (keeps[d]) dimensions.push_back(static_cast<int>(lists[d].size()));
    if (last && dimensions != value.dimensions)
        fail("array-size", c.unit, span,
             "the part " + dimensions_text(dimensions) + " of '" + target.text() + "' is given a value of the size " +
                 dimensions_text(value.dimensions));
    if (last && whole.kind != value.kind && !(whole.kind == Kind::real && value.kind == Kind::integer))
        fail("type", c.unit, span,
             "'" + target.text() + "' is a " + std::string(spelling(whole.kind)) + ", but this value is a " +
                 std::string(spelling(value.kind)));
    for (const auto& list : lists)
        if (list.empty()) return whole;
    std::vector<std::size_t> at(lists.size(), 0);
    for (;;) {
        std::size_t k = 0, n = 0; // which element, and which of the value
        active = everywhere;
        for (std::size_t d = 0; d < lists.size(); ++d) {
            k = k * static_cast<std::size_t>(whole.dimensions[d]) + static_cast<std::size_t>(lists[d][at[d]]);
            if (varying[d] == expr::no_node)
                n = n * lists[d].size() + at[d];
            else
                active = both(active, logical(Op::eq, varying[d], g_.constant(lists[d][at[d]] + 1.0)));
        }
        if (last) {
            if (has_nodes(whole.kind))
                whole.nodes[k] =
                    active == everywhere && (active == expr::no_node || whole.nodes[k] == expr::no_node)
                        ? value.nodes[n]
                        : g_.select(active, value.nodes[n], whole.nodes[k] == expr::no_node ? unset : whole.nodes[k]);
            if (whole.kind == Kind::string) whole.strings[k] = value.strings[n];
            if (whole.kind == Kind::record)
                whole.records[k] =
                    active == expr::no_node
                        ? value.records[n]
                        : select(active, slice(value, n, {}), slice(whole, k, {}), c.unit, span).records[0];
        } else {
            if (!dimensions.empty() || whole.kind != Kind::record)
                unsupported(c.unit, span, "assignments to a field of several records");
            Quantity one = slice(whole, k, {});
            ast::Reference plain = target;
            plain.parts.edit(part).subscripts.clear();
            one = assigned_part(c, one, plain, part, value, span, active);
            whole.records[k] = one.records[0];
        }
        std::size_t d = lists.size();
        while (d > 0 && ++at[d - 1] == lists[d - 1].size()) at[--d] = 0;
        if (d == 0) break;
    }
    return whole;
}

void Translator::assign(const Context& c, const ast::Reference& target, Quantity value, Span span, Running& r) {
    Quantity* local = nullptr;
    for (auto& [name, quantity] : r.frame->locals)
        if (name == target.parts[0].name) local = &quantity;
    if (local == nullptr) {
        if (r.in_section) fail("assign", c.unit, span, "'" + target.text() + "' cannot be assigned here");
        fail("unknown-identifier", c.unit, target.span, "'" + target.text() + "' is not a variable of this function",
             suggestion(target.parts[0].name, c.scope));
    }
    NodeId active = r.active;
    if (r.loop != expr::no_node) active = active == expr::no_node ? r.loop : logical(Op::logical_and, active, r.loop);
    *local = assigned_part(c, *local, target, 0, value, span, active);
}

} // namespace daedalus::modelica
