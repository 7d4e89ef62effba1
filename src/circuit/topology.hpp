// What the graph of a circuit says about the index of its equations, in linear time (Estévez Schwarz & Tischendorf
// 2000, theorems 4 and 5). In charge-oriented nodal analysis of passive elements the index is 2 exactly where there is
//   - a loop of capacitors and voltage sources with at least one voltage source: currents of its sources, or
//   - a cut set of inductors and current sources with at least one inductor: voltages across it,
// and at most 1 elsewhere. Loops of voltage sources and cut sets of current sources have no solution, or no unique one.
//
// Controlled sources count as sources of what they impose; where they take part, the theorem gives a suspicion only.
#pragma once

#include "spice/netlist.hpp"

#include <string>
#include <vector>

namespace daedalus::circuit {

/// How an element joins two nodes.
enum class BranchKind {
    capacitive, ///< C
    resistive,  ///< R, switches, what conducts between semiconductor terminals
    inductive,  ///< L
    voltage,    ///< imposes a voltage: V, E, H, B with V=
    current     ///< imposes a current: I, F, G, B with I=
};
struct Branch {
    BranchKind kind;
    int element;             ///< of the netlist
    int a, b;                ///< nodes
    bool controlled = false; ///< by something else in the circuit
};
/// Semiconductors have several: conducting and capacitive ones beside each other.
[[nodiscard]] std::vector<Branch> branches(const spice::Netlist& netlist);

struct Loop {
    std::vector<int> elements; ///< in the order in which the loop is walked
    bool controlled = false;   ///< has controlled sources
};
struct CutSet {
    std::vector<int> elements;
    std::vector<int> nodes; ///< on the side that has not ground
    bool controlled = false;
};

struct Topology {
    std::vector<Loop> capacitive_loops; ///< of capacitors and voltage sources, one for each source that closes one
    std::vector<CutSet> inductive_cuts; ///< of inductors and current sources, one for each inductor that bridges one
    std::vector<Loop> voltage_loops;    ///< of voltage sources alone: no solution
    std::vector<CutSet> current_cuts;   ///< of current sources alone, or of nothing: no solution, or any
    std::vector<Loop> static_loops;     ///< of voltage sources and inductors: no operating point
    std::vector<CutSet> static_cuts;    ///< of capacitors and current sources: voltages that are open at rest
    /// 2, or at most 1.
    [[nodiscard]] int index_bound() const { return capacitive_loops.empty() && inductive_cuts.empty() ? 1 : 2; }
    [[nodiscard]] bool controlled() const; ///< controlled sources take part in what makes the index 2
};
[[nodiscard]] Topology topology(const spice::Netlist& netlist);

/// "C1, C3, V2 form a loop: the current of V2 has index 2": one sentence each.
[[nodiscard]] std::vector<std::string> describe(const Topology& topology, const spice::Netlist& netlist);

/// Loops of voltage sources, cut sets of current sources, nodes without a path to ground, with the place of an element.
[[nodiscard]] Diagnostics contradictions(const Topology& topology, const spice::Netlist& netlist);

} // namespace daedalus::circuit
