// What reading a deck works on: the netlist as far as it is made, names and their places, and what waits until all
// elements are there.
#pragma once

#include "spice/cards.hpp"
#include "spice/frame.hpp"
#include "spice/name_index.hpp"

#include <utility>

namespace daedalus::spice {

/// Where a node is named: only terminals of elements make it part of the circuit.
enum class NodeUse : std::uint8_t { port, formula, terminal };

struct Reader {
    Reader(const std::shared_ptr<const SourceFile>& file, const ReadOptions& read_options);

    void error(const char* code, const SourceSpan& span, std::string message, std::string hint = {});
    void error_of_deck(const char* code, const std::string& message, std::string hint = {}); ///< as a whole
    void warning(const char* code, const SourceSpan& span, std::string message, std::string hint = {});

    // Names (names.cpp)
    /// The place of a node by its name in this frame; made where it is new.
    [[nodiscard]] int node(std::string_view name, const SourceSpan& span, const Frame& frame, NodeUse use);
    /// Nothing made; -1 if there is none. For names of the top level: with or without the path.
    [[nodiscard]] int existing_node(std::string_view name, const Frame& frame) const;
    /// By its name in this instance, or by its whole path; -1 if there is none.
    [[nodiscard]] int existing_element(std::string_view name, const std::string& prefix) const;
    [[nodiscard]] std::string like_element(std::string_view name, const std::string& prefix, char letter) const;
    [[nodiscard]] std::string like_node(std::string_view name) const;

    // Values (evaluation.cpp)
    /// A number, or nothing where it is none, which has been said then.
    [[nodiscard]] std::optional<double> number(const Expression& expression, Frame& frame);
    /// The value at hand, without blanks; `what` is missing where there is none.
    [[nodiscard]] std::optional<Value> value(Cursor& cursor, Frame& frame, const std::string& what);
    [[nodiscard]] std::optional<double> parameter(std::string_view name, const SourceSpan& span, Frame& frame);
    /// The formula of an expression with voltages, currents or time; a number where `constant` is set.
    struct FormulaRead {
        Formula formula;
        std::optional<double> constant;
    };
    [[nodiscard]] std::optional<FormulaRead> formula(const Expression& expression, Frame& frame);
    [[nodiscard]] bool active(int branch, Frame& frame);

    // Expansion (expansion.cpp), elements (elements.cpp), models (models.cpp), commands (commands.cpp)
    [[nodiscard]] bool fits(); ///< not too large, as far as can be told without evaluating
    void expand(Frame& frame);
    void instance(const Line& line, Frame& frame);
    void element(const Line& line, Frame& frame);
    /// The model that an element names, -1 if there is none of these types, which has been said then.
    [[nodiscard]] int model(const Token& name, Frame& frame, const std::vector<std::string_view>& types,
                            const std::string& of);
    [[nodiscard]] const ModelCard* find_model(std::string_view name, Frame& frame, Frame** owner = nullptr);
    /// Those that elements depend on (.options, .temp), before them; the others behind them.
    void commands(bool early);
    bool analysis(Cursor& cursor, const std::string& name); ///< false: it is none
    void initial_values(Cursor& cursor, bool node_set);
    void step(Cursor& cursor);
    void wanted(Cursor& cursor, bool analysis_first);
    void measure(Cursor& cursor);
    void control(const std::vector<Line>& lines);
    /// What refers to elements that may stand further below, and nodes that no element has (references.cpp).
    void resolve();
    void check_couplings();
    [[nodiscard]] bool room_for_one_more(const SourceSpan& span);

    Expected<Netlist> read();

    const ReadOptions& options;
    Problems problems;
    Outline outline;
    Netlist netlist;
    NameIndex<std::vector<Node>> nodes{netlist.nodes};
    NameIndex<std::vector<Element>> elements{netlist.elements};
    std::vector<NodeUse> node_uses; ///< by node, the strongest
    Frame top;
    int evaluation_depth = 0;
    std::vector<std::string> evaluating; ///< parameters, each needed by the one before
    bool temperature_is_folded = false;  ///< a number was computed from `temper`

    /// An element that is named by another one.
    struct Reference {
        int element = 0;
        int place = 0; ///< in `others`, or the node of the formula
        bool in_formula = false;
        std::string prefix;
        std::string_view name;
        SourceSpan span;
    };
    std::vector<Reference> references;
    std::vector<Reference> formula_references;                                    ///< of the element that is being read
    std::map<std::pair<const ModelCard*, std::vector<double>>, int> equal_models; ///< card and numbers
    std::size_t made = 0;                                                         ///< elements and instances
};

} // namespace daedalus::spice
