// Units of measurement as texts say them (specification 3.5, chapter 19): "kg.m2/s2", "N.m/rad", "1/min".
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace daedalus::modelica {

/// scale · m^e0 kg^e1 s^e2 A^e3 K^e4 mol^e5 cd^e6, above `offset`. Angles are numbers: rad is 1.
struct Units {
    std::array<double, 7> exponents{};
    double scale = 1.0;
    double offset = 0.0;     ///< degC and degF
    bool scale_known = true; ///< not after a number as a factor, which may convert

    [[nodiscard]] bool is_number() const;
    [[nodiscard]] Units power(double n) const;
    [[nodiscard]] std::string text() const;
};
[[nodiscard]] Units operator*(const Units& a, const Units& b);
[[nodiscard]] Units operator/(const Units& a, const Units& b);
/// Whether quantities in these units may be added and compared.
[[nodiscard]] bool compatible(const Units& a, const Units& b);

/// Nothing for a text that is no unit known here.
[[nodiscard]] std::optional<Units> parse_units(std::string_view text);

} // namespace daedalus::modelica
