#include "circuit/limiting.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::circuit {

namespace {

/// Above the critical voltage the current, not the voltage, goes to where the linearisation wants it.
double junction(double wanted, double old, double scale, double critical) {
    if (!(wanted > critical) || std::abs(wanted - old) <= 2.0 * scale) return wanted;
    if (old > 0.0) {
        const double growth = 1.0 + (wanted - old) / scale;
        return growth > 0.0 ? old + scale * std::log(growth) : critical;
    }
    return scale * std::log(wanted / scale);
}

/// Threshold and strong inversion are approached, not jumped over.
double gate(double wanted, double old, double threshold) {
    constexpr double far = 3.5, near = 0.5, low = 2.0, high = 4.0;
    const double up = std::abs(2.0 * (old - threshold)) + 2.0, down = std::abs(old - threshold) + 1.0;
    const double strong = threshold + far, change = wanted - old;
    if (old >= strong && change <= 0.0) {
        if (wanted >= strong) return -change > down ? old - down : wanted;
        return std::max(wanted, threshold + low);
    }
    if (old >= strong) return change >= up ? old + up : wanted;
    if (old >= threshold)
        return change <= 0.0 ? std::max(wanted, threshold - near) : std::min(wanted, threshold + high);
    if (change <= 0.0) return -change > up ? old - up : wanted;
    const double below = threshold + near;
    if (wanted <= below) return change > down ? old + down : wanted;
    return below;
}

double channel(double wanted, double old) {
    constexpr double far = 3.5, high = 4.0, low = 2.0, least = -0.5;
    if (old >= far)
        return wanted > old ? std::min(wanted, 3.0 * old + 2.0) : wanted < far ? std::max(wanted, low) : wanted;
    return wanted > old ? std::min(wanted, high) : std::max(wanted, least);
}

} // namespace

double limited_value(const Limited& what, double wanted, double old) {
    switch (what.kind) {
    case Limited::Kind::junction: return junction(wanted, old, what.scale, what.critical);
    case Limited::Kind::gate: return gate(wanted, old, what.critical);
    case Limited::Kind::channel: return channel(wanted, old);
    }
    return wanted;
}

} // namespace daedalus::circuit
