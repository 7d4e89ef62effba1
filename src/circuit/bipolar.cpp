// Bipolar transistors.
#include "circuit/devices.hpp"

namespace daedalus::circuit {

void bipolar(Assembly& a, const Element& e) {
    a.error("unsupported-device", e.span, e.name + " is of a kind that is not supported");
}

} // namespace daedalus::circuit
