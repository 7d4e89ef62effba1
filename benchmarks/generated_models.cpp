#include "generated_models.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace daedalus::benchmarks {

std::string circuit_ladder(int sections) {
    std::string text = "model Ladder \"RC ladder\"\n  Real v0 \"source\";\n";
    auto out = std::back_inserter(text);
    for (int k = 1; k <= sections; ++k)
        fmt::format_to(
            out,
            "  parameter Real R{0}(unit = \"Ohm\") = {1};\n  parameter Real C{0}(unit = \"F\") = {2}e-4;\n"
            "  Real v{0}(unit = \"V\", start = 0, fixed = true);\n  Real u{0};\n  Real i{0};\n  Real c{0};\n",
            k, 10 + k % 7, 1 + k % 5);
    text += "equation\n  v0 = sin(100*time);\n";
    for (int k = 1; k <= sections; ++k) {
        fmt::format_to(out, "  u{0} = v{1} - v{0};\n  u{0} = R{0}*i{0};\n  c{0} = C{0}*der(v{0});\n", k, k - 1);
        const std::string next = k < sections ? fmt::format(" + i{}", k + 1) : "";
        const std::string source = k % 10 == 0 ? fmt::format(" + 1e-3*cos({}*time)", 50 + k % 13) : "";
        fmt::format_to(out, "  i{0} = c{0}{1}{2};\n", k, next, source);
    }
    text += "end Ladder;\n";
    return text;
}

std::string pendulum_chain(int links) {
    const double length = 1.0 / links;
    const double cosine = std::sqrt(0.75), sine = 0.5;
    std::string text = fmt::format("model Chain \"chain of pendulums\"\n  parameter Real m = {0};\n"
                                   "  parameter Real L = {0};\n  parameter Real g = 9.81;\n",
                                   length);
    auto out = std::back_inserter(text);
    for (int k = 1; k <= links; ++k)
        fmt::format_to(out,
                       "  Real x{0}(start = {1});\n  Real y{0}(start = {2}, fixed = true);\n  Real u{0}(start = 0);\n"
                       "  Real v{0}(start = 0, fixed = true);\n  Real f{0}(start = 0);\n",
                       k, cosine * length * k, -sine * length * k);
    text += "equation\n";
    for (int k = 1; k <= links; ++k) {
        const std::string dx = k == 1 ? "x1" : fmt::format("(x{} - x{})", k, k - 1);
        const std::string dy = k == 1 ? "y1" : fmt::format("(y{} - y{})", k, k - 1);
        const std::string pull_x = k < links ? fmt::format(" + f{0}*(x{0} - x{1})", k + 1, k) : "";
        const std::string pull_y = k < links ? fmt::format(" + f{0}*(y{0} - y{1})", k + 1, k) : "";
        fmt::format_to(out,
                       "  der(x{0}) = u{0};\n  der(y{0}) = v{0};\n  m*der(u{0}) = -f{0}*{1}{2};\n"
                       "  m*der(v{0}) = -f{0}*{3}{4} - m*g;\n  {1}^2 + {3}^2 = L^2;\n",
                       k, dx, pull_x, dy, pull_y);
    }
    text += "end Chain;\n";
    return text;
}

} // namespace daedalus::benchmarks
