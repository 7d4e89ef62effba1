// Elements of a class: components, extends and import clauses; modifications, descriptions, annotations.
#include "modelica/lexer.hpp"
#include "modelica/parser.hpp"

namespace daedalus::modelica {

using enum TokenKind;
using ast::no_expr;

void Parser::element_prefixes(ast::Prefixes& prefixes) {
    for (;; advance()) {
        switch (peek().kind) {
        case kw_redeclare: prefixes.redeclare = true; break;
        case kw_final: prefixes.final_ = true; break;
        case kw_inner: prefixes.inner = true; break;
        case kw_outer: prefixes.outer = true; break;
        case kw_replaceable: prefixes.replaceable = true; break;
        default: return;
        }
    }
}

void Parser::component_prefixes(ast::Prefixes& prefixes) {
    for (;; advance()) {
        switch (peek().kind) {
        case kw_flow: prefixes.flow = true; break;
        case kw_stream: prefixes.stream = true; break;
        case kw_discrete: prefixes.variability = ast::Variability::discrete; break;
        case kw_parameter: prefixes.variability = ast::Variability::parameter; break;
        case kw_constant: prefixes.variability = ast::Variability::constant; break;
        case kw_input: prefixes.causality = ast::Causality::input; break;
        case kw_output: prefixes.causality = ast::Causality::output; break;
        default: return;
        }
    }
}

std::optional<ast::Element> Parser::element() {
    ast::Element result;
    const std::uint32_t begin = peek().begin;
    if (at(kw_import)) {
        result.what = import_clause();
    } else if (at(kw_extends)) {
        result.what = extends_clause();
    } else {
        element_prefixes(result.prefixes);
        if (at_class_definition()) {
            auto nested = class_definition();
            if (!nested) return std::nullopt;
            result.what = std::move(nested);
        } else {
            component_prefixes(result.prefixes);
            if (!at(identifier) && !at(dot)) {
                unexpected("a declaration or a section", "declarations look like: Real x(start = 1);");
                advance(); // always make progress
                return std::nullopt;
            }
            result.what = component_clause(false);
        }
        if (accept(kw_constrainedby)) {
            result.constrained_by = reference(false);
            if (at(left_parenthesis)) result.constraint = class_modification();
            Rarely<std::string> text;
            Rarely<std::vector<ast::Modification>> ignored;
            comment(text, ignored);
        }
    }
    result.span = span_from(begin);
    semicolon("the declaration");
    return result;
}

ast::ImportClause Parser::import_clause() {
    ast::ImportClause result;
    advance();
    if (at(identifier) && peek(1).kind == equals) {
        result.alias = text(peek());
        advance();
        advance();
    }
    result.name = reference(false);
    if (accept(dot_times) || (at(dot) && peek(1).kind == times)) {
        if (accept(dot)) advance();
        result.all = true;
    } else if (at(dot) && peek(1).kind == left_brace) {
        advance();
        advance();
        do {
            result.chosen.push_back(text(peek()));
            if (!accept(identifier)) unexpected("a name");
        } while (accept(comma));
        expect(right_brace, "at the end of the import list");
    }
    Rarely<std::string> ignored;
    Rarely<std::vector<ast::Modification>> also_ignored;
    comment(ignored, also_ignored);
    return result;
}

ast::ExtendsClause Parser::extends_clause() {
    ast::ExtendsClause result;
    advance();
    result.base = reference(false);
    if (at(left_parenthesis)) result.modifications = class_modification();
    if (at(kw_annotation)) annotation();
    return result;
}

ast::ComponentClause Parser::component_clause(bool single) {
    ast::ComponentClause result;
    result.type = reference(false);
    if (at(left_bracket)) result.dimensions = subscripts();
    if (!panic_ && !at(identifier) &&
        (at(equals) || at(assign) || at(left_parenthesis) || at(plus) || at(minus) || at(times))) {
        // "x = 1" among the declarations: an equation or a declaration without its type
        fail("missing-type", result.type.span, "'" + result.type.text() + "' has no type here",
             "declare it as 'Real " + result.type.text() + "', or put equations below the word 'equation'");
        return result;
    }
    do result.components.push_back(component());
    while (!single && !panic_ && accept(comma));
    return result;
}

ast::Component Parser::component() {
    ast::Component result;
    const std::uint32_t begin = peek().begin;
    if (!at(identifier)) {
        unexpected("the name of a variable",
                   is_keyword(peek().kind) ? "'" + std::string(text(peek())) + "' is a reserved word" : std::string{});
        return result;
    }
    result.name = text(peek());
    result.name_span = span(peek());
    advance();
    if (at(left_bracket)) result.dimensions = subscripts();
    if (at(left_parenthesis)) result.modifications = class_modification();
    binding(result.binding);
    if (accept(kw_if)) result.condition = expression();
    comment(result.description, result.annotation);
    result.span = span_from(begin);
    return result;
}

void Parser::binding(ast::ExprId& value) {
    if (at(assign)) {
        report_.warning("assign-in-declaration", span(peek()), "':=' in a declaration", "a value is given with '='");
        advance();
        value = expression();
    } else if (at(equal_equal)) {
        report_.error("comparison-as-binding", span(peek()), "'==' compares", "a value is given with '='");
        advance();
        value = expression();
    } else if (accept(equals)) {
        value = expression();
    }
}

std::vector<ast::Modification> Parser::class_modification() {
    const Nested nested(*this);
    std::vector<ast::Modification> arguments;
    if (panic_) return arguments;
    const Token open = peek();
    advance();
    if (!at(right_parenthesis)) {
        do arguments.push_back(argument());
        while (!panic_ && accept(comma));
    }
    if (!panic_ && !at(right_parenthesis)) {
        fail("unbalanced", span(peek()), "expected ',' or ')' but found " + shown(peek()));
        report_.note(span(open), "this '(' is not closed");
    }
    accept(right_parenthesis);
    return arguments;
}

ast::Modification Parser::argument() {
    ast::Modification result;
    const std::uint32_t begin = peek().begin;
    ast::Prefixes prefixes;
    std::size_t ahead = 0;
    while (peek(ahead).kind == kw_each || peek(ahead).kind == kw_final) ++ahead;
    if (!panic_ && (peek(ahead).kind == kw_redeclare || peek(ahead).kind == kw_replaceable)) {
        while (!panic_) {
            element_prefixes(prefixes);
            if (!accept(kw_each)) break;
            result.each = true;
        }
        result.final_ = prefixes.final_;
        auto element = std::make_shared<ast::Element>();
        if (at_class_definition()) {
            element->what = class_definition();
        } else {
            component_prefixes(prefixes);
            element->what = component_clause(true);
        }
        if (accept(kw_constrainedby)) {
            element->constrained_by = reference(false);
            if (at(left_parenthesis)) element->constraint = class_modification();
        }
        element->prefixes = prefixes;
        result.span = element->span = span_from(begin);
        result.element = std::move(element);
        return result;
    }
    result.each = accept(kw_each);
    result.final_ = accept(kw_final);
    result.name = reference(true);
    if (at(left_parenthesis)) {
        result.has_arguments = true;
        result.arguments = class_modification();
    }
    binding(result.value);
    result.description = description();
    result.span = span_from(begin);
    return result;
}

// "one" + "two"
std::string Parser::description() {
    std::string value;
    while (at(string)) {
        value += string_value(text(peek()));
        advance();
        if (!at(plus)) break;
        advance();
        if (!at(string)) unexpected("a string after '+'");
    }
    return value;
}

void Parser::comment(Rarely<std::string>& text, Rarely<std::vector<ast::Modification>>& arguments) {
    text = description();
    if (at(kw_annotation)) arguments = annotation();
}

std::vector<ast::Modification> Parser::annotation() {
    advance();
    if (at(left_parenthesis)) return class_modification();
    unexpected("'(' after 'annotation'");
    return {};
}

} // namespace daedalus::modelica
