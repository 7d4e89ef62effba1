// The lines of a deck, continuations included, and the words in them. Places stay those of the file, so that every word
// can be pointed at: nothing is copied.
//
// A line that begins with `+` continues the one before; comments and empty lines may stand between. `*` at the start of
// a line, `;`, `//`, and `$` behind a blank or a comma begin comments.
#pragma once

#include "base/problems.hpp"
#include "base/source.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace daedalus::spice {

/// From its first character to the last one of its last continuation.
struct Line {
    const SourceFile* file = nullptr;
    std::uint32_t begin = 0, end = 0;

    [[nodiscard]] SourceSpan span() const { return {file, begin, end}; }
};

/// All lines from byte `from` on that are no comment.
[[nodiscard]] std::vector<Line> lines_of(const SourceFile& file, std::uint32_t from, Problems& problems);

struct Token {
    enum class Kind : std::uint8_t { end, word, equals, open, close, comma, expression, quoted, stray };
    Kind kind = Kind::end;
    std::string_view text; ///< as in the file; of a quoted text what is between the quotes
    SourceSpan span;

    [[nodiscard]] bool is(Kind k) const { return kind == k; }
    /// A word, whatever its case; `lower` is in lower case.
    [[nodiscard]] bool is_word(std::string_view lower) const;
};

/// Reads a line from left to right. Blanks, comments and line breaks within it are passed over.
class Cursor {
public:
    explicit Cursor(const Line& line) : line_(line), at_(line.begin) {}

    [[nodiscard]] const Line& line() const { return line_; }
    [[nodiscard]] std::uint32_t at() const { return at_; }
    void move_to(std::uint32_t at) { at_ = at; }
    /// The character at hand, or `ahead` behind it; 0 at the end of the line.
    [[nodiscard]] char here(std::uint32_t ahead = 0) const {
        return at_ + ahead < line_.end ? line_.file->text()[at_ + ahead] : '\0';
    }
    [[nodiscard]] SourceSpan span(std::uint32_t begin) const { return {line_.file, begin, at_}; }
    void skip_blanks();
    /// `{…}` and `'…'` are one token of kind `expression`, braces included; a brace without partner is `stray`.
    [[nodiscard]] Token next();
    [[nodiscard]] Token peek() const { return Cursor(*this).next(); }
    /// Without blanks in it, up to one of these characters or a blank; for names of nodes in expressions.
    [[nodiscard]] Token until(std::string_view stops);
    /// The rest of the line, raw, without blanks around it.
    [[nodiscard]] std::string_view rest();

private:
    void skip_comment();
    Token braced(char open, char close);

    Line line_;
    std::uint32_t at_;
};

[[nodiscard]] std::string lower(std::string_view text);
/// "1 node", "2 nodes"
[[nodiscard]] std::string counted(std::size_t number, const char* what);
[[nodiscard]] bool same(std::string_view a, std::string_view b); ///< apart from case

} // namespace daedalus::spice
