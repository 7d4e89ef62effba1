// The elements of a deck: each writes its equations into an assembly.
#pragma once

#include "circuit/assembly.hpp"

namespace daedalus::circuit {

using spice::DeviceModel;
using spice::Element;

// passive.cpp
void resistor(Assembly& a, const Element& e);
void capacitor(Assembly& a, const Element& e);
/// All inductors with their couplings: fluxes are sums over coils.
void inductors(Assembly& a);

// sources.cpp
void voltage_source(Assembly& a, const Element& e);
void current_source(Assembly& a, const Element& e);
void controlled_source(Assembly& a, const Element& e); ///< E, F, G, H, B
void nullor(Assembly& a, const Element& e);

// switches.cpp
void controlled_switch(Assembly& a, const Element& e); ///< S, W

// semiconductors, one file each
void diode(Assembly& a, const Element& e);
void bipolar(Assembly& a, const Element& e);
void jfet(Assembly& a, const Element& e);
void mosfet(Assembly& a, const Element& e);

// transmission_line.cpp
void transmission_line(Assembly& a, const Element& e);

} // namespace daedalus::circuit
