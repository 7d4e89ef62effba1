// Text from models, files and command lines as it may be shown: a terminal obeys control characters, and a page can be
// made to read in another order than it is written.
#pragma once

#include <string>
#include <string_view>

namespace daedalus {

enum class Layout { keep, one_line };

/// Control characters (C0, DEL, C1), characters that change the direction of writing or end lines (Unicode TR 36,
/// section 3), and bytes that are no UTF-8, written as \x1b or \u202e. Line breaks and tabulators belong to the layout:
/// they are kept, or become spaces.
[[nodiscard]] std::string printable(std::string_view text, Layout layout = Layout::one_line);
/// Whether it can be shown as it is, on one line.
[[nodiscard]] bool is_printable(std::string_view text);

} // namespace daedalus
