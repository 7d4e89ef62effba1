// Level 3 (Dang 1979; Vladimirescu & Liu 1980): semi-empirical, for short and narrow channels. Threshold with
// short-channel, narrow-channel and static feedback terms, mobility that falls with the gate's field, saturation of the
// velocity, shortening of the channel, weak inversion.
#include "circuit/mosfet.hpp"
#include "circuit/physical_constants.hpp"
#include "circuit/terms.hpp"

#include <cmath>
#include <numbers>

namespace daedalus::circuit {

namespace {

class Level3 {
public:
    Level3(Assembly& a, const ChannelNumbers& c, const ChannelVoltages& v)
        : c_(c), vgs_(a, v.gate), vds_(a, v.drain), vbs_(a, v.bulk), one_(a, 1.0),
          narrow_(c.oxide > 0.0 ? c.delta * 0.5 * std::numbers::pi * silicon_permittivity / c.oxide / c.width : 0.0) {}

    ChannelLaw law() {
        // √(φ − v_bs), and φ^½/(1 + v_bs/2φ) where the bulk is forward biased
        const Term root = sqrt(c_.phi - least(vbs_, 0.0)) / (1.0 + largest(0.0, vbs_) / (2.0 * c_.phi));
        const Term phi_bulk = square(root);
        const Term gamma = c_.gamma * short_channel(root);
        const Term body = 0.25 * gamma / root + narrow_;
        const Term of_bulk = gamma * root + narrow_ * phi_bulk;
        constexpr double feedback = 8.15e-22; // F m, of the model's author
        const double eta = c_.eta * feedback / (c_.oxide * c_.length * c_.length * c_.length);
        const Term threshold = c_.flat - eta * vds_ + of_bulk;
        Term on = threshold, slope = one_;
        if (c_.fast_states > 0.0) {
            slope = 1.0 + c_.fast_states / c_.oxide + of_bulk / (2.0 * phi_bulk);
            on = threshold + c_.vt * slope;
        }
        const Term overdrive = largest(vgs_, on) - threshold;
        const Term slower = 1.0 + c_.theta * overdrive;
        Term saturation = overdrive / (1.0 + body);
        Term critical = one_; // V: L v_max/μ
        if (c_.vmax > 0.0) {
            critical = c_.length * c_.vmax / c_.mobility * slower;
            saturation = saturation + critical - sqrt(square(saturation) + square(critical));
        }
        const Term drop = least(vds_, saturation);
        Term current = c_.beta / slower * (overdrive - 0.5 * (1.0 + body) * drop) * drop;
        if (c_.vmax > 0.0) current = current / (1.0 + drop / critical);
        if (c_.depletion > 0.0) {
            const Term shorter =
                c_.vmax > 0.0 ? shortening_by_field(current, saturation, critical) : shortening(saturation, drop);
            current = current / (1.0 - relative(shorter));
        }
        if (c_.fast_states > 0.0) current = current * exp(least(vgs_ - on, 0.0) / (slope * c_.vt));
        return {.current = current, .threshold = on, .saturation = saturation};
    }

private:
    /// Share of the bulk's charge that the gate controls: a cylindrical edge of the depletion layer (Dang 1979).
    [[nodiscard]] Term short_channel(const Term& root) const {
        if (c_.xj == 0.0 || c_.depletion == 0.0) return one_;
        constexpr double c0 = 0.0631353, c1 = 0.8013292, c2 = -0.01110777; // of the fit
        const Term width = c_.depletion / c_.xj * root;
        const double lateral = c_.ld / c_.xj;
        const Term cylinder = c0 + width * (c1 + c2 * width);
        const Term part = width / (1.0 + width);
        return 1.0 - c_.xj / c_.length * ((cylinder + lateral) * sqrt(1.0 - square(part)) - lateral);
    }

    /// ΔL without saturation of the velocity: √(κ α (v_ds − V_dsat + V_dsat/8)), reached with the fourth power of
    /// v_ds/V_dsat. The least voltage keeps slopes finite where there is no current.
    [[nodiscard]] Term shortening(const Term& saturation, const Term& drop) const {
        constexpr double least_voltage = 1e-18; // V: below the round-off of any voltage
        const double alpha = c_.depletion * c_.depletion;
        const Term behind = vds_ - drop;
        const Term reached = square(square(drop / largest(saturation, least_voltage)));
        return sqrt(c_.kappa * alpha * (behind + 0.125 * saturation + least_voltage)) * reached;
    }

    /// ΔL with it: from the field E at the end of the channel, √((αE/2)² + κ α (v_ds − V_dsat)) − αE/2, E =
    /// κ I/(L g), g = I (1 − f)/V_c.
    [[nodiscard]] Term shortening_by_field(const Term& current, const Term& saturation, const Term& critical) const {
        constexpr double least_conductance = 1e-12; // S, of SPICE3
        const double alpha = c_.depletion * c_.depletion;
        const Term fast = saturation / (critical + saturation); // 1 − f
        // `current` is that at V_dsat wherever the result is not zero
        const Term conductance = largest(current * fast / critical, least_conductance);
        const Term half = 0.5 * alpha * c_.kappa / c_.length * current / conductance;
        constexpr double least_square = 1e-40; // m²: keeps the root's slope finite where it is not seen
        const Term behind = c_.kappa * alpha * largest(0.0, vds_ - saturation);
        return behind / (half + sqrt(square(half) + behind + least_square));
    }

    /// ΔL/L, which stays below 1: punch-through beyond ½.
    [[nodiscard]] Term relative(const Term& shorter) const {
        const Term x = shorter / c_.length;
        return least(x, 0.5) + 0.5 - 0.25 / largest(0.5, x);
    }

    const ChannelNumbers& c_;
    Term vgs_, vds_, vbs_, one_;
    double narrow_; ///< of the width effect, per volt
};

} // namespace

ChannelLaw channel_level3(Assembly& a, const ChannelNumbers& c, const ChannelVoltages& v) {
    return Level3(a, c, v).law();
}

} // namespace daedalus::circuit
