// One semiconductor device with an ideal voltage source at each terminal: its terminal currents and the imaginary
// parts of its admittances, computed from the equations in the graph by an own Newton iteration and an own complex
// elimination, and by ngspice where it is installed.
#pragma once

#include "circuit/circuit.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace daedalus::testing {

struct Device {
    spice::ElementKind kind = spice::ElementKind::diode;
    std::string letter;                      ///< of its kind: "d"
    std::string type;                        ///< of the model card: "npn"
    std::map<std::string, double> card{};    ///< of the model
    std::map<std::string, double> values{};  ///< of the element
    double celsius = 27.0;                   ///< of the circuit
    std::map<std::string, double> options{}; ///< of the deck
    bool currents_only = false;
    double conductance = 0.0; ///< the largest of its series resistances: differences of voltages have its round-off
    std::vector<std::vector<double>> voltages{}; ///< of the terminals, several times
};

struct Measured {
    std::vector<std::vector<double>> current; ///< by bias and terminal, into the device
    /// By bias, excited terminal and terminal: Im(i/v) at ω = 1 rad/s.
    std::vector<std::vector<std::vector<double>>> capacitance;
};

/// The deck as data, biased for the first time.
[[nodiscard]] std::shared_ptr<spice::Netlist> netlist_of(const Device& device);
[[nodiscard]] Measured measure(const Device& device);
/// nothing: ngspice is not there.
[[nodiscard]] std::optional<Measured> measure_with_ngspice(const Device& device);

/// Currents to `digits` of the largest at a bias or of its own (what cancels between terminals has no more), and
/// capacitances likewise. Skips without ngspice.
void expect_like_ngspice(const Device& device, double relative = 1e-6);

/// At random voltages in [low, high] by terminal, inner nodes at their terminals, and random slopes: residuals and all
/// their derivatives are finite; and where residuals are moderate, derivatives are what differences say.
void expect_smooth(const Device& device, const std::vector<double>& low, const std::vector<double>& high,
                   bool by_differences);

/// All combinations of these voltages.
[[nodiscard]] std::vector<std::vector<double>> grid(const std::vector<std::vector<double>>& terminals);

} // namespace daedalus::testing
