// An elementary function states what it is in one file of this folder: value, derivative, Taylor recurrence, domain,
// range, how code gets it, how it is written. Which functions there are says daedalus/elementary_functions.inc.
#pragma once

#include "expr/functions/taylor_rule.hpp"
#include "expr/graph.hpp"
#include "expr/range.hpp"

#include <string_view>

namespace daedalus::expr {

struct Function {
    Op op;
    std::string_view name;            ///< as in Modelica
    std::string_view arguments = "u"; ///< their names, as in Modelica, separated by blanks
    std::string_view latex;           ///< command or \operatorname{…}
    std::string_view meaning;         ///< for `daedalus list functions`

    double (*value1)(double) = nullptr;         ///< of one argument, or
    double (*value2)(double, double) = nullptr; ///< of two
    Quad (*quad1)(Quad) = nullptr;              ///< the same in quadruple precision
    Quad (*quad2)(Quad, Quad) = nullptr;

    /// ∂self/∂(operand k) as an expression; no_node where the derivative is zero almost everywhere
    NodeId (*derivative)(Graph& graph, NodeId self, int k) = nullptr;
    /// … and its range for operands a, b and values v; none where nothing bounds it or it has jumps
    Range (*derivative_range)(int k, const Range& a, const Range& b, const Range& v) = nullptr;
    TaylorRule taylor = {}; ///< how the coefficients of its series follow from those of its arguments
    /// What is wrong with these arguments, e.g. "of a negative number"; empty where the function is defined
    std::string_view (*domain)(double a, double b) = nullptr;
    /// All values that it takes on an interval
    Range (*range)(const Range& a, const Range& b) = nullptr;

    bool bounded_domain = false; ///< abs, min, max in its argument keep it defined, and make no events therefore
    bool smooth = true;          ///< no kinks and jumps
    bool whole_values = false;   ///< exact, without round-off
    bool steep = false;          ///< grows or saturates like an exponential: methods are careful with its Jacobian
    bool called = true;          ///< by code; not where one instruction does it
    bool in_libmvec = false;     ///< many at once, under its name
    bool keeps_integer = false;  ///< in models, of Integer arguments an Integer
};

/// The function behind an op for which is_function(op).
[[nodiscard]] const Function& function(Op op);
/// By its Modelica name, or nullptr.
[[nodiscard]] const Function* find_function(std::string_view name);
/// All of them, in the order of Op.
[[nodiscard]] std::span<const Function* const> all_functions();

/// From a rule's `template <class T> static T derivative(int k, const T& a, const T& b, const T& v)`.
template <class Rule>
[[nodiscard]] NodeId symbolic_derivative(Graph& g, NodeId self, int k) {
    const Symbol a(g, g.operand(self, 0)), v(g, self);
    const Symbol b = g.arity(self) > 1 ? Symbol(g, g.operand(self, 1)) : Symbol();
    return Rule::template derivative<Symbol>(k, a, b, v).in(g);
}
template <class Rule>
[[nodiscard]] Range derivative_range(int k, const Range& a, const Range& b, const Range& v) {
    return Rule::template derivative<Range>(k, a, b, v);
}

} // namespace daedalus::expr
