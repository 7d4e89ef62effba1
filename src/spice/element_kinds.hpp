// Elements by families. Each function reads one line and puts the element into the netlist, or says what is wrong.
#pragma once

#include "spice/element_card.hpp"

namespace daedalus::spice {

void read_resistor(ElementCard& card);
void read_capacitor(ElementCard& card);
void read_inductor(ElementCard& card);
void read_coupling(ElementCard& card);
void read_source(ElementCard& card, ElementKind kind);             ///< V, I
void read_voltage_controlled(ElementCard& card, ElementKind kind); ///< E, G
void read_current_controlled(ElementCard& card, ElementKind kind); ///< F, H
void read_behavioural(ElementCard& card);
void read_voltage_switch(ElementCard& card);
void read_current_switch(ElementCard& card);
void read_transmission_line(ElementCard& card);
void read_diode(ElementCard& card);
void read_bipolar(ElementCard& card);
void read_jfet(ElementCard& card);
void read_mosfet(ElementCard& card);

/// SIN(…), PULSE(…), …: true if one begins here. Mistakes have been said.
[[nodiscard]] bool read_waveform(ElementCard& card, bool& good);

} // namespace daedalus::spice
