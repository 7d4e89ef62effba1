// Numbers as text: the shortest decimal that reads back as the same double, for files; a few digits, for people.
#pragma once

#include <string>
#include <string_view>

namespace daedalus::output {

/// Shortest text that reproduces `value`: "0.1", "100000", "1e-08", "nan", "inf", "-inf".
void append_number(std::string& out, double value);
[[nodiscard]] std::string number_text(double value);

/// At most `digits` significant digits, trailing zeros dropped: "3.1416", "1.2e-09".
[[nodiscard]] std::string brief_number(double value, int digits = 5);

/// A duration with a fitting unit: "12 µs", "3.4 ms", "1.25 s", "2 min 5 s", "3 h 20 min".
[[nodiscard]] std::string brief_duration(double seconds);

/// Well-formed UTF-8: every byte that does not belong to a valid sequence becomes U+FFFD.
[[nodiscard]] std::string valid_utf8(std::string_view text);

} // namespace daedalus::output
