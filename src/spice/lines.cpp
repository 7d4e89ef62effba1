#include "spice/lines.hpp"

#include <algorithm>

namespace daedalus::spice {

namespace {

/// 0x1a ends files of DOS.
bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\x1a'; }
char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool ends_word(char c) { return std::string_view("=(),{}'\"; \t\r\v\f\n").find(c) != std::string_view::npos; }

/// Behind blanks at the start of the physical line at `at`.
std::uint32_t first_of(std::string_view text, std::uint32_t at) {
    while (at < text.size() && blank(text[at])) ++at;
    return at;
}
std::uint32_t end_of(std::string_view text, std::uint32_t at) {
    const auto end = text.find('\n', at);
    return static_cast<std::uint32_t>(end == std::string_view::npos ? text.size() : end);
}
bool is_comment(std::string_view text, std::uint32_t at) {
    if (at >= text.size() || text[at] == '\n') return true;
    const char c = text[at];
    return c == '*' || c == ';' || c == '$' || c == '#' || text.substr(at, 2) == "//";
}

} // namespace

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), small);
    return out;
}

std::string counted(std::size_t number, const char* what) {
    return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

bool same(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return small(x) == small(y); });
}

bool Token::is_word(std::string_view word) const { return kind == Kind::word && same(text, word); }

std::vector<Line> lines_of(const SourceFile& file, std::uint32_t from, Problems& problems) {
    std::vector<Line> lines;
    const std::string_view text = file.text();
    for (std::uint32_t at = from; at < text.size();) {
        const std::uint32_t first = first_of(text, at), end = end_of(text, at);
        at = end + 1;
        if (is_comment(text, first)) continue;
        std::uint32_t last = end;
        while (last > first && blank(text[last - 1])) --last;
        if (text[first] != '+')
            lines.push_back({&file, first, last});
        else if (!lines.empty())
            lines.back().end = last;
        else
            problems.error("continuation", {&file, first, first + 1}, "there is no line that this one could continue");
    }
    return lines;
}

void Cursor::skip_comment() { at_ = std::min(end_of(line_.file->text(), at_), line_.end); }

void Cursor::skip_blanks() {
    const std::string_view text = line_.file->text();
    while (at_ < line_.end) {
        const char c = text[at_];
        if (blank(c))
            ++at_;
        else if (c == ';' || text.substr(at_, 2) == "//")
            skip_comment();
        else if (c == '$' && at_ > line_.begin && (blank(text[at_ - 1]) || text[at_ - 1] == ','))
            skip_comment();
        else if (c == '\n') {
            at_ = first_of(text, at_ + 1);
            if (at_ < line_.end && text[at_] == '+')
                ++at_;
            else
                skip_comment();
        } else
            return;
    }
    at_ = line_.end;
}

Token Cursor::braced(char open, char close) {
    const std::uint32_t begin = at_;
    int depth = 0;
    for (; at_ < line_.end; ++at_) {
        const char c = here();
        if (c == close && (open != close || depth > 0)) {
            if (--depth == 0) {
                ++at_;
                return {Token::Kind::expression, line_.file->text().substr(begin, at_ - begin), span(begin)};
            }
        } else if (c == open)
            ++depth;
    }
    return {Token::Kind::stray, line_.file->text().substr(begin, 1), {line_.file, begin, begin + 1}};
}

Token Cursor::next() {
    skip_blanks();
    const std::uint32_t begin = at_;
    const std::string_view text = line_.file->text();
    const auto single = [&](Token::Kind kind) {
        ++at_;
        return Token{kind, text.substr(begin, 1), span(begin)};
    };
    switch (here()) {
    case '\0':
        if (at_ >= line_.end) return {Token::Kind::end, {}, {line_.file, line_.end, line_.end}};
        break;
    case '=': return single(Token::Kind::equals);
    case '(': return single(Token::Kind::open);
    case ')': return single(Token::Kind::close);
    case ',': return single(Token::Kind::comma);
    case '{': return braced('{', '}');
    case '\'': return braced('\'', '\'');
    case '}': return single(Token::Kind::stray);
    case '"': {
        const auto close = std::min(text.find('"', at_ + 1), static_cast<std::size_t>(end_of(text, at_)));
        if (close >= line_.end || text[close] != '"') return single(Token::Kind::stray);
        at_ = static_cast<std::uint32_t>(close) + 1;
        return {Token::Kind::quoted, text.substr(begin + 1, close - begin - 1), span(begin)};
    }
    default: break;
    }
    while (at_ < line_.end && !ends_word(text[at_]) && text.substr(at_, 2) != "//") ++at_;
    return {Token::Kind::word, text.substr(begin, at_ - begin), span(begin)};
}

Token Cursor::until(std::string_view stops) {
    skip_blanks();
    const std::uint32_t begin = at_;
    const std::string_view text = line_.file->text();
    while (at_ < line_.end && !blank(text[at_]) && text[at_] != '\n' && stops.find(text[at_]) == std::string_view::npos)
        ++at_;
    return {at_ == begin ? Token::Kind::end : Token::Kind::word, text.substr(begin, at_ - begin), span(begin)};
}

std::string_view Cursor::rest() {
    skip_blanks();
    const std::uint32_t begin = at_;
    at_ = line_.end;
    return line_.file->text().substr(begin, at_ - begin);
}

} // namespace daedalus::spice
