// What Modelica brings along: functions with operator syntax (specification 3.5, section 3.7), Modelica.Math,
// Modelica.Constants and the quantities of Modelica.Units.SI.
#pragma once

#include "expr/graph.hpp"
#include "modelica/value.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace daedalus::modelica {

/// How a call becomes nodes; everything not listed here is one operation of the graph.
enum class Lowering : std::uint8_t {
    operation,   ///< a graph operation of as many arguments
    derivative,  ///< der
    sign,        ///< 1, 0 or -1 by relations
    ceil,        ///< by floor
    identity,    ///< noEvent, and smooth: one of the arguments as it is
    integer,     ///< integer(x) = floor(x)
    mod,         ///< x - floor(x/y)*y
    div,         ///< x/y, rounded towards zero
    rem,         ///< x - div(x, y)*y
    semi_linear, ///< if x >= 0 then p*x else n*x
};

struct Function {
    std::string_view name;
    int arity = 1;
    Lowering lowering = Lowering::operation;
    expr::Op op = expr::Op::constant;
    int picked = 0;              ///< identity: which argument
    bool keeps_integer = false;  ///< Integer arguments give an Integer
    std::string_view parameters; ///< names for named arguments, separated by blanks
};

/// nullptr if there is none of that name; accepts "sin" and "Modelica.Math.sin".
[[nodiscard]] const Function* find_function(std::string_view dotted);
/// initial, sample, pre, edge, change.
[[nodiscard]] bool is_event_function(std::string_view name);
/// A function of the language that is not supported yet.
[[nodiscard]] bool is_later_function(std::string_view name);
[[nodiscard]] std::vector<std::string> function_names();

struct NamedConstant {
    std::string_view name;
    double value = 0.0;
};
/// "Modelica.Constants.pi"
[[nodiscard]] const NamedConstant* find_constant(std::string_view dotted);

/// "Modelica.Units.SI.Length" (or Modelica.SIunits.Length) → "m"; nullptr if unknown.
[[nodiscard]] const std::string_view* find_unit(std::string_view dotted);

/// The value of a call of `function` (not der) with checked arguments.
[[nodiscard]] expr::NodeId build(expr::Graph& graph, const Function& function, std::span<const Value> arguments);

} // namespace daedalus::modelica
