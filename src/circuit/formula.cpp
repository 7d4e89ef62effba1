#include "circuit/formula.hpp"

#include "circuit/physical_constants.hpp"
#include "expr/substitute.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <map>

namespace daedalus::circuit {

namespace {

using Operands = std::vector<NodeId>;

/// |x|^y, what ngspice means by ^ in behavioural sources; a whole even power needs no absolute value.
NodeId power_of_magnitude(expr::Graph& g, NodeId x, NodeId y) {
    const bool even = g.is_constant(y) && std::fmod(g.constant_value(y), 2.0) == 0.0;
    return g.pow(even ? x : g.unary(Op::abs, x), y);
}
NodeId signed_power(expr::Graph& g, NodeId x, NodeId y) {
    if (g.is_constant(y) && std::fmod(g.constant_value(y), 2.0) == 1.0) return g.pow(x, y);
    return g.mul(g.unary(Op::sign, x), g.pow(g.unary(Op::abs, x), y));
}
NodeId truth(expr::Graph& g, NodeId x) { return expr::is_boolean(g.op(x)) ? x : g.binary(Op::ne, x, g.constant(0.0)); }

using Builder = std::function<NodeId(Assembly&, const Operands&)>;

Builder unary(Op op) {
    return [op](Assembly& a, const Operands& o) { return a.graph().unary(op, o.at(0)); };
}
Builder binary(Op op) {
    return [op](Assembly& a, const Operands& o) { return a.graph().binary(op, o.at(0), o.at(1)); };
}
Builder logical(Op op) {
    return [op](Assembly& a, const Operands& o) {
        expr::Graph& g = a.graph();
        return g.binary(op, truth(g, o.at(0)), truth(g, o.at(1)));
    };
}
NodeId limited(Assembly& a, const Operands& o) {
    expr::Graph& g = a.graph();
    return g.binary(Op::min, g.binary(Op::max, o.at(0), o.at(1)), o.at(2));
}
NodeId choice(Assembly& a, const Operands& o) { return a.graph().select(truth(a.graph(), o.at(0)), o.at(1), o.at(2)); }
NodeId step(Assembly& a, const Operands& o) { // 0 below, 1 above
    expr::Graph& g = a.graph();
    return g.select(g.binary(Op::gt, o.at(0), g.constant(0.0)), g.constant(1.0), g.constant(0.0));
}
NodeId ramp(Assembly& a, const Operands& o) { return a.graph().binary(Op::max, o.at(0), a.graph().constant(0.0)); }
NodeId inverse_hyperbolic(Assembly& a, const Operands& o, double sign) { // acosh: log(x + √(x² − 1)); atanh by logs
    expr::Graph& g = a.graph();
    const NodeId one = g.constant(1.0), x = o.at(0);
    if (sign < 0.0) return g.unary(Op::log, g.add(x, g.unary(Op::sqrt, g.sub(g.mul(x, x), one))));
    return g.mul(g.constant(0.5), g.unary(Op::log, g.div(g.add(one, x), g.sub(one, x))));
}

const std::map<std::string, Builder, std::less<>>& builders() {
    static const std::map<std::string, Builder, std::less<>> known{
        {"+", binary(Op::add)},
        {"-", binary(Op::sub)},
        {"*", binary(Op::mul)},
        {"/", binary(Op::div)},
        {"neg", unary(Op::neg)},
        {"^", [](Assembly& a, const Operands& o) { return power_of_magnitude(a.graph(), o.at(0), o.at(1)); }},
        {"pow", [](Assembly& a, const Operands& o) { return power_of_magnitude(a.graph(), o.at(0), o.at(1)); }},
        {"pwr", [](Assembly& a, const Operands& o) { return signed_power(a.graph(), o.at(0), o.at(1)); }},
        {"!",
         [](Assembly& a, const Operands& o) { return a.graph().unary(Op::logical_not, truth(a.graph(), o.at(0))); }},
        {"<", binary(Op::lt)},
        {"<=", binary(Op::le)},
        {">", binary(Op::gt)},
        {">=", binary(Op::ge)},
        {"==", binary(Op::eq)},
        {"!=", binary(Op::ne)},
        {"&&", logical(Op::logical_and)},
        {"||", logical(Op::logical_or)},
        {"?:", choice},
        {"if", choice},
        {"ternary_fcn", choice},
        {"sin", unary(Op::sin)},
        {"cos", unary(Op::cos)},
        {"tan", unary(Op::tan)},
        {"asin", unary(Op::asin)},
        {"arcsin", unary(Op::asin)},
        {"acos", unary(Op::acos)},
        {"arccos", unary(Op::acos)},
        {"atan", unary(Op::atan)},
        {"arctan", unary(Op::atan)},
        {"atan2", binary(Op::atan2)},
        {"sinh", unary(Op::sinh)},
        {"cosh", unary(Op::cosh)},
        {"tanh", unary(Op::tanh)},
        {"asinh", unary(Op::asinh)},
        {"acosh", [](Assembly& a, const Operands& o) { return inverse_hyperbolic(a, o, -1.0); }},
        {"atanh", [](Assembly& a, const Operands& o) { return inverse_hyperbolic(a, o, 1.0); }},
        {"exp", unary(Op::exp)},
        {"ln", unary(Op::log)},
        {"log", unary(Op::log)},
        {"log10", unary(Op::log10)},
        {"sqrt", unary(Op::sqrt)},
        {"abs", unary(Op::abs)},
        {"sgn", unary(Op::sign)},
        {"min", binary(Op::min)},
        {"max", binary(Op::max)},
        {"floor", unary(Op::floor)},
        {"ceil", unary(Op::ceil)},
        {"int",
         [](Assembly& a, const Operands& o) {
             expr::Graph& g = a.graph();
             const NodeId down = g.unary(Op::floor, o.at(0)), up = g.unary(Op::ceil, o.at(0));
             return g.select(g.binary(Op::lt, o.at(0), g.constant(0.0)), up, down);
         }},
        {"nint",
         [](Assembly& a, const Operands& o) {
             return a.graph().unary(Op::floor, a.graph().add(o.at(0), a.graph().constant(0.5)));
         }},
        {"limit", limited},
        {"u", step},
        {"stp", step},
        {"uramp", ramp},
        {"ddt", [](Assembly& a, const Operands& o) { return a.rate(o.at(0)); }},
    };
    return known;
}

} // namespace

NodeId lower(Assembly& a, const spice::Element& element, const spice::Formula& formula) {
    using Kind = spice::Formula::Kind;
    std::vector<NodeId> made;
    made.reserve(formula.nodes.size());
    for (const spice::Formula::Node& node : formula.nodes) {
        NodeId value = a.number(node.number);
        switch (node.kind) {
        case Kind::number: break;
        case Kind::time: value = a.sources_are_numbers() ? a.number(0.0) : a.graph().time(); break;
        case Kind::temperature: value = a.number(a.temperature(element) - zero_celsius); break;
        case Kind::voltage: value = a.voltage(node.a, node.b); break;
        case Kind::current:
            if (const auto i = a.current_of(node.a))
                value = *i;
            else
                a.error("no-current", node.span,
                        "the current through " + a.netlist().elements[static_cast<std::size_t>(node.a)].name +
                            " is no unknown of the circuit",
                        "put a voltage source of 0 V in series and use its current");
            break;
        case Kind::operation: {
            std::vector<NodeId> operands;
            for (const int k : node.operands) operands.push_back(made[static_cast<std::size_t>(k)]);
            const auto known = builders().find(node.name);
            if (node.name == "pwl" && operands.size() >= 3) {
                std::vector<double> points;
                for (std::size_t k = 1; k < operands.size(); ++k)
                    points.push_back(a.graph().is_constant(operands[k]) ? a.graph().constant_value(operands[k])
                                                                        : std::nan(""));
                value = table(a, points, operands[0]);
            } else if (known == builders().end()) {
                a.error("unknown-function", node.span, "there is no function '" + node.name + "' in formulas");
            } else {
                value = known->second(a, operands);
            }
        }
        }
        made.push_back(value);
    }
    if (made.empty()) return a.number(0.0);
    expr::Graph& g = a.graph();
    return expr::is_boolean(g.op(made.back())) ? g.select(made.back(), a.number(1.0), a.number(0.0)) : made.back();
}

NodeId polynomial(Assembly& a, const std::vector<spice::Value>& coefficients, const std::vector<NodeId>& x) {
    expr::Graph& g = a.graph();
    if (coefficients.size() == 1 && x.size() == 1) return g.mul(a.number(coefficients[0].number), x[0]); // SPICE: c₁
    NodeId sum = a.number(0.0);
    // Terms in the order of SPICE: by degree, and within a degree with the first variables first.
    std::vector<std::vector<int>> terms{{}};
    std::size_t next = 0;
    while (next < coefficients.size()) {
        for (const std::vector<int>& term : terms) {
            if (next == coefficients.size()) break;
            NodeId product = a.number(coefficients[next++].number);
            for (const int k : term) product = g.mul(product, x[static_cast<std::size_t>(k)]);
            sum = g.add(sum, product);
        }
        std::vector<std::vector<int>> longer;
        for (const std::vector<int>& term : terms)
            for (int k = term.empty() ? 0 : term.back(); k < static_cast<int>(x.size()); ++k) {
                longer.push_back(term);
                longer.back().push_back(k);
            }
        terms = std::move(longer);
    }
    return sum;
}

NodeId table(Assembly& a, const std::vector<double>& points, NodeId x) {
    expr::Graph& g = a.graph();
    // y₁ + Σ s_k (clamp(x, x_k, x_{k+1}) − x_k): continuous whatever rounding does.
    NodeId sum = a.number(points[1]);
    for (std::size_t k = 0; k + 3 < points.size(); k += 2) {
        const double length = points[k + 2] - points[k];
        if (!(length > 0.0)) continue;
        const NodeId inside = g.binary(Op::min, g.binary(Op::max, x, a.number(points[k])), a.number(points[k + 2]));
        sum = g.add(sum, g.mul(a.number((points[k + 3] - points[k + 1]) / length),
                               g.sub(expr::without_events(g, inside), a.number(points[k]))));
    }
    return sum;
}

} // namespace daedalus::circuit
