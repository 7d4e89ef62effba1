// Expressions as text: Modelica (also for diagnostics) and LaTeX.
#pragma once

#include "expr/graph.hpp"

#include <functional>
#include <string>

namespace daedalus::expr {

struct Names {
    std::function<std::string(int id, int order)> variable;
    std::function<std::string(int id)> parameter;
};

enum class Notation {
    modelica, ///< reads back to the same expression, rounding included
    plain,    ///< for people: Modelica without the parentheses that only fix the order of additions and products
    latex
};

/// Prints with the fewest parentheses that keep the meaning. A graph can be exponentially larger as a text than as
/// a graph: past `max_length` characters the rest is cut and "…" stands for it.
[[nodiscard]] std::string to_string(const Graph& graph, NodeId expression, const Names& names,
                                    Notation notation = Notation::modelica, std::size_t max_length = 4000);

/// A number in the shortest form that reads back to the same double.
[[nodiscard]] std::string number_text(double value);

} // namespace daedalus::expr
