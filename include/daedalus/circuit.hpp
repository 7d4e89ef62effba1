// Circuits from SPICE decks: the model of the transient analysis, and what decks ask for besides.
//
//   const auto c = daedalus::Circuit::from_file("amplifier.cir");
//   std::cout << c->operating_point()->to_text();
//   const auto solution = daedalus::solve(c->model(), {.until = 1e-3});          // starts at the operating point
//
// Variables are named as in decks: V(out), I(V1).
#pragma once

#include "daedalus/expected.hpp"
#include "daedalus/model.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace daedalus {

/// Columns of numbers with names, as an analysis leaves them.
struct CircuitTable {
    std::string analysis; ///< "op", "dc" or "ac"
    struct Column {
        std::string name, unit;
        std::vector<double> values;
    };
    std::vector<Column> columns = {}; ///< what was swept comes first
    int swept = 0;                    ///< so many
    std::string how;                  ///< how it was found: "Newton's method: 7 iterations"
    Diagnostics warnings = {};        ///< of the deck

    [[nodiscard]] std::string to_text(int width = 80) const; ///< an operating point as a list, sweeps as curves
    [[nodiscard]] std::string to_csv() const;
    /// { "analysis", "swept", "how", "columns": [ { "name", "unit", "values" } ], "diagnostics": [] }
    [[nodiscard]] std::string to_json() const;
    /// As CSV; the number of bytes.
    [[nodiscard]] Expected<std::uint64_t> write(const std::string& path) const;
};

/// What makes the index what it is, in words of circuits.
struct CircuitTopology {
    int index_bound = 1; ///< 2, or at most 1 (Estévez Schwarz & Tischendorf 2000)
    bool sure = true;    ///< false: controlled sources take part, and the theorem gives a suspicion only
    struct Part {
        std::vector<std::string> elements;
        std::vector<std::string> nodes; ///< of a cut set: the side without ground
    };
    std::vector<Part> capacitive_loops = {}; ///< of capacitors and voltage sources
    std::vector<Part> inductive_cuts = {};   ///< of inductors and current sources
    std::vector<std::string> sentences = {};

    [[nodiscard]] std::string to_text() const;
};

/// What a deck asks for.
struct CircuitAnalysis {
    enum class Kind { operating_point, transient, dc, ac };
    Kind kind = Kind::operating_point;
    double until = 0.0; ///< transient
};

class Circuit {
public:
    /// Parameters of the deck (.param) may be given other values.
    using Parameters = std::vector<std::pair<std::string, double>>;
    [[nodiscard]] static Expected<Circuit> from_file(const std::string& path, const Parameters& parameters = {});
    [[nodiscard]] static Expected<Circuit> from_string(const std::string& text, const std::string& file_name = "text",
                                                       const Parameters& parameters = {});
    /// Whether a file is read as a deck: .cir, .net, .sp, .ckt.
    [[nodiscard]] static bool is_deck(const std::string& path);

    [[nodiscard]] const std::string& title() const;
    [[nodiscard]] std::vector<CircuitAnalysis> analyses() const;
    [[nodiscard]] Diagnostics warnings() const;
    /// Charge-oriented nodal equations that start at the operating point, or from initial conditions (uic).
    [[nodiscard]] Model model() const;
    [[nodiscard]] CircuitTopology topology() const;

    /// `values`: other numbers of elements, by name: {"R1", 2e3}.
    [[nodiscard]] Expected<CircuitTable> operating_point(const Parameters& values = {}) const;
    /// The n-th .dc or .ac of the deck, from 0; `progress` is told the share done and may stop.
    [[nodiscard]] Expected<CircuitTable> dc(int n = 0, const Parameters& values = {},
                                            const std::function<bool(double)>& progress = {}) const;
    [[nodiscard]] Expected<CircuitTable> ac(int n = 0, const Parameters& values = {}) const;

    struct Impl;

private:
    explicit Circuit(std::shared_ptr<const Impl> impl);
    std::shared_ptr<const Impl> impl_;
};

} // namespace daedalus
