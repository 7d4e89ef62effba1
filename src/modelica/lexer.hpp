// Text → tokens, in one pass and linear time. Mistakes are reported and skipped; the token list always ends with
// end_of_file.
#pragma once

#include "modelica/report.hpp"
#include "modelica/token.hpp"

#include <string>
#include <vector>

namespace daedalus::modelica {

struct TokenList {
    std::vector<Token> tokens; ///< empty (and one error reported) if the file is not text at all
    bool cut_off = false;      ///< a comment that is never closed swallowed the rest
};
[[nodiscard]] TokenList tokenize(const SourceFile& file, Report& report);

/// The value of a string token: quotes removed, escapes replaced.
[[nodiscard]] std::string string_value(std::string_view token_text);

} // namespace daedalus::modelica
