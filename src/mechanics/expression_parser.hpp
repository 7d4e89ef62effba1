// Formulas of mechanism files, read by precedence climbing straight into the expression graph:
//   if c then a else b;  or;  and;  not;  < <= > >= == !=;  + -;  * /;  ^;  number, name, name.part, f(a), der(q), (a)
// with the units of angles behind a number or a parenthesis: 30 deg, 60 rpm. Nothing here knows what a name means.
#pragma once

#include "expr/graph.hpp"
#include "mechanics/lexer.hpp"

#include <functional>

namespace daedalus::mechanics {

using expr::NodeId;

/// Tokens with a position, shared by all who read from them.
class TokenStream {
public:
    TokenStream(const SourceFile& file, std::vector<Token> tokens, Problems& problems)
        : file_(file), tokens_(std::move(tokens)), problems_(problems) {}

    [[nodiscard]] const Token& peek(std::size_t ahead = 0) const {
        return tokens_[at_ + ahead < tokens_.size() ? at_ + ahead : tokens_.size() - 1];
    }
    [[nodiscard]] bool at_end() const { return peek().kind == TokenKind::end; }
    [[nodiscard]] bool at_sign(std::string_view sign) const {
        return peek().kind == TokenKind::sign && peek().text == sign;
    }
    [[nodiscard]] bool at_word(std::string_view word) const {
        return peek().kind == TokenKind::name && peek().text == word;
    }
    const Token& next() { return at_ + 1 < tokens_.size() ? tokens_[at_++] : tokens_.back(); }
    bool accept_sign(std::string_view sign);
    bool accept_word(std::string_view word);
    [[nodiscard]] std::size_t position() const { return at_; }
    void go_to(std::size_t position) { at_ = position; }

    [[nodiscard]] const SourceFile& file() const { return file_; }
    [[nodiscard]] SourceSpan span(const Token& token) const { return {&file_, token.begin, token.end}; }
    [[nodiscard]] SourceSpan span_from(std::size_t position) const;
    [[nodiscard]] Problems& problems() const { return problems_; }
    /// "expected …, found 'word'"
    void unexpected(const std::string& expected, const std::string& hint = {});

private:
    const SourceFile& file_;
    std::vector<Token> tokens_;
    Problems& problems_;
    std::size_t at_ = 0;
};

class ExpressionParser {
public:
    /// `resolve` gives the value of a name, "crank.tip.x"; where there is none it reports that and answers no_node.
    using Resolve = std::function<NodeId(const std::string& name, const SourceSpan& span)>;
    ExpressionParser(TokenStream& tokens, expr::Graph& graph, Resolve resolve)
        : tokens_(tokens), graph_(graph), resolve_(std::move(resolve)) {}

    /// no_node: reported.
    [[nodiscard]] NodeId operator()();
    /// Up to `and`, which in places stands between two of them.
    [[nodiscard]] NodeId sum();

private:
    [[nodiscard]] NodeId conditional();
    [[nodiscard]] NodeId binary(int level);
    [[nodiscard]] NodeId signed_term();
    [[nodiscard]] NodeId power();
    [[nodiscard]] NodeId primary();
    [[nodiscard]] NodeId name();
    [[nodiscard]] NodeId call(const Token& function);
    [[nodiscard]] NodeId with_unit(NodeId value);

    TokenStream& tokens_;
    expr::Graph& graph_;
    Resolve resolve_;
    int depth_ = 0;
};

} // namespace daedalus::mechanics
