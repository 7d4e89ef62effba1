// The names that are visible inside the class being flattened: its components, the classes of the file, imports.
#pragma once

#include "modelica/value.hpp"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace daedalus::modelica {

enum class SymbolKind : std::uint8_t { variable, parameter, constant, discrete, text, unsupported };

struct Symbol {
    SymbolKind kind = SymbolKind::variable;
    Type type = Type::real;
    int id = -1;                       ///< in Model::variables or Model::parameters
    Span span;                         ///< of the name where it is declared
    expr::NodeId node = expr::no_node; ///< of a discrete variable: what it stands for, once that is known
};

class Scope {
public:
    Scope(const ast::Tree& tree, std::vector<const ast::ClassDefinition*> enclosing)
        : tree_(&tree), enclosing_(std::move(enclosing)) {}

    /// False if the name is taken; the first declaration stays.
    bool declare(std::string_view name, const Symbol& symbol);
    void import(const ast::ImportClause& clause);

    /// Names may come from where they cannot be looked up (a base class): unknown ones are not worth a message.
    void set_incomplete() { incomplete_ = true; }
    [[nodiscard]] bool incomplete() const { return incomplete_; }

    [[nodiscard]] const Symbol* find(std::string_view name) const;
    /// What a discrete variable stands for.
    void define(std::string_view name, expr::NodeId node);
    /// Dotted name with import aliases replaced by what they stand for.
    [[nodiscard]] std::vector<std::string> qualified(const ast::Reference& name) const;
    /// A class of this file, looked up from the innermost enclosing class outwards.
    [[nodiscard]] const ast::ClassDefinition* find_class(const ast::Reference& name) const;

    /// "did you mean 'x'?" for a misspelt component or function, or nothing.
    [[nodiscard]] std::string suggestion(std::string_view name, const std::vector<std::string>& more = {}) const;

private:
    const ast::Tree* tree_;
    std::vector<const ast::ClassDefinition*> enclosing_; ///< outermost first, the class itself last
    std::unordered_map<std::string_view, Symbol> symbols_;
    std::vector<std::string_view> order_;
    std::unordered_map<std::string_view, std::string> aliases_;
    std::vector<std::string> packages_; ///< import A.B.*
    bool incomplete_ = false;
};

/// "A.B.C" → A, B, C
[[nodiscard]] std::vector<std::string> split_name(std::string_view dotted);

} // namespace daedalus::modelica
