#include "output/number_text.hpp"

#include "output/shortest_decimal.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace daedalus::output {

void append_number(std::string& out, double value) {
    char text[longest_number];
    out.append(text, write_shortest(text, value));
}

std::string number_text(double value) {
    std::string out;
    append_number(out, value);
    return out;
}

std::string brief_number(double value, int digits) {
    if (std::isnan(value)) return "nan";
    char text[64];
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    return text;
}

std::string brief_duration(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0) return "?";
    if (seconds < 0.9995e-3) return brief_number(seconds * 1e6, 3) + " µs";
    if (seconds < 0.9995) return brief_number(seconds * 1e3, 3) + " ms";
    if (seconds < 59.95) return brief_number(seconds, 3) + " s";
    const long long whole = std::llround(std::min(seconds, 1e15));
    if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
    return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

namespace {

// Length of the well-formed UTF-8 sequence at the start of `text` (Unicode, table 3-7), 0 if there is none.
std::size_t sequence_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
    const unsigned lead = byte(0);
    if (lead < 0x80) return 1;
    if (lead < 0xC2) return 0;
    if (lead < 0xE0) return continues(1) ? 2 : 0;
    if (lead < 0xF0) {
        if (!continues(1) || !continues(2)) return 0;
        const bool overlong = lead == 0xE0 && byte(1) < 0xA0;
        const bool surrogate = lead == 0xED && byte(1) >= 0xA0;
        return overlong || surrogate ? 0 : 3;
    }
    if (lead < 0xF5) {
        if (!continues(1) || !continues(2) || !continues(3)) return 0;
        const bool overlong = lead == 0xF0 && byte(1) < 0x90;
        const bool too_large = lead == 0xF4 && byte(1) >= 0x90;
        return overlong || too_large ? 0 : 4;
    }
    return 0;
}

} // namespace

std::string valid_utf8(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = sequence_length(text);
        if (length == 0) {
            out += "\xEF\xBF\xBD";
            text.remove_prefix(1);
        } else {
            out.append(text.substr(0, length));
            text.remove_prefix(length);
        }
    }
    return out;
}

} // namespace daedalus::output
