// What devices are told to write their equations into: unknowns, currents into nodes, charges between nodes. One
// device function serves all purposes; what depends on the purpose is decided here.
#pragma once

#include "circuit/circuit.hpp"
#include "expr/differentiate.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace daedalus::circuit {

using expr::NodeId;
using expr::Op;

enum class Purpose {
    transient,
    operating_point, ///< d/dt = 0, and what Newton's method there needs
    small_signal     ///< as transient, but independent sources are parameters
};

class Assembly {
public:
    Assembly(std::shared_ptr<const spice::Netlist> netlist, Purpose purpose, Diagnostics& problems);

    // What there is
    [[nodiscard]] const spice::Netlist& netlist() const { return *netlist_; }
    [[nodiscard]] bool at_rest() const { return purpose_ == Purpose::operating_point; }
    /// Independent sources are numbers that analyses set, not functions of time.
    [[nodiscard]] bool sources_are_numbers() const { return purpose_ != Purpose::transient; }
    [[nodiscard]] expr::Graph& graph() { return g_; }
    [[nodiscard]] model::Model& model() { return *e_.model; }
    [[nodiscard]] NodeId gmin() const { return gmin_; }
    /// Kelvin: of the circuit, of an element (values "temp", "dtemp"), and at which a model's values were measured.
    [[nodiscard]] double temperature(const spice::Element& element) const;
    [[nodiscard]] double measured_at(const spice::DeviceModel& model) const;

    // Unknowns
    /// A node of a device's own, behind a series resistance: named V(element.what), hidden.
    [[nodiscard]] int inner_node(const spice::Element& element, const std::string& what);
    /// A current of a device's own that is an unknown, from node a to node b: named I(element.what), hidden.
    [[nodiscard]] NodeId inner_current(const spice::Element& element, int a, int b, const std::string& what);
    [[nodiscard]] NodeId voltage(int node) const; ///< against ground
    [[nodiscard]] NodeId voltage(int a, int b);   ///< of a against b
    /// The same of a junction with exp(v/scale), times `sign`; at operating points an unknown of its own.
    [[nodiscard]] NodeId junction(const spice::Element& element, int a, int b, double sign, double scale,
                                  double saturation, const std::string& what);
    /// A gate against a source, with its threshold; and a drain against a source.
    [[nodiscard]] NodeId gate(const spice::Element& element, int a, int b, double sign, double threshold,
                              const std::string& what);
    [[nodiscard]] NodeId channel(const spice::Element& element, int a, int b, double sign, const std::string& what);
    /// I(element), which flows from `a` through the element to `b`, and is in the balances of both.
    [[nodiscard]] NodeId branch_current(const spice::Element& element, int a, int b);
    /// I(element) of one whose current is an unknown, made when first asked for.
    [[nodiscard]] std::optional<NodeId> current_of(int element);

    // Equations
    /// i flows from node a through something to node b.
    void current(int a, int b, NodeId i);
    /// dq/dt does; nothing at rest.
    void charge(int a, int b, NodeId q);
    /// d(quantity)/dt, 0 at rest.
    [[nodiscard]] NodeId rate(NodeId quantity);
    /// The value as it was `seconds` ago, before the start what it is at the start; at rest as it is.
    [[nodiscard]] NodeId delayed(const spice::Element& element, NodeId value, double seconds);
    /// 0 = residual, the equation of an element.
    void equation(const spice::Element& element, NodeId residual, const std::string& about);
    /// x = value at the start of a transient analysis that uses initial conditions.
    void initial_condition(const spice::Element& element, NodeId x, double value);
    /// Before a transient analysis a source has the value of u(t) at its beginning, not its DC value.
    void remember_first_value(const spice::Element& element, NodeId u);
    /// 1 above `high`, 0 below `low`, in between what it was: changes at events only.
    [[nodiscard]] NodeId hysteresis(const spice::Element& element, NodeId control, double low, double high);
    /// The current through an element, for those who ask for it.
    void remember_current(const spice::Element& element, NodeId i);

    // Numbers
    [[nodiscard]] NodeId number(double value) { return g_.constant(value); }
    /// The main value as a parameter of the model, named as the element (with `suffix`).
    [[nodiscard]] NodeId parameter(const spice::Element& element, double value, const std::string& unit,
                                   const std::string& suffix = {});
    /// 1; at operating points what multiplies independent sources.
    [[nodiscard]] NodeId source_scale() const { return source_scale_; }

    // Messages; one that says the same of the same place again (many devices of one model) is left out.
    void error(std::string code, const SourceSpan& span, std::string message, std::string hint = {});
    void warning(std::string code, const SourceSpan& span, std::string message, std::string hint = {});

    /// The balances of all nodes: the last step.
    [[nodiscard]] Equations finish();

private:
    struct Balance {
        NodeId sum = expr::no_node;    ///< of the currents that leave the node
        NodeId charge = expr::no_node; ///< on the device sides that are connected to it
    };
    void add(NodeId& sum, NodeId term, bool leaves);
    void add(int node, NodeId i, bool leaves);
    void add_rates_of_charges();
    [[nodiscard]] int variable(std::string name, const std::string& unit, const std::string& about,
                               const SourceSpan& span, bool hidden);
    [[nodiscard]] NodeId limited(const spice::Element& element, int a, int b, double sign, Limited how,
                                 const std::string& what);
    int add_parameter(const std::string& name, double value, const std::string& unit, const SourceSpan& span);

    std::shared_ptr<const spice::Netlist> netlist_;
    Purpose purpose_;
    Diagnostics& problems_;
    Equations e_;
    expr::Graph& g_;
    expr::TimeDerivative ddt_;
    std::vector<Balance> balances_;            ///< by node, the netlist's first
    std::vector<std::pair<int, int>> charged_; ///< nodes between which there is a charge
    std::vector<std::string> inner_names_;
    std::vector<std::pair<std::size_t, double>> first_values_; ///< by element
    std::set<std::string> said_;
    NodeId gmin_ = expr::no_node, source_scale_ = expr::no_node;
};

} // namespace daedalus::circuit
