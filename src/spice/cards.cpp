#include "spice/cards.hpp"

#include "base/printable.hpp"

namespace daedalus::spice {

std::optional<Expression> whole_expression(Cursor& cursor, Problems& problems) {
    if (const Token t = cursor.peek(); t.is(Token::Kind::stray)) {
        problems.error("unbalanced", t.span,
                       t.text == "}" ? "'}' without a '{' before it" : "'" + std::string(t.text) + "' is never closed");
        return std::nullopt;
    }
    return read_expression(cursor, problems);
}

std::optional<Expression> tight_expression(Cursor& cursor, Problems& problems) {
    using Kind = Token::Kind;
    Cursor end = cursor;
    const Token first = end.next();
    if (first.is(Kind::stray)) return whole_expression(cursor, problems);
    for (bool more = !first.is(Kind::expression); more;) {
        more = false;
        const char c = end.here();
        if (c == '{' || c == '\'') {
            more = end.next().is(Kind::expression);
        } else if (c == '(') {
            int depth = 0;
            do {
                const Token t = end.next();
                depth += t.is(Kind::open) ? 1 : t.is(Kind::close) ? -1 : 0;
                more = !t.is(Kind::end);
            } while (more && depth > 0);
        } else if (c != ')' && c != ',' && c != '=' && c != '"' && c != '}') {
            Cursor ahead = end;
            ahead.skip_blanks();
            more = ahead.at() == end.at() && ahead.next().is(Kind::word);
            if (more) end = ahead;
        }
    }
    Cursor inside({cursor.line().file, first.span.begin, end.at()});
    auto read = whole_expression(inside, problems);
    cursor.move_to(end.at());
    if (!read) return read;
    inside.skip_blanks();
    if (inside.at() < end.at()) {
        problems.error("number", {cursor.line().file, inside.at(), end.at()},
                       "this does not belong to the value before it");
        return std::nullopt;
    }
    return read;
}

std::vector<ParameterCard> parameter_cards(Cursor& cursor, Problems& problems) {
    std::vector<ParameterCard> list;
    for (;;) {
        Cursor ahead = cursor;
        Token name = ahead.next();
        if (name.is(Token::Kind::comma) || name.is_word("params:") || name.is_word("param:")) {
            cursor = ahead;
            continue;
        }
        if (!name.is(Token::Kind::word) || !ahead.next().is(Token::Kind::equals)) return list;
        cursor = ahead;
        auto value = whole_expression(cursor, problems);
        if (!value) {
            (void)cursor.rest();
            return list;
        }
        list.push_back({lower(name.text), *std::move(value), name.span});
    }
}

} // namespace daedalus::spice
