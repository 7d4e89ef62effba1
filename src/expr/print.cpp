#include "expr/print.hpp"

#include "expr/functions/function.hpp"
#include "expr/modelica_text.hpp"
#include "expr/routine.hpp"

#include <fmt/format.h>

#include <cmath>

namespace daedalus::expr {

namespace {

// Binding strength, after the Modelica grammar.
enum Level {
    if_level = 0,
    or_level,
    and_level,
    not_level,
    relation_level,
    sum_level,
    product_level,
    power_level,
    atom
};

Level level(const Graph& g, NodeId id) {
    switch (g.op(id)) {
    case Op::constant: return g.constant_value(id) < 0 ? sum_level : atom;
    case Op::select: return if_level;
    case Op::logical_or: return or_level;
    case Op::logical_and: return and_level;
    case Op::logical_not: return not_level;
    case Op::lt:
    case Op::le:
    case Op::gt:
    case Op::ge:
    case Op::eq:
    case Op::ne: return relation_level;
    case Op::neg:
    case Op::add:
    case Op::sub: return sum_level;
    case Op::mul:
    case Op::div: return product_level;
    case Op::pow: return power_level;
    default: return atom;
    }
}

struct Printer {
    const Graph& g;
    const Names& names;
    bool latex;
    bool exact; ///< keep the parentheses of a + (b + c)
    std::size_t max_length;
    std::string out;

    // Work still to be written, last first: a literal or an expression that needs at least a level.
    struct Item {
        std::string text;
        NodeId node = no_node;
        int needs = 0;
        Wanted wanted = Wanted::real;
    };
    std::vector<Item> todo;
    const Spelling* spelling = nullptr; ///< types matter
    Wanted wanted = Wanted::real;       ///< of what is being written

    void later(std::initializer_list<Item> items) {
        for (auto it = std::rbegin(items); it != std::rend(items); ++it) todo.push_back(*it);
    }

    [[nodiscard]] Item word(std::string_view modelica, std::string_view in_latex) const {
        return {std::string(latex ? in_latex : modelica)};
    }

    // The first character that a sum will print: "a + -b" is avoided.
    [[nodiscard]] bool starts_with_minus(NodeId id) const {
        while (g.op(id) == Op::add || g.op(id) == Op::sub) id = g.operand(id, 0);
        return g.op(id) == Op::neg || (g.op(id) == Op::constant && g.constant_value(id) < 0);
    }

    void infix(NodeId id, const Item& symbol, int left, int right) {
        later({{{}, g.operand(id, 0), left, numeric()}, symbol, {{}, g.operand(id, 1), right, numeric()}});
    }
    [[nodiscard]] Wanted numeric() const { return wanted == Wanted::integer ? wanted : Wanted::real; }

    // a == b and a <> b of conditions; a < b, where 3 and 3.0 differ: whole numbers are compared between them.
    void relation(NodeId id, const Item& symbol) {
        const bool equal = g.op(id) == Op::eq || g.op(id) == Op::ne;
        const auto is_it = [&](int k) { return is_condition(g, g.operand(id, k), *spelling); };
        const Wanted both = equal && spelling != nullptr && (is_it(0) || is_it(1)) ? Wanted::boolean : Wanted::real;
        const auto side = [&](int k) -> Item {
            const NodeId operand = g.operand(id, k);
            if (spelling == nullptr || equal || !g.is_constant(operand)) return {{}, operand, sum_level, both};
            const std::string text = number_text(g.constant_value(operand));
            return {text.find_first_of(".e") == std::string::npos ? text + ".0" : text};
        };
        later({side(0), symbol, side(1)});
    }
    void logic(NodeId id, const Item& symbol, int left, int right) {
        later({{{}, g.operand(id, 0), left, Wanted::boolean}, symbol, {{}, g.operand(id, 1), right, Wanted::boolean}});
    }

    // A relation without event is kept as sign(a - b) == ±1 or <> ±1 (without_events): printed as it was written.
    [[nodiscard]] bool is_eventless_relation(NodeId id) const {
        return g.op(g.operand(id, 0)) == Op::sign && g.is_constant(g.operand(id, 1)) &&
               std::abs(g.constant_value(g.operand(id, 1))) == 1.0;
    }

    void eventless_relation(NodeId id) {
        const NodeId difference = g.operand(g.operand(id, 0), 0);
        const bool above = g.constant_value(g.operand(id, 1)) > 0;
        const bool strict = g.op(id) == Op::eq;
        const Item symbol = strict  ? Item{above ? " > " : " < "}
                            : above ? word(" <= ", R"( \le )")
                                    : word(" >= ", R"( \ge )");
        if (g.op(difference) == Op::sub)
            return later(
                {{{}, g.operand(difference, 0), sum_level}, symbol, {{}, g.operand(difference, 1), sum_level}});
        later({{{}, difference, sum_level}, symbol, {"0"}});
    }

    void leaf(NodeId id) {
        switch (g.op(id)) {
        case Op::constant:
            if (wanted == Wanted::boolean)
                out += g.constant_value(id) != 0.0 ? "true" : "false";
            else
                out += number_text(g.constant_value(id));
            break;
        case Op::time: out += latex ? "t" : "time"; break;
        case Op::parameter: out += names.parameter(g.parameter_id(id)); break;
        default: out += names.variable(g.variable_id(id), g.derivative_order(id)); break;
        }
    }

    void expand(NodeId id) {
        const Op op = g.op(id);
        if (is_leaf(op)) return leaf(id);
        switch (op) {
        case Op::neg: return later({{"-"}, {{}, g.operand(id, 0), product_level, numeric()}});
        case Op::add:
            return infix(id, {" + "}, sum_level,
                         exact || starts_with_minus(g.operand(id, 1)) ? product_level : sum_level);
        case Op::sub: return infix(id, {" - "}, sum_level, product_level);
        case Op::mul:
            return infix(id, word("*", R"(\,)"), product_level,
                         exact || g.op(g.operand(id, 1)) == Op::div ? power_level : product_level);
        case Op::div:
            if (latex)
                return later({{R"(\frac{)"}, {{}, g.operand(id, 0), 0}, {"}{"}, {{}, g.operand(id, 1), 0}, {"}"}});
            return infix(id, {"/"}, product_level, power_level);
        case Op::pow:
            if (latex) return later({{{}, g.operand(id, 0), atom}, {"^{"}, {{}, g.operand(id, 1), 0}, {"}"}});
            return infix(id, {"^"}, atom, atom);
        case Op::lt: return relation(id, {" < "});
        case Op::le: return relation(id, word(" <= ", R"( \le )"));
        case Op::gt: return relation(id, {" > "});
        case Op::ge: return relation(id, word(" >= ", R"( \ge )"));
        case Op::eq:
        case Op::ne:
            if (!exact && is_eventless_relation(id)) return eventless_relation(id);
            if (op == Op::eq) return relation(id, word(" == ", " = "));
            return relation(id, word(" <> ", R"( \ne )"));
        case Op::logical_and: return logic(id, word(" and ", R"( \land )"), and_level, not_level);
        case Op::logical_or: return logic(id, word(" or ", R"( \lor )"), or_level, and_level);
        case Op::logical_not:
            return later({word("not ", R"(\lnot )"), {{}, g.operand(id, 0), relation_level, Wanted::boolean}});
        case Op::select:
            return later({word("if ", R"(\text{if } )"),
                          {{}, g.operand(id, 0), or_level, Wanted::boolean},
                          word(" then ", R"(\text{ then } )"),
                          {{}, g.operand(id, 1), or_level, wanted},
                          word(" else ", R"(\text{ else } )"),
                          {{}, g.operand(id, 2), if_level, wanted}});
        default: call(id, op);
        }
    }

    void routine(NodeId id) {
        const Graph::Call& c = g.call_of(id);
        std::string head = c.routine->name();
        if (c.routine->outputs() > 1) head += fmt::format("[{}]", c.output + 1);
        if (latex) head = R"(\text{)" + head + "}";
        todo.push_back(word(")", R"(\right))"));
        for (std::size_t k = c.operands.size(); k-- > 0;) {
            todo.push_back({{}, c.operands[k], 0});
            if (k > 0) todo.push_back({", "});
        }
        todo.push_back({head + (latex ? R"(\left()" : "(")});
    }

    void call(NodeId id, Op op) {
        if (op == Op::call) return routine(id);
        if (op == Op::floor && wanted == Wanted::integer && spelling != nullptr)
            return later({{"integer("}, {{}, g.operand(id, 0), 0}, {")"}});
        const Function& f = function(op);
        if (latex && op == Op::sqrt) return later({{R"(\sqrt{)"}, {{}, g.operand(id, 0), 0}, {"}"}});
        const Item head{std::string(latex ? f.latex : f.name) + (latex ? R"(\left()" : "(")};
        const Item tail = word(")", R"(\right))");
        if (arity(op) == 1) return later({head, {{}, g.operand(id, 0), 0, numeric()}, tail});
        later({head, {{}, g.operand(id, 0), 0, numeric()}, {", "}, {{}, g.operand(id, 1), 0, numeric()}, tail});
    }

    /// Whether what is wanted is said in another way than by the expression itself.
    bool typed(const Item& item) {
        if (const auto pieces = spelling->instead(item.node)) {
            for (std::size_t k = pieces->size(); k-- > 0;)
                todo.push_back({(*pieces)[k].text, (*pieces)[k].node, (*pieces)[k].is_operand ? sum_level : 0,
                                (*pieces)[k].wanted});
            return true;
        }
        if (g.is_constant(item.node)) return false;
        const bool condition = is_condition(g, item.node, *spelling);
        if (condition && item.wanted != Wanted::boolean) {
            later({{"(if "}, {{}, item.node, or_level, Wanted::boolean}, {" then 1 else 0)"}});
            return true;
        }
        if (!condition && item.wanted == Wanted::boolean && g.op(item.node) != Op::select) {
            later({{"("}, {{}, item.node, sum_level}, {" <> 0)"}});
            return true;
        }
        return false;
    }

    std::string run(NodeId root, Wanted as = Wanted::real) {
        todo.push_back({{}, root, 0, as});
        while (!todo.empty()) {
            if (out.size() > max_length) return out + "…";
            const Item item = std::move(todo.back());
            todo.pop_back();
            if (item.node == no_node) {
                out += item.text;
                continue;
            }
            if (spelling != nullptr && typed(item)) continue;
            wanted = item.wanted;
            if (spelling == nullptr && wanted == Wanted::boolean) wanted = Wanted::real;
            if (level(g, item.node) < item.needs) {
                later({word("(", R"(\left()"), {{}, item.node, 0, item.wanted}, word(")", R"(\right))")});
            } else {
                expand(item.node);
            }
        }
        return std::move(out);
    }
};

} // namespace

std::string number_text(double value) { return fmt::format("{}", value); }

std::string to_string(const Graph& graph, NodeId expression, const Names& names, Notation notation,
                      std::size_t max_length) {
    return Printer{graph, names, notation == Notation::latex, notation == Notation::modelica, max_length, {}, {}}.run(
        expression);
}

bool is_condition(const Graph& graph, NodeId expression, const Spelling& spelling) {
    while (graph.op(expression) == Op::select) { // of two branches one may be a number that stands for true or false
        const NodeId first = graph.operand(expression, 1);
        if (!graph.is_constant(first) && graph.op(first) != Op::select) {
            expression = first;
            break;
        }
        expression = graph.operand(expression, 2);
    }
    const Op op = graph.op(expression);
    return is_boolean(op) || (op == Op::parameter && spelling.is_boolean(graph.parameter_id(expression)));
}

std::string modelica_text(const Graph& graph, NodeId expression, const Spelling& spelling, Wanted wanted,
                          std::size_t max_length) {
    Printer printer{graph, spelling.names, false, true, max_length, {}, {}};
    printer.spelling = &spelling;
    return printer.run(expression, wanted);
}

} // namespace daedalus::expr
