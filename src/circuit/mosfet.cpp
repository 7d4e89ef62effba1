// Field-effect transistors with insulated gates.
#include "circuit/devices.hpp"

namespace daedalus::circuit {

void mosfet(Assembly& a, const Element& e) {
    a.error("unsupported-device", e.span, e.name + " is of a kind that is not supported");
}

} // namespace daedalus::circuit
