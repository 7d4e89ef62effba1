// Lossless lines by their waves (Branin 1967): what leaves one end arrives at the other after the delay T,
//   v₁ − Z i₁ = (v₂ + Z i₂)(t − T),   v₂ − Z i₂ = (v₁ + Z i₁)(t − T),
// with currents into the line. At rest it is a pair of wires.
#include "circuit/device_values.hpp"
#include "circuit/devices.hpp"
#include "circuit/terms.hpp"

namespace daedalus::circuit {

void transmission_line(Assembly& a, const Element& e) {
    DeviceValues v(e.values);
    v.know({"m", "ic", "ic2", "ic3", "ic4", "zo", "f", "nl"});
    const double impedance = v.positive(a, e.name, "z0", 50.0);
    constexpr double quarter = 0.25; // of a wavelength at f, as SPICE has it
    const double frequency = v("f", 0.0);
    if (!v.given("td") && !(frequency > 0.0))
        return a.error("device-parameter", e.span, "the delay td of " + e.name + " is missing", "td, or f and nl");
    const double delay = v.given("td") ? v.not_negative(a, e.name, "td", 0.0) : v("nl", quarter) / frequency;
    v.report_rest(a, e.name);
    const Term v1(a, a.voltage(e.nodes[0], e.nodes[1])), v2(a, a.voltage(e.nodes[2], e.nodes[3]));
    const Term i1(a, a.inner_current(e, e.nodes[0], e.nodes[1], "1"));
    const Term i2(a, a.inner_current(e, e.nodes[2], e.nodes[3], "2"));
    const Term to_1(a, a.delayed(e, v2 + impedance * i2, delay)), to_2(a, a.delayed(e, v1 + impedance * i1, delay));
    a.equation(e, v1 - impedance * i1 - to_1, "wave that arrives at the first end");
    a.equation(e, v2 - impedance * i2 - to_2, "wave that arrives at the second end");
    a.remember_current(e, i1);
}

} // namespace daedalus::circuit
