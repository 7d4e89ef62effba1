#include "sample_data.hpp"

#include <array>
#include <cmath>

namespace daedalus::output::sample {
namespace {

Location line(int number, std::string text) {
    const int width = static_cast<int>(text.size());
    return {"pendulum.mo", number, 3, 3 + width, "  " + std::move(text)};
}

constexpr double g = 9.81;

// phi'' = -g sin(phi), phi from the downward vertical, released from the horizontal.
struct Swing {
    double phi = std::acos(0.0);
    double omega = 0.0;
    void advance(double h) {
        const auto f = [](std::array<double, 2> s) { return std::array<double, 2>{s[1], -g * std::sin(s[0])}; };
        const std::array<double, 2> s{phi, omega};
        const auto at = [&](std::array<double, 2> k, double c) {
            return std::array<double, 2>{s[0] + c * k[0], s[1] + c * k[1]};
        };
        const auto k1 = f(s);
        const auto k2 = f(at(k1, h / 2));
        const auto k3 = f(at(k2, h / 2));
        const auto k4 = f(at(k3, h));
        phi += h / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0]);
        omega += h / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1]);
    }
};

} // namespace

Trajectory pendulum(int points) {
    Trajectory result;
    result.variables = {
        {"x", "m", "horizontal position", VariableKind::differential, 1},
        {"y", "m", "vertical position", VariableKind::differential, 1},
        {"vx", "m/s", "horizontal velocity", VariableKind::differential, 2},
        {"vy", "m/s", "vertical velocity", VariableKind::differential, 2},
        {"lambda", "N/m", "rod tension per length", VariableKind::algebraic, 3},
        {"E", "J", "total energy", VariableKind::eliminated, 1},
    };
    result.values.resize(result.variables.size());
    Swing swing;
    const double step = 10.0 / (points - 1);
    for (int k = 0; k < points; ++k) {
        const double x = std::sin(swing.phi);
        const double y = -std::cos(swing.phi);
        const double vx = swing.omega * std::cos(swing.phi);
        const double vy = swing.omega * std::sin(swing.phi);
        const double row[] = {x, y, vx, vy, vx * vx + vy * vy - g * y, 0.5 * (vx * vx + vy * vy) + g * y};
        result.time.push_back(k + 1 == points ? 10.0 : k * step);
        for (std::size_t i = 0; i < std::size(row); ++i) result.values[i].push_back(row[i]);
        for (int s = 0; s < 20; ++s) swing.advance(step / 20);
    }
    result.residual_tolerance = 1e-8;
    result.residuals = {
        {"eq 1", "der(x) = vx", 0, line(8, "der(x) = vx;"), {}, {}},
        {"eq 3", "der(vx) = -lambda*x", 0, line(10, "der(vx) = -lambda*x;"), {}, {}},
        {"eq 5", "x^2 + y^2 = L^2", 0, line(12, "x^2 + y^2 = L^2;"), {}, {}},
        {"hidden 1", "2*x*vx + 2*y*vy = 0", 1, line(12, "x^2 + y^2 = L^2;"), {}, {}},
        {"hidden 2", "2*vx^2 + 2*vy^2 - 2*lambda*(x^2 + y^2) - 2*g*y = 0", 2, line(12, "x^2 + y^2 = L^2;"), {}, {}},
    };
    double t = 0;
    for (int k = 0; t < 10; ++k) {
        const double h = std::min(10 - t, k < 12 ? 1e-6 * std::pow(2.6, k) : 0.03 + 0.018 * std::sin(5.3 * t));
        t = k > 10000 || 10 - t - h < 1e-12 ? 10.0 : t + h;
        result.steps.push_back({t, h, std::min(5, 1 + k / 3), k % 37 == 20 ? 1 : 0});
        for (std::size_t i = 0; i < result.residuals.size(); ++i) {
            const double wave = 1 + std::abs(std::sin((3.1 + static_cast<double>(i)) * t + static_cast<double>(i)));
            const double base = 1e-14 * std::pow(8.0, static_cast<double>(i));
            result.residuals[i].record(k % 5 == 0 && i == 0 ? 0.0 : base * wave, 40 * base * wave * wave * wave);
        }
    }
    result.events = {{4.2, "x < 0 became true (line 15)"}};
    result.state_switches = {{1.28, {"x", "vx"}, {"y", "vy"}, "|y| = 0.31 is close to singular for the choice x, vx"}};
    return result;
}

ReportData pendulum_report() {
    ReportData report;
    ModelSummary& model = report.model;
    model.name = "Pendulum";
    model.description = "Planar pendulum in Cartesian coordinates (index 3)";
    model.source_name = "pendulum.mo";
    model.source_text = "model Pendulum \"Planar pendulum in Cartesian coordinates\"\n  parameter Real L = 1;\n"
                        "  parameter Real g = 9.81;\n  Real x(start = 1, fixed = true), y(start = 0.1);\nequation\n"
                        "  der(x) = vx;\n  der(y) = vy;\n  x^2 + y^2 = L^2;\nend Pendulum;\n";
    model.variables = pendulum(2).variables;
    model.equations = {
        {"der(x) = vx", "\\dot{x} = v_{x}", "", line(8, "der(x) = vx;")},
        {"der(y) = vy", "\\dot{y} = v_{y}", "", line(9, "der(y) = vy;")},
        {"der(vx) = -lambda*x", "\\dot{v_{x}} = -\\lambda \\, x", "Newton, horizontal", line(10, "der(vx) = …;")},
        {"der(vy) = -lambda*y - g", "\\dot{v_{y}} = -\\lambda y - g", "Newton, vertical", line(11, "der(vy) = …;")},
        {"x^2 + y^2 = L^2", "x^{2} + y^{2} = L^{2}", "constant length", line(12, "x^2 + y^2 = L^2;")},
        {"E = (vx^2 + vy^2)/2 + g*y", "E = \\frac{v_{x}^{2} + v_{y}^{2}}{2} + g \\cdot y", "energy",
         line(13, "E = …;")},
    };
    model.hidden_constraints = {
        {"2*x*vx + 2*y*vy = 0", "2 x v_{x} + 2 y v_{y} = 0", {4, 0, 1}, 1},
        {"2*vx^2 + 2*vy^2 - 2*lambda*(x^2 + y^2) - 2*g*y = 0",
         "2 v_{x}^{2} + 2 v_{y}^{2} - 2 \\lambda \\left(x^{2} + y^{2}\\right) - 2 g y = 0",
         {4, 2, 3},
         2},
    };
    model.blocks = {{{0, 1, 2, 3, 4}, {"der(x)", "der(y)", "der(vx)", "der(vy)", "lambda"}, {"lambda"}, true},
                    {{5}, {"E"}, {}, true}};
    model.structural_index = 3;
    model.degrees_of_freedom = 2;
    model.parameters = {{"L", 1.0, "m", "length", false}, {"g", 9.81, "m/s2", "gravity", true}};
    report.outcome = {OutcomeKind::success, "", 0.0, 10.0, 10.0};
    report.method = "radau5";
    report.command_line = "daedalus solve pendulum.mo --until 10 --rtol 1e-9 --param g=9.81 --output pendulum.html";
    using problem::Strength;
    report.initial_values = {{"x", "m", 1.0, 1.0, Strength::fixed},
                             {"y", "m", 0.1, 1.1e-16, Strength::preferred},
                             {"vx", "m/s", 0.0, 0.0, Strength::preferred},
                             {"vy", "m/s", 0.0, 0.0, Strength::fixed},
                             {"lambda", "N/m", 0.0, 0.981, Strength::unspecified}};
    report.options = {{"rtol", 1e-9, "", ""},
                      {"atol", 1e-9, "", ""},
                      {"method", std::string("radau5"), "", "index 3 and a smooth solution"},
                      {"stop_at_events", false, "", ""}};
    report.statistics = {{"steps", std::int64_t{341}, "", ""},
                         {"rejected", std::int64_t{9}, "", ""},
                         {"residual_evaluations", std::int64_t{3120}, "", ""},
                         {"jacobians", std::int64_t{48}, "", ""},
                         {"factorisations", std::int64_t{97}, "", "real and complex"},
                         {"wall_seconds", 0.0123, "s", ""}};
    report.versions = {{"daedalus", std::string("0.1.0"), "", ""}, {"compiler", std::string("g++ 12.2"), "", ""}};
    report.passes = {{"alias_elimination", "no aliases found", "", {}, 1.1e-5},
                     {"signature_method",
                      "equation 5 must be differentiated twice",
                      "because x, y are tied by it while their accelerations are needed to find lambda",
                      {"offsets c = (1, 1, 0, 0, 2)", "structural index 3, 2 degrees of freedom"},
                      4.2e-5},
                     {"state_selection", "states y, vy", "their columns pivot best at the initial point", {}, 2e-5}};
    Diagnostic warning = make_error("start-changed", "the start value of y was changed from 0.1 to 0",
                                    "write y(start = 0) to silence this");
    warning.severity = Severity::warning;
    warning.where = line(4, "Real x(start = 1, fixed = true), y(start = 0.1);");
    report.diagnostics = {warning};
    return report;
}

Trajectory many(int variables, int points) {
    Trajectory result;
    for (int k = 0; k < points; ++k) result.time.push_back(10.0 * k / (points - 1));
    for (int i = 0; i < variables; ++i) {
        result.variables.push_back({"cell[" + std::to_string(i + 1) + "].v", i % 3 == 0 ? "V" : "A", "",
                                    i % 4 == 3 ? VariableKind::algebraic : VariableKind::differential, 1});
        std::vector<double>& column = result.values.emplace_back();
        for (const double t : result.time) column.push_back(std::sin(t * (1 + 0.05 * i)) / (1 + i));
    }
    return result;
}

} // namespace daedalus::output::sample
