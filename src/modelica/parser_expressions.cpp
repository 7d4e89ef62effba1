// Expressions. Binary and prefix operators are resolved by precedence with an explicit stack (E. W. Dijkstra's
// shunting yard); the grammar's ladder from logical_expression to factor is the table `precedence`.
#include "modelica/parser.hpp"

#include <charconv>

namespace daedalus::modelica {

using enum TokenKind;
using ast::ExprId;
using ast::ExprKind;
using ast::no_expr;

namespace {

constexpr int prefix_not = 30;
constexpr int relation = 40;
constexpr int additive = 50;
constexpr int tight_sign = 65; // a sign directly after * or ^, which the grammar does not allow
constexpr int power_level = 70;

// 0: not a binary operator.
int precedence(TokenKind kind) {
    switch (kind) {
    case kw_or: return 10;
    case kw_and: return 20;
    case less:
    case less_equal:
    case greater:
    case greater_equal:
    case equal_equal:
    case not_equal: return relation;
    case plus:
    case minus:
    case dot_plus:
    case dot_minus: return additive;
    case times:
    case divide:
    case dot_times:
    case dot_divide: return 60;
    case power:
    case dot_power: return power_level;
    default: return 0;
    }
}

bool is_sign(TokenKind kind) { return kind == plus || kind == minus || kind == dot_plus || kind == dot_minus; }

} // namespace

ExprId Parser::make(ExprKind kind, TokenKind op, Span where, std::span<const ExprId> operands) {
    const ExprId id = next_id();
    ast::Expr e;
    e.kind = kind;
    e.op = op;
    e.span = where;
    e.first = id;
    e.operands = static_cast<std::uint32_t>(tree_.operand_list.size());
    e.count = static_cast<std::uint32_t>(operands.size());
    for (const ExprId operand : operands) {
        tree_.operand_list.push_back(operand);
        if (given(operand) && tree_[operand].first < e.first) e.first = tree_[operand].first;
    }
    tree_.expressions.push_back(e);
    return id;
}

ExprId Parser::invalid() { return make(ExprKind::invalid, end_of_file, span(peek()), {}); }

ExprId Parser::literal(ExprKind kind, double value) {
    const ExprId id = make(kind, peek().kind, span(peek()), {});
    tree_.expressions.back().value = value;
    tree_.expressions.back().is_integer = peek().kind == integer;
    advance();
    return id;
}

ExprId Parser::expression() {
    const Nested nested(*this);
    if (panic_) return invalid();
    return at(kw_if) ? conditional() : simple_expression();
}

// a, a:b or a:step:b
ExprId Parser::simple_expression() {
    const ExprId first = operators();
    if (!at(colon)) return first;
    ExprId parts[3] = {first};
    std::size_t count = 1;
    while (count < 3 && accept(colon)) parts[count++] = operators();
    return make(ExprKind::range, colon, span_from(tree_[first].span.begin), {parts, count});
}

ExprId Parser::operators() {
    struct Pending {
        TokenKind op;
        int level;
        bool prefix;
        Span span;
    };
    std::vector<Pending> pending;
    std::vector<ExprId> values;
    const auto reduce = [&] {
        const Pending top = pending.back();
        pending.pop_back();
        const ExprId right = values.back();
        values.pop_back();
        if (top.prefix) {
            values.push_back(make(ExprKind::unary, top.op, cover(top.span, tree_[right].span), {&right, 1}));
            return;
        }
        const ExprId pair[2] = {values.back(), right};
        values.back() = make(ExprKind::binary, top.op, cover(tree_[pair[0]].span, tree_[right].span), pair);
    };
    for (;;) {
        // operand, with its prefix operators
        while (at(kw_not) || (!panic_ && is_sign(peek().kind))) {
            const Token& token = peek();
            int level = token.kind == kw_not ? prefix_not : additive;
            if (token.kind != kw_not && !pending.empty() && pending.back().level >= additive) {
                report_.warning("sign-after-operator", span(token),
                                "Modelica wants parentheses around a sign after an operator", "write a*(-b)");
                level = tight_sign;
            }
            pending.push_back({token.kind, level, true, span(token)});
            advance();
        }
        values.push_back(primary());
        const Token& next = peek();
        const int level = panic_ ? 0 : precedence(next.kind);
        if (level == 0) break;
        while (
            !pending.empty() && pending.back().level >= level &&
            !(pending.back().level == level && !pending.back().prefix && (level == relation || level == power_level)))
            reduce();
        if (!pending.empty() && pending.back().level == level && !pending.back().prefix) {
            fail("not-associative", span(next),
                 level == relation ? "comparisons cannot be chained" : "powers cannot be chained without parentheses",
                 level == relation ? "write a < b and b < c" : "write (a^b)^c or a^(b^c)");
            break;
        }
        pending.push_back({next.kind, level, false, span(next)});
        advance();
    }
    while (!pending.empty()) reduce();
    return values.back();
}

ExprId Parser::primary() {
    if (panic_) return invalid();
    const Token& token = peek();
    switch (token.kind) {
    case integer:
    case real: {
        double value = 0.0;
        const std::string_view digits = text(token);
        std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return literal(ExprKind::number, value);
    }
    case string: return literal(ExprKind::string, 0.0);
    case kw_true: return literal(ExprKind::boolean, 1.0);
    case kw_false: return literal(ExprKind::boolean, 0.0);
    case kw_end: {
        // 'end' is an expression only inside subscripts; elsewhere the operand is missing.
        const TokenKind next = peek(1).kind;
        if (next == identifier || next == kw_if || next == kw_for || next == kw_when || next == kw_while) break;
        return literal(ExprKind::end_, 0.0);
    }
    case left_parenthesis: return part_of(parenthesized());
    case left_brace: return braces();
    case left_bracket: return brackets();
    case identifier:
    case dot: return reference_or_call();
    case kw_der:
    case kw_initial:
    case kw_pure: {
        if (peek(1).kind != left_parenthesis) break;
        ast::Reference function;
        function.parts.push_back({text(token), span(token), {}});
        function.span = span(token);
        advance();
        return call(std::move(function));
    }
    case kw_if:
        fail("if-needs-parentheses", span(token), "an 'if' inside an expression needs parentheses",
             "write a + (if c then x else y)");
        return invalid();
    default: break;
    }
    if (is_keyword(token.kind))
        unexpected("an expression", "'" + std::string(text(token)) + "' is a reserved word");
    else
        unexpected("an expression");
    return invalid();
}

ExprId Parser::conditional() {
    const std::uint32_t begin = peek().begin;
    const Span keyword = span(peek());
    std::vector<ExprId> operands;
    const auto condition = [&] {
        advance();
        operands.push_back(expression());
        if (at(equals)) {
            report_.error("equals-as-comparison", span(peek()), "'=' cannot compare", "compare with '=='");
            advance();
            operands.back() = (expression(), invalid());
        }
        expect(kw_then, "after the condition");
        operands.push_back(expression());
    };
    condition();
    while (at(kw_elseif)) condition();
    if (!panic_ && !at(kw_else)) {
        fail("missing-else", span(peek()), "an if-expression needs an 'else' branch, found " + shown(peek()),
             "write if c then a else b");
        report_.note(keyword, "the if-expression begins here");
    }
    accept(kw_else);
    operands.push_back(expression());
    return make(ExprKind::conditional, kw_if, span_from(begin), operands);
}

// (a) is a; (a, b) and (a, , c) are tuples, as on the left of a function call with several results.
ExprId Parser::parenthesized() {
    const Token open = peek();
    advance();
    std::vector<ExprId> elements;
    bool is_tuple = false;
    for (;;) {
        elements.push_back(at(comma) || at(right_parenthesis) ? no_expr : expression());
        if (!accept(comma)) break;
        is_tuple = true;
    }
    if (!is_tuple && !given(elements[0])) {
        unexpected("an expression between the parentheses");
        return invalid();
    }
    if (!panic_ && at(equals) && !is_tuple) {
        fail("equals-in-expression", span(peek()), "'=' inside parentheses", "compare with '=='");
    } else if (!panic_ && !at(right_parenthesis)) {
        fail("unbalanced", span(peek()), "expected ')' but found " + shown(peek()));
        report_.note(span(open), "this '(' is not closed");
    }
    accept(right_parenthesis);
    if (!is_tuple) return elements[0];
    return make(ExprKind::tuple, left_parenthesis, span_from(open.begin), elements);
}

// {a, b, c} or {e for i in r}
// (f(x))[i] and (f(x)).field
ExprId Parser::part_of(ExprId whole) {
    const auto field_follows = [&] { return at(dot) && peek(1).kind == identifier; };
    if (panic_ || (!at(left_bracket) && !field_follows())) return whole;
    ast::Reference which;
    which.span = span(peek());
    which.parts.push_back({{}, span(peek()), {}});
    if (at(left_bracket)) which.parts.edit(which.parts.size() - 1).subscripts = subscripts();
    while (!panic_ && field_follows()) {
        advance();
        which.parts.push_back({text(peek()), span(peek()), {}});
        advance();
        if (at(left_bracket)) which.parts.edit(which.parts.size() - 1).subscripts = subscripts();
    }
    which.span = span_from(which.span.begin);
    const ExprId operands[] = {whole};
    const ExprId made = make(ExprKind::part, dot, span_from(tree_[whole].span.begin), operands);
    tree_.expressions.back().detail = static_cast<std::uint32_t>(tree_.references.size());
    tree_.references.push_back(std::move(which));
    return made;
}

ExprId Parser::braces() {
    const std::uint32_t begin = peek().begin;
    advance();
    ast::Call inner;
    call_arguments(inner, right_brace);
    expect(right_brace, "at the end of the array");
    std::vector<ExprId> elements;
    for (const ast::Argument& argument : inner.arguments) elements.push_back(argument.value);
    if (inner.indices.empty()) return make(ExprKind::array, left_brace, span_from(begin), elements);
    for (const ast::ForIndex& i : inner.indices)
        if (given(i.range)) elements.push_back(i.range);
    const ExprId id = make(ExprKind::call, left_brace, span_from(begin), elements);
    inner.function.parts.push_back({"array", span_from(begin), {}});
    tree_.expressions.back().detail = static_cast<std::uint32_t>(tree_.calls.size());
    tree_.calls.push_back(std::move(inner));
    return id;
}

ExprId Parser::brackets() {
    const std::uint32_t begin = peek().begin;
    advance();
    std::vector<ExprId> rows;
    do {
        const std::uint32_t row_begin = peek().begin;
        std::vector<ExprId> elements;
        do elements.push_back(expression());
        while (accept(comma));
        rows.push_back(make(ExprKind::row, comma, span_from(row_begin), elements));
    } while (accept(TokenKind::semicolon));
    expect(right_bracket, "at the end of the matrix");
    return make(ExprKind::matrix, left_bracket, span_from(begin), rows);
}

ast::Reference Parser::reference(bool with_subscripts) {
    ast::Reference result;
    const std::uint32_t begin = peek().begin;
    result.global = accept(dot);
    do {
        if (!at(identifier)) {
            unexpected("a name", is_keyword(peek().kind) ? "'" + std::string(text(peek())) + "' is a reserved word"
                                                         : std::string{});
            break;
        }
        result.parts.push_back({text(peek()), span(peek()), {}});
        advance();
        if (with_subscripts && at(left_bracket)) result.parts.edit(result.parts.size() - 1).subscripts = subscripts();
        // The import of everything, A.B.*, ends before its dot.
    } while (peek().kind == dot && peek(1).kind == identifier && accept(dot));
    result.span = span_from(begin);
    return result;
}

std::vector<ExprId> Parser::subscripts() {
    const Nested nested(*this);
    std::vector<ExprId> list;
    advance();
    do {
        if (at(colon) && (peek(1).kind == comma || peek(1).kind == right_bracket))
            list.push_back(literal(ExprKind::all, 0.0));
        else
            list.push_back(expression());
    } while (accept(comma));
    expect(right_bracket, "after the subscripts");
    return list;
}

ExprId Parser::reference_or_call() {
    ast::Reference name = reference(true);
    if (panic_) return invalid();
    if (at(left_parenthesis) && !name.has_subscripts()) return call(std::move(name));
    std::vector<ExprId> operands;
    for (const ast::NamePart& part : name.parts)
        operands.insert(operands.end(), part.subscripts.begin(), part.subscripts.end());
    const ExprId id = make(ExprKind::reference, identifier, name.span, operands);
    tree_.expressions.back().detail = static_cast<std::uint32_t>(tree_.references.size());
    tree_.references.push_back(std::move(name));
    return id;
}

ExprId Parser::call(ast::Reference function) {
    const Token open = peek();
    const std::uint32_t begin = function.span.begin;
    advance();
    ast::Call result;
    result.function = std::move(function);
    call_arguments(result, right_parenthesis);
    if (!panic_ && !at(right_parenthesis)) {
        fail("unbalanced", span(peek()), "expected ',' or ')' but found " + shown(peek()));
        report_.note(span(open), "this '(' is not closed");
    }
    accept(right_parenthesis);
    std::vector<ExprId> operands;
    for (const ast::Argument& argument : result.arguments) operands.push_back(argument.value);
    for (const ast::ForIndex& i : result.indices)
        if (given(i.range)) operands.push_back(i.range);
    const ExprId id = make(ExprKind::call, identifier, span_from(begin), operands);
    tree_.expressions.back().detail = static_cast<std::uint32_t>(tree_.calls.size());
    tree_.calls.push_back(std::move(result));
    return id;
}

void Parser::call_arguments(ast::Call& result, TokenKind close) {
    if (at(close)) return;
    do {
        ast::Argument argument;
        argument.span = span(peek());
        if (close == right_parenthesis && at(identifier) && peek(1).kind == equals) {
            argument.name = text(peek());
            advance();
            advance();
        }
        argument.is_function = accept(kw_function);
        argument.value = expression();
        argument.span = span_from(argument.span.begin);
        result.arguments.push_back(argument);
    } while (accept(comma));
    if (accept(kw_for)) result.indices = for_indices();
}

std::vector<ast::ForIndex> Parser::for_indices() {
    std::vector<ast::ForIndex> indices;
    do {
        ast::ForIndex i;
        if (!at(identifier)) {
            unexpected("the name of a loop index");
            break;
        }
        i.name = text(peek());
        i.span = span(peek());
        advance();
        if (accept(kw_in)) i.range = expression();
        indices.push_back(i);
    } while (accept(comma));
    return indices;
}

} // namespace daedalus::modelica
