// Circuits as models. Charge- and flux-oriented modified nodal analysis: unknowns are the voltages e of the nodes and
// the currents j of what has no conductance (sources, inductors),
//
//     A_C d/dt q(A_Cᵀ e, t) + A_R g(A_Rᵀ e, t) + A_L j_L + A_V j_V + A_I i(t) = 0
//     d/dt φ(j_L, t) − A_Lᵀ e = 0
//     A_Vᵀ e − v(t) = 0                                (Estévez Schwarz & Tischendorf 2000; S (7))
//
// Charges and fluxes are differenced as they stand (the waist's differentiated quantity), so that charge is conserved.
#pragma once

#include "base/expected.hpp"
#include "model/model.hpp"
#include "spice/netlist.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace daedalus::circuit {

/// An unknown that Newton's method at operating points moves with care: the voltage of a junction or of a gate.
struct Limited {
    enum class Kind { junction, gate, channel };
    Kind kind = Kind::junction;
    int variable = -1;     ///< of the model
    double scale = 0.0;    ///< junction: n kT/q
    double critical = 0.0; ///< junction: above it the exponential is too steep; gate: the threshold
    double first = 0.0;    ///< where the iteration begins
};

/// The equations for a purpose, with what leads from the netlist to them.
struct Equations {
    std::shared_ptr<model::Model> model;
    std::vector<int> node_voltage = {};     ///< by node of the netlist: its variable; −1: ground
    std::vector<int> branch_current = {};   ///< by element: the variable of its current; −1: it has none
    std::vector<expr::NodeId> current = {}; ///< by element: what flows from its first node into it; no_node where it
                                            ///< has no single current
    std::vector<int> value_parameter = {}; ///< by element: the model's parameter with its main value; −1: it has none
    // For operating points only
    std::vector<std::pair<int, double>> first_values = {}; ///< parameters of sources, their values where time begins
    std::vector<Limited> limited = {};
    int initial = -1; ///< parameter: 1 where nodes of .ic have those voltages, else 0
    int pin = -1;     ///< parameter: conductance that keeps each of `pinned` at its initial condition, or 0 V
    std::vector<int> pinned = {}; ///< variables: of every part that only capacitors and current sources connect
    int gmin = -1;                ///< parameter: conductance across junctions
    int source_scale = -1;        ///< parameter: multiplies all independent sources
    int shunt = -1;               ///< parameter: conductance of every node to ground
    int hold = -1;                ///< parameter: conductance of every node to the voltage that it has in `held`
    std::vector<int> held = {};   ///< parameters, by node
};

struct Circuit {
    std::shared_ptr<const spice::Netlist> netlist;
    Equations transient;       ///< what integrates
    Equations operating_point; ///< d/dt = 0, sources at their DC values, junction voltages as unknowns of their own
};

/// Errors name the element and its line: models of levels that do not exist here, values that no element has, nodes
/// without a path to ground.
[[nodiscard]] Expected<Circuit> make_circuit(std::shared_ptr<const spice::Netlist> netlist);

/// For small signals: charges as for transients, independent sources as parameters.
[[nodiscard]] Equations small_signal_equations(const Circuit& circuit);

} // namespace daedalus::circuit
