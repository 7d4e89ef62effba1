// Class definitions: prefixes, short classes, compositions and their ends.
#include "modelica/parser.hpp"

#include <algorithm>

namespace daedalus::modelica {

using enum TokenKind;

bool Parser::at_class_definition() const {
    std::size_t k = 0;
    while (peek(k).kind == kw_encapsulated || peek(k).kind == kw_partial || peek(k).kind == kw_pure ||
           peek(k).kind == kw_impure)
        ++k;
    switch (peek(k).kind) {
    case kw_class:
    case kw_model:
    case kw_block:
    case kw_record:
    case kw_connector:
    case kw_type:
    case kw_package:
    case kw_function:
    case kw_operator: return true;
    case kw_expandable: return peek(k + 1).kind == kw_connector;
    default: return false;
    }
}

bool Parser::class_prefixes(ast::ClassDefinition& definition) {
    using ast::ClassKind;
    definition.is_encapsulated = accept(kw_encapsulated);
    definition.is_partial = accept(kw_partial);
    while (accept(kw_pure) || accept(kw_impure)) {
    }
    const bool expandable = accept(kw_expandable);
    const TokenKind keyword = peek().kind;
    advance();
    switch (keyword) {
    case kw_class: definition.kind = ClassKind::class_; break;
    case kw_model: definition.kind = ClassKind::model; break;
    case kw_block: definition.kind = ClassKind::block; break;
    case kw_record: definition.kind = ClassKind::record; break;
    case kw_connector: definition.kind = expandable ? ClassKind::expandable_connector : ClassKind::connector; break;
    case kw_type: definition.kind = ClassKind::type; break;
    case kw_package: definition.kind = ClassKind::package; break;
    case kw_function: definition.kind = ClassKind::function; break;
    case kw_operator:
        definition.kind = accept(kw_record)     ? ClassKind::operator_record
                          : accept(kw_function) ? ClassKind::operator_function
                                                : ClassKind::operator_;
        break;
    default: return false;
    }
    return true;
}

std::unique_ptr<ast::ClassDefinition> Parser::class_definition() {
    const Nested nested(*this);
    if (panic_) return nullptr;
    auto definition = std::make_unique<ast::ClassDefinition>();
    const std::uint32_t begin = peek().begin;
    class_prefixes(*definition);
    definition->extends_inherited = accept(kw_extends);
    if (!at(identifier)) {
        unexpected("the name of the " + std::string(ast::spelling(definition->kind)),
                   is_keyword(peek().kind) ? "'" + std::string(text(peek())) + "' is a reserved word" : std::string{});
        return nullptr;
    }
    definition->name = text(peek());
    definition->name_span = span(peek());
    definition->span = {begin, peek().end};
    advance();
    if (accept(equals)) {
        short_class(*definition);
    } else {
        if (definition->extends_inherited && at(left_parenthesis)) definition->modifications = class_modification();
        definition->description = description();
        open_.push_back(definition.get());
        do composition(*definition);
        while (!end_of_class(*definition));
        open_.pop_back();
    }
    definition->span = span_from(begin);
    return definition;
}

// type Length = Real(unit = "m");   enumeration and der forms likewise
void Parser::short_class(ast::ClassDefinition& definition) {
    if (accept(kw_enumeration)) {
        enumeration(definition);
    } else if (accept(kw_der)) {
        definition.form = ast::ClassForm::partial_derivative;
        expect(left_parenthesis, "after 'der'");
        definition.base = reference(false);
        while (accept(comma)) {
            ast::Component variable;
            variable.name = text(peek());
            variable.name_span = span(peek());
            if (!accept(identifier)) unexpected("a name");
            definition.literals.push_back(std::move(variable));
        }
        expect(right_parenthesis, "after the names");
    } else {
        definition.form = ast::ClassForm::alias;
        component_prefixes(definition.base_prefixes);
        definition.base = reference(false);
        if (at(left_bracket)) definition.dimensions = subscripts();
        if (at(left_parenthesis)) definition.modifications = class_modification();
    }
    comment(definition.description, definition.annotation);
}

void Parser::enumeration(ast::ClassDefinition& definition) {
    definition.form = ast::ClassForm::enumeration;
    expect(left_parenthesis, "after 'enumeration'");
    if (accept(colon)) {
        definition.open_enumeration = true;
    } else if (!at(right_parenthesis)) {
        do {
            ast::Component literal;
            literal.name = text(peek());
            literal.name_span = literal.span = span(peek());
            if (!accept(identifier)) {
                unexpected("the name of an enumeration literal");
                break;
            }
            comment(literal.description, literal.annotation);
            definition.literals.push_back(std::move(literal));
        } while (accept(comma));
    }
    expect(right_parenthesis, "at the end of the enumeration");
}

void Parser::composition(ast::ClassDefinition& definition) {
    bool is_protected = false;
    for (;;) {
        recover();
        const TokenKind kind = peek().kind;
        if (kind == kw_end || kind == end_of_file) return;
        if (accept(kw_public)) {
            is_protected = false;
        } else if (accept(kw_protected)) {
            is_protected = true;
        } else if (kind == kw_equation || (kind == kw_initial && peek(1).kind == kw_equation)) {
            definition.equations.push_back(equation_section());
        } else if (kind == kw_algorithm || (kind == kw_initial && peek(1).kind == kw_algorithm)) {
            definition.algorithms.push_back(algorithm_section());
        } else if (kind == kw_external) {
            external(definition);
        } else if (kind == kw_annotation) {
            auto arguments = annotation();
            std::move(arguments.begin(), arguments.end(), std::back_inserter(definition.annotation.edit()));
            semicolon("the annotation");
        } else if (kind == TokenKind::semicolon) {
            advance(); // an empty declaration: harmless
        } else if (auto declared = element()) {
            declared->prefixes.is_protected = is_protected;
            definition.elements.push_back(std::move(*declared));
        }
    }
}

void Parser::external(ast::ClassDefinition& definition) {
    definition.is_external = true;
    definition.external_span = span(peek());
    advance();
    if (at(string)) {
        definition.external_language = text(peek());
        advance();
    }
    if (at(identifier)) {
        definition.external_call = primary();
        if (accept(equals)) {
            definition.external_output = definition.external_call;
            definition.external_call = expression();
        }
    }
    if (at(kw_annotation)) annotation();
    semicolon("the external function");
}

// False: a stray end was skipped, and the class goes on.
bool Parser::end_of_class(ast::ClassDefinition& definition) {
    const std::string kind(ast::spelling(definition.kind));
    const std::string name(definition.name);
    const auto missing = [&](Span where) {
        report_.error("missing-end", where, "'end " + name + ";' is missing",
                      "close the " + kind + " with 'end " + name + ";'");
        report_.note(definition.name_span, "the " + kind + " '" + name + "' begins here");
    };
    if (peek().kind == end_of_file) {
        if (!silent()) missing({previous().end, previous().end});
        panic_ = true; // the ';' is not there either
        return true;
    }
    const Token& word = peek(1);
    if (word.kind == identifier && text(word) == definition.name) {
        advance();
        advance();
        return true;
    }
    if (word.kind == identifier) {
        // The end of an enclosing class: the inner one was not closed. Otherwise it is a wrong name.
        const bool encloses =
            std::any_of(open_.begin(), open_.end() - 1, [&](const auto* outer) { return outer->name == text(word); });
        if (encloses) {
            missing(span(peek()));
            panic_ = true; // the caller's ';' is not there either
            return true;
        }
        report_.error("wrong-end", span(word),
                      "'end " + std::string(text(word)) + "' closes the " + kind + " '" + name + "'",
                      "write 'end " + name + ";'");
        report_.note(definition.name_span, "the " + kind + " '" + name + "' begins here");
        advance();
        advance();
        return true;
    }
    if (stray_end()) return false;
    report_.error("missing-end-name", span(peek()), "'end' needs the name of what it closes",
                  "write 'end " + name + ";'");
    report_.note(definition.name_span, "the " + kind + " '" + name + "' begins here");
    advance();
    return true;
}

} // namespace daedalus::modelica
