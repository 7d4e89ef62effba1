#include "spice/functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace daedalus::spice {

namespace {

constexpr int any = 1'000'000;

constexpr std::array table{
    FunctionEntry{"abs", "abs"},
    FunctionEntry{"absdelay", "delay", 2, 3, false},
    FunctionEntry{"acos", "acos"},
    FunctionEntry{"acosh", "acosh"},
    FunctionEntry{"arccos", "acos"},
    FunctionEntry{"arcsin", "asin"},
    FunctionEntry{"arctan", "atan"},
    FunctionEntry{"asin", "asin"},
    FunctionEntry{"asinh", "asinh"},
    FunctionEntry{"atan", "atan"},
    FunctionEntry{"atan2", "atan2", 2, 2},
    FunctionEntry{"atanh", "atanh"},
    FunctionEntry{"ceil", "ceil"},
    FunctionEntry{"cos", "cos"},
    FunctionEntry{"cosh", "cosh"},
    FunctionEntry{"ddt", "ddt", 1, 1, false},
    FunctionEntry{"delay", "delay", 2, 3, false},
    FunctionEntry{"exp", "exp"},
    FunctionEntry{"floor", "floor"},
    FunctionEntry{"hypot", "hypot", 2, 2},
    FunctionEntry{"idt", "idt", 1, 2, false},
    FunctionEntry{"if", "?:", 3, 3},
    FunctionEntry{"int", "int"},
    FunctionEntry{"limit", "limit", 3, 3},
    FunctionEntry{"ln", "log"},
    FunctionEntry{"log", "log"},
    FunctionEntry{"log10", "log10"},
    FunctionEntry{"max", "max", 2, any},
    FunctionEntry{"min", "min", 2, any},
    FunctionEntry{"nint", "nint"},
    FunctionEntry{"pow", "^", 2, 2},
    FunctionEntry{"pwl", "pwl", 3, any},
    FunctionEntry{"pwr", "pwr", 2, 2},
    FunctionEntry{"sdt", "idt", 1, 2, false},
    FunctionEntry{"sgn", "sgn"},
    FunctionEntry{"sign", "sgn"},
    FunctionEntry{"sin", "sin"},
    FunctionEntry{"sinh", "sinh"},
    FunctionEntry{"sqrt", "sqrt"},
    FunctionEntry{"stp", "u"},
    FunctionEntry{"table", "table", 3, any},
    FunctionEntry{"tan", "tan"},
    FunctionEntry{"tanh", "tanh"},
    FunctionEntry{"ternary_fcn", "?:", 3, 3},
    FunctionEntry{"u", "u"},
    FunctionEntry{"u2", "u2"},
    FunctionEntry{"uramp", "uramp"},
};

double truth(bool b) { return b ? 1.0 : 0.0; }

double sign(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0; }

/// Between points by straight lines; beyond them along the outer lines, or constant.
double polygon(std::span<const double> x, bool constant_outside) {
    const std::size_t points = (x.size() - 1) / 2;
    const auto at = [&](std::size_t k) { return x[1 + 2 * k]; };
    const auto value = [&](std::size_t k) { return x[2 + 2 * k]; };
    if (points == 1 || (constant_outside && x[0] <= at(0))) return value(0);
    if (constant_outside && x[0] >= at(points - 1)) return value(points - 1);
    std::size_t k = 1;
    while (k + 1 < points && x[0] > at(k)) ++k;
    return value(k - 1) + (value(k) - value(k - 1)) * (x[0] - at(k - 1)) / (at(k) - at(k - 1));
}

double of_one(std::string_view name, double x) {
    if (name == "neg") return -x;
    if (name == "!") return truth(x == 0.0);
    if (name == "abs") return std::abs(x);
    if (name == "acos") return std::acos(x);
    if (name == "acosh") return std::acosh(x);
    if (name == "asin") return std::asin(x);
    if (name == "asinh") return std::asinh(x);
    if (name == "atan") return std::atan(x);
    if (name == "atanh") return std::atanh(x);
    if (name == "ceil") return std::ceil(x);
    if (name == "cos") return std::cos(x);
    if (name == "cosh") return std::cosh(x);
    if (name == "exp") return std::exp(x);
    if (name == "floor") return std::floor(x);
    if (name == "int") return std::trunc(x);
    if (name == "log") return std::log(x);
    if (name == "log10") return std::log10(x);
    if (name == "nint") return std::nearbyint(x); // halves to the even neighbour
    if (name == "sgn") return sign(x);
    if (name == "sin") return std::sin(x);
    if (name == "sinh") return std::sinh(x);
    if (name == "sqrt") return std::sqrt(x);
    if (name == "tan") return std::tan(x);
    if (name == "tanh") return std::tanh(x);
    if (name == "u") return x > 0.0 ? 1.0 : x < 0.0 ? 0.0 : 0.5;
    if (name == "u2") return std::clamp(x, 0.0, 1.0);
    if (name == "uramp") return std::max(x, 0.0);
    return std::nan("");
}

double of_two(std::string_view name, std::string_view written, double x, double y, bool behavioural) {
    if (name == "+") return x + y;
    if (name == "-") return x - y;
    if (name == "*") return x * y;
    if (name == "/") return x / y;
    if (name == "%") return std::fmod(x, y);
    if (name == "==") return truth(x == y);
    if (name == "!=") return truth(x != y);
    if (name == "<") return truth(x < y);
    if (name == "<=") return truth(x <= y);
    if (name == ">") return truth(x > y);
    if (name == ">=") return truth(x >= y);
    if (name == "&&") return truth(x != 0.0 && y != 0.0);
    if (name == "||") return truth(x != 0.0 || y != 0.0);
    if (name == "^") return !behavioural && written == "pow" ? std::pow(x, y) : std::pow(std::abs(x), y);
    if (name == "pwr") return behavioural && x < 0.0 ? -std::pow(-x, y) : std::pow(std::abs(x), y);
    if (name == "atan2") return std::atan2(x, y);
    if (name == "hypot") return std::hypot(x, y);
    return std::nan("");
}

} // namespace

const FunctionEntry* find_function(std::string_view name) {
    const auto at = std::lower_bound(table.begin(), table.end(), name,
                                     [](const FunctionEntry& f, std::string_view n) { return f.name < n; });
    return at != table.end() && at->name == name ? &*at : nullptr;
}

std::vector<std::string> function_names() {
    std::vector<std::string> list;
    for (const FunctionEntry& f : table) list.emplace_back(f.name);
    return list;
}

bool is_random(std::string_view name, std::size_t operands) {
    constexpr std::array<std::string_view, 11> drawn{"gauss", "agauss", "unif",  "aunif", "rand", "random",
                                                     "flat",  "mc",     "white", "rnd",   "sunif"};
    return std::find(drawn.begin(), drawn.end(), name) != drawn.end() || (name == "limit" && operands == 2);
}

double value_of(std::string_view name, std::string_view written, std::span<const double> x, bool behavioural) {
    if (name == "?:") return x[0] != 0.0 ? x[1] : x[2];
    if (name == "limit") return std::min(std::max(x[0], std::min(x[1], x[2])), std::max(x[1], x[2]));
    if (name == "min") return *std::min_element(x.begin(), x.end());
    if (name == "max") return *std::max_element(x.begin(), x.end());
    if (name == "pwl" || name == "table") return polygon(x, name == "table");
    return x.size() == 1 ? of_one(name, x[0]) : of_two(name, written, x[0], x[1], behavioural);
}

} // namespace daedalus::spice
