#include "mechanics/lexer.hpp"

#include "base/printable.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

namespace daedalus::mechanics {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

class Lexer {
public:
    Lexer(const SourceFile& file, Problems& problems) : file_(file), text_(file.text()), problems_(problems) {}

    std::vector<Token> run() {
        if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3; // byte-order mark
        while (true) {
            skip();
            begin_ = at_;
            if (at_ >= text_.size()) break;
            next();
        }
        push(TokenKind::end);
        return std::move(tokens_);
    }

private:
    [[nodiscard]] char peek(std::uint32_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    [[nodiscard]] SourceSpan here() const { return {&file_, begin_, at_}; }

    void skip() {
        while (at_ < text_.size()) {
            if (is_blank(peek()))
                ++at_;
            else if (peek() == '#' || (peek() == '/' && peek(1) == '/'))
                while (at_ < text_.size() && peek() != '\n') ++at_;
            else
                return;
        }
    }
    void push(TokenKind kind, double value = 0.0) {
        tokens_.push_back({kind, text_.substr(begin_, at_ - begin_), value, begin_, at_});
    }

    void next() {
        const char c = peek();
        if (is_letter(c)) {
            while (is_letter(peek()) || is_digit(peek())) ++at_;
            push(TokenKind::name);
        } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
            number();
        } else if (c == '"') {
            text();
        } else {
            sign();
        }
    }
    void number() {
        while (is_digit(peek())) ++at_;
        if (peek() == '.' && is_digit(peek(1))) {
            ++at_;
            while (is_digit(peek())) ++at_;
        } else if (peek() == '.' && !is_letter(peek(1))) {
            ++at_; // "1."
        }
        if (peek() == 'e' || peek() == 'E') {
            const std::uint32_t signed_by = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
            if (is_digit(peek(1 + signed_by))) {
                at_ += 1 + signed_by;
                while (is_digit(peek())) ++at_;
            }
        }
        const std::string digits(text_.substr(begin_, at_ - begin_));
        double value = 0.0;
        const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (result.ec == std::errc::result_out_of_range) {
            value = std::strtod(digits.c_str(), nullptr); // too small is 0
            if (!std::isfinite(value)) problems_.error("number-too-large", here(), "the number is too large");
        }
        push(TokenKind::number, std::isfinite(value) ? value : 1.0);
    }
    void text() {
        ++at_;
        while (at_ < text_.size() && peek() != '"' && peek() != '\n') ++at_;
        if (peek() != '"') {
            problems_.error("open-text", here(), "the text has no closing '\"' on its line");
            push(TokenKind::text);
            tokens_.back().text.remove_prefix(1);
            return;
        }
        ++at_;
        push(TokenKind::text);
        tokens_.back().text = text_.substr(begin_ + 1, at_ - begin_ - 2);
    }
    void sign() {
        constexpr std::string_view singles = "(){}=,;:.+-*/^<>";
        const char c = peek();
        if (singles.find(c) == std::string_view::npos && c != '!') {
            ++at_;
            while (at_ < text_.size() && (static_cast<unsigned char>(peek()) & 0xC0U) == 0x80U) ++at_; // UTF-8
            const std::string shown = printable(text_.substr(begin_, at_ - begin_));
            problems_.error("bad-character", here(), "'" + shown + "' has no meaning here");
            return;
        }
        ++at_;
        if (peek() == '=' && (c == '<' || c == '>' || c == '=' || c == '!')) ++at_;
        push(TokenKind::sign);
    }

    const SourceFile& file_;
    std::string_view text_;
    Problems& problems_;
    std::vector<Token> tokens_;
    std::uint32_t at_ = 0, begin_ = 0;
};

} // namespace

std::vector<Token> lex(const SourceFile& file, Problems& problems) { return Lexer(file, problems).run(); }

} // namespace daedalus::mechanics
