#include "circuit/assembly.hpp"

#include "base/diagnostic.hpp"
#include "circuit/forest.hpp"
#include "circuit/physical_constants.hpp"
#include "circuit/topology.hpp"
#include "expr/delayed.hpp"
#include "expr/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace daedalus::circuit {

using spice::Element;

namespace {
constexpr double default_gmin = 1e-12; // S, of ngspice and SPICE3

double value_or(const spice::Values& values, const std::string& name, double otherwise) {
    const auto at = values.find(name);
    return at == values.end() ? otherwise : at->second.number;
}
} // namespace

Assembly::Assembly(std::shared_ptr<const spice::Netlist> netlist, Purpose purpose, Diagnostics& problems)
    : netlist_(std::move(netlist)), purpose_(purpose),
      problems_(problems), e_{.model = std::make_shared<model::Model>()}, g_(*e_.model->graph), ddt_(g_) {
    model::Model& m = *e_.model;
    m.name = netlist_->title;
    m.sources = netlist_->sources;
    m.warnings = netlist_->warnings;
    balances_.resize(netlist_->nodes.size());
    e_.node_voltage.assign(netlist_->nodes.size(), -1);
    for (std::size_t n = 1; n < netlist_->nodes.size(); ++n) {
        const spice::Node& node = netlist_->nodes[n];
        e_.node_voltage[n] = variable("V(" + node.name + ")", "V", "voltage of node " + node.name, node.span, false);
    }
    const std::size_t count = netlist_->elements.size();
    e_.branch_current.assign(count, -1);
    e_.current.assign(count, expr::no_node);
    e_.value_parameter.assign(count, -1);
    const double gmin = value_or(netlist_->options, "gmin", default_gmin);
    if (!at_rest()) {
        gmin_ = number(gmin);
        source_scale_ = number(1.0);
        return;
    }
    e_.initial = add_parameter("initial conditions", 0.0, "", {});
    e_.pin = add_parameter("conductance of pins", 0.0, "S", {});
    e_.gmin = add_parameter("gmin", gmin, "S", {});
    e_.source_scale = add_parameter("scale of sources", 1.0, "", {});
    e_.shunt = add_parameter("conductance to ground", 0.0, "S", {});
    e_.hold = add_parameter("conductance to what was", 0.0, "S", {});
    gmin_ = g_.parameter(e_.gmin);
    source_scale_ = g_.parameter(e_.source_scale);
}

double Assembly::temperature(const Element& element) const {
    const double celsius = value_or(element.values, "temp", netlist_->temperature);
    return celsius + value_or(element.values, "dtemp", 0.0) + zero_celsius;
}

double Assembly::measured_at(const spice::DeviceModel& model) const {
    return value_or(model.values, "tnom", netlist_->nominal_temperature) + zero_celsius;
}

int Assembly::variable(std::string name, const std::string& unit, const std::string& about, const SourceSpan& span,
                       bool hidden) {
    model::Variable v;
    v.name = std::move(name);
    v.unit = unit;
    v.description = about;
    v.span = span;
    v.is_protected = hidden;
    return e_.model->add_variable(std::move(v));
}

int Assembly::add_parameter(const std::string& name, double value, const std::string& unit, const SourceSpan& span) {
    model::Parameter p;
    p.name = name;
    p.binding = g_.constant(value);
    p.unit = unit;
    p.span = span;
    return e_.model->add_parameter(std::move(p));
}

int Assembly::inner_node(const Element& element, const std::string& what) {
    e_.node_voltage.push_back(variable("V(" + element.name + "." + what + ")", "V",
                                       "inside of " + element.name + ": " + what, element.span, true));
    inner_names_.push_back(element.name + "." + what);
    balances_.emplace_back();
    return static_cast<int>(balances_.size()) - 1;
}

NodeId Assembly::inner_current(const Element& element, int a, int b, const std::string& what) {
    const NodeId i = g_.variable(variable("I(" + element.name + "." + what + ")", "A",
                                          "inside of " + element.name + ": " + what, element.span, true));
    current(a, b, i);
    return i;
}

NodeId Assembly::voltage(int node) const {
    const int v = e_.node_voltage[static_cast<std::size_t>(node)];
    return v < 0 ? g_.constant(0.0) : g_.variable(v);
}
NodeId Assembly::voltage(int a, int b) { return g_.sub(voltage(a), voltage(b)); }

NodeId Assembly::limited(const Element& element, int a, int b, double sign, Limited how, const std::string& what) {
    const NodeId plain = sign < 0.0 ? voltage(b, a) : voltage(a, b);
    if (!at_rest()) return plain;
    how.variable =
        variable("V(" + element.name + ":" + what + ")", "V", what + " of " + element.name, element.span, true);
    e_.limited.push_back(how);
    const NodeId own = g_.variable(how.variable);
    equation(element, g_.sub(own, plain), what);
    return own;
}

NodeId Assembly::junction(const Element& element, int a, int b, double sign, double scale, double saturation,
                          const std::string& what) {
    // Where the exponential's curvature is largest (Nagel 1975): v_crit = s ln(s/(√2 I_s)).
    const double critical = scale * std::log(scale / (std::sqrt(2.0) * saturation));
    return limited(element, a, b, sign,
                   {.kind = Limited::Kind::junction, .scale = scale, .critical = critical, .first = critical}, what);
}
NodeId Assembly::gate(const Element& element, int a, int b, double sign, double threshold, const std::string& what) {
    return limited(element, a, b, sign, {.kind = Limited::Kind::gate, .critical = threshold, .first = threshold}, what);
}
NodeId Assembly::channel(const Element& element, int a, int b, double sign, const std::string& what) {
    return limited(element, a, b, sign, {.kind = Limited::Kind::channel}, what);
}

NodeId Assembly::branch_current(const Element& element, int a, int b) {
    const auto place = static_cast<std::size_t>(&element - netlist_->elements.data());
    const NodeId i = *current_of(static_cast<int>(place));
    current(a, b, i);
    e_.current[place] = i;
    return i;
}

std::optional<NodeId> Assembly::current_of(int element) {
    const auto place = static_cast<std::size_t>(element);
    if (e_.branch_current[place] >= 0) return g_.variable(e_.branch_current[place]);
    using enum spice::ElementKind;
    const Element& e = netlist_->elements[place];
    switch (e.kind) {
    case inductor:
    case voltage_source:
    case voltage_controlled_voltage:
    case current_controlled_voltage:
    case behavioural_voltage:
    case nullor:
        e_.branch_current[place] = variable("I(" + e.name + ")", "A", "current through " + e.name, e.span, false);
        return g_.variable(e_.branch_current[place]);
    default: return std::nullopt;
    }
}

void Assembly::add(NodeId& sum, NodeId term, bool leaves) {
    if (sum == expr::no_node)
        sum = leaves ? term : g_.neg(term);
    else
        sum = leaves ? g_.add(sum, term) : g_.sub(sum, term);
}
void Assembly::add(int node, NodeId i, bool leaves) {
    if (node != 0) add(balances_[static_cast<std::size_t>(node)].sum, i, leaves); // that of ground follows
}
void Assembly::current(int a, int b, NodeId i) {
    if (a == b) return;
    add(a, i, true);
    add(b, i, false);
}
NodeId Assembly::rate(NodeId quantity) {
    if (at_rest()) return g_.constant(0.0);
    const NodeId slope = ddt_(quantity);
    g_.remember_derivative(quantity, slope);
    return slope;
}
void Assembly::charge(int a, int b, NodeId q) {
    if (at_rest() || a == b) return;
    charged_.emplace_back(a, b);
    add(balances_[static_cast<std::size_t>(a)].charge, q, true);
    add(balances_[static_cast<std::size_t>(b)].charge, q, false);
}

/// d/dt of the charge of each node as a whole: then the leading term is properly stated, with as many quantities as
/// there are nodes that can be charged. Nodes that capacitors connect, but not with ground, have one charge less than
/// nodes, since all of it together is constant: the first one has what the others have not.
void Assembly::add_rates_of_charges() {
    Forest connected(static_cast<int>(balances_.size()));
    for (std::size_t k = 0; k < charged_.size(); ++k)
        (void)connected.add(static_cast<int>(k), charged_[k].first, charged_[k].second);
    for (std::size_t n = 1; n < balances_.size(); ++n) {
        const int node = static_cast<int>(n), first = connected.root(node);
        if (balances_[n].charge == expr::no_node || node == first) continue;
        const NodeId q = balances_[n].charge;
        const bool leaves = g_.op(q) != Op::neg; // rows have the rate as it is remembered, not its negative
        const NodeId i = rate(leaves ? q : g_.operand(q, 0));
        add(node, i, leaves);
        if (first != 0) add(first, i, !leaves);
    }
}

NodeId Assembly::delayed(const Element& element, NodeId value, double seconds) {
    if (at_rest() || seconds == 0.0) return value;
    model::Model& m = *e_.model;
    const auto hold = [&](const std::string& name) {
        model::Parameter p;
        p.name = name;
        p.binding = g_.constant(0.0);
        p.is_held = true;
        return m.add_parameter(std::move(p));
    };
    if (m.history < 0) m.history = hold("the past");
    const std::string name = element.name + ".wave" + std::to_string(m.delays.size() + 1);
    model::Delay delay;
    delay.value = value;
    delay.duration = g_.constant(seconds);
    delay.argument = g_.sub(g_.time(), delay.duration);
    delay.stretch = hold(name + ".stretch");
    delay.next = hold(name + ".end");
    delay.begins = hold(name + ".beginning");
    delay.span = element.span;
    const int before = variable(name + ".before", "V", "wave on " + element.name, element.span, true);
    m.variables[static_cast<std::size_t>(before)].is_parameter = true;
    const NodeId start = g_.variable(before);
    m.equations.push_back(
        {g_.variable(before, 1), g_.constant(0.0), "before the start nothing varies on " + element.name, element.span});
    m.initial_equations.push_back({start, value, element.name + " begins at rest", element.span});
    const auto routine = std::make_shared<const expr::Delayed>(Past{Past::Kind::delayed, m.delays.size()}, 0);
    delay.before = before;
    m.delays.push_back(delay);
    return g_.call(routine, 0,
                   {g_.parameter(m.history), g_.parameter(delay.stretch), delay.argument, start, g_.constant(0.0)});
}

void Assembly::equation(const Element& element, NodeId residual, const std::string& about) {
    model::Equation row;
    row.left = residual;
    row.right = g_.constant(0.0);
    row.description = about + " of " + element.name;
    row.span = element.span;
    e_.model->equations.push_back(row);
}

void Assembly::initial_condition(const Element& element, NodeId x, double value) {
    const auto& analyses = netlist_->analyses;
    const bool used = std::any_of(analyses.begin(), analyses.end(), [](const spice::Analysis& analysis) {
        return analysis.kind == spice::Analysis::Kind::transient && analysis.use_initial_conditions;
    });
    if (!used || purpose_ != Purpose::transient) return;
    model::Equation row;
    row.left = x;
    row.right = g_.constant(value);
    row.description = "initial condition of " + element.name;
    row.span = element.span;
    e_.model->initial_equations.push_back(row);
}

void Assembly::remember_first_value(const Element& element, NodeId u) {
    const auto place = static_cast<std::size_t>(&element - netlist_->elements.data());
    first_values_.emplace_back(place, expr::evaluate(g_, u, [](NodeId) { return 0.0; }));
}

NodeId Assembly::hysteresis(const Element& element, NodeId control, double low, double high) {
    const NodeId above = g_.binary(Op::gt, control, g_.constant(high));
    const bool on_at_first = element.values.contains("on");
    const NodeId not_below = g_.binary(Op::ge, control, g_.constant(low));
    if (at_rest()) return on_at_first ? not_below : above;
    model::Parameter p;
    p.name = element.name + ".on";
    p.binding = g_.constant(on_at_first ? 1.0 : 0.0); // in between; else the clause says at once
    p.is_held = true;
    p.type = model::ValueType::boolean;
    p.span = element.span;
    const int held = e_.model->add_parameter(std::move(p));
    const NodeId below = g_.binary(Op::lt, control, g_.constant(low));
    model::When when;
    for (const auto& [condition, value] : {std::pair(above, 1.0), std::pair(below, 0.0)}) {
        model::WhenBranch branch;
        branch.conditions.push_back(condition);
        branch.also_at_start = true;
        branch.settings.push_back({held, g_.constant(value)});
        branch.span = element.span;
        when.branches.push_back(std::move(branch));
    }
    e_.model->clauses.push_back(std::move(when));
    return g_.binary(Op::gt, g_.parameter(held), g_.constant(0.5));
}

void Assembly::remember_current(const Element& element, NodeId i) {
    e_.current[static_cast<std::size_t>(&element - netlist_->elements.data())] = i;
}

NodeId Assembly::parameter(const Element& element, double value, const std::string& unit, const std::string& suffix) {
    const int id = add_parameter(element.name + suffix, value, unit, element.span);
    int& main = e_.value_parameter[static_cast<std::size_t>(&element - netlist_->elements.data())];
    if (main < 0) main = id;
    return g_.parameter(id);
}

void Assembly::error(std::string code, const SourceSpan& span, std::string message, std::string hint) {
    if (!said_.insert(message + "@" + std::to_string(span.begin)).second) return;
    problems_.push_back(make_error(std::move(code), std::move(message), span, std::move(hint)));
}
void Assembly::warning(std::string code, const SourceSpan& span, std::string message, std::string hint) {
    if (!said_.insert(message + "@" + std::to_string(span.begin)).second) return;
    Diagnostic d = make_error(std::move(code), std::move(message), span, std::move(hint));
    d.severity = Severity::warning;
    e_.model->warnings.push_back(std::move(d));
}

Equations Assembly::finish() {
    add_rates_of_charges();
    for (const auto& [element, value] : first_values_) e_.first_values.emplace_back(e_.value_parameter[element], value);
    std::map<int, double> initial;
    for (const spice::NodeValue& given : netlist_->initial)
        if (given.reference == 0) initial[given.node] = given.value.number;
    std::set<int> pinned;
    if (at_rest())
        for (const CutSet& part : topology(*netlist_).static_cuts) pinned.insert(part.nodes.front());
    for (std::size_t n = 1; n < balances_.size(); ++n) {
        const bool own = n < netlist_->nodes.size();
        const std::string& name = own ? netlist_->nodes[n].name : inner_names_[n - netlist_->nodes.size()];
        NodeId sum = balances_[n].sum == expr::no_node ? g_.constant(0.0) : balances_[n].sum;
        if (at_rest()) {
            const NodeId v = voltage(static_cast<int>(n));
            const int held = add_parameter("what was V(" + name + ")", 0.0, "V", {});
            e_.held.push_back(held);
            sum = g_.add(sum, g_.mul(g_.parameter(e_.shunt), v));
            sum = g_.add(sum, g_.mul(g_.parameter(e_.hold), g_.sub(v, g_.parameter(held))));
            const auto given = initial.find(static_cast<int>(n));
            if (pinned.contains(static_cast<int>(n))) {
                e_.pinned.push_back(e_.node_voltage[n]);
                const NodeId to = g_.constant(given == initial.end() ? 0.0 : given->second);
                sum = g_.add(sum, g_.mul(g_.parameter(e_.pin), g_.sub(v, to)));
            }
            if (given != initial.end()) {
                const NodeId is_held = g_.parameter(e_.initial);
                const NodeId condition = g_.sub(v, g_.constant(given->second));
                sum = g_.add(g_.mul(g_.sub(g_.constant(1.0), is_held), sum), g_.mul(is_held, condition));
            }
        }
        model::Equation row;
        row.left = sum;
        row.right = g_.constant(0.0);
        row.description = "currents at node " + name;
        row.span = own ? netlist_->nodes[n].span : SourceSpan{};
        e_.model->equations.push_back(row);
    }
    return std::move(e_);
}

} // namespace daedalus::circuit
