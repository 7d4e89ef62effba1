#include "modelica/units.hpp"

#include <fmt/format.h>

#include <cmath>

namespace daedalus::modelica {

namespace {

struct Symbol {
    std::string_view name;
    std::array<double, 7> exponents; ///< m kg s A K mol cd
    double scale = 1.0;
    bool prefixes = true;
    double offset = 0.0;
};

constexpr double pi = 3.14159265358979323846;
// SI Brochure (2019), tables 2, 4 and 8; degF and inches by their definitions.
constexpr Symbol symbols[] = {
    {"m", {1}},
    {"g", {0, 1}, 1e-3},
    {"s", {0, 0, 1}},
    {"A", {0, 0, 0, 1}},
    {"K", {0, 0, 0, 0, 1}},
    {"mol", {0, 0, 0, 0, 0, 1}},
    {"cd", {0, 0, 0, 0, 0, 0, 1}},
    {"rad", {}},
    {"sr", {}},
    {"Hz", {0, 0, -1}},
    {"N", {1, 1, -2}},
    {"Pa", {-1, 1, -2}},
    {"J", {2, 1, -2}},
    {"W", {2, 1, -3}},
    {"C", {0, 0, 1, 1}},
    {"V", {2, 1, -3, -1}},
    {"F", {-2, -1, 4, 2}},
    {"Ohm", {2, 1, -3, -2}},
    {"S", {-2, -1, 3, 2}},
    {"Wb", {2, 1, -2, -1}},
    {"T", {0, 1, -2, -1}},
    {"H", {2, 1, -2, -2}},
    {"lm", {0, 0, 0, 0, 0, 0, 1}},
    {"lx", {-2, 0, 0, 0, 0, 0, 1}},
    {"Bq", {0, 0, -1}},
    {"Gy", {2, 0, -2}},
    {"Sv", {2, 0, -2}},
    {"kat", {0, 0, -1, 0, 0, 1}},
    {"var", {2, 1, -3}},
    {"VA", {2, 1, -3}},
    {"eV", {2, 1, -2}, 1.602176634e-19},
    {"bar", {-1, 1, -2}, 1e5},
    {"l", {3}, 1e-3},
    {"L", {3}, 1e-3},
    {"t", {0, 1}, 1e3},
    {"min", {0, 0, 1}, 60, false},
    {"h", {0, 0, 1}, 3600, false},
    {"d", {0, 0, 1}, 86400, false},
    {"deg", {}, pi / 180, false},
    {"rev", {}, 2 * pi, false},
    {"rpm", {0, 0, -1}, 2 * pi / 60, false},
    {"degC", {0, 0, 0, 0, 1}, 1, false, 273.15},
    {"degF", {0, 0, 0, 0, 1}, 5.0 / 9.0, false, 459.67 * 5.0 / 9.0},
};

struct Prefix {
    std::string_view name;
    double scale;
};
constexpr Prefix prefixes[] = {{"da", 1e1}, {"Y", 1e24}, {"Z", 1e21}, {"E", 1e18},  {"P", 1e15},  {"T", 1e12},
                               {"G", 1e9},  {"M", 1e6},  {"k", 1e3},  {"h", 1e2},   {"d", 1e-1},  {"c", 1e-2},
                               {"m", 1e-3}, {"u", 1e-6}, {"n", 1e-9}, {"p", 1e-12}, {"f", 1e-15}, {"a", 1e-18}};

std::optional<Units> symbol(std::string_view name) {
    for (const Symbol& s : symbols)
        if (s.name == name) return Units{s.exponents, s.scale, s.offset};
    for (const Prefix& p : prefixes)
        if (name.starts_with(p.name))
            for (const Symbol& s : symbols)
                if (s.prefixes && s.name == name.substr(p.name.size())) return Units{s.exponents, s.scale * p.scale};
    return std::nullopt;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct Parser {
    std::string_view text;
    std::size_t at = 0;
    int depth = 0;

    [[nodiscard]] char peek() const { return at < text.size() ? text[at] : '\0'; }

    // numerator [/ denominator]
    std::optional<Units> quotient() {
        auto result = product();
        while (result && peek() == '/') {
            ++at;
            const auto below = factor();
            if (!below) return std::nullopt;
            result = *result / *below;
        }
        return result;
    }
    std::optional<Units> product() {
        auto result = factor();
        while (result && (peek() == '.' || peek() == '*')) {
            ++at;
            const auto next = factor();
            if (!next) return std::nullopt;
            result = *result * *next;
        }
        return result;
    }
    std::optional<Units> factor() {
        std::optional<Units> base;
        if (peek() == '(') {
            if (++depth > 20) return std::nullopt;
            ++at;
            base = quotient();
            if (peek() != ')') return std::nullopt;
            ++at;
            --depth;
        } else if (peek() == '1' && !is_digit(at + 1 < text.size() ? text[at + 1] : '\0')) {
            ++at;
            return Units{};
        } else {
            const std::size_t begin = at;
            while (is_letter(peek())) ++at;
            base = symbol(text.substr(begin, at - begin));
        }
        if (!base) return std::nullopt;
        const bool power = peek() == '^';
        if (power) ++at;
        const bool negative = peek() == '-';
        if (negative || peek() == '+') ++at;
        if (!is_digit(peek())) return negative || power ? std::nullopt : base;
        double exponent = 0;
        while (is_digit(peek()) && exponent < 100) exponent = 10 * exponent + (text[at++] - '0');
        return base->power(negative ? -exponent : exponent);
    }
};

} // namespace

bool Units::is_number() const {
    for (const double e : exponents)
        if (std::abs(e) > 1e-9) return false;
    return true;
}

Units Units::power(double n) const {
    Units result = *this;
    for (double& e : result.exponents) e *= n;
    if (n != 1.0) result.offset = 0.0;
    result.scale = std::pow(scale, n);
    return result;
}

Units operator*(const Units& a, const Units& b) {
    Units result = a;
    for (std::size_t k = 0; k < a.exponents.size(); ++k) result.exponents[k] += b.exponents[k];
    result.scale *= b.scale;
    result.offset = 0.0;
    result.scale_known = a.scale_known && b.scale_known;
    return result;
}
Units operator/(const Units& a, const Units& b) { return a * b.power(-1.0); }

bool compatible(const Units& a, const Units& b) {
    for (std::size_t k = 0; k < a.exponents.size(); ++k)
        if (std::abs(a.exponents[k] - b.exponents[k]) > 1e-9) return false;
    if (!a.scale_known || !b.scale_known) return true;
    return std::abs(a.scale - b.scale) <= 1e-6 * std::abs(a.scale) && a.offset == b.offset;
}

std::string Units::text() const {
    if (scale_known && scale == 1.0 && offset == 0.0)
        for (const std::string_view name : {"N", "Pa", "J", "W", "V", "C", "F", "Ohm", "S", "Wb", "T", "H"})
            if (symbol(name)->exponents == exponents) return std::string(name);
    constexpr const char* names[] = {"kg", "m", "s", "A", "K", "mol", "cd"};
    std::string above, below;
    int under = 0;
    for (std::size_t k = 0; k < exponents.size(); ++k) {
        const double e = exponents[k < 2 ? 1 - k : k]; // kilograms first
        if (std::abs(e) < 1e-9) continue;
        std::string& side = e > 0 ? above : below;
        under += e < 0 ? 1 : 0;
        side += (side.empty() ? "" : ".") + std::string(names[k]) +
                (std::abs(std::abs(e) - 1.0) < 1e-9 ? "" : fmt::format("{:.3g}", std::abs(e)));
    }
    std::string text = above.empty() ? "1" : above;
    if (!below.empty()) text += under > 1 ? "/(" + below + ")" : "/" + below;
    if (scale_known && std::abs(scale - 1.0) > 1e-9) text = fmt::format("{:.6g} {}", scale, text);
    if (offset != 0.0) text += fmt::format(" above {:.6g} K", offset);
    return text;
}

std::optional<Units> parse_units(std::string_view text) {
    Parser parser{text};
    const auto result = parser.quotient();
    return result && parser.at == text.size() ? result : std::nullopt;
}

} // namespace daedalus::modelica
