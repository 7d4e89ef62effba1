// Algorithm sections.
#include "modelica/parser.hpp"

namespace daedalus::modelica {

using enum TokenKind;
using ast::StatementKind;

ast::AlgorithmSection Parser::algorithm_section() {
    ast::AlgorithmSection section;
    section.initial = accept(kw_initial);
    section.span = span(peek());
    advance();
    stray_else_ = false;
    while (stray_end() || (!at_section_boundary() && peek().kind != kw_annotation && peek().kind != kw_external)) {
        const std::size_t before = at_;
        if (accept(TokenKind::semicolon) || at_section_boundary()) continue;
        section.statements.push_back(statement());
        semicolon("the statement");
        recover();
        if (at_ == before) advance();
    }
    return section;
}

std::vector<ast::Statement> Parser::statements_until_branch_end() {
    std::vector<ast::Statement> list;
    while (!at_branch_end()) {
        const std::size_t before = at_;
        list.push_back(statement());
        semicolon("the statement");
        recover();
        if (at_ == before) advance();
    }
    return list;
}

ast::Statement Parser::statement() {
    const Nested nested(*this);
    if (panic_) return {};
    const std::uint32_t begin = peek().begin;
    ast::Statement result;
    switch (peek().kind) {
    case kw_if:
    case kw_when: result = branching_statement(peek().kind); break;
    case kw_for:
    case kw_while: result = loop_statement(peek().kind); break;
    case kw_break:
        advance();
        result.kind = StatementKind::break_;
        break;
    case kw_return:
        advance();
        result.kind = StatementKind::return_;
        break;
    default: result = simple_statement();
    }
    Rarely<std::vector<ast::Modification>> ignored;
    comment(result.description, ignored);
    result.span = span_from(begin);
    return result;
}

ast::Statement Parser::simple_statement() {
    ast::Statement result;
    result.left = primary();
    if (panic_) return result;
    if (at(equals)) {
        report_.error("equals-in-algorithm", span(peek()), "'=' in an algorithm", "assignments are written with ':='");
        advance();
        result.right = expression();
        result.kind = StatementKind::assign;
    } else if (accept(assign)) {
        result.right = expression();
        result.kind = StatementKind::assign;
    } else if (tree_[result.left].kind == ast::ExprKind::call) {
        result.kind = StatementKind::call;
    } else {
        unexpected("':='");
    }
    return result;
}

ast::Statement Parser::branching_statement(TokenKind keyword) {
    ast::Statement result;
    result.kind = keyword == kw_if ? StatementKind::if_ : StatementKind::when;
    const Span opened = span(peek());
    const TokenKind again = keyword == kw_if ? kw_elseif : kw_elsewhen;
    do {
        advance();
        ast::StatementBranch branch;
        branch.condition = expression();
        expect(kw_then, "after the condition");
        recover();
        branch.statements = statements_until_branch_end();
        result.branches.push_back(std::move(branch));
    } while (at(again));
    if (keyword == kw_if && accept(kw_else)) result.branches.push_back({ast::no_expr, statements_until_branch_end()});
    close(keyword, opened, keyword == kw_if ? "if-statement" : "when-statement");
    return result;
}

ast::Statement Parser::loop_statement(TokenKind keyword) {
    ast::Statement result;
    result.kind = keyword == kw_for ? StatementKind::for_ : StatementKind::while_;
    const Span opened = span(peek());
    advance();
    ast::StatementBranch body;
    if (keyword == kw_for)
        result.indices = for_indices();
    else
        body.condition = expression();
    expect(kw_loop, "at the head of the loop");
    recover();
    body.statements = statements_until_branch_end();
    result.branches.push_back(std::move(body));
    close(keyword, opened, keyword == kw_for ? "for-loop" : "while-loop");
    return result;
}

} // namespace daedalus::modelica
