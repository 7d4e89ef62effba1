// Text as content of HTML and SVG: everything the user wrote goes through here.
#pragma once

#include <string>
#include <string_view>

namespace daedalus::output {

/// Escapes & < > " ' and replaces control characters and bytes that are not UTF-8; safe in element content and in
/// quoted attributes.
[[nodiscard]] std::string escape_markup(std::string_view text);

} // namespace daedalus::output
