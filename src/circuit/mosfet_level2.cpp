// Level 2 (Vladimirescu & Liu 1980): the bulk's charge along the channel, short and narrow channels, mobility that
// falls with the gate's field, shortening of the channel by its own depletion layer or by saturation of the velocity
// (Baum & Beneking 1970), weak inversion.
#include "circuit/mosfet.hpp"
#include "circuit/physical_constants.hpp"
#include "circuit/terms.hpp"

#include <cmath>
#include <numbers>

namespace daedalus::circuit {

namespace {

class Level2 {
public:
    Level2(Assembly& a, const ChannelNumbers& c, const ChannelVoltages& v)
        : c_(c), vgs_(a, v.gate), vds_(a, v.drain), vbs_(a, v.bulk), one_(a, 1.0), source_(root(vbs_)),
          drain_(root(vbs_ - vds_)),
          narrow_(0.25 * std::numbers::pi * c.delta * silicon_permittivity / (c.oxide * c.width)) {}

    ChannelLaw law() {
        const double eta = 1.0 + narrow_;
        const Term flat = c_.flat + narrow_ * (c_.phi - vbs_);
        const Term gamma = short_channel();
        Term on = flat + gamma * source_.value, slope = one_, effective = vgs_;
        if (c_.fast_states > 0.0) {
            slope = 1.0 + c_.fast_states / c_.oxide + narrow_ - gamma * source_.slope - source_.value * gamma_by_bulk();
            on = on + c_.vt * slope;
            effective = largest(vgs_, on);
        }
        const Term mobility = relative_mobility(vgs_ - on);
        const Term pinch = (effective - flat) / eta;
        Term saturation = pinch_off(pinch, largest(gamma / eta, 0.0));
        if (c_.vmax > 0.0)
            saturation = by_velocity(pinch, largest(gamma / eta, 0.0), c_.vmax * c_.length / (c_.mobility * mobility));
        const Term drop = least(vds_, saturation);
        const Term body = cube(root(vbs_ - drop).value) - cube(source_.value);
        Term current = c_.beta * mobility * ((effective - flat - 0.5 * eta * drop) * drop - gamma * body / 1.5);
        current = current / shorter_channel(saturation, mobility);
        if (c_.fast_states > 0.0) current = current * exp(least(vgs_ - on, 0.0) / (c_.vt * slope));
        return {.current = current, .threshold = on, .saturation = saturation};
    }

private:
    /// √(φ − v), continued by φ^½/(1 + v/2φ), and its slope.
    struct Root {
        Term value, slope;
    };
    [[nodiscard]] Root root(const Term& v) const {
        const Term plain = sqrt(c_.phi - least(v, 0.0));
        const Term forward = 1.0 + largest(0.0, v) / (2.0 * c_.phi);
        return {plain / forward, -0.5 / (plain * square(forward))};
    }
    static Term cube(const Term& x) { return x * square(x); }

    [[nodiscard]] bool has_edges() const { return c_.xj > 0.0 && c_.depletion > 0.0; }
    /// √(1 + 2 W/X_j) of the depletion layer at an end
    [[nodiscard]] Term edge(const Term& end) const { return sqrt(1.0 + 2.0 * c_.depletion / c_.xj * end); }
    /// γ, less what the depletion layers of source and drain have of the bulk's charge
    [[nodiscard]] Term short_channel() const {
        if (!has_edges()) return c_.gamma * one_;
        const double share = 0.5 * c_.xj / c_.length;
        return c_.gamma * (1.0 - share * (edge(source_.value) - 1.0) - share * (edge(drain_.value) - 1.0));
    }
    [[nodiscard]] Term gamma_by_bulk() const {
        if (!has_edges()) return 0.0 * one_;
        const double factor = -0.5 * c_.gamma * c_.depletion / c_.length;
        return factor * (source_.slope / edge(source_.value) + drain_.slope / edge(drain_.value));
    }

    [[nodiscard]] Term relative_mobility(const Term& overdrive) const {
        const double critical = c_.ucrit * silicon_permittivity / c_.oxide; // V
        if (c_.uexp == 0.0 || critical == 0.0) return one_;
        return pow(critical / largest(overdrive, critical), c_.uexp);
    }

    /// Where the channel's charge vanishes: v + γ √(v + φ − v_bs) = pinch.
    [[nodiscard]] Term pinch_off(const Term& pinch, const Term& gamma) const {
        if (c_.gamma == 0.0) return largest(pinch, 0.0);
        const Term above = largest(0.0, pinch + (c_.phi - vbs_));
        return largest(pinch + 0.5 * gamma * (gamma - sqrt(square(gamma) + 4.0 * above)), 0.0);
    }

    /// Where carriers are as fast as they can be: ∫₀^v q = V_c q(v), q(v) = pinch − v − γ √(v + b), b = φ − v_bs, V_c =
    /// L v_max/μ. In v it is concave and increasing (q' < 0, q'' > 0), so that Newton's method converges from every
    /// point, after one step from below; it starts from the solution for a constant slope of q.
    [[nodiscard]] Term by_velocity(const Term& pinch, const Term& gamma, const Term& critical) const {
        const Term b = largest(c_.phi - vbs_, 0.01 * c_.phi); // the bulk is never as much forward biased
        const Term root_b = sqrt(b);
        const Term q0 = largest(pinch - gamma * root_b, 0.0);
        const Term start = q0 / (1.0 + 0.5 * gamma / root_b);
        Term v = start + critical - sqrt(square(start) + square(critical));
        const Term top = q0 + gamma * root_b;
        constexpr int steps = 4; // the error is squared in each, and is below 0.1 V at first
        for (int k = 0; k < steps; ++k) {
            const Term x = sqrt(v + b);
            const Term q = top - v - gamma * x;
            const Term area = (top - 0.5 * v) * v - gamma / 1.5 * (cube(x) - cube(source_.value));
            v = largest(0.0, v - (area - critical * q) / (q + critical * (1.0 + 0.5 * gamma / x)));
        }
        return v;
    }

    /// (L − ΔL)/L, not below the width of the junctions' depletion layers (punch-through).
    [[nodiscard]] Term shorter_channel(const Term& saturation, const Term& mobility) const {
        Term shortened = c_.lambda * vds_; // ΔL/L
        if (c_.depletion > 0.0 && c_.lambda <= 0.0) {
            if (c_.vmax > 0.0) {
                const double width = c_.depletion / std::sqrt(c_.neff);
                const Term drift = 0.5 * c_.vmax * width / (c_.mobility * mobility);
                const Term behind = largest(0.0, vds_ - saturation);
                shortened = width / c_.length * behind / (drift + sqrt(square(drift) + behind));
            } else {
                const Term behind = 0.25 * (vds_ - saturation);
                shortened = c_.depletion / c_.length * sqrt(behind + sqrt(1.0 + square(behind)));
            }
        } else if (c_.lambda == 0.0) {
            return one_;
        }
        constexpr double without_doping = 0.25e-6; // m
        const double least_length = std::min(
            (c_.depletion > 0.0 ? c_.depletion * std::sqrt(c_.bulk_potential) : without_doping) / c_.length, 1.0);
        const Term over = largest(0.0, shortened - (1.0 - least_length));
        return (1.0 - least(shortened, 1.0 - least_length)) / (1.0 + over / least_length);
    }

    const ChannelNumbers& c_;
    Term vgs_, vds_, vbs_, one_;
    Root source_, drain_;
    double narrow_; ///< of the width effect
};

} // namespace

ChannelLaw channel_level2(Assembly& a, const ChannelNumbers& c, const ChannelVoltages& v) {
    return Level2(a, c, v).law();
}

} // namespace daedalus::circuit
