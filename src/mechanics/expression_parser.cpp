#include "mechanics/expression_parser.hpp"

#include "base/printable.hpp"
#include "expr/functions/function.hpp"

#include <array>
#include <numbers>
#include <optional>

namespace daedalus::mechanics {

using expr::no_node;
using expr::Op;

bool TokenStream::accept_sign(std::string_view sign) {
    if (!at_sign(sign)) return false;
    (void)next();
    return true;
}
bool TokenStream::accept_word(std::string_view word) {
    if (!at_word(word)) return false;
    (void)next();
    return true;
}
SourceSpan TokenStream::span_from(std::size_t position) const {
    const Token& first = tokens_[position < tokens_.size() ? position : tokens_.size() - 1];
    const Token& last = tokens_[at_ > position ? at_ - 1 : position];
    return {&file_, first.begin, last.end > first.begin ? last.end : first.end};
}
void TokenStream::unexpected(const std::string& expected, const std::string& hint) {
    const Token& found = peek();
    const std::string shown = found.kind == TokenKind::end
                                  ? "the end of the file"
                                  : "'" + printable(file_.text().substr(found.begin, found.end - found.begin)) + "'";
    problems_.error("syntax", span(found), "expected " + expected + ", found " + shown, hint);
}

namespace {
struct Operator {
    std::string_view sign;
    Op op;
};
constexpr int or_level = 0, and_level = 1, not_level = 2, relation_level = 3, sum_level = 4, product_level = 5;

std::optional<Op> operator_at(const TokenStream& tokens, int level) {
    static constexpr std::array relations{Operator{"<", Op::lt},  Operator{"<=", Op::le}, Operator{">", Op::gt},
                                          Operator{">=", Op::ge}, Operator{"==", Op::eq}, Operator{"!=", Op::ne}};
    if (level == or_level && tokens.at_word("or")) return Op::logical_or;
    if (level == and_level && tokens.at_word("and")) return Op::logical_and;
    if (level == relation_level)
        for (const Operator& o : relations)
            if (tokens.at_sign(o.sign)) return o.op;
    if (level == sum_level && tokens.at_sign("+")) return Op::add;
    if (level == sum_level && tokens.at_sign("-")) return Op::sub;
    if (level == product_level && tokens.at_sign("*")) return Op::mul;
    if (level == product_level && tokens.at_sign("/")) return Op::div;
    return {};
}
} // namespace

NodeId ExpressionParser::operator()() {
    depth_ = 0;
    return conditional();
}

NodeId ExpressionParser::sum() {
    depth_ = 0;
    return binary(sum_level);
}

NodeId ExpressionParser::conditional() {
    constexpr int deepest = 200; // parentheses within parentheses: a person writes ten
    struct Depth {
        int& depth;
        ~Depth() { --depth; }
    } const guard{++depth_};
    if (depth_ > deepest) {
        tokens_.problems().error("too-deep", tokens_.span(tokens_.peek()), "the formula is nested too deeply");
        return no_node;
    }
    if (!tokens_.accept_word("if")) return binary(or_level);
    const NodeId condition = conditional();
    if (condition == no_node) return no_node;
    if (!expr::is_boolean(graph_.op(condition))) {
        tokens_.unexpected("a condition, as in 'if time < 1 then …', before this");
        return no_node;
    }
    if (!tokens_.accept_word("then")) {
        tokens_.unexpected("'then'");
        return no_node;
    }
    const NodeId yes = conditional();
    if (yes == no_node) return no_node;
    if (!tokens_.accept_word("else")) {
        tokens_.unexpected("'else'", "every 'if' in a formula needs a value for both cases");
        return no_node;
    }
    const NodeId no = conditional();
    return no == no_node ? no_node : graph_.select(condition, yes, no);
}

NodeId ExpressionParser::binary(int level) {
    if (level == not_level && tokens_.accept_word("not")) {
        const NodeId a = binary(relation_level);
        return a == no_node ? no_node : graph_.unary(Op::logical_not, a);
    }
    if (level > product_level) return signed_term();
    NodeId a = binary(level + 1);
    while (a != no_node) {
        const auto op = operator_at(tokens_, level);
        if (!op) return a;
        (void)tokens_.next();
        const NodeId b = binary(level + 1);
        if (b == no_node) return no_node;
        a = graph_.binary(*op, a, b);
    }
    return a;
}

NodeId ExpressionParser::signed_term() {
    bool negative = false;
    while (tokens_.at_sign("-") || tokens_.at_sign("+")) negative = (tokens_.next().text == "-") != negative;
    const NodeId a = power();
    return a == no_node || !negative ? a : graph_.neg(a);
}

NodeId ExpressionParser::power() {
    const NodeId a = primary();
    if (a == no_node || !tokens_.accept_sign("^")) return a;
    bool negative = false;
    while (tokens_.at_sign("-") || tokens_.at_sign("+")) negative = (tokens_.next().text == "-") != negative;
    const NodeId b = primary();
    if (b == no_node) return b;
    return graph_.pow(a, negative ? graph_.neg(b) : b);
}

NodeId ExpressionParser::with_unit(NodeId value) {
    if (value == no_node) return value;
    if (tokens_.accept_word("deg")) return graph_.mul(value, graph_.constant(std::numbers::pi / 180.0));
    if (tokens_.accept_word("rpm")) return graph_.mul(value, graph_.constant(std::numbers::pi / 30.0));
    return value;
}

NodeId ExpressionParser::primary() {
    const Token& token = tokens_.peek();
    if (token.kind == TokenKind::number) {
        (void)tokens_.next();
        return with_unit(graph_.constant(token.value));
    }
    if (token.kind == TokenKind::name) return name();
    if (tokens_.accept_sign("(")) {
        const NodeId a = conditional();
        if (a == no_node) return a;
        if (!tokens_.accept_sign(")")) {
            tokens_.unexpected("')'", tokens_.at_sign(",") ? "one number is wanted here, not several" : "");
            return no_node;
        }
        return with_unit(a);
    }
    tokens_.unexpected("a number, a name or '('");
    return no_node;
}

NodeId ExpressionParser::name() {
    const std::size_t begin = tokens_.position();
    const Token first = tokens_.next();
    if (tokens_.at_sign("(") && expr::find_function(first.text) != nullptr) return call(first);
    if (first.text == "der" && tokens_.at_sign("(")) { // of a name only
        (void)tokens_.next();
        const Token of = tokens_.peek();
        if (of.kind != TokenKind::name) {
            tokens_.unexpected("the name of a coordinate");
            return no_node;
        }
        (void)tokens_.next();
        if (!tokens_.accept_sign(")")) {
            tokens_.unexpected("')': der is of a single coordinate");
            return no_node;
        }
        return resolve_("der(" + std::string(of.text) + ")", tokens_.span_from(begin));
    }
    std::string full(first.text);
    while (tokens_.at_sign(".") && tokens_.peek(1).kind == TokenKind::name) {
        (void)tokens_.next();
        full += "." + std::string(tokens_.next().text);
    }
    if (full == "time") return graph_.time();
    if (full == "pi") return graph_.constant(std::numbers::pi);
    return with_unit(resolve_(full, tokens_.span_from(begin)));
}

NodeId ExpressionParser::call(const Token& function) {
    const Op op = expr::find_function(function.text)->op;
    (void)tokens_.next(); // '('
    std::array<NodeId, 2> arguments{no_node, no_node};
    const auto wanted = static_cast<std::size_t>(expr::arity(op));
    for (std::size_t k = 0; k < wanted; ++k) {
        if (k > 0 && !tokens_.accept_sign(",")) {
            tokens_.unexpected("',': " + std::string(function.text) + " has two arguments");
            return no_node;
        }
        arguments[k] = conditional();
        if (arguments[k] == no_node) return no_node;
    }
    if (!tokens_.accept_sign(")")) {
        tokens_.unexpected("')' behind the argument of " + std::string(function.text));
        return no_node;
    }
    return wanted == 1 ? graph_.unary(op, arguments[0]) : graph_.binary(op, arguments[0], arguments[1]);
}

} // namespace daedalus::mechanics
