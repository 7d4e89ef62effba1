// Text → syntax tree, the whole language; errors are collected and reading goes on after each.
#pragma once

#include "modelica/ast.hpp"

namespace daedalus::modelica {

struct ParseResult {
    ast::Tree tree;
    Diagnostics diagnostics;

    [[nodiscard]] bool ok() const { return !has_errors(diagnostics); }
};

/// The tree refers to the text of `file`.
[[nodiscard]] ParseResult parse(const SourceFile& file);

} // namespace daedalus::modelica
