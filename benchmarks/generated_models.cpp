#include "generated_models.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <numbers>

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

std::string heat_square(int points) {
    const int last = points - 1;
    const auto name = [](int i, int j) { return fmt::format("u_{}_{}", i, j); };
    std::string declared, equations;
    for (int i = 0; i <= last; ++i)
        for (int j = 0; j <= last; ++j) {
            const double x = static_cast<double>(i) / last, y = static_cast<double>(j) / last;
            declared += fmt::format("  Real {}(start = {});\n", name(i, j), 16 * x * (1 - x) * y * (1 - y));
            if (i == 0 || j == 0 || i == last || j == last)
                equations += fmt::format("  {} = 0;\n", name(i, j));
            else
                equations += fmt::format("  der({0}) = {1}*({2} + {3} + {4} + {5} - 4*{0});\n", name(i, j), last * last,
                                         name(i - 1, j), name(i + 1, j), name(i, j - 1), name(i, j + 1));
        }
    return "model HeatSquare\n" + declared + "equation\n" + equations + "end HeatSquare;\n";
}

double heat_square_at(int points, int i, int j, double t) {
    const int last = points - 1;
    const double pi = std::numbers::pi;
    const auto factor = [&](int at) { // of 4 x (1 - x) with the eigenvectors sin(kπx) of the second difference
        double sum = 0.0;
        for (int k = 1; k < last; ++k) {
            double coefficient = 0.0;
            for (int m = 1; m < last; ++m) {
                const double x = static_cast<double>(m) / last;
                coefficient += 4 * x * (1 - x) * std::sin(k * pi * x);
            }
            const double rate = 4.0 * last * last * std::pow(std::sin(0.5 * k * pi / last), 2);
            sum += 2.0 / last * coefficient * std::exp(-rate * t) * std::sin(k * pi * at / last);
        }
        return sum;
    };
    return factor(i) * factor(j);
}

} // namespace daedalus::benchmarks
