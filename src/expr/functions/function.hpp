// An elementary function states what it is in one file of this folder: value, derivative, Taylor recurrence, domain,
// how it is written. The table in function_table.cpp is the only list of them.
#pragma once

#include "expr/functions/taylor_rule.hpp"
#include "expr/graph.hpp"

#include <optional>
#include <string_view>

namespace daedalus::expr {

struct Function {
    Op op;
    std::string_view name;                      ///< as in Modelica
    std::string_view latex;                     ///< command or \operatorname{…}
    std::string_view meaning;                   ///< for `daedalus list functions`
    double (*value1)(double) = nullptr;         ///< of one argument, or
    double (*value2)(double, double) = nullptr; ///< of two
    /// ∂self/∂(operand k) as an expression; no_node where the derivative is zero almost everywhere
    NodeId (*derivative)(Graph& graph, NodeId self, int k) = nullptr;
    TaylorRule taylor = {}; ///< how the coefficients of its series follow from those of its arguments
    /// What is wrong with these arguments, e.g. "of a negative number"; empty where the function is defined
    std::string_view (*domain)(double a, double b) = nullptr;
};

/// The function behind an op for which is_function(op).
[[nodiscard]] const Function& function(Op op);
/// By its Modelica name, or nullptr.
[[nodiscard]] const Function* find_function(std::string_view name);
/// All of them, in the order of Op.
[[nodiscard]] std::span<const Function* const> all_functions();

} // namespace daedalus::expr
