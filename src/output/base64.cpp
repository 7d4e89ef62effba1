#include "output/base64.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace daedalus::output {
namespace {

template <class Bits>
void append_little_endian(std::string& bytes, Bits bits) {
    for (std::size_t i = 0; i < sizeof(Bits); ++i) bytes += static_cast<char>(bits >> 8 * i & 0xFFU);
}

} // namespace

std::string base64(std::string_view bytes) {
    static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    const auto byte = [&](std::size_t i) {
        return i < bytes.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) : 0U;
    };
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::uint32_t group = byte(i) << 16U | byte(i + 1) << 8U | byte(i + 2);
        out += digits[group >> 18U];
        out += digits[group >> 12U & 63U];
        out += i + 1 < bytes.size() ? digits[group >> 6U & 63U] : '=';
        out += i + 2 < bytes.size() ? digits[group & 63U] : '=';
    }
    return out;
}

std::string base64_float32(std::span<const double> values) {
    std::string bytes;
    bytes.reserve(4 * values.size());
    for (const double v : values) {
        // Out of range would be undefined as a conversion.
        const double limit = std::numeric_limits<float>::max();
        const float single =
            std::isnan(v) ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(std::clamp(v, -limit, limit));
        append_little_endian(bytes, std::bit_cast<std::uint32_t>(single));
    }
    return base64(bytes);
}

std::string base64_float64(std::span<const double> values) {
    std::string bytes;
    bytes.reserve(8 * values.size());
    for (const double v : values) append_little_endian(bytes, std::bit_cast<std::uint64_t>(v));
    return base64(bytes);
}

bool float32_suffices(std::span<const double> values) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const double v : values) {
        if (std::isnan(v)) continue;
        low = std::min(low, v);
        high = std::max(high, v);
    }
    if (!(low <= high)) return true;
    const double size = std::max(std::abs(low), std::abs(high));
    if (size == 0) return true;
    // Denormal below, infinite above: a margin of a million to both ends of the single-precision range.
    if (size > 1e32 || size < 1e-31) return false;
    // 24 bits for the size leave at least a thousand distinguishable levels between lowest and highest.
    return high - low >= 1e-4 * size;
}

} // namespace daedalus::output
