// (out0, out1) = spatialDistribution(in0, in1, x, positiveVelocity, initialPoints, initialValues) (specification
// 3.7.4.2): z(y, t) with ∂z/∂t + x' ∂z/∂y = 0 on 0 ≤ y ≤ 1. Where the flow enters, z is what enters; where it leaves,
// what lies there.
#include "expr/delayed.hpp"
#include "modelica/translator.hpp"

namespace daedalus::modelica {

using expr::NodeId;
using expr::Op;

namespace {

/// The rows of an array of rank 2, or a vector for every k.
Quantity for_element(const Quantity& q, std::size_t k) { return q.rank() == 2 ? row_of(q, k) : q; }

} // namespace

/// The arguments in the order of their declaration, with defaults; -: a Boolean without noEvent, since what enters
/// changes exactly where the flow turns round.
std::vector<Quantity> Translator::distribution_arguments(const Context& c, const ast::Expr& e) {
    static const std::vector<std::string> names{"in0",           "in1",          "x", "positiveVelocity",
                                                "initialPoints", "initialValues"};
    const ast::Call& call = c.unit->tree.call(e);
    std::vector<Quantity> a(names.size());
    std::size_t position = 0;
    for (const ast::Argument& argument : call.arguments) {
        std::size_t at = position++;
        if (!argument.name.empty())
            at = static_cast<std::size_t>(std::find(names.begin(), names.end(), argument.name) - names.begin());
        if (at >= names.size())
            fail("argument-count", c.unit, e.span,
                 argument.name.empty() ? "'spatialDistribution' takes 4 to 6 arguments"
                                       : "'spatialDistribution' has no argument '" + std::string(argument.name) + "'");
        ast::ExprId value = argument.value;
        const ast::Expr& written = c.at(value);
        if (at == 3 && written.kind == ast::ExprKind::call) {
            const ast::Call& inner = c.unit->tree.call(written);
            if (inner.function.text() == "noEvent" && inner.arguments.size() == 1) value = inner.arguments[0].value;
        }
        a[at] = evaluate(c, value);
    }
    for (std::size_t k = 0; k < 4; ++k)
        if (!a[k].ok())
            fail("argument-count", c.unit, e.span, "'spatialDistribution' has no value for '" + names[k] + "'");
    const auto vector = [&](double first, double second) {
        Quantity q;
        q.kind = Kind::real;
        q.dimensions = {2};
        q.nodes = {g_.constant(first), g_.constant(second)};
        return q;
    };
    if (!a[4].ok()) a[4] = vector(0.0, 1.0);
    if (!a[5].ok()) a[5] = vector(0.0, 0.0);
    for (std::size_t k = 0; k < a.size(); ++k)
        if (k == 3 ? a[k].kind != Kind::boolean : !is_number(a[k].kind))
            fail("type", c.unit, e.span, "'" + names[k] + "' must be " + (k == 3 ? "Boolean" : "a number"));
    return a;
}

std::vector<Quantity> Translator::spatial_distribution(const Context& c, const ast::Expr& e) {
    if (in_function_ > 0) unsupported(c.unit, e.span, "'spatialDistribution(…)' in a function");
    const std::vector<Quantity> a = distribution_arguments(c, e);
    if (a[0].rank() > 1 || a[0].dimensions != a[1].dimensions || !a[2].is_scalar() || !a[3].is_scalar())
        fail("array-size", c.unit, e.span,
             "'spatialDistribution' takes numbers, or in0 and in1 as vectors of one size; x and positiveVelocity are "
             "numbers");
    const std::size_t n = a[0].nodes.size();
    for (const std::size_t k : {std::size_t{4}, std::size_t{5}})
        if (a[k].rank() == 0 || a[k].rank() > 2 ||
            (a[k].rank() == 2 && static_cast<std::size_t>(a[k].dimensions[0]) != n))
            fail("array-size", c.unit, e.span,
                 "initialPoints and initialValues are vectors, or matrices with a row for each of in0");
    if (!simulating_) return {to_real(a[0]), to_real(a[1])}; // only the sizes matter yet
    Quantity out0 = to_real(a[0]), out1 = to_real(a[1]);
    for (std::size_t k = 0; k < n; ++k) {
        const Quantity points = for_element(a[4], k), values = for_element(a[5], k);
        check_distribution(c, e, points, values);
        model::Transport t;
        t.in0 = out0.nodes[k];
        t.in1 = out1.nodes[k];
        t.position = a[2].node();
        t.forward = a[3].node();
        t.points = points.nodes;
        t.values = values.nodes;
        t.span = place(c.unit, e.span);
        std::tie(out0.nodes[k], out1.nodes[k]) = transported_values(std::move(t));
    }
    return {out0, out1};
}

/// What can be known of the initial distribution in advance.
void Translator::check_distribution(const Context& c, const ast::Expr& e, const Quantity& points,
                                    const Quantity& values) {
    if (points.nodes.size() != values.nodes.size() || points.nodes.size() < 2)
        fail("array-size", c.unit, e.span,
             "initialPoints and initialValues have " + std::to_string(points.nodes.size()) + " and " +
                 std::to_string(values.nodes.size()) + " elements: as many of both are needed, 2 at least");
    for (const Quantity* q : {&points, &values})
        for (const NodeId node : q->nodes)
            if (varies(node))
                fail("initial-distribution", c.unit, e.span,
                     std::string(q == &points ? "initialPoints" : "initialValues") + " must not vary in time");
    std::vector<char> constant; // they are no part of the structure, and may be changed
    for (const model::Parameter& p : model_.parameters) constant.push_back(p.is_constant ? 1 : 0);
    std::vector<std::optional<double>> known;
    for (const NodeId node : points.nodes) known.push_back(fold(node));
    for (std::size_t k = 0; k < constant.size(); ++k) model_.parameters[k].is_constant = constant[k] != 0;
    if (known.front().value_or(0.0) != 0.0 || known.back().value_or(1.0) != 1.0)
        fail("initial-distribution", c.unit, e.span, "initialPoints do not reach from 0 to 1");
    for (std::size_t k = 0; k + 1 < known.size(); ++k)
        if (known[k] && known[k + 1] && *known[k] > *known[k + 1])
            fail("initial-distribution", c.unit, e.span, "initialPoints are not in ascending order",
                 "two equal ones are a jump");
}

/// What is at the ends, as nodes.
std::pair<NodeId, NodeId> Translator::transported_values(model::Transport t) {
    if (model_.history < 0) model_.history = hold("the past", expr::no_node, nullptr);
    const std::size_t number = model_.transports.size();
    const std::string name = "transport " + std::to_string(number + 1);
    const auto reader = [&](const std::string& end, NodeId place) {
        model::TransportReader r;
        r.place = place;
        r.stretch = hold(name + end + ", stretch", expr::no_node, nullptr);
        r.next = hold(name + end + ", its end", expr::no_node, nullptr);
        r.begins = hold(name + end + ", its beginning", expr::no_node, nullptr);
        return r;
    };
    t.left = reader(" left", g_.neg(t.position));
    t.right = reader(" right", g_.sub(g_.constant(1.0), t.position));
    const auto routine = std::make_shared<const expr::Delayed>(Past{Past::Kind::transported, number}, 0);
    const auto read = [&](const model::TransportReader& r, std::size_t at, std::size_t beside) {
        const NodeId rise = g_.sub(t.values[beside], t.values[at]), width = g_.sub(t.points[beside], t.points[at]);
        return g_.call(
            routine, 0,
            {g_.parameter(model_.history), g_.parameter(r.stretch), r.place, t.values[at], g_.div(rise, width)});
    };
    const std::size_t n = t.points.size();
    const NodeId leaves0 = read(t.left, 0, 1), leaves1 = read(t.right, n - 1, n - 2);
    const std::pair<NodeId, NodeId> ends{g_.select(t.forward, t.in0, leaves0), g_.select(t.forward, leaves1, t.in1)};
    model_.transports.push_back(std::move(t));
    return ends;
}

} // namespace daedalus::modelica
