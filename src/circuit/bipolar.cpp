// Bipolar transistors by Gummel and Poon (1970), as in SPICE3: transport through the base with Early effect and high
// injection, ideal and leakage currents of the junctions, a base resistance that falls with the current, depletion and
// transit-time charges, substrate (Antognetti & Massobrio 1993, ch. 2).
#include "circuit/bipolar.hpp"

#include "circuit/terms.hpp"

#include <cmath>

namespace daedalus::circuit {

namespace {

class Bipolar {
public:
    Bipolar(Assembly& a, const Element& e) : a_(a), g_(a.graph()), e_(e), q_(bipolar_numbers(a, e)) {}

    void write() {
        nodes();
        const Term vbe(a_, junction(base_, emitter_, q_.forward, "base-emitter"));
        const Term vbc(a_, junction(base_, collector_, q_.reverse, "base-collector"));
        const Term forward(a_, junction_current(a_, vbe, q_.forward));
        const Term reverse(a_, junction_current(a_, vbc, q_.reverse));
        const Term charge = base_charge(vbe, vbc, forward, reverse);
        const Term transport = (forward - reverse) / charge;
        const Term to_emitter = forward / q_.forward_gain + leak(vbe, q_.forward_leak);
        const Term to_collector = reverse / q_.reverse_gain + leak(vbc, q_.reverse_leak);
        flow(collector_, emitter_, transport);
        flow(base_, emitter_, to_emitter);
        flow(base_, collector_, to_collector);
        base_resistance(charge, to_emitter + to_collector);
        substrate();
        const Term inner = transport - to_collector;
        a_.remember_current(e_, through_ != expr::no_node ? through_ : q_.sign < 0.0 ? NodeId(-inner) : NodeId(inner));
        if (!a_.at_rest()) charges(vbe, vbc, forward, reverse, charge);
    }

private:
    Term number(double x) { return {a_, x}; }
    /// a against b, with the sign of the transistor
    Term plain(int a, int b) { return {a_, q_.sign < 0.0 ? a_.voltage(b, a) : a_.voltage(a, b)}; }
    void flow(int a, int b, NodeId i) { q_.sign < 0.0 ? a_.current(b, a, i) : a_.current(a, b, i); }
    void store(int a, int b, NodeId q) {
        if (!g_.is_constant(q)) q_.sign < 0.0 ? a_.charge(b, a, q) : a_.charge(a, b, q);
    }
    NodeId junction(int a, int b, const JunctionLaw& law, const char* name) {
        return a_.junction(e_, a, b, q_.sign, law.scale, law.saturation, name);
    }

    void nodes() {
        const auto behind = [&](int terminal, double resistance, const char* name) {
            if (resistance == 0.0) return terminal;
            const int inner = a_.inner_node(e_, name);
            const NodeId i = g_.mul(a_.number(1.0 / resistance), a_.voltage(terminal, inner));
            a_.current(terminal, inner, i);
            if (terminal == e_.nodes[0]) through_ = i;
            return inner;
        };
        collector_ = behind(e_.nodes[0], q_.collector_resistance, "collector");
        base_ = q_.base_resistance == 0.0 ? e_.nodes[1] : a_.inner_node(e_, "base");
        emitter_ = behind(e_.nodes[2], q_.emitter_resistance, "emitter");
    }

    Term leak(const Term& v, const JunctionLaw& law) {
        const Term i = q_.many * Term(a_, a_.gmin()) * v;
        return law.saturation > 0.0 ? Term(a_, junction_current(a_, v, law)) + i : i;
    }

    /// q_b = ½ q₁ (1 + (1 + 4 q₂)^½), q₁ = 1/(1 − v_bc/V_AF − v_be/V_AR), q₂ = i_f/I_KF + i_r/I_KR
    Term base_charge(const Term& vbe, const Term& vbc, const Term& forward, const Term& reverse) {
        Term q = number(1.0);
        if (q_.forward_knee != 0.0 || q_.reverse_knee != 0.0) {
            Term inner = 1.0 + 4.0 * (q_.forward_knee * forward + q_.reverse_knee * reverse);
            // Currents are −1.05 I_s at least; where that is not small against the knees, the root needs a bound.
            const double lowest = q_.forward_knee * q_.forward.saturation + q_.reverse_knee * q_.reverse.saturation;
            constexpr double safe = 0.1, bound = 1e-6;
            if (4.0 * lowest > safe) inner = largest(inner, bound);
            q = 0.5 * (1.0 + (q_.knee_power == 0.5 ? sqrt(inner) : pow(inner, q_.knee_power)));
        }
        if (q_.forward_early == 0.0 && q_.reverse_early == 0.0) return q;
        // The base vanishes where the bound holds: junctions forward biased by the Early voltages.
        constexpr double bound = 0.01;
        const Term width = largest(1.0 - q_.forward_early * vbc - q_.reverse_early * vbe, bound);
        return q / width;
    }

    /// Between the terminal and the inner base: RBM + (RB − RBM)/q_b, or RBM + 3 (RB − RBM) (tan z − z)/(z tan² z)
    /// with z of the base's current (Hauser 1964, in SPICE's approximation).
    void base_resistance(const Term& charge, const Term& current) {
        if (q_.base_resistance == 0.0) return;
        const double variable = q_.base_resistance - q_.least_base_resistance;
        const NodeId drop = a_.voltage(e_.nodes[1], base_);
        if (variable == 0.0) return a_.current(e_.nodes[1], base_, g_.mul(a_.number(1.0 / q_.base_resistance), drop));
        Term r = number(0.0);
        if (q_.base_current == 0.0) r = q_.least_base_resistance + variable / charge;
        if (q_.base_current != 0.0) {
            constexpr double lowest = 1e-9, highest = 1e9;          // of i_b/IRB: z small, and below π/2
            constexpr double under_root = 14.59025, below = 2.4317; // 144/π² and 24/π², with SPICE's digits
            const Term ratio = least(largest(current / q_.base_current, lowest), highest);
            const Term z = (sqrt(1.0 + under_root * ratio) - 1.0) / (below * sqrt(ratio));
            const Term tangent(a_, g_.unary(Op::tan, z));
            r = q_.least_base_resistance + 3.0 * variable * (tangent - z) / (z * square(tangent));
        }
        // Its current is an unknown: i r(i) grows with i, while v/r(i) need not, and Newton's method would be stuck.
        const Term through(a_, a_.inner_current(e_, e_.nodes[1], base_, "base"));
        a_.equation(e_, Term(a_, drop) - r * through, "base resistance");
    }

    void substrate() {
        substrate_ = e_.nodes.size() > 3 ? e_.nodes[3] : 0;
        under_ = q_.lateral ? base_ : collector_;
        // The p side is the substrate of a vertical npn and of a lateral pnp.
        substrate_sign_ = q_.lateral ? -q_.sign : q_.sign;
        const Term v = substrate_voltage();
        NodeId i = q_.many * Term(a_, a_.gmin()) * v;
        if (q_.substrate.saturation > 0.0) i = g_.add(junction_current(a_, v, q_.substrate), i);
        substrate_sign_ < 0.0 ? a_.current(under_, substrate_, i) : a_.current(substrate_, under_, i);
        if (a_.at_rest()) return;
        const NodeId q = depletion_charge(a_, v, q_.substrate_layer);
        if (!g_.is_constant(q))
            substrate_sign_ < 0.0 ? a_.charge(under_, substrate_, q) : a_.charge(substrate_, under_, q);
    }
    Term substrate_voltage() {
        if (q_.substrate.saturation > 0.0)
            return {a_, a_.junction(e_, substrate_, under_, substrate_sign_, q_.substrate.scale,
                                    q_.substrate.saturation, "substrate")};
        return {a_, substrate_sign_ < 0.0 ? a_.voltage(under_, substrate_) : a_.voltage(substrate_, under_)};
    }

    /// TF (1 + XTF (i_f/(i_f + ITF))² e^(v_bc/1.44 VTF)) i_f/q_b
    Term transit_charge(const Term& vbc, const Term& forward, const Term& charge) {
        Term factor = number(1.0);
        if (q_.transit_bias != 0.0) {
            Term bias = number(q_.transit_bias);
            if (q_.transit_voltage != 0.0) bias = bias * exp(q_.transit_voltage * vbc);
            if (q_.transit_current != 0.0) bias = bias * square(forward / (forward + q_.transit_current));
            factor = 1.0 + bias;
        }
        return q_.forward_transit * factor * forward / charge;
    }

    void charges(const Term& vbe, const Term& vbc, const Term& forward, const Term& reverse, const Term& charge) {
        Term at_emitter(a_, depletion_charge(a_, vbe, q_.emitter_layer));
        if (q_.forward_transit != 0.0) at_emitter = at_emitter + transit_charge(vbc, forward, charge);
        store(base_, emitter_, at_emitter);
        DepletionLayer inner = q_.collector_layer, outer = q_.collector_layer;
        if (base_ != e_.nodes[1]) {
            inner.capacitance *= q_.inner_share;
            outer.capacitance -= inner.capacitance;
            if (outer.capacitance > 0.0)
                store(e_.nodes[1], collector_, depletion_charge(a_, plain(e_.nodes[1], collector_), outer));
        }
        Term at_collector(a_, depletion_charge(a_, vbc, inner));
        if (q_.reverse_transit != 0.0) at_collector = at_collector + q_.reverse_transit * reverse;
        store(base_, collector_, at_collector);
    }

    Assembly& a_;
    expr::Graph& g_;
    const Element& e_;
    BipolarNumbers q_;
    int collector_ = 0, base_ = 0, emitter_ = 0, substrate_ = 0, under_ = 0; ///< nodes, inner ones
    double substrate_sign_ = 1.0;
    NodeId through_ = expr::no_node; ///< the collector's resistance
};

} // namespace

void bipolar(Assembly& a, const Element& e) { Bipolar(a, e).write(); }

} // namespace daedalus::circuit
