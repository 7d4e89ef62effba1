// Discrete variables and when-clauses (specification 3.5, sections 3.7.5 and 8.3.5).
//
// A variable that a when-clause sets is held: a parameter of the model that events change. A Boolean or Integer with an
// equation of its own stands for that equation's right side, wherever it is used; only pre() of it is held.
#include "modelica/flatten.hpp"
#include "modelica/lexer.hpp"

#include <algorithm>

namespace daedalus::modelica {

using ast::EquationKind;
using ast::ExprId;
using ast::ExprKind;
using ast::given;
using expr::NodeId;
using expr::Op;

namespace {

/// The name that an expression consists of, or nothing.
std::string_view simple_name(const ast::Tree& tree, ExprId id) {
    if (!given(id) || tree[id].kind != ExprKind::reference) return {};
    const ast::Reference& name = tree.reference(tree[id]);
    return name.is_simple() ? name.parts[0].name : std::string_view{};
}

/// Positions of `items` such that whatever uses a parameter comes behind what sets it; as given where that is a circle.
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

void held_leaves(const expr::Graph& g, const std::vector<NodeId>& expressions, std::vector<int>& out) {
    for (const NodeId leaf : g.reachable(expressions))
        if (g.op(leaf) == Op::parameter) out.push_back(g.parameter_id(leaf));
}

template <class T>
void arrange(std::vector<T>& items, const std::vector<std::size_t>& order) {
    std::vector<T> sorted;
    sorted.reserve(items.size());
    for (const std::size_t i : order) sorted.push_back(std::move(items[i]));
    items = std::move(sorted);
}

} // namespace

// Which names when-clauses set, and which equations define something by its name.
void Flattener::find_assigned(const std::vector<ast::Equation>& list, bool inside_when) {
    for (const ast::Equation& e : list) {
        if (e.kind == EquationKind::equality && inside_when)
            if (const std::string_view name = simple_name(tree_, e.left); !name.empty())
                assigned_.emplace(name, e.span);
        for (const ast::Branch& branch : e.branches)
            find_assigned(branch.equations, inside_when || e.kind == EquationKind::when);
    }
}

int Flattener::hold(std::string name, NodeId start, const Declared* declared) {
    model::Parameter parameter;
    parameter.name = std::move(name);
    parameter.binding = start == expr::no_node ? model_.graph->constant(0.0) : start;
    parameter.is_held = true;
    if (declared != nullptr) {
        parameter.type = value_type(declared->symbol.type);
        parameter.unit = declared->base->unit;
        parameter.description = declared->component->description;
        parameter.span = report_.place(declared->component->span);
    }
    return model_.add_parameter(std::move(parameter));
}

NodeId Flattener::discrete_start(const Declared& declared) {
    NodeId start = expr::no_node;
    for (const auto& [name, written] : attributes(declared))
        if (name == "start") start = attribute_value(declared, name, *written);
    return start;
}

void Flattener::hold_discrete(const Declared& declared) {
    const ast::Component& component = *declared.component;
    if (given(component.binding))
        report_.error("set-twice", component.name_span,
                      "'" + std::string(component.name) + "' has a value here and is set by a when-clause too",
                      "its value at the start is an attribute: (start = …)");
    const int id = hold(std::string(component.name), discrete_starts_.at(component.name), &declared);
    scope_.define(component.name, model_.graph->parameter(id));
}

void Flattener::lower_definition(const Declared& declared, ExprId definition) {
    const std::string context = "the value of '" + std::string(declared.component->name) + "'";
    const Type type = declared.symbol.type;
    const Value value =
        type == Type::boolean ? lower_.boolean(definition, context) : lower_.numeric(definition, context);
    if (!value.ok()) return;
    if (type == Type::integer && value.type == Type::real)
        return report_.error("type", value.span, context + " must be an Integer, but this is a Real",
                             "integer(…) gives the integer part");
    scope_.define(declared.component->name, value.node);
}

void Flattener::define_discrete() {
    std::unordered_map<std::string_view, std::size_t> place; // among declared_
    for (std::size_t i = 0; i < declared_.size(); ++i)
        if (declared_[i].symbol.kind == SymbolKind::discrete) place.emplace(declared_[i].component->name, i);
    if (place.empty()) return;
    for (const auto& [name, i] : place) discrete_starts_.emplace(name, discrete_start(declared_[i]));
    std::vector<ExprId> definition(declared_.size(), ast::no_expr);
    for (const auto& [name, i] : place) definition[i] = declared_[i].component->binding;
    for (const ast::EquationSection& section : class_.equations)
        for (const ast::Equation& e : section.equations) {
            if (section.initial || e.kind != EquationKind::equality) continue;
            for (const bool left : {true, false}) {
                const auto it = place.find(simple_name(tree_, left ? e.left : e.right));
                if (it == place.end() || assigned_.contains(it->first) || given(definition[it->second])) continue;
                definition[it->second] = left ? e.right : e.left;
                definitions_.push_back(&e);
                break;
            }
        }
    // Definitions may use each other, but not in a circle; what stands inside pre() does not count.
    std::vector<std::vector<int>> sets, uses;
    std::vector<std::size_t> defined;
    for (std::size_t i = 0; i < declared_.size(); ++i) {
        const Declared& declared = declared_[i];
        if (declared.symbol.kind != SymbolKind::discrete) continue;
        if (assigned_.contains(declared.component->name)) {
            hold_discrete(declared);
            continue;
        }
        if (!given(definition[i])) {
            report_.error("no-definition", declared.component->name_span,
                          "nothing says what '" + std::string(declared.component->name) + "' is",
                          "write " + std::string(declared.component->name) + " = …, or set it in a when-clause");
            continue;
        }
        defined.push_back(i);
        sets.push_back({static_cast<int>(i)});
        std::vector<char> skip(ast::index(definition[i]) - ast::index(tree_[definition[i]].first) + 1, 0);
        const std::uint32_t base = ast::index(tree_[definition[i]].first);
        std::vector<int>& used = uses.emplace_back();
        for (std::uint32_t k = ast::index(definition[i]) + 1; k-- > base;) {
            const ast::Expr& e = tree_.expressions[k];
            if (e.kind == ExprKind::call && tree_.call(e).function.text() == "pre")
                for (const ast::Argument& argument : tree_.call(e).arguments)
                    if (given(argument.value) && ast::index(argument.value) >= base)
                        skip[ast::index(argument.value) - base] = 1;
            if (e.kind != ExprKind::reference || skip[k - base]) continue;
            if (const auto it = place.find(simple_name(tree_, ExprId{k})); it != place.end())
                used.push_back(static_cast<int>(it->second));
        }
    }
    for (const std::size_t k : by_use(sets, uses)) lower_definition(declared_[defined[k]], definition[defined[k]]);
    for (const Declared& declared : declared_) {
        if (declared.symbol.kind != SymbolKind::discrete) continue;
        const Symbol* symbol = scope_.find(declared.component->name);
        if (symbol->node == expr::no_node) {
            if (!report_.has_errors())
                report_.error("circular-definition", declared.component->name_span,
                              "'" + std::string(declared.component->name) + "' is defined by itself",
                              "pre(" + std::string(declared.component->name) + ") is its value before the event");
            continue;
        }
        model_.discrete.push_back({std::string(declared.component->name), symbol->node,
                                   std::string(declared.base->unit), declared.component->description,
                                   report_.place(declared.component->span), false, value_type(declared.symbol.type)});
    }
}

EventLeaves Flattener::event_leaves() {
    return {[this](std::string_view name) {
                const auto [it, is_new] = memories_.try_emplace(std::string(name), -1);
                if (is_new) {
                    const auto start = discrete_starts_.find(name); // nothing can be lowered here: this is lowering
                    const int id = hold("pre(" + std::string(name) + ")",
                                        start == discrete_starts_.end() ? expr::no_node : start->second, nullptr);
                    for (const Declared& declared : declared_)
                        if (declared.component->name == name)
                            model_.parameters[static_cast<std::size_t>(id)].type = value_type(declared.symbol.type);
                    memories_[std::string(name)] = id;
                    model_.memories.push_back({id, expr::no_node});
                }
                return model_.graph->parameter(memories_.at(std::string(name)));
            },
            [this](NodeId start, NodeId interval, const SourceSpan& span) {
                for (const model::Sample& sample : model_.samples)
                    if (sample.start == start && sample.interval == interval)
                        return model_.graph->binary(Op::ge, model_.graph->time(),
                                                    model_.graph->parameter(sample.parameter));
                const std::string name = "sample " + std::to_string(model_.samples.size() + 1);
                const int id = hold(name, expr::no_node, nullptr);
                model_.samples.push_back({id, start, interval, span});
                return model_.graph->binary(Op::ge, model_.graph->time(), model_.graph->parameter(id));
            },
            [this] {
                if (model_.initial_flag < 0) model_.initial_flag = hold("initial()", expr::no_node, nullptr);
                return model_.graph->parameter(model_.initial_flag);
            },
            [this] {
                if (model_.terminal_flag < 0) model_.terminal_flag = hold("terminal()", expr::no_node, nullptr);
                return model_.graph->parameter(model_.terminal_flag);
            }};
}

void Flattener::finish_memories() {
    for (const auto& [name, parameter] : memories_)
        for (model::Memory& memory : model_.memories)
            if (memory.parameter == parameter) memory.value = scope_.find(name)->node;
    std::vector<std::vector<int>> sets(model_.clauses.size()), uses(model_.clauses.size());
    for (std::size_t i = 0; i < model_.clauses.size(); ++i)
        for (const model::WhenBranch& branch : model_.clauses[i].branches) {
            std::vector<NodeId> used = branch.conditions;
            for (const auto& setting : branch.settings) {
                sets[i].push_back(setting.parameter);
                used.push_back(setting.value);
            }
            for (const auto& r : branch.reinits) used.push_back(r.value);
            for (const auto& a : branch.assertions) used.push_back(a.holds);
            held_leaves(*model_.graph, used, uses[i]);
        }
    arrange(model_.clauses, by_use(sets, uses));
}

void Flattener::when_equation(const ast::Equation& written) {
    model::When clause;
    for (const ast::Branch& branch : written.branches) {
        if (!given(branch.condition)) {
            report_.error("when-else", written.span, "a when-clause has no 'else'", "write elsewhen …");
            return;
        }
        model::WhenBranch& lowered = clause.branches.emplace_back();
        lowered.span = report_.place(written.span);
        const ast::Expr& condition = tree_[branch.condition];
        std::vector<ExprId> list{branch.condition};
        if (condition.kind == ExprKind::array) { // when {a, b}: when either becomes true
            list.clear();
            for (std::uint32_t k = 0; k < condition.count; ++k) list.push_back(tree_.operand(condition, k));
        }
        for (const ExprId one : list) {
            const Value value = lower_.boolean(one, "the condition of 'when'");
            if (!value.ok()) return;
            lowered.conditions.push_back(value.node);
        }
        when_actions(branch.equations, expr::no_node, lowered);
        std::vector<std::vector<int>> sets, uses;
        for (const auto& setting : lowered.settings) {
            sets.push_back({setting.parameter});
            held_leaves(*model_.graph, {setting.value}, uses.emplace_back());
        }
        arrange(lowered.settings, by_use(sets, uses));
    }
    model_.clauses.push_back(std::move(clause));
}

std::string Flattener::text_of(ExprId id) const {
    if (!given(id) || tree_[id].kind != ExprKind::string) return {};
    const Span span = tree_[id].span;
    return string_value(report_.file().text().substr(span.begin, span.end - span.begin));
}

/// assert(condition, message, level); only where `guard` holds, if there is one.
void Flattener::assertion(const ast::Call& call, Span span, NodeId guard, model::WhenBranch& branch) {
    if (call.arguments.empty() || call.arguments.size() > 3)
        return report_.error("argument-count", span, "'assert' takes a condition, a message and perhaps a level");
    const Value condition = lower_.boolean(call.arguments[0].value, "the condition of 'assert'");
    if (!condition.ok()) return;
    if (call.arguments.size() == 3 && given(call.arguments[2].value)) {
        const Span level = tree_[call.arguments[2].value].span;
        if (report_.file().text().substr(level.begin, level.end - level.begin).ends_with("warning"))
            return report_.warning("assert-ignored", span, "an assertion that only warns is not checked");
    }
    expr::Graph& g = *model_.graph;
    const Span written = tree_[call.arguments[0].value].span;
    std::string message = call.arguments.size() > 1 ? text_of(call.arguments[1].value) : std::string();
    if (message.empty()) message = "it does not hold that";
    message += " (" + std::string(report_.file().text().substr(written.begin, written.end - written.begin)) + ")";
    const NodeId holds = guard == expr::no_node
                             ? condition.node
                             : g.binary(Op::logical_or, g.unary(Op::logical_not, guard), condition.node);
    branch.assertions.push_back({holds, std::move(message), report_.place(span)});
}

void Flattener::when_actions(const std::vector<ast::Equation>& list, NodeId condition, model::WhenBranch& branch) {
    expr::Graph& g = *model_.graph;
    for (const ast::Equation& e : list) {
        if (e.kind == EquationKind::if_) {
            NodeId none_before = condition;
            for (const ast::Branch& inner : e.branches) {
                NodeId here = none_before;
                if (given(inner.condition)) {
                    const Value value = lower_.boolean(inner.condition, "the condition of 'if'");
                    if (!value.ok()) return;
                    const NodeId otherwise = g.unary(Op::logical_not, value.node);
                    here =
                        none_before == expr::no_node ? value.node : g.binary(Op::logical_and, none_before, value.node);
                    none_before =
                        none_before == expr::no_node ? otherwise : g.binary(Op::logical_and, none_before, otherwise);
                }
                when_actions(inner.equations, here, branch);
            }
            continue;
        }
        if (e.kind == EquationKind::call) {
            const ast::Call& call = tree_.call(tree_[e.left]);
            const std::string name = call.function.text();
            if (name == "reinit") {
                reinit(call, e.span, condition, branch);
            } else if (name == "terminate" && condition == expr::no_node) {
                branch.terminates = true;
                if (!call.arguments.empty()) branch.message = text_of(call.arguments[0].value);
            } else if (name == "assert") {
                assertion(call, e.span, condition, branch);
            } else {
                unsupported(e.span, "'" + name + "(…)' here");
            }
            continue;
        }
        if (e.kind != EquationKind::equality) {
            if (e.kind != EquationKind::invalid) unsupported(e.span, "this kind of equation inside a when-clause");
            continue;
        }
        const std::string_view name = simple_name(tree_, e.left);
        const Symbol* symbol = name.empty() ? nullptr : scope_.find(name);
        if (symbol == nullptr || symbol->kind != SymbolKind::discrete || symbol->node == expr::no_node ||
            g.op(symbol->node) != Op::parameter) {
            if (symbol == nullptr)
                report_.error("when-left-side", e.span, "inside a when-clause the left side is the name of a variable",
                              "write v = …, where the clause sets v");
            else if (symbol->kind != SymbolKind::unsupported && symbol->kind != SymbolKind::discrete)
                report_.error("when-left-side", e.span, "'" + std::string(name) + "' cannot be set by a when-clause",
                              symbol->kind == SymbolKind::parameter ? "a parameter does not change" : "");
            continue;
        }
        const std::string context = "the value of '" + std::string(name) + "'";
        const Value value =
            symbol->type == Type::boolean ? lower_.boolean(e.right, context) : lower_.numeric(e.right, context);
        if (!value.ok()) continue;
        const NodeId chosen = condition == expr::no_node ? value.node : g.select(condition, value.node, symbol->node);
        branch.settings.push_back({g.parameter_id(symbol->node), chosen});
    }
}

void Flattener::reinit(const ast::Call& call, Span span, NodeId condition, model::WhenBranch& branch) {
    if (call.arguments.size() != 2)
        return report_.error("argument-count", span, "'reinit' takes 2 arguments: a variable and its new value");
    const std::string_view name = simple_name(tree_, call.arguments[0].value);
    const Symbol* symbol = name.empty() ? nullptr : scope_.find(name);
    if (symbol == nullptr || symbol->kind != SymbolKind::variable) {
        if (symbol == nullptr || symbol->kind != SymbolKind::unsupported)
            report_.error("reinit-of", span, "reinit needs the name of a variable whose derivative occurs");
        return;
    }
    const Value value = lower_.numeric(call.arguments[1].value, "the new value");
    if (!value.ok()) return;
    expr::Graph& g = *model_.graph;
    const NodeId variable = g.variable(symbol->id);
    const NodeId chosen = condition == expr::no_node ? value.node : g.select(condition, value.node, variable);
    branch.reinits.push_back({variable, chosen, report_.place(span)});
}

} // namespace daedalus::modelica
