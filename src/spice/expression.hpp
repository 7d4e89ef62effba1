// Expressions of decks as they are written: names not yet looked up, functions not yet carried out.
#pragma once

#include "spice/lines.hpp"

#include <optional>
#include <string>
#include <vector>

namespace daedalus::spice {

struct Expression {
    struct Node {
        enum class Kind : std::uint8_t { number, name, voltage, current, operation, call };
        Kind kind = Kind::number;
        double number = 0.0;
        std::string_view text;              ///< name, operation, function; of voltage and current the node or element
        std::string_view other;             ///< the second node of V(a,b)
        std::uint32_t first = 0, count = 0; ///< operands: places in `operands`
        SourceSpan span;
    };
    std::vector<Node> nodes; ///< operands before their users, the last one is the whole
    std::vector<std::uint32_t> operands;

    [[nodiscard]] bool empty() const { return nodes.empty(); }
    [[nodiscard]] SourceSpan span() const { return nodes.empty() ? SourceSpan{} : nodes.back().span; }
    /// A plain number.
    [[nodiscard]] bool literal() const { return nodes.size() == 1 && nodes[0].kind == Node::Kind::number; }
};

/// Reads as far as an expression goes: behind an operand only an operator continues it. Nothing if it is wrong, which
/// has been said then.
///
/// Operators, loosest first: ?: · || · && · == != < <= > >= · + - · * / % · unary - + ! · ^ **. Powers are taken from
/// the left where several follow each other, as ngspice does, and a warning says so.
[[nodiscard]] std::optional<Expression> read_expression(Cursor& cursor, Problems& problems);

} // namespace daedalus::spice
