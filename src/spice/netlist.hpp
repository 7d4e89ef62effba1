// A circuit as a SPICE deck describes it, with subcircuits expanded, parameters replaced by their values and names
// made whole. What reads decks fills it; what makes equations (src/circuit) reads it. No equation stands here.
//
// Names are kept as written where they first appear; two names are the same if they differ in case only. Elements and
// nodes inside of subcircuits carry the path of the instance: X1.R3, X1.out.
#pragma once

#include "base/expected.hpp"
#include "base/source.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace daedalus::spice {

/// A number of the deck and where it stands.
struct Value {
    double number = 0.0;
    SourceSpan span;
};
/// By name in lower case: what was given, nothing else. Defaults belong to the devices.
using Values = std::map<std::string, Value>;

/// Of behavioural sources: operands before their users, the last one is the value. Parameters are numbers here, and
/// functions defined in the deck are carried out.
struct Formula {
    enum class Kind {
        number,
        time,
        temperature, ///< in degrees Celsius
        voltage,     ///< between nodes a and b
        current,     ///< through element a, from its first to its second node
        operation    ///< `name` on operands: "+", "-", "*", "/", "^", "neg", "!", "<", "<=", ">", ">=", "==", "!=",
                     ///< "&&", "||", "?:", or a function: "sin", "ddt", "idt", "limit", "pwl", …
    };
    struct Node {
        Kind kind = Kind::number;
        double number = 0.0;
        int a = 0, b = 0;
        std::string name;
        std::vector<int> operands; ///< places in `nodes`
        SourceSpan span;
    };
    std::vector<Node> nodes;
};

/// Time functions of independent sources, with the numbers as given; defaults that depend on the analysis (TSTEP,
/// TSTOP) are filled in by who makes the equations.
struct Waveform {
    enum class Kind { none, sine, pulse, piecewise_linear, exponential, single_frequency_fm, amplitude_modulated };
    Kind kind = Kind::none;
    std::vector<Value> numbers;  ///< in the order of SPICE
    std::optional<Value> repeat; ///< PWL: from this time on (r=), `td` in Element::values
    SourceSpan span;
};

enum class ElementKind {
    resistor,                   // R
    capacitor,                  // C
    inductor,                   // L
    coupling,                   // K: `others` are the inductors, values["k"]
    voltage_source,             // V
    current_source,             // I
    voltage_controlled_voltage, // E: nodes n+ n-, and pairs of controlling nodes
    current_controlled_current, // F: `others` are the controlling elements
    voltage_controlled_current, // G
    current_controlled_voltage, // H
    behavioural_voltage,        // B with V=
    behavioural_current,        // B with I=
    voltage_switch,             // S: n+ n- c+ c-
    current_switch,             // W: `others`
    transmission_line,          // T
    diode,                      // D
    bipolar,                    // Q: collector base emitter [substrate]
    jfet,                       // J: drain gate source
    mosfet,                     // M: drain gate source bulk
    nullor                      // ideal operational amplifier: output+ output- input+ input-
};

struct Element {
    ElementKind kind = ElementKind::resistor;
    std::string name;        ///< with its path
    std::vector<int> nodes;  ///< places in Netlist::nodes
    std::vector<int> others; ///< places in Netlist::elements
    int model = -1;          ///< place in Netlist::models
    /// Main value of R, C, L, V, I (DC) as "value"; gain of E, F, G, H as "gain"; "ac", "acphase"; otherwise the names
    /// of SPICE in lower case ("w", "l", "area", "ic", "ic2", "temp", "m", "tc1", "z0", "td", …). Flags ("off", "on")
    /// have the number 1.
    Values values;
    Waveform waveform;
    std::optional<Formula> formula; ///< B; R, C, L, E, G with an expression: its value (C: also "q=", L: "flux=")
    bool is_charge = false;         ///< the formula is the charge or flux, not the capacitance or inductance
    std::vector<Value> polynomial;  ///< POLY(n) of E, F, G, H: coefficients in the order of SPICE, n = `dimension`
    int dimension = 0;
    std::vector<Value> table; ///< TABLE: x1, y1, x2, y2, …; its argument is `formula`
    SourceSpan span;          ///< of the whole element
    std::vector<SourceSpan> node_spans;
};

/// A .model card.
struct DeviceModel {
    std::string name;
    std::string type; ///< lower case: "d", "npn", "pnp", "njf", "pjf", "nmos", "pmos", "r", "c", "l", "sw", "csw"
    Values values;
    SourceSpan span;
};

struct Node {
    std::string name; ///< with its path; the first one is ground, "0"
    SourceSpan span;  ///< where it appears first
};

/// Numbers by place: voltages of nodes.
struct NodeValue {
    int node = 0, reference = 0; ///< V(node, reference)
    Value value;
};

/// What a deck asks to be shown: "v(out)", "i(v1)", "vdb(out)", "@m1[id]"; as written.
struct Wanted {
    std::string analysis; ///< "tran", "ac", "dc", "op"; empty: of all
    std::string text;
    SourceSpan span;
};

struct Analysis {
    enum class Kind { operating_point, transient, dc, ac, poles_and_zeros, sensitivity };
    Kind kind = Kind::operating_point;
    // transient
    double step = 0.0, stop = 0.0, start = 0.0, largest_step = 0.0; ///< 0: not given
    bool use_initial_conditions = false;
    // dc: outermost last, as in SPICE
    struct Sweep {
        std::string source; ///< name of a V or I, a resistor, "temp", or a parameter of the deck
        int element = -1;
        double from = 0.0, to = 0.0, step = 0.0;
        std::vector<double> list; ///< instead of from, to, step
        SourceSpan span;
    };
    std::vector<Sweep> sweeps;
    // ac
    enum class Spacing { decades, octaves, linear } spacing = Spacing::decades;
    int points = 0; ///< per decade, per octave, or of all
    double from = 0.0, to = 0.0;
    std::vector<std::string> words; ///< of the others, as written
    SourceSpan span;
};

/// .measure, its words kept: what it means depends on results.
struct Measure {
    std::string analysis, name;
    std::vector<std::string> words;
    SourceSpan span;
};

struct Netlist {
    std::string title;
    std::vector<Node> nodes; ///< nodes[0] is ground
    std::vector<Element> elements;
    std::vector<DeviceModel> models;
    std::vector<Analysis> analyses;
    std::vector<Analysis::Sweep> steps; ///< .step: the deck is read again for each value
    std::vector<Wanted> wanted;
    std::vector<Measure> measures;
    std::vector<NodeValue> initial;                         ///< .ic
    std::vector<NodeValue> node_set;                        ///< .nodeset
    Values options;                                         ///< .options, lower case
    Values parameters;                                      ///< .param of the top level, evaluated
    double temperature = 27.0;                              ///< degrees Celsius, .temp or .options temp
    double nominal_temperature = 27.0;                      ///< .options tnom
    std::vector<std::shared_ptr<const SourceFile>> sources; ///< keeps spans valid
    Diagnostics warnings;

    [[nodiscard]] std::optional<int> find_node(const std::string& name) const;
    [[nodiscard]] std::optional<int> find_element(const std::string& name) const;
};

struct ReadOptions {
    std::map<std::string, double> parameters; ///< in place of the deck's, by name in lower case
    std::vector<std::string> allowed_folders; ///< .include and .lib besides the deck's own folder
    std::size_t most_elements = 10'000'000;   ///< after expansion
};

/// Whether a file of this name is read as a deck: .cir, .net, .sp, .ckt.
[[nodiscard]] bool is_deck(const std::string& name);

/// The deck in `file`; errors name the line. Files that it includes are read relative to it.
[[nodiscard]] Expected<Netlist> read_netlist(std::shared_ptr<const SourceFile> file, const ReadOptions& options = {});

} // namespace daedalus::spice
