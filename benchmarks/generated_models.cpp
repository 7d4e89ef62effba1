#include "generated_models.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <numbers>
#include <utility>

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

std::string two_bit_adder() {
    // Which two signals each gate reads. 1 to 5: half adder (4 is the sum, 5 the carry); 6 to 14: full adder (13 the
    // sum, 14 the carry).
    constexpr std::pair<const char*, const char*> inputs[] = {
        {"a0", "b0"}, {"a0", "u1"}, {"b0", "u1"}, {"u2", "u3"},  {"u1", "u1"},  {"a1", "b1"},   {"a1", "u6"},
        {"b1", "u6"}, {"u7", "u8"}, {"u9", "u5"}, {"u9", "u10"}, {"u5", "u10"}, {"u11", "u12"}, {"u10", "u6"}};
    std::string text = "model TwoBitAdder\n"
                       "  parameter Real K = 1.748e-3, KL = 5.35e-4, VT = 0.2, VL = -2.43, g = 0.035, phi = 1.01;\n"
                       "  parameter Real gL = 0.2, phiL = 1.28, delta = 0.02, C = 5e-5, C0 = 2.4e-5, is = 1e-14;\n"
                       "  parameter Real UT = 25.85, Vdd = 5, Vbb = -2.5, T = 40;\n";
    std::string equations;
    int period = 1;
    for (const char* const name : {"a0", "b0", "a1", "b1"}) {
        text += fmt::format("  Real {0}, {0}_t;\n", name);
        equations += fmt::format("  {0}_t = mod(time, {1}*T);\n"
                                 "  {0} = if {0}_t < {1}*T/2 then 0 elseif {0}_t < {1}*T/2 + 5 then {0}_t - {1}*T/2 "
                                 "elseif {0}_t < {1}*T - 5 then 5 else {1}*T - {0}_t;\n",
                                 name, period++);
    }
    const auto junction = [&](int k, const char* node) {
        const std::string v = fmt::format("(Vbb - {}{})", node, k);
        text += fmt::format("  Real i{0}{1}, c{0}{1};\n", node, k);
        equations += fmt::format("  i{0}{1} = if {2} <= 0 then -is*(exp({2}/UT) - 1) else 0;\n"
                                 "  c{0}{1} = if {2} <= 0 then C0/sqrt(1 - {2}/0.87) else C0*(1 + {2}/1.74);\n",
                                 node, k, v);
    };
    // Current from drain to source, with the threshold moved by the bulk.
    const auto drain_current = [&](const std::string& i, const std::string& gate, const std::string& drain,
                                   const std::string& source, const char* k, const char* vt, const char* gamma,
                                   const char* p) {
        text += fmt::format("  Real {0}, {0}_d, {0}_g;\n", i);
        equations +=
            fmt::format("  {0}_d = {2} - {3};\n"
                        "  {0}_g = {1} - {3} - ({5} + {6}*(sqrt({7} - (Vbb - {3})) - sqrt({7})));\n"
                        "  {0} = if {0}_g <= 0 then 0 elseif {0}_g <= {0}_d then {4}*{0}_g^2*(1 + delta*{0}_d) "
                        "else {4}*{0}_d*(2*{0}_g - {0}_d)*(1 + delta*{0}_d);\n",
                        i, gate, drain, source, k, vt, gamma, p);
    };
    int k = 0;
    for (const auto& [first, second] : inputs) {
        ++k;
        const std::string u = fmt::format("u{}", k), m = fmt::format("m{}", k);
        text += fmt::format("  Real {}(start = 5, fixed = true), {}(start = 0, fixed = true);\n", u, m);
        junction(k, "u");
        junction(k, "m");
        drain_current(fmt::format("l{}", k), u, "Vdd", u, "KL", "VL", "gL", "phiL");
        drain_current(fmt::format("n{}", k), first, u, m, "K", "VT", "g", "phi");
        drain_current(fmt::format("p{}", k), second, m, "0", "K", "VT", "g", "phi");
        equations += fmt::format("  (C + cu{0})*der({1}) = l{0} - n{0} + iu{0};\n"
                                 "  (C + cm{0})*der({2}) = n{0} - p{0} + im{0};\n",
                                 k, u, m);
    }
    return text + "equation\n" + equations + "end TwoBitAdder;\n";
}

} // namespace daedalus::benchmarks
