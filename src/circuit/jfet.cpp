// Junction field-effect transistors as in SPICE3, level 1: Shichman's and Hodges' law with the doping tail of Sydney
// University (parameter B), gate junctions, depletion charges (Antognetti & Massobrio 1993, ch. 3).
#include "circuit/device_values.hpp"
#include "circuit/devices.hpp"
#include "circuit/physical_constants.hpp"
#include "circuit/terms.hpp"

#include <cmath>

namespace daedalus::circuit {

namespace {

/// At the temperature of the device, for its area and all m; of an n-channel.
struct JfetNumbers {
    double sign = 1.0, many = 1.0;
    double threshold = -2.0, beta = 1e-4, lambda = 0.0;
    double square = 1.0, cube = 0.0; ///< of the overdrive: B and (1 − B)/(PB − VTO)
    double drain_resistance = 0.0, source_resistance = 0.0;
    JunctionLaw junction;
    DepletionLayer source_layer, drain_layer;
};

JfetNumbers numbers(Assembly& a, const Element& e) {
    const DeviceModel& model = a.netlist().models[static_cast<std::size_t>(e.model)];
    DeviceValues v(model.values), own(e.values);
    v.know({"tnom", "kf", "af", "nlev", "gdsnoi", "njf", "pjf", "type", "xti", "vtotc", "betatce"});
    own.know({"temp", "dtemp", "off", "ic", "ic2", "icvds", "icvgs"});
    if (v("level", 1.0) != 1.0)
        a.error("unsupported-level", v.span("level", model.span),
                "junction field-effect transistors of this level are not supported: " + model.name, "level 1 is");
    const double kelvin = a.temperature(e), measured = a.measured_at(model), vt = thermal_voltage(kelvin);
    const double ratio = kelvin / measured, difference = kelvin - measured;
    JfetNumbers j;
    j.sign = model.type == "pjf" ? -1.0 : 1.0;
    j.many = own.not_negative(a, e.name, "m", 1.0);
    const double area = own.positive(a, e.name, "area", 1.0) * j.many;
    const std::string name = v.given("vto") || !v.given("vt0") ? "vto" : "vt0";
    const double threshold = v(name, -2.0), potential = v.positive(a, model.name, "pb", 1.0);
    j.threshold = threshold + (v.given("vtotc") ? v("vtotc", 0.0) : -v("tcv", 0.0)) * difference;
    const double exponent = v("bex", 0.0);
    j.beta = v.positive(a, model.name, "beta", 1e-4) * area *
             (v.given("betatce") ? std::pow(1.01, v("betatce", 0.0) * difference) : std::pow(ratio, exponent));
    j.lambda = v("lambda", 0.0);
    j.square = v("b", 1.0);
    if (potential != threshold) j.cube = (1.0 - j.square) / (potential - threshold);
    j.drain_resistance = v.not_negative(a, model.name, "rd", 0.0) / area;
    j.source_resistance = v.not_negative(a, model.name, "rs", 0.0) / area;
    const double grown =
        std::exp((ratio - 1.0) * v("eg", 1.11) / vt) * (v.given("xti") ? std::pow(ratio, v("xti", 3.0)) : 1.0);
    j.junction = {
        .saturation = v.positive(a, model.name, "is", 1e-14) * grown * area, .scale = vt, .soft_reverse = true};
    const auto layer = [&](const char* capacitance) {
        DepletionLayer l{v.not_negative(a, model.name, capacitance, 0.0) * area, potential, 0.5,
                         v.at_most(a, model.name, "fc", 0.5, 0.95)};
        at_temperature(l, kelvin, measured);
        return l;
    };
    j.source_layer = layer("cgs");
    j.drain_layer = layer("cgd");
    if (!(j.source_layer.potential > 0.0))
        a.error("device-parameter", v.span("pb", model.span),
                "the gate potential of " + model.name + " is not positive at this temperature");
    v.report_rest(a, model.name);
    own.report_rest(a, e.name);
    return j;
}

class Jfet {
public:
    Jfet(Assembly& a, const Element& e) : a_(a), e_(e), j_(numbers(a, e)) {}

    void write() {
        const int gate = e_.nodes[1];
        const int drain = behind(e_.nodes[0], j_.drain_resistance, "drain");
        const int source = behind(e_.nodes[2], j_.source_resistance, "source");
        const auto voltage = [&](int to, const char* name) {
            return Term(a_, a_.junction(e_, gate, to, j_.sign, j_.junction.scale, j_.junction.saturation, name));
        };
        const Term vgs = voltage(source, "gate-source"), vgd = voltage(drain, "gate-drain");
        const Term vds = a_.at_rest()    ? vgs - vgd
                         : j_.sign < 0.0 ? Term(a_, a_.voltage(source, drain))
                                         : Term(a_, a_.voltage(drain, source));
        // Both ends alike: β (1 + λ |v_ds|) (f(v_gs) − f(v_gd)), f(v) = B x² + (1 − B)/(PB − VTO) x³, x = max(v − VTO,
        // 0)
        Term channel = j_.beta * (end(vgs) - end(vgd));
        if (j_.lambda != 0.0) channel = channel * (1.0 + j_.lambda * largest(vds, -vds));
        const Term leak = junction(gate, drain, vgd, j_.drain_layer);
        (void)junction(gate, source, vgs, j_.source_layer);
        flow(drain, source, channel);
        const Term inner = channel - leak;
        a_.remember_current(e_, through_ != expr::no_node ? through_ : j_.sign < 0.0 ? NodeId(-inner) : NodeId(inner));
    }

private:
    void flow(int a, int b, NodeId i) { j_.sign < 0.0 ? a_.current(b, a, i) : a_.current(a, b, i); }
    int behind(int terminal, double resistance, const char* name) {
        if (resistance == 0.0) return terminal;
        const int inner = a_.inner_node(e_, name);
        const NodeId i = a_.graph().mul(a_.number(1.0 / resistance), a_.voltage(terminal, inner));
        a_.current(terminal, inner, i);
        if (terminal == e_.nodes[0]) through_ = i;
        return inner;
    }
    [[nodiscard]] Term end(const Term& v) {
        const Term x = largest(v - j_.threshold, 0.0);
        if (j_.cube == 0.0) return j_.square * square(x);
        return square(x) * (j_.square + j_.cube * x);
    }
    Term junction(int gate, int to, const Term& v, const DepletionLayer& layer) {
        const Term i = Term(a_, junction_current(a_, v, j_.junction)) + j_.many * Term(a_, a_.gmin()) * v;
        flow(gate, to, i);
        if (a_.at_rest() || layer.capacitance == 0.0) return i;
        const NodeId q = depletion_charge(a_, v, layer);
        j_.sign < 0.0 ? a_.charge(to, gate, q) : a_.charge(gate, to, q);
        return i;
    }

    Assembly& a_;
    const Element& e_;
    JfetNumbers j_;
    NodeId through_ = expr::no_node; ///< the drain's resistance
};

} // namespace

void jfet(Assembly& a, const Element& e) { Jfet(a, e).write(); }

} // namespace daedalus::circuit
