#include "spice/numbers.hpp"

#include "spice/lines.hpp"

#include <charconv>
#include <cmath>

namespace daedalus::spice {

namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }
bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Small factors are divided by, since their reciprocals are doubles and they are not: 10u is 1e-5 to the last bit.
struct Scale {
    double factor = 1.0, divisor = 1.0;
    std::uint32_t length = 0;
};

/// µ is written as one byte in old files (ISO 8859-1) and as two in UTF-8, which knows it twice.
Scale scale_of(std::string_view text) {
    if (text.empty()) return {};
    if (same(text.substr(0, 3), "meg")) return {1e6, 1.0, 3};
    if (same(text.substr(0, 3), "mil")) return {25.4, 1e6, 3};
    if (text.substr(0, 2) == "\xC2\xB5" || text.substr(0, 2) == "\xCE\xBC") return {1.0, 1e6, 2};
    switch (text[0]) {
    case 't':
    case 'T': return {1e12, 1.0, 1};
    case 'g':
    case 'G': return {1e9, 1.0, 1};
    case 'k':
    case 'K': return {1e3, 1.0, 1};
    case 'm':
    case 'M': return {1.0, 1e3, 1};
    case 'u':
    case 'U':
    case '\xB5': return {1.0, 1e6, 1};
    case 'n':
    case 'N': return {1.0, 1e9, 1};
    case 'p':
    case 'P': return {1.0, 1e12, 1};
    case 'f':
    case 'F': return {1.0, 1e15, 1};
    default: return {};
    }
}

} // namespace

std::optional<NumberRead> read_number(std::string_view text, bool sign) {
    std::uint32_t at = sign && !text.empty() && (text[0] == '+' || text[0] == '-') ? 1 : 0;
    const auto is_digit = [&](std::uint32_t k) { return k < text.size() && digit(text[k]); };
    if (!is_digit(at) && !(at < text.size() && text[at] == '.' && is_digit(at + 1))) return std::nullopt;
    NumberRead read;
    const auto parsed = std::from_chars(text.data() + at, text.data() + text.size(), read.value);
    // Out of range: what is too small is zero, what is too large is refused as infinite.
    if (parsed.ec == std::errc::result_out_of_range) {
        const std::string_view digits(text.data() + at, static_cast<std::size_t>(parsed.ptr - text.data()) - at);
        const auto e = digits.find_first_of("eE");
        read.value = e != std::string_view::npos && digits.substr(e + 1, 1) == "-" ? 0.0 : HUGE_VAL;
    } else if (parsed.ec != std::errc())
        return std::nullopt;
    if (text[0] == '-' && sign) read.value = -read.value;
    at = static_cast<std::uint32_t>(parsed.ptr - text.data());
    const Scale scale = scale_of(text.substr(at));
    read.value = read.value * scale.factor / scale.divisor;
    at += scale.length;
    while (at < text.size() &&
           (letter(text[at]) || static_cast<unsigned char>(text[at]) >= 0x80 || text[at] == '_' || digit(text[at]))) {
        read.digits_behind = read.digits_behind || digit(text[at]);
        ++at;
    }
    read.length = at;
    return read;
}

} // namespace daedalus::spice
