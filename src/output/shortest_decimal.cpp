#include "output/shortest_decimal.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace daedalus::output {

namespace {

__extension__ using Wide = unsigned __int128;

// Giulietti 2020, 9.8: 10^k is needed for these.
constexpr int smallest_power = -292, largest_power = 324;

struct Power {
    std::uint64_t high, low;
};

/// An integer of some thousand bits, its lowest 32 first.
struct LongInteger {
    static constexpr int words = 40; // 10^324 has 1077 bits, 2^1200 / 10^292 still has 230
    std::array<std::uint32_t, words> word{};

    constexpr void multiply_by_ten() {
        std::uint64_t carry = 0;
        for (std::uint32_t& w : word) {
            carry += std::uint64_t{w} * 10U;
            w = static_cast<std::uint32_t>(carry);
            carry >>= 32U;
        }
    }
    /// Returns whether something was left.
    constexpr bool divide_by_ten() {
        std::uint64_t rest = 0;
        for (int i = words - 1; i >= 0; --i) {
            rest = rest << 32U | word[static_cast<std::size_t>(i)];
            word[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(rest / 10U);
            rest %= 10U;
        }
        return rest != 0;
    }
    /// The first 128 bits, rounded up; `more`: something follows behind the last bit.
    [[nodiscard]] constexpr Power leading(bool more) const {
        int top = words - 1;
        while (word[static_cast<std::size_t>(top)] == 0) --top;
        const auto at = [&](int i) -> Wide { return i >= 0 ? word[static_cast<std::size_t>(i)] : 0U; };
        const int zeros = std::countl_zero(word[static_cast<std::size_t>(top)]);
        Wide bits = at(top) << 96U | at(top - 1) << 64U | at(top - 2) << 32U | at(top - 3);
        Wide next = at(top - 4) << 32U; // of 64 bits
        if (zeros > 0) {
            bits = bits << static_cast<unsigned>(zeros) | next >> static_cast<unsigned>(64 - zeros);
            next = next << static_cast<unsigned>(zeros) & 0xFFFFFFFFFFFFFFFFU;
        }
        more = more || next != 0;
        for (int i = top - 5; i >= 0; --i) more = more || at(i) != 0;
        if (more) ++bits;
        return {static_cast<std::uint64_t>(bits >> 64U), static_cast<std::uint64_t>(bits)};
    }
};

constexpr std::array<Power, largest_power - smallest_power + 1> make_powers() {
    std::array<Power, largest_power - smallest_power + 1> powers{};
    const auto at = [&](int k) -> Power& { return powers[static_cast<std::size_t>(k - smallest_power)]; };
    LongInteger up, down;
    up.word[0] = 1;
    for (int k = 0; k <= largest_power; ++k, up.multiply_by_ten()) at(k) = up.leading(false);
    down.word[37] = 1U << 16U; // 2^1200; dividing by ten again and again and dropping rests is dividing by 10^k
    bool more = false;
    for (int k = -1; k >= smallest_power; --k) {
        more = down.divide_by_ten() || more;
        at(k) = down.leading(more);
    }
    return powers;
}

constexpr auto powers = make_powers();

// Integer logarithms, exact for the exponents of doubles (Giulietti 2020, 9.7).
constexpr int floor_log10_of_power_of_2(int e) { return (e * 1262611) >> 22; }
constexpr int floor_log10_of_three_quarters_of_power_of_2(int e) { return (e * 1262611 - 524031) >> 22; }
constexpr int floor_log2_of_power_of_10(int e) { return (e * 1741647) >> 19; }

/// g · c / 2^128, where a rest sets the last bit: comparisons with even numbers are as those of the exact product.
std::uint64_t round_to_odd(const Power& g, std::uint64_t c) {
    const Wide low = Wide{g.low} * c;
    const Wide product = Wide{g.high} * c + static_cast<std::uint64_t>(low >> 64U);
    return static_cast<std::uint64_t>(product >> 64U) | (static_cast<std::uint64_t>(product) > 1U ? 1U : 0U);
}

constexpr int mantissa_bits = 52, bias = 1075; // 1023 + 52

/// "00" to "99".
constexpr std::array<char, 200> make_pairs() {
    std::array<char, 200> text{};
    for (std::size_t k = 0; k < 100; ++k) {
        text[2 * k] = static_cast<char>('0' + k / 10);
        text[2 * k + 1] = static_cast<char>('0' + k % 10);
    }
    return text;
}
constexpr auto pairs = make_pairs();

void write_pair(char* out, unsigned value) { std::memcpy(out, &pairs[std::size_t{2} * value], 2); }

/// With leading zeros.
void write_eight(char* out, unsigned value) {
    const unsigned high = value / 10000, low = value % 10000;
    write_pair(out, high / 100);
    write_pair(out + 2, high % 100);
    write_pair(out + 4, low / 100);
    write_pair(out + 6, low % 100);
}

constexpr int most_digits = 17;

/// All digits without leading zeros at the end of `out`, which has room for `most_digits`; returns their number.
int write_digits(char* out, std::uint64_t value) {
    constexpr std::uint64_t group = 100000000;
    const std::uint64_t high = value / group;
    const auto first = static_cast<unsigned>(high / group);
    out[0] = static_cast<char>('0' + first);
    write_eight(out + 1, static_cast<unsigned>(high - first * group));
    write_eight(out + 9, static_cast<unsigned>(value - high * group));
    int zeros = first != 0 ? 0 : high != 0 ? 1 : 9;
    while (out[zeros] == '0') ++zeros;
    return most_digits - zeros;
}

char* write_exponent(char* out, int exponent) {
    *out++ = 'e';
    *out++ = exponent < 0 ? '-' : '+';
    auto magnitude = static_cast<unsigned>(std::abs(exponent));
    if (magnitude >= 100) {
        *out++ = static_cast<char>('0' + magnitude / 100);
        magnitude %= 100;
    }
    write_pair(out, magnitude);
    return out + 2;
}

/// Copies whole groups, which takes one or two instructions; what is too much will be overwritten.
template <int room>
char* copy(char* out, const char* from, int count) {
    std::memcpy(out, from, room);
    return out + count;
}

} // namespace

ShortestDecimal shortest_decimal(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << mantissa_bits) - 1);
    const int biased = static_cast<int>(bits >> mantissa_bits & 0x7FFU);
    const std::uint64_t c = biased != 0 ? fraction | std::uint64_t{1} << mantissa_bits : fraction;
    const int q = (biased != 0 ? biased : 1) - bias;

    const bool narrow = fraction == 0 && biased > 1; // the double below is half as far away as the one above
    const int k = narrow ? floor_log10_of_three_quarters_of_power_of_2(q) : floor_log10_of_power_of_2(q);
    const auto h = static_cast<unsigned>(q + floor_log2_of_power_of_10(-k) + 1);
    const Power& g = powers[static_cast<std::size_t>(-k - smallest_power)];
    const std::uint64_t middle = round_to_odd(g, (4 * c) << h); // in quarters of 10^k, as the bounds
    const std::uint64_t bound_below = round_to_odd(g, (4 * c - (narrow ? 1 : 2)) << h);
    const std::uint64_t bound_above = round_to_odd(g, (4 * c + 2) << h);
    const std::uint64_t open = c & 1U;
    const std::uint64_t lowest = bound_below + open, highest = bound_above - open;

    const std::uint64_t s = middle / 4;
    if (s >= 10) { // the one multiple of 10^(k+1), if there is one
        const std::uint64_t tens = s / 10;
        const bool below = lowest <= 40 * tens, above = 40 * tens + 40 <= highest;
        if (below != above) return {tens + (above ? 1 : 0), k + 1};
    }
    const bool below = lowest <= 4 * s, above = 4 * s + 4 <= highest;
    if (below != above) return {s + (above ? 1 : 0), k};
    const std::uint64_t half = 4 * s + 2; // both: the nearer, the even one of two
    const bool up = middle > half || (middle == half && (s & 1U) != 0);
    return {s + (up ? 1 : 0), k};
}

char* write_shortest(char* out, double value) {
    if (std::isnan(value)) return copy<3>(out, "nan", 3);
    *out = '-';
    out += std::signbit(value) ? 1 : 0;
    const double magnitude = std::abs(value);
    if (magnitude == 0.0) return copy<1>(out, "0", 1);
    if (std::isinf(magnitude)) return copy<3>(out, "inf", 3);
    const ShortestDecimal decimal = shortest_decimal(magnitude);
    char text[2 * most_digits] = {};
    int count = write_digits(text, decimal.digits);
    const char* const digits = text + most_digits - count;
    const int point = count + decimal.exponent; // digits before the decimal point
    while (digits[count - 1] == '0') --count;
    // Fixed notation where it is no longer than a person likes to read; the same range as fmt's "{}".
    if (magnitude < 1e-4 || magnitude >= 1e16) {
        *out++ = digits[0];
        if (count > 1) *out++ = '.';
        return write_exponent(copy<most_digits>(out, digits + 1, count - 1), point - 1);
    }
    if (point <= 0) {
        out = copy<8>(out, "0.000000", 2 - point);
        return copy<most_digits>(out, digits, count);
    }
    if (point >= count) {
        std::memset(out, '0', most_digits);
        std::memcpy(out, digits, static_cast<std::size_t>(count));
        return out + point;
    }
    out = copy<most_digits>(out, digits, point);
    *out++ = '.';
    return copy<most_digits>(out, digits + point, count - point);
}

} // namespace daedalus::output
