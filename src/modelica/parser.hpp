// Recursive descent over the token list (specification 3.5, appendix A). Operators are resolved with an explicit
// stack, so recursion happens only where the text nests, and its depth is limited.
//
// After a mistake the parser is in panic: every function returns at once and nothing more is reported, until a
// statement boundary is found (recover). Mistakes whose intention is plain (a missing ';', ':=' for '=') are
// reported without panic, and reading goes on as if they had been corrected.
#pragma once

#include "modelica/ast.hpp"

#include <optional>
#include <span>

namespace daedalus::modelica {

class Parser {
public:
    /// Deeper nesting is refused: a level uses about 1 kB of stack, with sanitizers up to 8 kB of the usual 8 MB.
    static constexpr int max_depth = 500;

    /// `cut_off`: the text ends inside a comment, so that its end tells nothing.
    Parser(const SourceFile& file, std::span<const Token> tokens, Report& report, bool cut_off)
        : text_(file.text()), tokens_(tokens), report_(report), cut_off_(cut_off) {}

    [[nodiscard]] ast::Tree file();

private:
    // cursor
    [[nodiscard]] const Token& peek(std::size_t ahead = 0) const {
        return tokens_[at_ + ahead < tokens_.size() ? at_ + ahead : tokens_.size() - 1];
    }
    [[nodiscard]] bool at(TokenKind kind) const { return !panic_ && peek().kind == kind; }
    [[nodiscard]] const Token& previous() const { return tokens_[at_ > 0 ? at_ - 1 : 0]; }
    [[nodiscard]] std::string_view text(const Token& token) const {
        return text_.substr(token.begin, token.end - token.begin);
    }
    [[nodiscard]] static Span span(const Token& token) { return {token.begin, token.end}; }
    [[nodiscard]] Span span_from(std::uint32_t begin) const {
        const std::uint32_t end = previous().end;
        return {begin, end > begin ? end : begin};
    }
    void advance() {
        if (at_ + 1 < tokens_.size()) ++at_;
    }
    bool accept(TokenKind kind);
    /// Reports "expected …" and panics if the next token is another.
    bool expect(TokenKind kind, std::string_view context);
    [[nodiscard]] std::string shown(const Token& token) const;

    // errors and recovery (parser_recovery.cpp)
    void fail(const char* code, Span where, std::string message, std::string hint = {});
    void unexpected(std::string_view expected, std::string hint = {});
    bool semicolon(std::string_view after);
    void recover();
    [[nodiscard]] bool at_section_boundary() const;
    bool stray_end();
    [[nodiscard]] bool silent() const { return panic_ || (cut_off_ && peek().kind == TokenKind::end_of_file); }
    void close(TokenKind keyword, Span opened, std::string_view what);

    struct Nested {
        explicit Nested(Parser& parser);
        ~Nested() { --parser.depth_; }
        Parser& parser;
    };

    // expressions (parser_expressions.cpp)
    ast::ExprId expression();
    ast::ExprId simple_expression();
    ast::ExprId operators();
    ast::ExprId primary();
    ast::ExprId conditional();
    ast::ExprId parenthesized();
    ast::ExprId part_of(ast::ExprId whole);
    ast::ExprId braces();
    ast::ExprId brackets();
    ast::ExprId reference_or_call();
    ast::ExprId call(ast::Reference function);
    void call_arguments(ast::Call& call, TokenKind close);
    ast::ExprId literal(ast::ExprKind kind, double value);
    ast::ExprId make(ast::ExprKind kind, TokenKind op, Span span, std::span<const ast::ExprId> operands);
    ast::ExprId invalid();
    std::vector<ast::ExprId> subscripts();
    ast::Reference reference(bool with_subscripts);
    std::vector<ast::ForIndex> for_indices();
    [[nodiscard]] ast::ExprId next_id() const {
        return ast::ExprId{static_cast<std::uint32_t>(tree_.expressions.size())};
    }

    // declarations (parser_declarations.cpp, parser_classes.cpp)
    std::unique_ptr<ast::ClassDefinition> class_definition();
    [[nodiscard]] bool at_class_definition() const;
    bool class_prefixes(ast::ClassDefinition& definition);
    void short_class(ast::ClassDefinition& definition);
    void enumeration(ast::ClassDefinition& definition);
    void composition(ast::ClassDefinition& definition);
    bool end_of_class(ast::ClassDefinition& definition);
    void external(ast::ClassDefinition& definition);
    std::optional<ast::Element> element();
    void element_prefixes(ast::Prefixes& prefixes);
    void component_prefixes(ast::Prefixes& prefixes);
    ast::ComponentClause component_clause(bool single);
    ast::Component component();
    ast::ExtendsClause extends_clause();
    ast::ImportClause import_clause();
    std::vector<ast::Modification> class_modification();
    ast::Modification argument();
    void binding(ast::ExprId& value);
    std::string description();
    void comment(Rarely<std::string>& description, Rarely<std::vector<ast::Modification>>& annotation);
    std::vector<ast::Modification> annotation();

    // equations and statements (parser_equations.cpp, parser_statements.cpp)
    ast::EquationSection equation_section();
    ast::Equation equation();
    ast::Equation simple_equation();
    ast::Equation if_equation(TokenKind keyword);
    ast::Equation for_equation();
    ast::Equation connect_equation();
    std::vector<ast::Equation> equations_until_branch_end();
    ast::AlgorithmSection algorithm_section();
    ast::Statement statement();
    ast::Statement simple_statement();
    ast::Statement branching_statement(TokenKind keyword);
    ast::Statement loop_statement(TokenKind keyword);
    std::vector<ast::Statement> statements_until_branch_end();
    [[nodiscard]] bool at_branch_end() const;

    std::string_view text_;
    std::span<const Token> tokens_;
    Report& report_;
    ast::Tree tree_;
    std::size_t at_ = 0;
    int depth_ = 0;
    bool panic_ = false;
    bool cut_off_ = false;
    bool stray_else_ = false;                       ///< its 'end if' will follow
    std::vector<const ast::ClassDefinition*> open_; ///< enclosing classes, outermost first
};

} // namespace daedalus::modelica
