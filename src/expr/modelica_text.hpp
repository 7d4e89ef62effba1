// Expressions as Modelica text that reads back to the same expression: with types, since a graph has numbers only, and
// with what a front end knows to be written shorter, as der(…), pre(…) and noEvent(…).
#pragma once

#include "expr/print.hpp"

#include <optional>
#include <vector>

namespace daedalus::expr {

enum class Wanted : std::uint8_t { real, integer, boolean };

struct Spelling {
    struct Piece {
        std::string text;      ///< as it is; or
        NodeId node = no_node; ///< an expression, which the pieces around it enclose
        Wanted wanted = Wanted::real;
        bool is_operand = false; ///< of a relation, not between parentheses or commas
    };
    Names names;
    std::function<bool(int parameter)> is_boolean;
    /// Instead of the expression itself, where there is another way to say it. It binds like a name.
    std::function<std::optional<std::vector<Piece>>(NodeId)> instead;
};

/// As to_string, of an expression that stands where a number or a condition is wanted.
[[nodiscard]] std::string modelica_text(const Graph& graph, NodeId expression, const Spelling& spelling, Wanted wanted,
                                        std::size_t max_length);

/// Whether its value is true or false.
[[nodiscard]] bool is_condition(const Graph& graph, NodeId expression, const Spelling& spelling);

} // namespace daedalus::expr
