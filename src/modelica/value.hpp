// What an expression of the text becomes: a node of the expression graph with its Modelica type, and how variable it
// is. An invalid value has been reported already and silences everything built on it.
#pragma once

#include "expr/graph.hpp"
#include "model/model.hpp"
#include "modelica/ast.hpp"

#include <string_view>

namespace daedalus::modelica {

enum class Type : std::uint8_t { invalid, real, integer, boolean, string };

[[nodiscard]] constexpr std::string_view spelling(Type type) {
    switch (type) {
    case Type::real: return "Real";
    case Type::integer: return "Integer";
    case Type::boolean: return "Boolean";
    case Type::string: return "String";
    default: return "invalid";
    }
}
[[nodiscard]] constexpr model::ValueType value_type(Type type) {
    return type == Type::boolean   ? model::ValueType::boolean
           : type == Type::integer ? model::ValueType::integer
                                   : model::ValueType::real;
}
[[nodiscard]] constexpr bool is_numeric(Type type) { return type == Type::real || type == Type::integer; }

/// Ordered: an expression is as variable as its most variable operand.
enum class Varies : std::uint8_t { never, with_parameters, with_time };

struct Value {
    Type type = Type::invalid;
    Varies varies = Varies::never;
    std::uint8_t derivatives = 0; ///< how many der() of composed expressions are nested in it
    expr::NodeId node = expr::no_node;
    Span span;

    [[nodiscard]] bool ok() const { return type != Type::invalid; }
};

} // namespace daedalus::modelica
