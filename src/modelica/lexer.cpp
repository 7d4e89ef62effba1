#include "modelica/lexer.hpp"

#include "base/printable.hpp"

#include <charconv>
#include <limits>
#include <system_error>
#include <unordered_map>

namespace daedalus::modelica {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == '\n'; }
bool is_control(char c) { return (static_cast<unsigned char>(c) < 0x20 && !is_blank(c)) || c == 0x7f; }

const std::unordered_map<std::string_view, TokenKind>& keywords() {
    static const auto table = [] {
        std::unordered_map<std::string_view, TokenKind> map;
        for (std::size_t k = static_cast<std::size_t>(TokenKind::kw_algorithm); k < token_text.size(); ++k)
            map.emplace(token_text[k], static_cast<TokenKind>(k));
        return map;
    }();
    return table;
}

// Text may hold a stray control character; a NUL byte, or one control character in twenty, is no text.
bool is_text(std::string_view text) {
    constexpr std::size_t sample = 65536;
    std::size_t controls = 0;
    const std::size_t n = std::min(text.size(), sample);
    for (std::size_t i = 0; i < n; ++i) controls += is_control(text[i]) ? 1U : 0U;
    return text.find('\0') == std::string_view::npos && controls * 20 <= n;
}

class Lexer {
public:
    Lexer(const SourceFile& file, Report& report) : text_(file.text()), report_(report) {}

    TokenList run() {
        tokens_.reserve(text_.size() / 4 + 1);
        if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3; // byte-order mark
        while (skip_blanks()) next();
        begin_ = at_;
        push(TokenKind::end_of_file);
        return {std::move(tokens_), cut_off_};
    }

private:
    [[nodiscard]] char peek(std::uint32_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    void push(TokenKind kind) {
        tokens_.push_back({kind, new_line_, begin_, at_});
        new_line_ = false;
    }
    void error(const char* code, std::string message, std::string hint = {}) {
        report_.error(code, {begin_, at_}, std::move(message), std::move(hint));
    }

    // White space and comments; false at the end of the file.
    bool skip_blanks() {
        while (at_ < text_.size()) {
            if (text_[at_] == '\n') new_line_ = true;
            if (is_blank(text_[at_])) {
                ++at_;
            } else if (text_[at_] == '/' && peek(1) == '/') {
                const auto newline = text_.find('\n', at_);
                at_ = static_cast<std::uint32_t>(newline == std::string_view::npos ? text_.size() : newline);
            } else if (text_[at_] == '/' && peek(1) == '*') {
                block_comment();
            } else {
                return true;
            }
        }
        return false;
    }

    void block_comment() {
        begin_ = at_;
        const auto close = text_.find("*/", at_ + 2);
        if (close == std::string_view::npos) {
            at_ += 2;
            error("unterminated-comment", "the comment that begins here is never closed", "end it with '*/'");
            at_ = static_cast<std::uint32_t>(text_.size());
            cut_off_ = true;
            return;
        }
        if (text_.substr(at_, close - at_).find('\n') != std::string_view::npos) new_line_ = true;
        at_ = static_cast<std::uint32_t>(close) + 2;
    }

    void next() {
        begin_ = at_;
        const char c = text_[at_];
        if (is_letter(c)) return word();
        if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
        if (c == '"') return quoted('"', TokenKind::string, "unterminated-string", "string");
        if (c == '\'') return quoted('\'', TokenKind::identifier, "unterminated-identifier", "quoted identifier");
        symbol();
    }

    void word() {
        while (is_letter(peek()) || is_digit(peek())) ++at_;
        const auto it = keywords().find(text_.substr(begin_, at_ - begin_));
        push(it == keywords().end() ? TokenKind::identifier : it->second);
    }

    void number() {
        bool real = false;
        while (is_digit(peek())) ++at_;
        // "1.*x" is 1 .* x, "1..2" is a mistake; otherwise the dot belongs to the number.
        if (peek() == '.' && peek(1) != '*' && peek(1) != '/' && peek(1) != '^' && peek(1) != '+' && peek(1) != '-') {
            real = true;
            ++at_;
            while (is_digit(peek())) ++at_;
        }
        if (peek() == 'e' || peek() == 'E') {
            const std::uint32_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
            if (is_digit(peek(1 + sign))) {
                real = true;
                at_ += 2 + sign;
                while (is_digit(peek())) ++at_;
            }
        }
        if (is_letter(peek()) || (real && peek() == '.' && is_digit(peek(1)))) {
            while (is_letter(peek()) || is_digit(peek()) || peek() == '.') ++at_;
            error("bad-number", "'" + shown() + "' is not a number",
                  "write a product with '*', a power of ten as 1e-3");
            return push(TokenKind::real);
        }
        check_range();
        push(real ? TokenKind::real : TokenKind::integer);
    }

    void check_range() {
        double value = 0.0;
        const char* first = text_.data() + begin_;
        const auto [end, code] = std::from_chars(first, text_.data() + at_, value);
        if (code != std::errc::result_out_of_range) return;
        // Both overflow and underflow end up here; digits below the smallest number are harmless.
        const std::string_view digits = text_.substr(begin_, at_ - begin_);
        const auto exponent = digits.find_first_of("eE");
        const bool tiny = exponent != std::string_view::npos && digits[exponent + 1] == '-';
        if (!tiny)
            error("number-out-of-range", "the number " + shown() + " is too large", "the largest number is 1.797e308");
    }

    void quoted(char quote, TokenKind kind, const char* code, const std::string& what) {
        ++at_;
        while (at_ < text_.size() && text_[at_] != quote) {
            // A quoted identifier stays on its line; a string may go on.
            if (text_[at_] == '\n' && quote == '\'') break;
            at_ += text_[at_] == '\\' && at_ + 1 < text_.size() ? 2 : 1;
        }
        if (at_ >= text_.size() || text_[at_] != quote) {
            const auto stop = text_.find('\n', begin_);
            at_ = static_cast<std::uint32_t>(std::min(stop, text_.size()));
            error(code, "the " + what + " that begins here is never closed", std::string("end it with ") + quote);
            return push(kind);
        }
        ++at_;
        // Q-CHAR of the Modelica specification: what can be printed, and nothing that changes what is.
        if (quote == '\'' && !is_printable(text_.substr(begin_, at_ - begin_)))
            error("stray-character", "a control character in the name " + printable(shown()),
                  "quoted names are made of characters that can be printed");
        push(kind);
    }

    void symbol() {
        using enum TokenKind;
        const char c = text_[at_];
        const char d = peek(1);
        const auto take = [&](TokenKind kind, std::uint32_t length) {
            at_ += length;
            push(kind);
        };
        switch (c) {
        case '(': return take(left_parenthesis, 1);
        case ')': return take(right_parenthesis, 1);
        case '[': return take(left_bracket, 1);
        case ']': return take(right_bracket, 1);
        case '{': return take(left_brace, 1);
        case '}': return take(right_brace, 1);
        case ',': return take(comma, 1);
        case ';': return take(semicolon, 1);
        case ':': return d == '=' ? take(assign, 2) : take(colon, 1);
        case '+': return take(plus, 1);
        case '-': return take(minus, 1);
        case '/': return take(divide, 1);
        case '^': return take(power, 1);
        case '=': return d == '=' ? take(equal_equal, 2) : take(equals, 1);
        case '<': return d == '=' ? take(less_equal, 2) : d == '>' ? take(not_equal, 2) : take(less, 1);
        case '>': return d == '=' ? take(greater_equal, 2) : take(greater, 1);
        case '.':
            return d == '+'   ? take(dot_plus, 2)
                   : d == '-' ? take(dot_minus, 2)
                   : d == '*' ? take(dot_times, 2)
                   : d == '/' ? take(dot_divide, 2)
                   : d == '^' ? take(dot_power, 2)
                              : take(dot, 1);
        case '*':
            if (d != '*') return take(times, 1);
            at_ += 2;
            error("foreign-operator", "'**' is not a Modelica operator", "write a power as x^2");
            return push(power);
        case '!':
            at_ += d == '=' ? 2U : 1U;
            error("foreign-operator", "'" + shown() + "' is not a Modelica operator",
                  d == '=' ? "write 'not equal' as <>" : "write 'not'");
            return push(d == '=' ? not_equal : kw_not);
        case '&':
        case '|':
            at_ += d == c ? 2U : 1U;
            error("foreign-operator", "'" + shown() + "' is not a Modelica operator",
                  c == '&' ? "write 'and'" : "write 'or'");
            return push(c == '&' ? kw_and : kw_or);
        default: return stray();
        }
    }

    // A run of characters that begin no token is one mistake.
    void stray() {
        const bool ascii = (text_[at_] & 0x80) == 0;
        do ++at_;
        while (at_ < text_.size() && ((text_[at_] & 0x80) != 0) == !ascii && (!ascii || is_control(text_[at_])));
        if (ascii)
            error("stray-character", is_control(text_[begin_]) ? "a control character in the text"
                                                               : "unexpected character '" + shown() + "'");
        else
            error("stray-character", "unexpected character '" + shown() + "'",
                  "names are made of the letters a-z, A-Z, digits and _; others only in 'quoted' names and comments");
    }

    [[nodiscard]] std::string shown() const {
        constexpr std::size_t longest = 40;
        const std::string_view word = text_.substr(begin_, at_ - begin_);
        return word.size() <= longest ? std::string(word) : std::string(word.substr(0, longest)) + "...";
    }

    std::string_view text_;
    Report& report_;
    std::vector<Token> tokens_;
    std::uint32_t at_ = 0;
    std::uint32_t begin_ = 0;
    bool new_line_ = true;
    bool cut_off_ = false;
};

} // namespace

TokenList tokenize(const SourceFile& file, Report& report) {
    const std::string_view text = file.text();
    const auto refuse = [&](const char* code, const std::string& why, std::string hint) {
        report.error(code, {}, "'" + file.name() + "' " + why, std::move(hint));
        return TokenList{};
    };
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
        return refuse("not-utf8", "is written in UTF-16", "save it as UTF-8");
    if (!is_text(text)) return refuse("not-text", "is not a text file", "a Modelica model is plain text");
    if (text.size() >= std::numeric_limits<std::uint32_t>::max() / 2)
        return refuse("too-large", "is larger than 2 GB", {});
    return Lexer(file, report).run();
}

std::string string_value(std::string_view token) {
    std::string value;
    if (token.size() < 2 || token.front() != '"') return value;
    const std::size_t last = token.back() == '"' ? token.size() - 1 : token.size();
    for (std::size_t i = 1; i < last; ++i) {
        if (token[i] != '\\' || i + 1 >= last) {
            value += token[i];
            continue;
        }
        switch (token[++i]) {
        case 'a': value += '\a'; break;
        case 'b': value += '\b'; break;
        case 'f': value += '\f'; break;
        case 'n': value += '\n'; break;
        case 'r': value += '\r'; break;
        case 't': value += '\t'; break;
        case 'v': value += '\v'; break;
        default: value += token[i];
        }
    }
    return printable(value, Layout::keep); // strings are shown to people and nothing else
}

} // namespace daedalus::modelica
