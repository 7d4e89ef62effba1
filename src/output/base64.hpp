// Base64 (RFC 4648) of numbers as little-endian floats: the most compact form in which a web page can carry them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace daedalus::output {

[[nodiscard]] std::string base64(std::string_view bytes);
[[nodiscard]] std::string base64_float32(std::span<const double> values);
[[nodiscard]] std::string base64_float64(std::span<const double> values);

/// Whether single precision shows these values well at any sensible zoom: finite values in its range, whose spread
/// is not small beside their size.
[[nodiscard]] bool float32_suffices(std::span<const double> values);

} // namespace daedalus::output
