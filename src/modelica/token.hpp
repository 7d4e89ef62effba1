// The tokens of Modelica (specification 3.5, chapter 2 and appendix A). A token is a kind and a byte range of the
// file; its text is looked up in the file when needed.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace daedalus::modelica {

enum class TokenKind : std::uint8_t {
    end_of_file,
    identifier,
    integer,
    real,
    string,
    // punctuation and operators
    left_parenthesis,
    right_parenthesis,
    left_bracket,
    right_bracket,
    left_brace,
    right_brace,
    comma,
    semicolon,
    colon,
    dot,
    equals,
    assign,
    plus,
    minus,
    times,
    divide,
    power,
    dot_plus,
    dot_minus,
    dot_times,
    dot_divide,
    dot_power,
    less,
    less_equal,
    greater,
    greater_equal,
    equal_equal,
    not_equal,
    // keywords, in the order of the specification
    kw_algorithm,
    kw_and,
    kw_annotation,
    kw_block,
    kw_break,
    kw_class,
    kw_connect,
    kw_connector,
    kw_constant,
    kw_constrainedby,
    kw_der,
    kw_discrete,
    kw_each,
    kw_else,
    kw_elseif,
    kw_elsewhen,
    kw_encapsulated,
    kw_end,
    kw_enumeration,
    kw_equation,
    kw_expandable,
    kw_extends,
    kw_external,
    kw_false,
    kw_final,
    kw_flow,
    kw_for,
    kw_function,
    kw_if,
    kw_import,
    kw_impure,
    kw_in,
    kw_initial,
    kw_inner,
    kw_input,
    kw_loop,
    kw_model,
    kw_not,
    kw_operator,
    kw_or,
    kw_outer,
    kw_output,
    kw_package,
    kw_parameter,
    kw_partial,
    kw_protected,
    kw_public,
    kw_pure,
    kw_record,
    kw_redeclare,
    kw_replaceable,
    kw_return,
    kw_stream,
    kw_then,
    kw_true,
    kw_type,
    kw_when,
    kw_while,
    kw_within,
    count_
};

/// Spelling of each kind, in the order of TokenKind; the first five are descriptions.
inline constexpr std::array<std::string_view, static_cast<std::size_t>(TokenKind::count_)> token_text{
    "end of file", "identifier", "integer",   "number",      "string",        "(",       ")",       "[",
    "]",           "{",          "}",         ",",           ";",             ":",       ".",       "=",
    ":=",          "+",          "-",         "*",           "/",             "^",       ".+",      ".-",
    ".*",          "./",         ".^",        "<",           "<=",            ">",       ">=",      "==",
    "<>",          "algorithm",  "and",       "annotation",  "block",         "break",   "class",   "connect",
    "connector",   "constant",   "constrainedby", "der",     "discrete",      "each",    "else",    "elseif",
    "elsewhen",    "encapsulated", "end",     "enumeration", "equation",      "expandable", "extends", "external",
    "false",       "final",      "flow",      "for",         "function",      "if",      "import",  "impure",
    "in",          "initial",    "inner",     "input",       "loop",          "model",   "not",     "operator",
    "or",          "outer",      "output",    "package",     "parameter",     "partial", "protected", "public",
    "pure",        "record",     "redeclare", "replaceable", "return",        "stream",  "then",    "true",
    "type",        "when",       "while",     "within"};
static_assert(token_text.back() == "within");

[[nodiscard]] constexpr std::string_view spelling(TokenKind kind) { return token_text[static_cast<std::size_t>(kind)]; }
[[nodiscard]] constexpr bool is_keyword(TokenKind kind) {
    return kind >= TokenKind::kw_algorithm && kind < TokenKind::count_;
}

struct Token {
    TokenKind kind = TokenKind::end_of_file;
    bool starts_line = false; ///< first token of its line: tells a forgotten ';' from other mistakes
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

} // namespace daedalus::modelica
