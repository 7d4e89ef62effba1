#include "output/markup.hpp"

#include "output/number_text.hpp"

namespace daedalus::output {

std::string escape_markup(std::string_view raw) {
    const std::string text = valid_utf8(raw);
    std::string out;
    out.reserve(text.size() + text.size() / 8);
    for (const char c : text) {
        switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        case '\'': out += "&#39;"; break;
        default:
            // XML 1.0 (and so SVG) knows no other control characters.
            if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t')
                out += "\xEF\xBF\xBD";
            else
                out += c;
        }
    }
    return out;
}

} // namespace daedalus::output
