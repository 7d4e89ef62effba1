#include "circuit/junctions.hpp"

#include "circuit/physical_constants.hpp"
#include "expr/substitute.hpp"

#include <cmath>
#include <numbers>

namespace daedalus::circuit {

NodeId smooth_max(Assembly& a, NodeId x, NodeId y) {
    return expr::without_events(a.graph(), a.graph().binary(Op::max, x, y));
}
NodeId smooth_min(Assembly& a, NodeId x, NodeId y) {
    return expr::without_events(a.graph(), a.graph().binary(Op::min, x, y));
}

double breakdown_begin(const Breakdown& b, double saturation, double thermal) {
    // B − x = s ln(I_bv/I_s + 1 − x/V), V = kT/q; a contraction with a factor of s/(V I_bv/I_s)
    if (b.current < saturation * b.voltage / thermal) return b.voltage;
    double x = b.voltage - b.scale * std::log(1.0 + b.current / saturation);
    constexpr int enough = 25;
    for (int k = 0; k < enough; ++k) x = b.voltage - b.scale * std::log(b.current / saturation + 1.0 - x / thermal);
    return x;
}

NodeId junction_current(Assembly& a, NodeId v, const JunctionLaw& law) {
    expr::Graph& g = a.graph();
    const auto n = [&](double x) { return a.number(x); };
    const auto exponential = [&](NodeId x) {
        return g.mul(n(law.saturation), g.sub(g.unary(Op::exp, g.mul(x, n(1.0 / law.scale))), n(1.0)));
    };
    if (!law.soft_reverse) return exponential(v);
    // v ≥ −3 s: the exponential; below: −I_s (1 + (3 s/(e v))³), which has the same value and slope at −3 s.
    const double border = -3.0 * law.scale;
    const NodeId w = smooth_min(a, v, n(border));
    const NodeId arg = g.div(n(-border / std::numbers::e), w);
    const NodeId reverse = g.mul(n(-law.saturation), g.add(g.mul(arg, g.mul(arg, arg)), n(std::exp(-3.0))));
    NodeId i = g.add(exponential(smooth_max(a, n(border), v)), reverse);
    if (law.breakdown > 0.0) {
        // −I_s e^(−(x + v)/s) below −x: continuous there since the rest is −I_s.
        const NodeId below = smooth_min(a, g.add(v, n(law.breakdown)), n(0.0));
        const NodeId extra = g.sub(g.unary(Op::exp, g.mul(n(-1.0 / law.breakdown_scale), below)), n(1.0));
        i = g.sub(i, g.mul(n(law.saturation), extra));
    }
    return i;
}

NodeId depletion_charge(Assembly& a, NodeId v, const DepletionLayer& layer) {
    expr::Graph& g = a.graph();
    const auto n = [&](double x) { return a.number(x); };
    const auto [capacitance, potential, grading, forward] = layer;
    if (capacitance == 0.0) return n(0.0);
    const double border = forward * potential;
    const NodeId low = smooth_min(a, v, n(border));
    // φ C (1 − (1 − v/φ)^(1 − m))/(1 − m)
    const NodeId base = g.sub(n(1.0), g.mul(low, n(1.0 / potential)));
    const double power = 1.0 - grading;
    const NodeId q = power == 0.0
                         ? g.mul(n(-potential * capacitance), g.unary(Op::log, base))
                         : g.mul(n(potential * capacitance / power),
                                 g.sub(n(1.0), power == 0.5 ? g.unary(Op::sqrt, base) : g.pow(base, n(power))));
    // Beyond: C₁ (v − b) + ½ C₁' (v − b)², C₁ = C (1 − f)^(−m), C₁' = C₁ m/(φ (1 − f))
    const double there = capacitance * std::pow(1.0 - forward, -grading);
    const double slope = there * grading / (potential * (1.0 - forward));
    const NodeId over = smooth_max(a, n(0.0), g.sub(v, n(border)));
    return g.add(q, g.mul(over, g.add(n(there), g.mul(n(0.5 * slope), over))));
}

namespace {
// SPICE3 refers all temperatures to 300.15 K.
constexpr double reference = 300.15;

/// φ(T) of a junction whose φ vanishes at the reference temperature: −3 V ln(T/T₀) + E(T) − (T/T₀) E(T₀).
double potential_shift(double t) {
    constexpr double gap_at_reference = 1.1150877; // eV
    return -3.0 * thermal_voltage(t) * std::log(t / reference) + silicon_gap(t) - t / reference * gap_at_reference;
}
double potential_at_reference(double potential, double measured) {
    return (potential - potential_shift(measured)) * reference / measured;
}
} // namespace

double silicon_gap(double kelvin) {
    return 1.16 - 7.02e-4 * kelvin * kelvin / (kelvin + 1108.0); // Varshni 1967
}

double potential_at(double potential, double kelvin, double measured) {
    return kelvin / reference * potential_at_reference(potential, measured) + potential_shift(kelvin);
}

void at_temperature(DepletionLayer& layer, double kelvin, double measured) {
    const double middle = potential_at_reference(layer.potential, measured);
    constexpr double expansion = 4e-4; // of the capacitance, per kelvin
    const auto change = [&](double t, double phi) {
        return 1.0 + layer.grading * (expansion * (t - reference) - (phi - middle) / middle);
    };
    const double now = potential_at(layer.potential, kelvin, measured);
    layer.capacitance *= change(kelvin, now) / change(measured, layer.potential);
    layer.potential = now;
}

} // namespace daedalus::circuit
