// Which element a line describes: its first letter says.
#include "base/printable.hpp"
#include "spice/element_kinds.hpp"

namespace daedalus::spice {

namespace {

/// What the letters mean that are not read.
const char* refused(char letter) {
    switch (letter) {
    case 'a': return "a code model of XSPICE";
    case 'n': return "a compiled device model";
    case 'o': return "a lossy transmission line";
    case 'p': return "a line of several coupled conductors";
    case 'u': return "a distributed RC line";
    case 'y': return "a lossy transmission line";
    case 'z': return "a MESFET";
    default: return nullptr;
    }
}

} // namespace

void Reader::element(const Line& line, Frame& frame) {
    const char c = line.file->text()[line.begin];
    const char letter = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (!room_for_one_more({line.file, line.begin, line.begin + 1})) return;
    ElementCard card(*this, frame, line);
    switch (letter) {
    case 'r': return read_resistor(card);
    case 'c': return read_capacitor(card);
    case 'l': return read_inductor(card);
    case 'k': return read_coupling(card);
    case 'v': return read_source(card, ElementKind::voltage_source);
    case 'i': return read_source(card, ElementKind::current_source);
    case 'e': return read_voltage_controlled(card, ElementKind::voltage_controlled_voltage);
    case 'g': return read_voltage_controlled(card, ElementKind::voltage_controlled_current);
    case 'f': return read_current_controlled(card, ElementKind::current_controlled_current);
    case 'h': return read_current_controlled(card, ElementKind::current_controlled_voltage);
    case 'b': return read_behavioural(card);
    case 's': return read_voltage_switch(card);
    case 'w': return read_current_switch(card);
    case 't': return read_transmission_line(card);
    case 'd': return read_diode(card);
    case 'q': return read_bipolar(card);
    case 'j': return read_jfet(card);
    case 'm': return read_mosfet(card);
    default: break;
    }
    if (const char* what = refused(letter)) {
        error("unknown-element", card.name.span, card.shown() + " is " + what + ", which is not read",
              letter == 'o' ? "an ideal operational amplifier is written E1 out+ out- OPAMP in+ in-" : "");
        return;
    }
    error("unknown-element", card.name.span.begin == card.name.span.end ? line.span() : card.name.span,
          card.shown() + " is no element: none begins with '" + printable(std::string(1, c)) + "'",
          "a comment begins with *, a continued line with +");
}

} // namespace daedalus::spice
