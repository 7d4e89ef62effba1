// What the specification forbids in a class, whatever it is used for: restrictions of specialized classes
// (specification 3.5, section 4.7), of functions (12.2), enumerations (4.9.5), statements (11.2) and names.
#pragma once

#include "modelica/ast.hpp"

#include <optional>
#include <string>

namespace daedalus::modelica {

struct BrokenRule {
    std::string code;
    Span span;
    std::string message;
    std::string hint = {};
};

/// The first rule that the class itself breaks; classes inside it are asked for when they are used.
[[nodiscard]] std::optional<BrokenRule> broken_rule(const ast::ClassDefinition& definition, const ast::Tree& tree);

/// A list of modifications in which one thing is modified twice (7.2.2).
[[nodiscard]] std::optional<BrokenRule> modified_twice(const std::vector<ast::Modification>& list);

} // namespace daedalus::modelica
