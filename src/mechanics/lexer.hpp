// The words of a mechanism file: names, numbers, texts in quotes, signs. `#` and `//` begin comments; a line break is
// a blank.
#pragma once

#include "base/problems.hpp"

#include <vector>

namespace daedalus::mechanics {

enum class TokenKind : std::uint8_t { end, name, number, text, sign };

struct Token {
    TokenKind kind = TokenKind::end;
    std::string_view text; ///< of the file; of a text in quotes what is between them
    double value = 0.0;    ///< of a number
    std::uint32_t begin = 0, end = 0;
};

/// Ends with an end token.
[[nodiscard]] std::vector<Token> lex(const SourceFile& file, Problems& problems);

} // namespace daedalus::mechanics
