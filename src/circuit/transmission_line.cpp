// Lossless lines.
#include "circuit/devices.hpp"

namespace daedalus::circuit {

void transmission_line(Assembly& a, const Element& e) {
    a.error("unsupported-device", e.span, e.name + " is of a kind that is not supported");
}

} // namespace daedalus::circuit
