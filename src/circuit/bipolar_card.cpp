// Numbers of a bipolar transistor from its card, its areas and its temperature, as in SPICE3 and ngspice.
#include "circuit/bipolar.hpp"
#include "circuit/device_values.hpp"
#include "circuit/physical_constants.hpp"

#include <cmath>

namespace daedalus::circuit {

namespace {

class BipolarCard {
public:
    BipolarCard(Assembly& a, const Element& e)
        : a_(a), e_(e), model_(a.netlist().models[static_cast<std::size_t>(e.model)]), v_(model_.values),
          own_(e.values), kelvin_(a.temperature(e)), measured_(a.measured_at(model_)), vt_(thermal_voltage(kelvin_)) {}

    BipolarNumbers numbers() {
        v_.know({"tnom", "tref", "kf", "af", "npn", "pnp", "type", "trb"});
        own_.know({"temp", "dtemp", "off", "ic", "ic2", "icvbe", "icvce"});
        if (v_("level", 1.0) != 1.0)
            a_.error("unsupported-level", v_.span("level", model_.span),
                     "bipolar transistors of this level are not supported: " + model_.name, "level 1 is");
        if (v_("ptf", 0.0) != 0.0)
            a_.warning("ignored-parameter", v_.span("ptf", {}),
                       "the excess phase ptf of " + model_.name + " is ignored");
        BipolarNumbers q;
        q.sign = model_.type == "pnp" ? -1.0 : 1.0;
        q.many = own_.not_negative(a_, e_.name, "m", 1.0);
        area_ = own_.positive(a_, e_.name, "area", 1.0) * q.many;
        const double base_area = own_.given("areab") ? own_.positive(a_, e_.name, "areab", 1.0) * q.many : area_;
        const double collector_area = own_.given("areac") ? own_.positive(a_, e_.name, "areac", 1.0) * q.many : area_;
        q.lateral = v_("subs", q.sign) < 0.0; // SPICE: pnp are
        junction_area_ = q.lateral ? collector_area : base_area;
        substrate_area_ = q.lateral ? base_area : collector_area;
        currents(q);
        leaks(q);
        knees(q);
        resistances(q);
        charges(q);
        v_.report_rest(a_, model_.name);
        own_.report_rest(a_, e_.name);
        return q;
    }

private:
    /// With the polynomial of its temperature coefficients, t<name>1 and t<name>2.
    double warm(const std::string& name, double otherwise, const std::string& short_name = {}) {
        const std::string t = "t" + (short_name.empty() ? name : short_name);
        const double difference = kelvin_ - measured_;
        return v_(name, otherwise) *
               (1.0 + v_(t + "1", v_(t, 0.0)) * difference + v_(t + "2", 0.0) * difference * difference);
    }
    std::string either(const std::string& first, const std::string& second, const std::string& third = {}) {
        if (v_.given(first)) return first;
        return v_.given(second) ? second : !third.empty() && v_.given(third) ? third : first;
    }
    double not_negative(const std::string& name, double otherwise) {
        return v_.not_negative(a_, model_.name, name, otherwise);
    }
    double positive(const std::string& name, double otherwise) { return v_.positive(a_, model_.name, name, otherwise); }

    /// Growth of saturation currents: ln(I_s(T)/I_s).
    double growth() {
        const double ratio = kelvin_ / measured_;
        return (ratio - 1.0) * v_("eg", 1.11) / vt_ + v_("xti", 3.0) * std::log(ratio);
    }
    double gain_growth() { return std::pow(kelvin_ / measured_, v_("xtb", 0.0)); }
    double gain(const std::string& name, double otherwise) {
        (void)positive(name, otherwise);
        const bool polynomial = v_.given("t" + name + "1") || v_.given("t" + name + "2");
        const double value = warm(name, otherwise);
        return polynomial ? value : value * gain_growth();
    }

    void currents(BipolarNumbers& q) {
        (void)positive("nf", 1.0);
        (void)positive("nr", 1.0);
        q.saturation = positive("is", 1e-16) * std::exp(growth()) * area_;
        q.forward = {.saturation = q.saturation, .scale = warm("nf", 1.0) * vt_, .soft_reverse = true};
        // One I_s transports in both directions, so it has one area. (ngspice 39 multiplies that of the collector's
        // junction by two areas, so that area = 2 is not two transistors.)
        q.reverse = {.saturation = q.saturation, .scale = warm("nr", 1.0) * vt_, .soft_reverse = true};
        if (v_.given("ibe") && v_.given("ibc")) {
            q.forward.saturation = positive("ibe", 0.0) * std::exp(growth() / warm("nf", 1.0)) * area_;
            q.reverse.saturation = positive("ibc", 0.0) * std::exp(growth() / warm("nr", 1.0)) * junction_area_;
        }
        q.forward_gain = gain("bf", 100.0);
        q.reverse_gain = gain("br", 1.0);
        if (!v_.given("iss")) return;
        const double whole = v_.given("ibe") && v_.given("ibc") ? substrate_area_ : area_;
        q.substrate = {.saturation = not_negative("iss", 0.0) * std::exp(growth()) * whole,
                       .scale = positive("ns", 1.0) * vt_,
                       .soft_reverse = true};
    }

    void leaks(BipolarNumbers& q) {
        const auto leak = [&](const std::string& name, const std::string& emission, double n, double area) {
            double current = not_negative(name, 0.0);
            constexpr double largest = 1e-4; // A: what is more is a multiple of I_s, as in SPICE2
            if (current > largest) current *= v_("is", 1e-16);
            (void)positive(emission, n);
            const double coefficient = warm(emission, n);
            return JunctionLaw{.saturation = current * std::exp(growth() / v_(emission, n)) / gain_growth() * area,
                               .scale = coefficient * vt_,
                               .soft_reverse = true};
        };
        q.forward_leak = leak(either("ise", "c2"), "ne", 1.5, area_);
        q.reverse_leak = leak(either("isc", "c4"), "nc", 2.0, junction_area_);
    }

    void knees(BipolarNumbers& q) {
        const auto inverse = [](double x) { return x == 0.0 ? 0.0 : 1.0 / x; }; // 0: infinite
        const auto early = [&](const std::string& name, const std::string& other, const std::string& t) {
            return inverse(not_negative(either(name, other), 0.0) == 0.0 ? 0.0 : warm(either(name, other), 0.0, t));
        };
        q.forward_early = early("vaf", "va", "vaf");
        q.reverse_early = early("var", "vb", "var");
        q.forward_knee = early("ikf", "ik", "ikf") / area_;
        q.reverse_knee = early("ikr", "ikr", "ikr") / area_;
        q.knee_power = v_.at_most(a_, model_.name, either("nkf", "nk"), 0.5, 1.0);
    }

    void resistances(BipolarNumbers& q) {
        for (const char* name : {"rb", "re", "rc", "irb"}) (void)not_negative(name, 0.0);
        q.base_resistance = warm("rb", 0.0) / area_;
        q.least_base_resistance = v_.given("rbm") ? warm("rbm", 0.0, "rm") / area_ : warm_base_limit();
        q.base_current = warm("irb", 0.0) * area_;
        q.emitter_resistance = warm("re", 0.0) / area_;
        q.collector_resistance = warm("rc", 0.0) / area_;
    }
    double warm_base_limit() {
        const double difference = kelvin_ - measured_;
        return v_("rb", 0.0) * (1.0 + v_("trm1", 0.0) * difference + v_("trm2", 0.0) * difference * difference) / area_;
    }

    DepletionLayer layer(const std::string& c, const std::string& phi, const std::string& m, double grading,
                         double forward, double area) {
        DepletionLayer l;
        const std::string end(1, c.back()); // e, c, s
        l.capacitance = not_negative(c, 0.0);
        l.potential = positive(phi, 0.75);
        l.forward = forward;
        (void)v_.at_most(a_, model_.name, m, grading, most_grading);
        l.grading = std::min(warm(m, grading, "mj" + last_of(phi)), most_grading);
        if (v_("tlevc", 0.0) == 1.0) {
            const double difference = kelvin_ - measured_;
            l.capacitance *= 1.0 + v_("ct" + last_of(phi), 0.0) * difference;
            l.potential -= v_("tvj" + last_of(phi), 0.0) * difference;
        } else {
            at_temperature(l, kelvin_, measured_);
        }
        if (!(l.potential > 0.0))
            a_.error("device-parameter", v_.span(phi, model_.span),
                     "a junction potential of " + model_.name + " is not positive at this temperature");
        l.capacitance *= area;
        return l;
    }
    static std::string last_of(const std::string& name) { return name.substr(name.size() - 1); }

    void charges(BipolarNumbers& q) {
        const double fc = v_.at_most(a_, model_.name, "fc", 0.5, 0.9999);
        q.emitter_layer = layer("cje", either("vje", "pe"), either("mje", "me"), 0.33, fc, area_);
        q.collector_layer = layer("cjc", either("vjc", "pc"), either("mjc", "mc"), 0.33, fc, junction_area_);
        q.substrate_layer =
            layer(either("cjs", "csub", "ccs"), either("vjs", "ps"), either("mjs", "ms"), 0.0, 0.0, substrate_area_);
        q.inner_share = v_.at_most(a_, model_.name, "xcjc", 1.0, 1.0);
        (void)not_negative("tf", 0.0);
        (void)not_negative("tr", 0.0);
        q.forward_transit = warm("tf", 0.0);
        q.reverse_transit = warm("tr", 0.0);
        q.transit_bias = v_("xtf", 0.0);
        const double vtf = not_negative("vtf", 0.0);
        constexpr double half_at = 1.44; // 1/ln 2: the term is halved at v_bc = −VTF
        q.transit_voltage = vtf == 0.0 ? 0.0 : 1.0 / (half_at * vtf);
        (void)not_negative("itf", 0.0);
        q.transit_current = warm("itf", 0.0) * area_;
        if (q.transit_current <= 2.0 * q.forward.saturation) q.transit_current = 0.0; // would be none at any current
    }

    static constexpr double most_grading = 0.999; // of ngspice
    Assembly& a_;
    const Element& e_;
    const DeviceModel& model_;
    DeviceValues v_, own_;
    double kelvin_, measured_, vt_;
    double area_ = 1.0, junction_area_ = 1.0, substrate_area_ = 1.0; ///< of all m
};

} // namespace

BipolarNumbers bipolar_numbers(Assembly& a, const Element& e) { return BipolarCard(a, e).numbers(); }

} // namespace daedalus::circuit
