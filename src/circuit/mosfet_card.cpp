// Numbers of a MOS transistor from its card, its geometry and its temperature, as in SPICE3 (Antognetti & Massobrio
// 1993, ch. 4; Vladimirescu & Liu 1980).
#include "circuit/device_values.hpp"
#include "circuit/mosfet.hpp"
#include "circuit/physical_constants.hpp"

#include <cmath>
#include <numbers>

namespace daedalus::circuit {

namespace {

constexpr double per_cubic_metre = 1e6, per_square_metre = 1e4, square_metres = 1e-4; // of cm⁻³, cm⁻², cm²

class MosCard {
public:
    MosCard(Assembly& a, const Element& e)
        : a_(a), e_(e), model_(a.netlist().models[static_cast<std::size_t>(e.model)]), v_(model_.values),
          own_(e.values), kelvin_(a.temperature(e)), measured_(a.measured_at(model_)), vt_(thermal_voltage(kelvin_)),
          gap_(silicon_gap(kelvin_)), gap_measured_(silicon_gap(measured_)) {}

    MosNumbers numbers() {
        v_.know({"tnom", "kf", "af", "nlev", "gdsnoi", "nmos", "pmos", "type", "capop", "tpg", "nss", "nsub", "vto",
                 "vt0",  "uo", "u0", "kp",   "gamma",  "phi",  "js",   "is",   "cbd",   "cbs", "cj",  "cjsw"});
        own_.know({"temp", "dtemp", "off", "icvds", "icvgs", "icvbs", "ic", "ic2", "ic3"});
        MosNumbers m;
        m.sign = model_.type == "pmos" ? -1.0 : 1.0;
        level_ = static_cast<int>(v_("level", 1.0));
        m.channel.level = level_;
        if (v_("level", 1.0) != level_ || level_ < 1 || level_ > 3) {
            a_.error("unsupported-level", v_.span("level", model_.span),
                     "MOS transistors of this level are not supported: " + model_.name, "levels 1, 2 and 3 are");
            return m;
        }
        geometry(m);
        channel(m);
        if (level_ == 2) level_two(m.channel);
        if (level_ == 3) level_three(m.channel);
        junctions(m);
        resistances(m);
        m.drain_share = v_.not_negative(a_, model_.name, "xqc", 1.0);
        v_.report_rest(a_, model_.name);
        own_.report_rest(a_, e_.name);
        return m;
    }

private:
    [[nodiscard]] double option(const std::string& name, double otherwise) const {
        const auto at = a_.netlist().options.find(name);
        return at == a_.netlist().options.end() ? otherwise : at->second.number;
    }
    std::string either(const std::string& first, const std::string& second) {
        return v_.given(first) || !v_.given(second) ? first : second;
    }

    void geometry(MosNumbers& m) {
        ChannelNumbers& c = m.channel;
        constexpr double drawn = 1e-4; // m, of SPICE
        c.vt = vt_;
        c.many = own_.not_negative(a_, e_.name, "m", 1.0);
        c.ld = v_("ld", 0.0);
        c.width = own_.positive(a_, e_.name, "w", option("defw", drawn));
        c.length = own_.positive(a_, e_.name, "l", option("defl", drawn)) - 2.0 * c.ld;
        if (level_ == 3) {
            c.length += v_("xl", 0.0);
            c.width += v_("xw", 0.0) - 2.0 * v_("wd", 0.0);
        }
        if (!(c.length > 0.0 && c.width > 0.0))
            a_.error("device-parameter", own_.span("l", e_.span),
                     "the channel of " + e_.name + " has no effective length or width",
                     "the lateral diffusion ld is subtracted from the length twice");
        m.overlap_source = v_.not_negative(a_, model_.name, "cgso", 0.0) * c.width * c.many;
        m.overlap_drain = v_.not_negative(a_, model_.name, "cgdo", 0.0) * c.width * c.many;
        m.overlap_bulk = v_.not_negative(a_, model_.name, "cgbo", 0.0) * c.length * c.many;
    }

    /// φ, γ and the threshold, given or from the doping.
    void channel(MosNumbers& m) {
        ChannelNumbers& c = m.channel;
        constexpr double usual_thickness = 1e-7, usual_mobility = 600.0; // m, cm²/(V s)
        const double thickness = v_.not_negative(a_, model_.name, "tox", level_ == 1 ? 0.0 : usual_thickness);
        if (thickness > 0.0) c.oxide = oxide_permittivity / thickness;
        const double mobility = v_.positive(a_, model_.name, either("uo", "u0"), usual_mobility) * square_metres;
        double kp = v_.given("kp") || c.oxide == 0.0 ? v_.positive(a_, model_.name, "kp", 2e-5) : mobility * c.oxide;
        double phi = v_.positive(a_, model_.name, "phi", 0.6), vto = m.sign * v_(either("vto", "vt0"), 0.0);
        c.gamma = v_.not_negative(a_, model_.name, "gamma", 0.0);
        const double doping = v_("nsub", 0.0) * per_cubic_metre;
        if (v_.given("nsub") && c.oxide > 0.0) {
            if (!(doping > intrinsic())) {
                a_.error("device-parameter", v_.span("nsub", model_.span),
                         "nsub of " + model_.name + " is below the density of intrinsic silicon");
                return;
            }
            from_doping(c, doping, m.sign, phi, vto);
        }
        const double warm = kelvin_ / measured_, slower = warm * std::sqrt(warm); // mobility ~ T^(−3/2)
        kp /= slower;
        c.mobility = level_ == 2 ? mobility : mobility / slower; // level 2 has it so, in SPICE3
        c.beta = kp * c.width / c.length * c.many;
        c.phi = potential_at(phi, kelvin_, measured_);
        if (phi > 0.0 && !(c.phi > 0.0))
            a_.error("device-parameter", v_.span("phi", model_.span),
                     "the surface potential of " + model_.name + " is not positive at this temperature");
        c.flat = vto - c.gamma * std::sqrt(phi) + 0.5 * m.sign * (gap_measured_ - gap_) + 0.5 * (c.phi - phi);
        if (level_ == 3) c.flat += m.sign * v_(either("delvto", "delvt0"), 0.0);
        if (level_ != 3) c.lambda = v_("lambda", 0.0);
    }

    /// m⁻³
    [[nodiscard]] double intrinsic() const {
        constexpr double at_300_kelvin = 1.45e16;
        if (level_ != 3) return at_300_kelvin;
        const double warm = measured_ / 300.0;
        return at_300_kelvin * warm * std::sqrt(warm) *
               std::exp(0.5 * gap_measured_ * (1.0 / 300.0 - 1.0 / measured_) * charge / boltzmann);
    }

    /// What is not given: φ = 2 V ln(N/n_i), γ = √(2 ε q N)/C_ox, V_T = φ_ms − q N_ss/C_ox + φ + γ √φ.
    void from_doping(ChannelNumbers& c, double doping, double sign, double& phi, double& vto) {
        constexpr double least = 0.1; // V
        if (!v_.given("phi")) phi = std::max(least, 2.0 * thermal_voltage(measured_) * std::log(doping / intrinsic()));
        if (!v_.given("gamma")) c.gamma = std::sqrt(2.0 * silicon_permittivity * charge * doping) / c.oxide;
        const double gate = v_("tpg", 1.0); // 1: silicon of the other type than the bulk, −1: of the same, 0: aluminium
        constexpr double affinity = 3.25, aluminium = 3.2; // V
        const double of_gate =
            gate == 0.0 ? aluminium : affinity + 0.5 * gap_measured_ - 0.5 * sign * gate * gap_measured_;
        const double difference = of_gate - (affinity + 0.5 * gap_measured_ + 0.5 * sign * phi);
        const double states = v_("nss", 0.0) * per_square_metre * charge / c.oxide;
        if (!v_.given("vto") && !v_.given("vt0")) vto = sign * (difference - states) + c.gamma * std::sqrt(phi) + phi;
        if (level_ != 1) c.depletion = std::sqrt(2.0 * silicon_permittivity / (charge * doping));
    }

    void level_two(ChannelNumbers& c) {
        c.fast_states = v_.not_negative(a_, model_.name, "nfs", 0.0) * per_square_metre * charge;
        c.delta = v_("delta", 0.0);
        c.vmax = v_.not_negative(a_, model_.name, "vmax", 0.0);
        c.xj = v_.not_negative(a_, model_.name, "xj", 0.0);
        c.ucrit = v_.not_negative(a_, model_.name, "ucrit", 1e4) * 100.0; // V/cm
        c.uexp = v_.not_negative(a_, model_.name, "uexp", 0.0);
        c.neff = v_.positive(a_, model_.name, "neff", 1.0);
        (void)v_("utra", 0.0); // SPICE3 has dropped the transverse field
    }
    void level_three(ChannelNumbers& c) {
        c.fast_states = v_.not_negative(a_, model_.name, "nfs", 0.0) * per_square_metre * charge;
        c.delta = v_("delta", 0.0);
        c.vmax = v_.not_negative(a_, model_.name, "vmax", 0.0);
        c.xj = v_.not_negative(a_, model_.name, "xj", 0.0);
        c.theta = v_("theta", 0.0);
        c.eta = v_("eta", 0.0);
        c.kappa = v_.not_negative(a_, model_.name, "kappa", 0.2);
    }

    void junctions(MosNumbers& m) {
        const double many = m.channel.many;
        const double grown = std::exp(gap_measured_ / thermal_voltage(measured_) - gap_ / vt_); // of I_s
        const double density = v_.not_negative(a_, model_.name, "js", 0.0) * grown;
        const double whole = v_.not_negative(a_, model_.name, "is", 1e-14) * grown * many;
        const double ad = own_.not_negative(a_, e_.name, "ad", option("defad", 0.0));
        const double as = own_.not_negative(a_, e_.name, "as", option("defas", 0.0));
        const bool by_area = density > 0.0 && ad > 0.0 && as > 0.0;
        m.drain.saturation = by_area ? density * ad * many : whole;
        m.source.saturation = by_area ? density * as * many : whole;
        layers(m.drain, v_.given("cbd") ? v_.not_negative(a_, model_.name, "cbd", 0.0) : v_("cj", 0.0) * ad,
               v_("cjsw", 0.0) * own_.not_negative(a_, e_.name, "pd", 0.0), many);
        layers(m.source, v_.given("cbs") ? v_.not_negative(a_, model_.name, "cbs", 0.0) : v_("cj", 0.0) * as,
               v_("cjsw", 0.0) * own_.not_negative(a_, e_.name, "ps", 0.0), many);
        m.channel.bulk_potential = m.drain.bottom.potential;
    }
    void layers(BulkJunction& junction, double bottom, double side, double many) {
        const double potential = v_.positive(a_, model_.name, "pb", 0.8);
        const double forward = v_.at_most(a_, model_.name, "fc", 0.5, 0.9999);
        junction.bottom = {bottom * many, potential, v_("mj", 0.5), forward};
        junction.side = {side * many, potential, v_("mjsw", level_ == 1 ? 0.5 : 0.33), forward};
        at_temperature(junction.bottom, kelvin_, measured_);
        at_temperature(junction.side, kelvin_, measured_);
        if (junction.side.grading != junction.bottom.grading) return;
        junction.bottom.capacitance += junction.side.capacitance; // the same law
        junction.side.capacitance = 0.0;
    }

    void resistances(MosNumbers& m) {
        const double sheet = v_.not_negative(a_, model_.name, "rsh", 0.0);
        const auto one = [&](const char* name, const char* squares) {
            const double count = own_.not_negative(a_, e_.name, squares, 1.0);
            return (v_.given(name) ? v_.not_negative(a_, model_.name, name, 0.0) : sheet * count) / m.channel.many;
        };
        m.drain_resistance = one("rd", "nrd");
        m.source_resistance = one("rs", "nrs");
    }

    Assembly& a_;
    const Element& e_;
    const DeviceModel& model_;
    DeviceValues v_, own_;
    double kelvin_, measured_, vt_, gap_, gap_measured_; ///< gaps in eV
    int level_ = 1;
};

} // namespace

MosNumbers mos_numbers(Assembly& a, const Element& e) { return MosCard(a, e).numbers(); }

} // namespace daedalus::circuit
