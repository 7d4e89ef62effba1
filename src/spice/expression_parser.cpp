// Recursive descent; the depth of nesting is bounded, long sums and chains of ?: are loops.
#include "spice/expression.hpp"
#include "spice/numbers.hpp"

#include <array>
#include <cmath>

namespace daedalus::spice {

namespace {

using Kind = Expression::Node::Kind;
using Place = std::optional<std::uint32_t>;

/// Parentheses within parentheses: no author nests deeper, and each level costs about ten frames of a stack of
/// megabytes.
constexpr int deepest = 200;

struct Operator {
    std::string_view text, name;
    int strength;
};
/// Longer ones before their beginnings.
constexpr std::array operators{Operator{"||", "||", 1}, Operator{"&&", "&&", 2}, Operator{"==", "==", 3},
                               Operator{"!=", "!=", 3}, Operator{"<>", "!=", 3}, Operator{"<=", "<=", 3},
                               Operator{">=", ">=", 3}, Operator{"<", "<", 3},   Operator{">", ">", 3},
                               Operator{"|", "||", 1},  Operator{"&", "&&", 2},  Operator{"+", "+", 4},
                               Operator{"-", "-", 4},   Operator{"**", "^", 6},  Operator{"*", "*", 5},
                               Operator{"/", "/", 5},   Operator{"%", "%", 5},   Operator{"^", "^", 6}};
constexpr int power = 6;

bool begins_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool in_name(char c) { return begins_name(c) || (c >= '0' && c <= '9') || c == '.' || c == '#' || c == '$'; }

class Parser {
public:
    Parser(Cursor& cursor, Problems& problems) : c_(cursor), problems_(problems) {}

    std::optional<Expression> read() {
        if (!ternary()) return std::nullopt;
        return std::move(tree_);
    }

private:
    Place fail(const SourceSpan& span, std::string message, std::string hint = {}) {
        problems_.error("expression", span, std::move(message), std::move(hint));
        return std::nullopt;
    }
    SourceSpan here(std::uint32_t length = 1) const {
        return {c_.line().file, c_.at(), std::min(c_.at() + length, std::max(c_.line().end, c_.at()))};
    }
    std::uint32_t add(Kind kind, std::string_view text, std::initializer_list<std::uint32_t> operands,
                      const SourceSpan& span) {
        Expression::Node node;
        node.kind = kind;
        node.text = text;
        node.first = static_cast<std::uint32_t>(tree_.operands.size());
        node.count = static_cast<std::uint32_t>(operands.size());
        node.span = span;
        tree_.operands.insert(tree_.operands.end(), operands);
        tree_.nodes.push_back(node);
        return static_cast<std::uint32_t>(tree_.nodes.size()) - 1;
    }
    const SourceSpan& span(std::uint32_t node) const { return tree_.nodes[node].span; }

    bool accept(char c) {
        c_.skip_blanks();
        if (c_.here() != c) return false;
        c_.move_to(c_.at() + 1);
        return true;
    }

    /// a ? b : c ? d : e … as one loop: the conditions wait until the last branch is read.
    Place ternary() {
        if (++depth_ > deepest) return fail(here(), "this expression is nested more than 200 deep");
        std::vector<std::array<std::uint32_t, 2>> open;
        Place value;
        for (;;) {
            value = binary(1);
            if (!value || !accept('?')) break;
            const Place yes = ternary();
            if (!yes) return std::nullopt;
            if (!accept(':')) return fail(here(), "a ':' is missing behind the first branch of '?'");
            open.push_back({*value, *yes});
        }
        if (!value) return std::nullopt;
        for (; !open.empty(); open.pop_back())
            value = add(Kind::operation, "?:", {open.back()[0], open.back()[1], *value},
                        cover(span(open.back()[0]), span(*value)));
        --depth_;
        return value;
    }

    const Operator* operation() {
        c_.skip_blanks();
        for (const Operator& o : operators)
            if (c_.here() == o.text[0] && (o.text.size() == 1 || c_.here(1) == o.text[1])) return &o;
        // Within parentheses nothing else can be meant: .if (w = 2).
        static constexpr Operator equal{"=", "==", 3};
        return c_.here() == '=' && inside_ > 0 ? &equal : nullptr;
    }

    Place binary(int weakest) {
        Place left = weakest == power ? primary() : weakest == power - 1 ? unary() : binary(weakest + 1);
        for (int chain = 0; left; ++chain) {
            const Operator* o = operation();
            if (o == nullptr || o->strength != weakest) return left;
            const SourceSpan sign = here(static_cast<std::uint32_t>(o->text.size()));
            c_.move_to(sign.end);
            if (o->strength == power && chain > 0)
                problems_.warning("power-of-power", sign, "a^b^c is read from the left, as (a^b)^c",
                                  "parentheses say which is meant");
            const Place right = weakest == power ? exponent() : weakest == power - 1 ? unary() : binary(weakest + 1);
            if (!right) return right;
            left = add(Kind::operation, o->name, {*left, *right}, cover(span(*left), span(*right)));
        }
        return left;
    }

    /// 2^-1
    Place exponent() {
        c_.skip_blanks();
        const std::uint32_t begin = c_.at();
        bool negative = false;
        while (c_.here() == '-' || c_.here() == '+') {
            negative = negative != (c_.here() == '-');
            c_.move_to(c_.at() + 1);
            c_.skip_blanks();
        }
        const Place value = primary();
        return value && negative ? add(Kind::operation, "neg", {*value}, c_.span(begin)) : value;
    }

    Place unary() {
        c_.skip_blanks();
        std::vector<std::pair<char, std::uint32_t>> signs;
        while ((c_.here() == '-' || c_.here() == '+' || c_.here() == '!') && c_.here(1) != '=') {
            signs.emplace_back(c_.here(), c_.at());
            c_.move_to(c_.at() + 1);
            c_.skip_blanks();
        }
        Place value = binary(power);
        for (; value && !signs.empty(); signs.pop_back())
            if (signs.back().first != '+')
                value = add(Kind::operation, signs.back().first == '-' ? "neg" : "!", {*value},
                            {c_.line().file, signs.back().second, span(*value).end});
        return value;
    }

    Place primary() {
        c_.skip_blanks();
        const char c = c_.here();
        if (c == '(' || c == '{' || c == '\'') return parenthesised(c, c == '(' ? ')' : c == '{' ? '}' : '\'');
        if ((c >= '0' && c <= '9') || c == '.') return number();
        if (begins_name(c)) return name();
        if (c == '@') return fail(here(), "quantities inside of devices (@device[name]) cannot be used in expressions");
        if (c == '\0') return fail(here(), "a value is missing at the end of this expression");
        return fail(here(), std::string("a value is missing before '") + c + "'");
    }

    Place parenthesised(char open, char close) {
        const SourceSpan from = here();
        c_.move_to(c_.at() + 1);
        ++inside_;
        const Place inner = ternary();
        --inside_;
        if (inner && !accept(close)) return fail(from, std::string("'") + open + "' is never closed");
        return inner;
    }

    Place number() {
        const std::uint32_t begin = c_.at();
        const auto read = read_number(c_.line().file->text().substr(begin, c_.line().end - begin), false);
        if (!read) return fail(here(), "a value is missing before '.'");
        c_.move_to(begin + read->length);
        if (read->digits_behind)
            return fail(c_.span(begin), "digits behind the scale factor of a number",
                        "programs disagree on what 1K5 is: write 1.5K");
        const std::uint32_t node = add(Kind::number, {}, {}, c_.span(begin));
        tree_.nodes[node].number = read->value;
        return node;
    }

    Place name() {
        const std::uint32_t begin = c_.at();
        while (in_name(c_.here())) c_.move_to(c_.at() + 1);
        const std::string_view text = c_.line().file->text().substr(begin, c_.at() - begin);
        const std::uint32_t end = c_.at();
        c_.skip_blanks();
        if (c_.here() != '(') {
            c_.move_to(end);
            return add(Kind::name, text, {}, c_.span(begin));
        }
        c_.move_to(c_.at() + 1);
        if (same(text, "v") || same(text, "i")) return probe(begin, same(text, "v"));
        std::vector<std::uint32_t> arguments;
        if (!accept(')')) {
            do {
                const Place argument = ternary();
                if (!argument) return argument;
                arguments.push_back(*argument);
            } while (accept(','));
            if (!accept(')')) return fail(here(), "')' is missing behind the arguments of '" + std::string(text) + "'");
        }
        const std::uint32_t node = add(Kind::call, text, {}, c_.span(begin));
        tree_.nodes[node].count = static_cast<std::uint32_t>(arguments.size());
        tree_.operands.insert(tree_.operands.end(), arguments.begin(), arguments.end());
        return node;
    }

    /// V(a), V(a,b), I(element)
    Place probe(std::uint32_t begin, bool voltage) {
        const Token a = c_.until("(),={}'");
        Token b;
        if (voltage && accept(',')) b = c_.until("(),={}'");
        const bool whole = accept(')');
        if (!whole || a.text.empty() || (b.text.empty() && b.span.known()))
            return fail(c_.span(begin),
                        voltage ? "V needs one node or two: V(a) or V(a,b)" : "I needs the name of one element: I(V1)");
        const std::uint32_t node = add(voltage ? Kind::voltage : Kind::current, a.text, {}, c_.span(begin));
        tree_.nodes[node].other = b.text;
        return node;
    }

    Cursor& c_;
    Problems& problems_;
    Expression tree_;
    int depth_ = 0;
    int inside_ = 0; ///< parentheses
};

} // namespace

std::optional<Expression> read_expression(Cursor& cursor, Problems& problems) {
    return Parser(cursor, problems).read();
}

} // namespace daedalus::spice
