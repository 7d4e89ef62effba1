// delay(u, T) and delay(u, T, Tmax) (specification 3.7.4.1): u(t − T), and before the start u as it was there.
#include "expr/delayed.hpp"
#include "modelica/translator.hpp"

namespace daedalus::modelica {

using expr::NodeId;

Quantity Translator::delay(const Context& c, const ast::Expr& e) {
    const ast::Call& call = c.unit->tree.call(e);
    if (in_function_ > 0) unsupported(c.unit, e.span, "'delay(…)' in a function");
    if (call.arguments.size() < 2 || call.arguments.size() > 3)
        fail("argument-count", c.unit, e.span,
             "'delay' takes 2 or 3 arguments, not " + std::to_string(call.arguments.size()));
    std::vector<Quantity> a;
    for (const ast::Argument& argument : call.arguments) {
        a.push_back(evaluate(c, argument.value));
        if (!is_number(a.back().kind) || (a.size() > 1 && !a.back().is_scalar()))
            fail("type", c.unit, e.span,
                 a.size() == 1 ? "'delay' delays numbers, not a " + std::string(spelling(a[0].kind))
                               : "the delay time must be a number");
    }
    if (!simulating_) return a[0]; // only its size matters yet
    const NodeId duration = a[1].node();
    const NodeId longest = a.size() == 3 ? a[2].node() : expr::no_node;
    if (longest == expr::no_node && varies(duration))
        fail("delay-time", c.unit, e.span, "the delay time varies, and nothing says how long it may be",
             "delay(expression, delayTime, delayMax) has the longest as a third argument, a parameter");
    if (longest != expr::no_node && varies(longest))
        fail("delay-time", c.unit, e.span, "the longest delay time must not vary");
    // Whether there is a delay at all is part of the structure; how long it is may be changed.
    std::vector<char> constant;
    for (const model::Parameter& p : model_.parameters) constant.push_back(p.is_constant ? 1 : 0);
    const std::optional<double> known = fold(duration);
    if (known && *known < 0.0) fail("delay-time", c.unit, e.span, "the delay time is negative");
    if (known && *known == 0.0) return to_real(a[0]);
    for (std::size_t k = 0; k < constant.size(); ++k) model_.parameters[k].is_constant = constant[k] != 0;
    return map_nodes(to_real(a[0]), [&](NodeId value) {
        if (!varies(value)) return value;
        return delayed_value(value, duration, longest, place(c.unit, e.span));
    });
}

NodeId Translator::delayed_value(NodeId value, NodeId duration, NodeId longest, SourceSpan span) {
    for (std::size_t k = 0; k < model_.delays.size(); ++k) // what is written twice is one
        if (model_.delays[k].value == value && model_.delays[k].duration == duration) return delayed_[k];
    if (model_.history < 0) model_.history = hold("the past", expr::no_node, nullptr);
    const std::string name = "delay " + std::to_string(model_.delays.size() + 1);
    model::Delay delay;
    delay.value = value;
    delay.duration = duration;
    delay.longest = longest;
    delay.argument = g_.sub(g_.time(), duration);
    delay.stretch = hold(name + ", stretch", expr::no_node, nullptr);
    delay.next = hold(name + ", its end", expr::no_node, nullptr);
    delay.begins = hold(name + ", its beginning", expr::no_node, nullptr);
    delay.span = span;
    model::Variable before;
    before.name = name + " before the start";
    before.span = span;
    before.is_parameter = before.is_protected = true;
    delay.before = model_.add_variable(std::move(before));
    const NodeId start = g_.variable(delay.before);
    variable_owner_.emplace_back(nullptr, 0);
    model_.equations.push_back(
        {g_.variable(g_.variable_id(start), 1), g_.constant(0.0), "before the start nothing varies", span});
    model_.initial_equations.push_back({start, value, "delay(…) begins with the value at the start", span});
    auto routine = std::make_shared<const expr::Delayed>(Past{Past::Kind::delayed, model_.delays.size()}, 0);
    const NodeId node =
        g_.call(std::move(routine), 0,
                {g_.parameter(model_.history), g_.parameter(delay.stretch), delay.argument, start, g_.constant(0.0)});
    model_.delays.push_back(delay);
    delayed_.push_back(node);
    return node;
}

} // namespace daedalus::modelica
