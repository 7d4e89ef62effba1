// Every method on problems at the edge of what doubles and methods can do: the right answer, or a failure that says
// so. Never a wrong value with success. Tolerances that suit no method of low order are asked of all of them.
#include "facade/solving.hpp"

#include <cmath>
#include <functional>
#include <numbers>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

struct Edge {
    const char* name;
    std::string model;
    double until;
    std::function<double(double)> x; ///< the exact solution
    double from = 0.0;
    bool ends = false; ///< before its time
};

const std::vector<Edge>& edges() {
    using std::numbers::pi;
    static const std::vector<Edge> all{
        {"long decay", "Real x(start = 1, fixed = true); equation der(x) = -1e-11*x;", 1e11,
         [](double t) { return std::exp(-1e-11 * t); }},
        {"long after a short decay", "Real x(start = 1, fixed = true); equation der(x) = -x;", 1e11,
         [](double t) { return std::exp(-t); }},
        {"long oscillation, ten periods",
         "Real x(start = 0, fixed = true), v(start = 1, fixed = true); equation der(x) = 6.283185307179586e-10*v; "
         "der(v) = -6.283185307179586e-10*x;",
         1e11 / 10, [](double t) { return std::sin(2 * pi * 1e-10 * t); }},
        {"long and fast forcing of a slow unknown",
         "Real x(start = 0, fixed = true), z; equation z = cos(6.283185307179586e-8*time); der(x) = 1e-8*(z - x);", 1e9,
         [](double t) {
             const double w = 2 * pi; // t in units of 1e8
             const double s = 1e-8 * t;
             return (std::cos(w * s) + w * std::sin(w * s) - std::exp(-s)) / (1 + w * w);
         }},
        {"a jump late in a long span",
         "Real x(start = 0, fixed = true); equation der(x) = if time > 9e10 then 1e-10 else 0;", 1e11,
         [](double t) { return t > 9e10 ? 1e-10 * (t - 9e10) : 0.0; }},
        {"short decay", "Real x(start = 1, fixed = true); equation der(x) = -1e11*x;", 1e-11,
         [](double t) { return std::exp(-1e11 * t); }},
        {"short oscillation",
         "Real x(start = 0, fixed = true), v(start = 1, fixed = true); equation der(x) = 1e12*v; der(v) = -1e12*x;",
         1e-11, [](double t) { return std::sin(1e12 * t); }},
        {"stiffness 1e12, far off",
         "Real x(start = 2, fixed = true); equation der(x) = -1e12*(x - cos(time)) - sin(time);", 3,
         [](double t) { return std::cos(t) + (t < 1e-9 ? std::exp(-1e12 * t) : 0.0); }},
        {"stiffness 1e12, nonlinear",
         "Real x(start = 1, fixed = true), z(start = 1); equation der(x) = -1e12*(x^3 - z); der(z) = -z;", 2,
         [](double t) { return std::exp(-t / 3); }},
        {"oscillation with stiffness 1e12 beside it",
         "Real x(start = 1, fixed = true), v(start = 0, fixed = true), s(start = 1, fixed = true); equation der(x) = "
         "v; "
         "der(v) = -x; der(s) = -1e12*(s - x) + v;",
         10, [](double t) { return std::cos(t); }},
        {"one unknown, backward", "Real x(start = 0.5, fixed = true); equation der(x) = x*(1 - x);", -3,
         [](double t) { return 1 / (1 + std::exp(-t)); }},
        {"oscillation, backward over a long span",
         "Real x(start = 1, fixed = true), v(start = 0, fixed = true); equation der(x) = 1e-9*v; der(v) = -1e-9*x;",
         -1e10, [](double t) { return std::cos(1e-9 * t); }},
        {"one algebraic unknown", "Real x(start = 1); equation x^3 + x = 2 + sin(time);", 6,
         [](double t) {
             double x = 1;
             for (int i = 0; i < 60; ++i) x -= (x * x * x + x - 2 - std::sin(t)) / (3 * x * x + 1);
             return x;
         }},
        {"not defined below zero, where it rests at last",
         "Real x(start = 1, fixed = true); equation der(x) = -sqrt(x)*(2 - time);", 1,
         [](double t) { return std::pow(1 - t + t * t / 4, 2); }},
        {"not defined beyond the end of the solution", "Real x(start = 1, fixed = true); equation der(x) = -1/(2*x);",
         2, [](double t) { return std::sqrt(1 - t); }, 0.0, true},
        {"grows without bound", "Real x(start = 1, fixed = true); equation der(x) = x^2;", 2,
         [](double t) { return 1 / (1 - t); }, 0.0, true},
        {"growth over fifteen decades", "Real x(start = 1, fixed = true); equation der(x) = 3.5*x;", 10,
         [](double t) { return std::exp(3.5 * t); }},
        {"far from the origin of time", "Real x(start = 1, fixed = true); equation der(x) = -x + sin(time - 1e9);",
         1e9 + 5,
         [](double t) {
             const double s = t - 1e9;
             return 1.5 * std::exp(-s) + 0.5 * (std::sin(s) - std::cos(s));
         },
         1e9},
    };
    return all;
}

class Honesty : public ::testing::TestWithParam<std::string> {};

std::vector<std::string> methods_and_automatic() {
    std::vector<std::string> names = every_method();
    names.emplace_back("auto");
    return names;
}
INSTANTIATE_TEST_SUITE_P(Methods, Honesty, ::testing::ValuesIn(methods_and_automatic()),
                         [](const auto& tested) { return tested.param; });

// Slopes are differences over tiny first steps: their round-off is no violation of the equations.
TEST(Certificate, KnowsTheRoundOffOfSlopes) {
    const std::string riccati =
        "model R Real x(start = -1, fixed = true); equation der(x) = 1 - x^2 + sin(time); end R;";
    const double reference = solved(riccati, {.until = 20, .method = "dop853", .rtol = 1e-12}).final("x");
    for (const char* method : {"bdf", "radau", "rodas5"})
        EXPECT_NEAR(solved(riccati, {.until = 20, .method = method, .rtol = 1e-12}).final("x"), reference, 1e-9)
            << method;
}

TEST_P(Honesty, TheRightAnswerOrAFailureThatSaysSo) {
    for (const Edge& edge : edges()) {
        const Model model = read("model M " + edge.model + " end M;");
        int solved = 0;
        for (const double tol : {1e-3, 1e-5, 1e-8}) {
            const SolveOptions options{.from = edge.from,
                                       .until = edge.until,
                                       .method = GetParam(),
                                       .rtol = tol,
                                       .atol = tol,
                                       .points = 10,
                                       .max_steps = 50'000};
            const auto s = solve(model, options);
            ASSERT_TRUE(s) << edge.name << ": " << render(s.error());
            if (!s->success()) {
                EXPECT_FALSE(s->message().empty()) << edge.name;
                continue;
            }
            ++solved;
            double worst = 0, at = 0;
            for (std::size_t k = 0; k < s->time().size(); ++k) {
                const double exact = edge.x(s->time()[k]);
                const double error = std::abs((*s)["x"][k] - exact) / (tol * (1 + std::abs(exact)));
                if (error <= worst) continue;
                worst = error;
                at = s->time()[k];
            }
            EXPECT_LE(worst, 10) << edge.name << " at " << at << ", tolerance " << tol;
        }
        // What has a solution to its end is within reach of the method that is chosen by itself.
        const int reached = edge.ends ? 0 : GetParam() == "auto" ? 3 : solved;
        EXPECT_EQ(solved, reached) << edge.name;
    }
}

} // namespace
