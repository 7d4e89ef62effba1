// What a text terminal can do and how to use it: is it one, how wide, may it be coloured; the width of a text in
// columns; paint that vanishes where colour is not wanted.
#pragma once

#include <string>
#include <string_view>

namespace daedalus::output {

enum class ColorMode { automatic, always, never };

/// automatic: a terminal, not a "dumb" one, and NO_COLOR (https://no-color.org) unset or empty.
[[nodiscard]] bool use_color(ColorMode mode, int file_descriptor);
[[nodiscard]] bool is_terminal(int file_descriptor);
/// Columns of the terminal; `fallback` where there is none.
[[nodiscard]] int terminal_width(int file_descriptor, int fallback = 80);

/// Columns that a UTF-8 text takes: escape sequences and combining marks none, East Asian wide characters two.
[[nodiscard]] int text_width(std::string_view text);
/// Cut to `width` columns, with "…" at the end if anything was cut.
[[nodiscard]] std::string fit_text(std::string_view text, int width);

struct Paint {
    bool color = false;

    [[nodiscard]] std::string bold(std::string_view text) const { return with("1", text); }
    [[nodiscard]] std::string dim(std::string_view text) const { return with("2", text); }
    [[nodiscard]] std::string red(std::string_view text) const { return with("1;31", text); }
    [[nodiscard]] std::string green(std::string_view text) const { return with("32", text); }
    [[nodiscard]] std::string yellow(std::string_view text) const { return with("33", text); }
    [[nodiscard]] std::string blue(std::string_view text) const { return with("34", text); }
    [[nodiscard]] std::string cyan(std::string_view text) const { return with("36", text); }

private:
    [[nodiscard]] std::string with(const char* code, std::string_view text) const;
};

} // namespace daedalus::output
