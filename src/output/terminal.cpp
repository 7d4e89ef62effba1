#include "output/terminal.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sys/ioctl.h>
#include <unistd.h>

namespace daedalus::output {
namespace {

struct CodePoint {
    std::uint32_t value;
    std::size_t bytes;
};

// Broken sequences count as one column per byte: nothing better is known about them.
CodePoint decode(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (length == 1 || length > text.size()) return {lead, 1};
    std::uint32_t value = lead & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if ((byte & 0xC0U) != 0x80U) return {lead, 1};
        value = value << 6U | (byte & 0x3FU);
    }
    return {value, length};
}

int columns(std::uint32_t c) {
    const auto within = [c](std::uint32_t low, std::uint32_t high) { return c >= low && c <= high; };
    if (c < 0x20 || c == 0x7f || within(0x80, 0x9f)) return 0;
    if (within(0x300, 0x36F) || within(0x200B, 0x200F) || within(0x20D0, 0x20FF) || within(0xFE00, 0xFE0F)) return 0;
    if (within(0x1100, 0x115F) || within(0x2E80, 0xA4CF) || within(0xAC00, 0xD7A3) || within(0xF900, 0xFAFF) ||
        within(0xFE30, 0xFE6F) || within(0xFF00, 0xFF60) || within(0xFFE0, 0xFFE6) || within(0x1F300, 0x1FAFF) ||
        within(0x20000, 0x3FFFD))
        return 2;
    return 1;
}

// Length of an escape sequence "ESC [ … letter" at the start of the text, 0 if there is none.
std::size_t escape_length(std::string_view text) {
    if (text.size() < 2 || text[0] != '\x1b' || text[1] != '[') return 0;
    for (std::size_t i = 2; i < text.size(); ++i)
        if (text[i] >= '@' && text[i] <= '~') return i + 1;
    return text.size();
}

} // namespace

bool is_terminal(int file_descriptor) { return isatty(file_descriptor) == 1; }

bool use_color(ColorMode mode, int file_descriptor) {
    if (mode != ColorMode::automatic) return mode == ColorMode::always;
    const char* no_color = std::getenv("NO_COLOR");
    if (no_color != nullptr && *no_color != '\0') return false;
    const char* term = std::getenv("TERM");
    if (term == nullptr || std::strcmp(term, "dumb") == 0) return false;
    return is_terminal(file_descriptor);
}

int terminal_width(int file_descriptor, int fallback) {
    winsize size{};
    if (ioctl(file_descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return fallback;
}

int text_width(std::string_view text) {
    int width = 0;
    while (!text.empty()) {
        if (const std::size_t escape = escape_length(text); escape > 0) {
            text.remove_prefix(escape);
            continue;
        }
        const CodePoint c = decode(text);
        width += columns(c.value);
        text.remove_prefix(c.bytes);
    }
    return width;
}

std::string fit_text(std::string_view text, int width) {
    if (text_width(text) <= width) return std::string(text);
    if (width < 1) return {};
    std::string out;
    int used = 0;
    bool painted = false;
    while (!text.empty()) {
        std::size_t bytes = escape_length(text);
        if (bytes > 0) {
            painted = true;
        } else {
            const CodePoint c = decode(text);
            if (used + columns(c.value) > width - 1) break;
            used += columns(c.value);
            bytes = c.bytes;
        }
        out.append(text.substr(0, bytes));
        text.remove_prefix(bytes);
    }
    return out + "…" + (painted ? "\x1b[0m" : "");
}

std::string Paint::with(const char* code, std::string_view text) const {
    if (!color || text.empty()) return std::string(text);
    return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

} // namespace daedalus::output
