// MOS transistors: channel, bulk junctions, gate, series resistances.
#include "circuit/mosfet.hpp"

#include "circuit/device_values.hpp"
#include "expr/substitute.hpp"

#include <cmath>

namespace daedalus::circuit {

namespace {

class Transistor {
public:
    Transistor(Assembly& a, const Element& e) : a_(a), g_(a.graph()), e_(e), m_(mos_numbers(a, e)) {}

    void write() {
        if (m_.channel.level < 1 || m_.channel.level > 3) return; // said
        gate_ = e_.nodes[1];
        bulk_ = e_.nodes[3];
        NodeId through = expr::no_node;
        drain_ = behind(e_.nodes[0], m_.drain_resistance, "drain", through);
        NodeId unused = expr::no_node;
        source_ = behind(e_.nodes[2], m_.source_resistance, "source", unused);
        voltages();
        const NodeId i = channel();
        flow(drain_, source_, i);
        const NodeId leak = junction(bulk_drain_, drain_, m_.drain);
        (void)junction(bulk_source_, source_, m_.source);
        const NodeId inner = g_.sub(i, leak);
        a_.remember_current(e_, through != expr::no_node ? through : m_.sign < 0.0 ? g_.neg(inner) : inner);
        if (!a_.at_rest()) gate();
    }

private:
    NodeId number(double x) { return a_.number(x); }
    /// a against b, with the sign of the channel
    NodeId plain(int a, int b) { return m_.sign < 0.0 ? a_.voltage(b, a) : a_.voltage(a, b); }
    void flow(int a, int b, NodeId i) { m_.sign < 0.0 ? a_.current(b, a, i) : a_.current(a, b, i); }
    void store(int a, int b, NodeId q) {
        if (!g_.is_constant(q)) m_.sign < 0.0 ? a_.charge(b, a, q) : a_.charge(a, b, q);
    }

    int behind(int terminal, double resistance, const std::string& name, NodeId& through) {
        if (resistance == 0.0) return terminal;
        const int inner = a_.inner_node(e_, name);
        through = g_.mul(number(1.0 / resistance), a_.voltage(terminal, inner));
        a_.current(terminal, inner, through);
        return inner;
    }

    void voltages() {
        const ChannelNumbers& c = m_.channel;
        gate_source_ = a_.gate(e_, gate_, source_, m_.sign, c.flat + c.gamma * std::sqrt(c.phi), "gate-source");
        drain_source_ = a_.channel(e_, drain_, source_, m_.sign, "drain-source");
        gate_drain_ = a_.at_rest() ? g_.sub(gate_source_, drain_source_) : plain(gate_, drain_);
        const auto bulk = [&](int to, const BulkJunction& j, const char* name) {
            return j.saturation > 0.0 ? a_.junction(e_, bulk_, to, m_.sign, c.vt, j.saturation, name)
                                      : plain(bulk_, to);
        };
        bulk_source_ = bulk(source_, m_.source, "bulk-source");
        bulk_drain_ = bulk(drain_, m_.drain, "bulk-drain");
        // What is called source is the lower end (of an n-channel).
        reverse_ = expr::without_events(g_, g_.binary(Op::lt, drain_source_, number(0.0)));
        v_ = {.gate = g_.select(reverse_, gate_drain_, gate_source_),
              .drain = g_.select(reverse_, g_.neg(drain_source_), drain_source_),
              .bulk = g_.select(reverse_, bulk_drain_, bulk_source_)};
    }

    NodeId channel() {
        const ChannelNumbers& c = m_.channel;
        law_ = c.level == 1   ? channel_level1(a_, c, v_)
               : c.level == 2 ? channel_level2(a_, c, v_)
                              : channel_level3(a_, c, v_);
        return g_.select(reverse_, g_.neg(law_.current), law_.current);
    }

    NodeId junction(NodeId v, int to, const BulkJunction& j) {
        NodeId i = g_.mul(a_.gmin(), v);
        if (j.saturation > 0.0)
            i = g_.add(
                junction_current(
                    a_, v, {.saturation = j.saturation, .scale = m_.channel.vt, .soft_reverse = m_.channel.level == 3}),
                i);
        flow(bulk_, to, i);
        if (!a_.at_rest()) store(bulk_, to, g_.add(depletion_charge(a_, v, j.bottom), depletion_charge(a_, v, j.side)));
        return i;
    }

    void gate() {
        const NodeId gate_bulk = plain(gate_, bulk_);
        if (m_.channel.gate_capacitance() == 0.0 || m_.drain_share <= 0.5) {
            store(gate_, source_, g_.mul(number(m_.overlap_source), gate_source_));
            store(gate_, drain_, g_.mul(number(m_.overlap_drain), gate_drain_));
            store(gate_, bulk_, g_.mul(number(m_.overlap_bulk), gate_bulk));
            if (m_.drain_share <= 0.5) charges();
            return;
        }
        const MeyerCapacitances c = meyer(a_, m_.channel, v_, law_);
        expr::TimeDerivative ddt(g_);
        const auto displaced = [&](int to, NodeId capacitance, double overlap, NodeId v) {
            flow(gate_, to, g_.mul(g_.add(capacitance, number(overlap)), ddt(v)));
        };
        displaced(source_, g_.select(reverse_, c.drain, c.source), m_.overlap_source, gate_source_);
        displaced(drain_, g_.select(reverse_, c.source, c.drain), m_.overlap_drain, gate_drain_);
        displaced(bulk_, c.bulk, m_.overlap_bulk, gate_bulk);
    }

    void charges() {
        const ChannelCharges q = channel_charges(a_, m_, {.gate = gate_source_, .bulk = bulk_source_},
                                                 {.gate = gate_drain_, .bulk = bulk_drain_});
        // Every charge against the source: dq/dt of each terminal comes out of it.
        store(gate_, source_, q.gate);
        store(bulk_, source_, q.bulk);
        store(drain_, source_, q.drain);
    }

    Assembly& a_;
    expr::Graph& g_;
    const Element& e_;
    MosNumbers m_;
    int drain_ = 0, gate_ = 0, source_ = 0, bulk_ = 0; ///< nodes, inner ones
    NodeId gate_source_{}, gate_drain_{}, drain_source_{}, bulk_source_{}, bulk_drain_{}, reverse_{};
    ChannelVoltages v_{};
    ChannelLaw law_{};
};

} // namespace

void mosfet(Assembly& a, const Element& e) { Transistor(a, e).write(); }

} // namespace daedalus::circuit
