// Equation sections.
#include "modelica/parser.hpp"

namespace daedalus::modelica {

using enum TokenKind;
using ast::EquationKind;

bool Parser::at_branch_end() const {
    return at_section_boundary() || peek().kind == kw_else || peek().kind == kw_elseif || peek().kind == kw_elsewhen;
}

ast::EquationSection Parser::equation_section() {
    ast::EquationSection section;
    section.initial = accept(kw_initial);
    section.span = span(peek());
    advance();
    stray_else_ = false;
    while (stray_end() || (!at_section_boundary() && peek().kind != kw_annotation && peek().kind != kw_external)) {
        const std::size_t before = at_;
        if (accept(TokenKind::semicolon) || at_section_boundary()) continue;
        ast::Equation read = equation();
        semicolon("the equation");
        const bool keep = !panic_;
        recover();
        if (at_ == before) advance();
        if (keep) section.equations.push_back(std::move(read));
    }
    return section;
}

std::vector<ast::Equation> Parser::equations_until_branch_end() {
    std::vector<ast::Equation> list;
    while (!at_branch_end()) {
        const std::size_t before = at_;
        list.push_back(equation());
        semicolon("the equation");
        recover();
        if (at_ == before) advance();
    }
    return list;
}

ast::Equation Parser::equation() {
    const Nested nested(*this);
    if (panic_) return {};
    const std::uint32_t begin = peek().begin;
    ast::Equation result;
    switch (peek().kind) {
    case kw_if:
    case kw_when: result = if_equation(peek().kind); break;
    case kw_for: result = for_equation(); break;
    case kw_connect: result = connect_equation(); break;
    default: result = simple_equation();
    }
    Rarely<std::vector<ast::Modification>> ignored;
    comment(result.description, ignored);
    result.span = span_from(begin);
    return result;
}

ast::Equation Parser::simple_equation() {
    ast::Equation result;
    const Token& first = peek();
    if (first.kind == kw_else || first.kind == kw_elseif || first.kind == kw_elsewhen || first.kind == kw_then) {
        if (!stray_else_) fail("unbalanced", span(first), shown(first) + " without its 'if' or 'when'");
        panic_ = stray_else_ = true;
        return result;
    }
    if (at_class_definition()) {
        report_.error("class-in-equations", span(first), "a class among the equations",
                      "classes are defined above the word 'equation'");
        class_definition();
        return result;
    }
    if (first.kind == kw_parameter || first.kind == kw_constant || first.kind == kw_input || first.kind == kw_output ||
        first.kind == kw_discrete || first.kind == kw_final) {
        fail("declaration-in-equations", span(first), "a declaration among the equations",
             "declarations stand above the word 'equation'");
        return result;
    }
    if (first.kind == identifier && peek(1).kind == identifier && !peek(1).starts_line) {
        fail("declaration-in-equations", span(first),
             "this looks like a declaration, but it stands among the equations",
             "declarations stand above the word 'equation'");
        return result;
    }
    // An equation may begin with an if-expression in parentheses only: a bare 'if' is an if-equation.
    result.left = simple_expression();
    if (panic_) return result;
    if (at(assign)) {
        report_.error("assign-in-equation", span(peek()), "':=' assigns, and this is an equation",
                      "equations are written with '='");
        advance();
        result.kind = EquationKind::equality;
        result.right = expression();
    } else if (accept(equals)) {
        result.kind = EquationKind::equality;
        result.right = expression();
    } else if (tree_[result.left].kind == ast::ExprKind::call) {
        result.kind = EquationKind::call;
    } else if (tree_[result.left].kind == ast::ExprKind::binary && tree_[result.left].op == equal_equal) {
        const ast::Expr& e = tree_[result.left];
        const Span gap{tree_[tree_.operand(e, 0)].span.end, tree_[tree_.operand(e, 1)].span.begin};
        report_.error("comparison-as-equation", gap, "'==' compares, and this is an equation",
                      "equations are written with '='");
    } else {
        unexpected("'=' in this equation", "equations are written left = right");
    }
    return result;
}

// if … then … elseif … else … end if, and the same for when
ast::Equation Parser::if_equation(TokenKind keyword) {
    ast::Equation result;
    result.kind = keyword == kw_if ? EquationKind::if_ : EquationKind::when;
    const Span opened = span(peek());
    const TokenKind again = keyword == kw_if ? kw_elseif : kw_elsewhen;
    do {
        advance();
        ast::Branch branch;
        branch.condition = expression();
        if (at(equals)) {
            report_.error("equals-as-comparison", span(peek()), "'=' cannot compare", "compare with '=='");
            advance();
            expression();
        }
        expect(kw_then, "after the condition");
        recover();
        branch.equations = equations_until_branch_end();
        result.branches.edit().push_back(std::move(branch));
    } while (at(again));
    if (keyword == kw_if && accept(kw_else))
        result.branches.edit().push_back({ast::no_expr, equations_until_branch_end()});
    close(keyword, opened, keyword == kw_if ? "if-equation" : "when-equation");
    return result;
}

ast::Equation Parser::for_equation() {
    ast::Equation result;
    result.kind = EquationKind::for_;
    const Span opened = span(peek());
    advance();
    result.indices = for_indices();
    expect(kw_loop, "after the loop indices");
    recover();
    result.branches.edit().push_back({ast::no_expr, equations_until_branch_end()});
    close(kw_for, opened, "for-equation");
    return result;
}

ast::Equation Parser::connect_equation() {
    ast::Equation result;
    result.kind = EquationKind::connect;
    advance();
    expect(left_parenthesis, "after 'connect'");
    result.left = reference_or_call();
    expect(comma, "between the two connectors");
    result.right = panic_ ? ast::no_expr : reference_or_call();
    expect(right_parenthesis, "after the two connectors");
    return result;
}

} // namespace daedalus::modelica
