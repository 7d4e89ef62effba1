// Junction diodes as in SPICE3 and ngspice: exponential law with a soft reverse current and breakdown, side wall,
// recombination, high injection, depletion and diffusion charge, series resistance (Nagel 1975; Antognetti & Massobrio
// 1993, ch. 1). Formulas by pieces are written with minimum and maximum, so that they are continuous with their slopes
// and no piece needs an event.
#include "circuit/device_values.hpp"
#include "circuit/devices.hpp"
#include "circuit/junctions.hpp"
#include "circuit/physical_constants.hpp"

#include <cmath>

namespace daedalus::circuit {

namespace {

/// Of one diode: at its temperature, for its area.
struct DiodeNumbers {
    JunctionLaw bottom, side, recombination; ///< with saturation = 0: there is none
    DepletionLayer bottom_layer, side_layer;
    double resistance = 0.0, transit = 0.0;
    double knee = 0.0; ///< current where high injection begins; 0: nowhere
};

/// 1 + c₁ ΔT + c₂ ΔT²
double polynomial(DeviceValues& v, const std::string& first, const std::string& second, double difference) {
    return 1.0 + v(first, 0.0) * difference + v(second, 0.0) * difference * difference;
}

class DiodeCard {
public:
    DiodeCard(Assembly& a, const Element& e)
        : a_(a), e_(e), model_(a.netlist().models[static_cast<std::size_t>(e.model)]), v_(model_.values),
          own_(e.values), kelvin_(a.temperature(e)), measured_(a.measured_at(model_)), vt_(thermal_voltage(kelvin_)),
          warmer_(kelvin_ - measured_) {}

    DiodeNumbers numbers() {
        v_.know({"tnom", "tref", "kf", "af", "xti", "eg", "fcs", "type"});
        own_.know({"temp", "dtemp", "ic", "off", "m", "thermal"});
        level_ = v_("level", 1.0);
        if (level_ != 1.0 && level_ != 3.0)
            a_.error("unsupported-level", v_.span("level", model_.span),
                     "diodes of this level are not supported: " + model_.name, "levels 1 and 3 are");
        sizes();
        DiodeNumbers d;
        d.bottom_layer = layer({"cjo", "cj0", "cj"}, {"vj", "pb"}, {"m", "mj"}, 0.5, area_);
        d.side_layer = layer({"cjsw", "cjp", "cjsw"}, {"php", "php"}, {"mjsw", "mjsw"}, 0.33, perimeter_);
        currents(d);
        breakdown(d);
        d.resistance = v_.not_negative(a_, model_.name, "rs", 0.0) * polynomial(v_, trs(), "trs2", warmer_) / area_;
        d.transit = v_.not_negative(a_, model_.name, "tt", 0.0) * polynomial(v_, "ttt1", "ttt2", warmer_);
        d.knee = v_.not_negative(a_, model_.name, v_.given("ikf") ? "ikf" : "ik", 0.0) * area_;
        v_.report_rest(a_, model_.name);
        own_.report_rest(a_, e_.name);
        return d;
    }

private:
    std::string trs() { return v_.given("trs1") ? "trs1" : "trs"; }

    void sizes() {
        const bool drawn = own_.given("w") && own_.given("l");
        const double m = own_.not_negative(a_, e_.name, "m", 1.0);
        area_ = own_.positive(a_, e_.name, "area", drawn ? 1.0 : v_.positive(a_, model_.name, "area", 1.0)) * m;
        perimeter_ =
            own_.not_negative(a_, e_.name, own_.given("perim") ? "perim" : "pj", drawn ? 0.0 : v_("pj", 0.0)) * m;
        if (level_ != 3.0 || !drawn) return;
        const double w = own_.positive(a_, e_.name, "w", 1.0), l = own_.positive(a_, e_.name, "l", 1.0);
        area_ = w * l * m;
        perimeter_ = 2.0 * (w + l) * m;
    }

    /// I_s(T), as of a junction with the emission coefficient n.
    double warm(double saturation, double n) {
        const double ratio = kelvin_ / measured_;
        const double gap = std::max(0.1, v_("eg", 1.11)); // eV; less is no semiconductor (SPICE3's bound)
        return saturation * std::exp((ratio - 1.0) * gap / (n * vt_)) * std::pow(ratio, v_("xti", 3.0) / n);
    }

    void currents(DiodeNumbers& d) {
        const double n = v_.positive(a_, model_.name, "n", 1.0);
        const double is = v_.positive(a_, model_.name, v_.given("is") || !v_.given("js") ? "is" : "js", 1e-14);
        d.bottom = {.saturation = warm(is, n) * area_, .scale = n * vt_, .soft_reverse = true};
        const double ns = v_.positive(a_, model_.name, "ns", 1.0), jsw = v_.not_negative(a_, model_.name, "jsw", 0.0);
        d.side = {.saturation = warm(jsw, ns) * perimeter_, .scale = ns * vt_, .soft_reverse = true};
        if (!v_.given("ns")) { // the same law
            d.bottom.saturation += d.side.saturation;
            d.side.saturation = 0.0;
        }
        const double nr = v_.positive(a_, model_.name, "nr", 1.0), isr = v_.not_negative(a_, model_.name, "isr", 0.0);
        d.recombination = {.saturation = warm(isr, nr) * area_, .scale = nr * vt_};
    }

    void breakdown(DiodeNumbers& d) {
        const double n = v_("n", 1.0), nbv = v_.positive(a_, model_.name, "nbv", n), tcv = v_("tcv", 0.0) * warmer_;
        const std::string name = v_.given("ibv") ? "ibv" : "ib";
        double current = v_.positive(a_, model_.name, name, 1e-3);
        const bool relative = v_("tlev", 0.0) != 0.0;
        if (!v_.given("bv")) return;
        double voltage = std::abs(v_("bv", 0.0)); // some cards have it negative
        voltage = relative ? voltage * (1.0 - tcv) : voltage - tcv;
        current *= level_ == 3.0 ? area_ : own_("m", 1.0);
        // The saturation current of the law with which the bottom's is found, without the side wall's.
        const double saturation = warm(v_(v_.given("is") || !v_.given("js") ? "is" : "js", 1e-14), n) * area_;
        const double begin = breakdown_begin({voltage, current, nbv * vt_}, saturation, vt_);
        d.bottom.breakdown = d.side.breakdown = begin;
        d.bottom.breakdown_scale = d.side.breakdown_scale = nbv * vt_;
    }

    struct Names {
        const char *a, *b, *c = "";
        [[nodiscard]] std::string of(DeviceValues& v) const {
            return v.given(a) ? a : v.given(b) ? b : *c && v.given(c) ? c : a;
        }
    };
    DepletionLayer layer(const Names& c, const Names& phi, const Names& m, double grading, double factor) {
        DepletionLayer layer;
        const bool side = std::string(c.a) == "cjsw";
        layer.forward = v_.at_most(a_, model_.name, side ? "fcs" : "fc", 0.5, 0.95);
        layer.potential = v_.positive(a_, model_.name, phi.of(v_), 1.0);
        layer.capacitance = v_.not_negative(a_, model_.name, c.of(v_), 0.0) * factor;
        constexpr double most = 0.9; // of the grading coefficient, as in SPICE3: the charge has 1/(1 − m)
        layer.grading = v_.at_most(a_, model_.name, m.of(v_), grading, most);
        if (!side) layer.grading = std::min(most, layer.grading * polynomial(v_, "tm1", "tm2", warmer_));
        if (v_("tlevc", 0.0) == 1.0) {
            const double above = kelvin_ - 300.15; // SPICE3's reference
            layer.capacitance *= 1.0 + v_(side ? "ctp" : v_.given("cta") ? "cta" : "ctc", 0.0) * above;
            layer.potential -= v_(side ? "tphp" : v_.given("tpb") ? "tpb" : "tvj", 0.0) * above;
        } else {
            v_.know({"cta", "ctc", "ctp", "tpb", "tvj", "tphp"});
            at_temperature(layer, kelvin_, measured_);
        }
        if (!(layer.potential > 0.0))
            a_.error("device-parameter", v_.span(phi.a, model_.span),
                     "the junction potential of " + model_.name + " is not positive at this temperature");
        return layer;
    }

    Assembly& a_;
    const Element& e_;
    const DeviceModel& model_;
    DeviceValues v_, own_;
    double kelvin_, measured_, vt_, warmer_;
    double level_ = 1.0, area_ = 1.0, perimeter_ = 0.0;
};

/// Of generation and recombination in a depletion layer: I_sr (e^(v/s) − 1) ((1 − v/φ)² + 0.005)^(m/2).
NodeId recombination(Assembly& a, NodeId v, const JunctionLaw& law, const DepletionLayer& layer) {
    expr::Graph& g = a.graph();
    const NodeId base = g.sub(a.number(1.0), g.mul(v, a.number(1.0 / layer.potential)));
    const NodeId width = g.pow(g.add(g.mul(base, base), a.number(0.005)), a.number(0.5 * layer.grading));
    return g.mul(junction_current(a, v, law), width);
}

NodeId current(Assembly& a, NodeId v, const DiodeNumbers& d) {
    expr::Graph& g = a.graph();
    NodeId i = junction_current(a, v, d.bottom);
    if (d.side.saturation > 0.0) i = g.add(i, junction_current(a, v, d.side));
    if (d.recombination.saturation > 0.0) i = g.add(i, recombination(a, v, d.recombination, d.bottom_layer));
    if (d.knee > 0.0) {
        // i/(1 + √(i/I_k)); below the current at which ngspice drops the root, the root is that of this current
        constexpr double least = 1e-18;
        const NodeId root = g.unary(Op::sqrt, g.mul(a.number(1.0 / d.knee), smooth_max(a, i, a.number(least))));
        i = g.div(i, g.add(a.number(1.0), root));
    }
    return g.add(i, g.mul(a.gmin(), v));
}

} // namespace

void diode(Assembly& a, const Element& e) {
    expr::Graph& g = a.graph();
    const DiodeNumbers d = DiodeCard(a, e).numbers();
    const int cathode = e.nodes[1];
    int anode = e.nodes[0];
    NodeId through = expr::no_node;
    if (d.resistance > 0.0) {
        anode = a.inner_node(e, "anode");
        through = g.mul(a.voltage(e.nodes[0], anode), a.number(1.0 / d.resistance));
        a.current(e.nodes[0], anode, through);
    }
    const NodeId v = a.junction(e, anode, cathode, 1.0, d.bottom.scale, d.bottom.saturation, "junction");
    const NodeId i = current(a, v, d);
    a.current(anode, cathode, i);
    a.remember_current(e, d.resistance > 0.0 ? through : i);
    if (a.at_rest()) return;
    NodeId q = g.add(depletion_charge(a, v, d.bottom_layer), depletion_charge(a, v, d.side_layer));
    if (d.transit > 0.0) q = g.add(q, g.mul(a.number(d.transit), i));
    if (!g.is_constant(q)) a.charge(anode, cathode, q);
}

} // namespace daedalus::circuit
