#include "base/printable.hpp"

#include <array>
#include <cstdint>
#include <cstdio>

namespace daedalus {

namespace {

struct Character {
    std::uint32_t value;
    std::size_t bytes; ///< 0: not UTF-8
};

/// The first character, by RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
Character first_of(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    if (lead < 0x80) return {lead, 1};
    const std::size_t bytes = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    if (bytes == 0 || bytes > text.size()) return {lead, 0};
    std::uint32_t value = lead & (0x7FU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if ((byte & 0xC0U) != 0x80U) return {lead, 0};
        value = value << 6U | (byte & 0x3FU);
    }
    const bool overlong = (bytes == 3 && value < 0x800) || (bytes == 4 && value < 0x10000);
    if (overlong || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return {lead, 0};
    return {value, bytes};
}

bool must_be_escaped(std::uint32_t c) {
    const auto within = [c](std::uint32_t low, std::uint32_t high) { return c >= low && c <= high; };
    if (c < 0x20 || within(0x7F, 0x9F)) return true;
    // Marks, embeddings, overrides and isolates of direction; separators of lines and paragraphs; the byte order mark.
    return c == 0x061C || within(0x200E, 0x200F) || within(0x2028, 0x202E) || within(0x2066, 0x2069) || c == 0xFEFF;
}

} // namespace

std::string printable(std::string_view text, Layout layout) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const Character c = first_of(text);
        const std::size_t bytes = c.bytes == 0 ? 1 : c.bytes;
        if (text[0] == '\t' || text[0] == '\n') {
            out += layout == Layout::keep ? text[0] : ' ';
        } else if (c.bytes > 0 && !must_be_escaped(c.value)) {
            out.append(text.substr(0, bytes));
        } else {
            std::array<char, 16> code{};
            std::snprintf(code.data(), code.size(), c.value > 0xFF ? "\\u%04x" : "\\x%02x", c.value);
            out += code.data();
        }
        text.remove_prefix(bytes);
    }
    return out;
}

bool is_printable(std::string_view text) {
    while (!text.empty()) {
        const Character c = first_of(text);
        if (c.bytes == 0 || must_be_escaped(c.value)) return false;
        text.remove_prefix(c.bytes);
    }
    return true;
}

} // namespace daedalus
