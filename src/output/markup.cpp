#include "output/markup.hpp"

#include "base/printable.hpp"
#include "output/number_text.hpp"

namespace daedalus::output {

std::string escape_markup(std::string_view raw) {
    const std::string text = printable(valid_utf8(raw), Layout::keep);
    std::string out;
    out.reserve(text.size() + text.size() / 8);
    for (const char c : text) {
        switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        case '\'': out += "&#39;"; break;
        default: out += c;
        }
    }
    return out;
}

} // namespace daedalus::output
