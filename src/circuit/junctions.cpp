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

namespace {
/// Where the current of the breakdown begins, so that it is I_bv at −B_v: x with I_s (e^((B − x)/V) − 1 + x/V) = I_bv.
double breakdown_begin(const JunctionLaw& law) {
    const double least = law.saturation * law.breakdown / law.thermal;
    if (law.breakdown_current < least) return law.breakdown;
    double x = law.breakdown - law.thermal * std::log(1.0 + law.breakdown_current / law.saturation);
    constexpr int enough = 25; // a contraction with a factor of 1/(I_bv/I_s)
    for (int k = 0; k < enough; ++k)
        x = law.breakdown - law.thermal * std::log(law.breakdown_current / law.saturation + 1.0 - x / law.thermal);
    return x;
}
} // namespace

NodeId junction_current(Assembly& a, NodeId v, const JunctionLaw& law) {
    expr::Graph& g = a.graph();
    const auto n = [&](double x) { return a.number(x); };
    const auto exponential = [&](NodeId x) {
        return g.mul(n(law.saturation), g.sub(g.unary(Op::exp, g.div(x, n(law.scale))), n(1.0)));
    };
    if (!law.soft_reverse) return exponential(v);
    // v ≥ −3 s: the exponential; below: −I_s (1 + (3 s/(e v))³), which has the same value and slope at −3 s.
    const double border = -3.0 * law.scale;
    const NodeId w = smooth_min(a, v, n(border));
    const NodeId arg = g.div(n(-border / std::numbers::e), w);
    const NodeId reverse = g.mul(n(-law.saturation), g.add(g.mul(arg, g.mul(arg, arg)), n(std::exp(-3.0))));
    NodeId i = g.add(exponential(smooth_max(a, v, n(border))), reverse);
    if (law.breakdown > 0.0) {
        // −I_s e^(−(B + v)/V) below −B: continuous there since the rest is −I_s.
        const double begin = breakdown_begin(law);
        const NodeId below = smooth_min(a, g.add(v, n(begin)), n(0.0));
        const NodeId extra = g.sub(g.unary(Op::exp, g.div(g.neg(below), n(law.thermal))), n(1.0));
        i = g.sub(i, g.mul(n(law.saturation), extra));
    }
    return i;
}

NodeId depletion_charge(Assembly& a, NodeId v, double capacitance, double potential, double grading, double forward) {
    expr::Graph& g = a.graph();
    const auto n = [&](double x) { return a.number(x); };
    if (capacitance == 0.0) return n(0.0);
    const double border = forward * potential;
    const NodeId low = smooth_min(a, v, n(border));
    // φ C (1 − (1 − v/φ)^(1 − m))/(1 − m)
    const NodeId base = g.sub(n(1.0), g.div(low, n(potential)));
    NodeId q = grading == 1.0
                   ? g.mul(n(-potential * capacitance), g.unary(Op::log, base))
                   : g.mul(n(potential * capacitance / (1.0 - grading)),
                           g.sub(n(1.0), grading == 0.5 ? g.unary(Op::sqrt, base) : g.pow(base, n(1.0 - grading))));
    // Beyond: C₁ (v − b) + ½ C₁' (v − b)², C₁ = C (1 − f)^(−m), C₁' = C₁ m/(φ (1 − f))
    const double there = capacitance * std::pow(1.0 - forward, -grading);
    const double slope = there * grading / (potential * (1.0 - forward));
    const NodeId over = smooth_max(a, g.sub(v, n(border)), n(0.0));
    return g.add(q, g.mul(over, g.add(n(there), g.mul(n(0.5 * slope), over))));
}

void at_temperature(double& potential, double& capacitance, double grading, double kelvin, double measured) {
    // Varshni's gap of silicon; SPICE3 refers both temperatures to 300.15 K.
    constexpr double reference = 300.15, gap_zero = 1.16, alpha = 7.02e-4, beta = 1108.0, gap_reference = 1.1150877;
    const auto shift = [&](double t) { // φ(T) of a junction with φ = 0 at the reference
        const double gap = gap_zero - alpha * t * t / (t + beta);
        const double arg = -gap / (2.0 * boltzmann * t) + gap_reference / (2.0 * boltzmann * reference) * 1.0;
        return -2.0 * thermal_voltage(t) * (1.5 * std::log(t / reference) + charge * arg);
    };
    const double at_reference = (potential - shift(measured)) / (measured / reference);
    const double now = kelvin / reference * at_reference + shift(kelvin);
    constexpr double expansion = 4e-4; // of the area, per kelvin
    const auto change = [&](double t, double phi) {
        return 1.0 + grading * (expansion * (t - reference) - (phi - at_reference) / at_reference);
    };
    capacitance *= change(kelvin, now) / change(measured, potential);
    potential = now;
}

} // namespace daedalus::circuit
