// The parser's cursor, its messages, and how it finds its feet again after a mistake.
#include "modelica/lexer.hpp"
#include "modelica/parse.hpp"
#include "modelica/parser.hpp"

namespace daedalus::modelica {

using enum TokenKind;

Parser::Nested::Nested(Parser& owner) : parser(owner) {
    if (++parser.depth_ <= max_depth || parser.panic_) return;
    parser.fail("nested-too-deep", span(parser.peek()),
                "this is nested deeper than " + std::to_string(max_depth) + " levels",
                "split the expression with auxiliary variables");
}

bool Parser::accept(TokenKind kind) {
    if (!at(kind)) return false;
    advance();
    return true;
}

std::string Parser::shown(const Token& token) const {
    constexpr std::size_t longest = 40;
    if (token.kind == end_of_file) return "the end of the file";
    const std::string_view word = text(token);
    if (word.size() > longest || word.find('\n') != std::string_view::npos)
        return std::string(spelling(token.kind)); // a long string or name: its kind says enough
    return "'" + std::string(word) + "'";
}

void Parser::fail(const char* code, Span where, std::string message, std::string hint) {
    if (!silent()) report_.error(code, where, std::move(message), std::move(hint));
    panic_ = true;
}

void Parser::unexpected(std::string_view expected, std::string hint) {
    fail("syntax", span(peek()), "expected " + std::string(expected) + " but found " + shown(peek()), std::move(hint));
}

bool Parser::expect(TokenKind kind, std::string_view context) {
    if (accept(kind)) return true;
    unexpected("'" + std::string(spelling(kind)) + "' " + std::string(context));
    return false;
}

// A ';' that is missing at the end of a line is inserted; anything else in its place is skipped.
bool Parser::semicolon(std::string_view after) {
    if (panic_) return false;
    if (accept(TokenKind::semicolon)) return true;
    const Token& next = peek();
    const Span gap{previous().end, previous().end + 1};
    const std::string_view last = text(previous());
    const bool unclosed = (last[0] == '"' || last[0] == '\'') && (last.size() == 1 || last.back() != last[0]);
    if (silent() || unclosed) return true; // the ';' went with the string
    if (next.starts_line || next.kind == end_of_file || next.kind == kw_end) {
        report_.error("missing-semicolon", gap, "missing ';' after " + std::string(after), "end it with ';'");
        return true;
    }
    if (next.kind == equals)
        fail("second-equals", span(next), "a second '=' in one equation", "is a ';' missing before this line?");
    else if (next.kind == right_parenthesis || next.kind == right_bracket || next.kind == right_brace)
        fail("unbalanced", span(next), "this " + shown(next) + " closes nothing", "remove it or open it earlier");
    else if (next.kind == left_parenthesis || next.kind == identifier || next.kind == integer || next.kind == real)
        unexpected("';' after " + std::string(after), "is an operator missing, such as '*'?");
    else
        unexpected("';' after " + std::string(after));
    return false;
}

bool Parser::at_section_boundary() const {
    switch (peek().kind) {
    case end_of_file:
    case kw_equation:
    case kw_algorithm:
    case kw_protected:
    case kw_public:
    case kw_end: return true;
    case kw_initial: return peek(1).kind == kw_equation || peek(1).kind == kw_algorithm;
    default: return false;
    }
}

// To just behind the next ';', or to just before a keyword that begins something new.
void Parser::recover() {
    if (!panic_) return;
    panic_ = false;
    while (!at_section_boundary()) {
        const bool statement_end = peek().kind == TokenKind::semicolon;
        advance();
        if (statement_end) return;
    }
}

// "end if;" where no 'if' is open. False: something else stands here.
bool Parser::stray_end() {
    const TokenKind word = peek(1).kind;
    if (peek().kind != kw_end || (word != kw_if && word != kw_for && word != kw_when && word != kw_while)) return false;
    const std::string name(text(peek(1)));
    if (!stray_else_)
        report_.error("unbalanced-end", {peek().begin, peek(1).end}, "'end " + name + "' without its '" + name + "'");
    stray_else_ = false;
    advance();
    advance();
    accept(TokenKind::semicolon);
    return true;
}

// end if, end for, end when, end while
void Parser::close(TokenKind keyword, Span opened, std::string_view what) {
    if (silent()) return;
    if (at(kw_end) && peek(1).kind == keyword) {
        advance();
        advance();
        return;
    }
    const std::string closing = "'end " + std::string(spelling(keyword)) + "'";
    report_.error("missing-end", span(peek()),
                  "expected " + closing + " but found " +
                      (at(kw_end) ? "'end " + std::string(text(peek(1))) + "'" : shown(peek())),
                  "close it with " + closing + ";");
    report_.note(opened, "the " + std::string(what) + " begins here");
    panic_ = true;
}

ast::Tree Parser::file() {
    if (accept(kw_within)) {
        if (at(identifier)) tree_.within = reference(false);
        semicolon("'within'");
        recover();
    }
    while (peek().kind != end_of_file) {
        const std::size_t before = at_;
        panic_ = false;
        accept(kw_final);
        if (at_class_definition()) {
            if (auto definition = class_definition()) tree_.classes.push_back(std::move(definition));
            if (!panic_) semicolon("the end of the class");
        } else if (!accept(TokenKind::semicolon)) {
            const bool word = at(identifier);
            unexpected("a class such as 'model'",
                       word ? "a file holds classes: model Name … equation … end Name;" : std::string{});
        }
        // What does not begin a class is skipped up to what does: one message, not one per line.
        if (panic_) {
            panic_ = false;
            while (peek().kind != end_of_file && (at_ == before || !at_class_definition())) advance();
        }
    }
    return std::move(tree_);
}

ParseResult parse(const SourceFile& file) {
    Report report(file);
    const TokenList list = tokenize(file, report);
    report.begin_sentences();
    ParseResult result;
    if (!list.tokens.empty()) result.tree = Parser(file, list.tokens, report, list.cut_off).file();
    result.diagnostics = report.take();
    return result;
}

} // namespace daedalus::modelica
