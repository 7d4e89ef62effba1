// Points at which the equations do not determine an unknown, though its solution goes on: slopes are infinite there.
#include "facade/solving.hpp"

#include <algorithm>
#include <cmath>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

SolveOptions with(const char* method, double rtol, double until) {
    SolveOptions options;
    options.method = method;
    options.rtol = rtol;
    options.until = until;
    return options;
}

bool warned(const Solution& solution, std::string_view code) {
    return std::any_of(solution.diagnostics().begin(), solution.diagnostics().end(),
                       [&](const Diagnostic& d) { return d.code == code; });
}

/// At the output points that both have.
double largest_difference(const Solution& a, const Solution& b, const char* name) {
    double largest = 0.0;
    std::size_t common = 0, i = 0;
    for (std::size_t k = 0; k < a.time().size(); ++k) {
        while (i < b.time().size() && b.time()[i] < a.time()[k]) ++i;
        if (i == b.time().size() || b.time()[i] != a.time()[k]) continue;
        largest = std::max(largest, std::abs(a[name][k] - b[name][i]));
        ++common;
    }
    EXPECT_GE(common, 500u);
    return largest;
}

constexpr const char* methods_that_iterate[] = {"auto", "radau5", "esdirk4", "dop853"};

} // namespace

// Two tanks joined by a pipe with turbulent flow, which turns round ten times.
TEST(SingularPassage, FlowThroughAPipeTurnsRound) {
    const auto tanks = [](const std::string& law) {
        return read("model Tanks\n"
                    "  Real h1(start=1,fixed=true), h2(start=0.2,fixed=true), q;\n"
                    "equation\n"
                    "  der(h1) = -q;\n"
                    "  der(h2) = q - 0.3*sin(3*time);\n  " +
                    law + ";\nend Tanks;\n");
    };
    const Solution reference =
        solved(tanks("q = if h1 > h2 then sqrt(h1 - h2) else -sqrt(h2 - h1)"), with("dop853", 1e-11, 10));
    const Model implicit = tanks("q*abs(q) = h1 - h2");
    for (const char* method : methods_that_iterate)
        for (const double rtol : {1e-4, 1e-6, 1e-8}) {
            SCOPED_TRACE(method + std::string(" ") + std::to_string(rtol));
            const Solution solution = solved(implicit, with(method, rtol, 10));
            for (const char* name : {"h1", "h2", "q"})
                EXPECT_LE(largest_difference(solution, reference, name), 10 * rtol) << name;
        }
    EXPECT_TRUE(warned(solved(implicit, with("radau5", 1e-6, 10)), "singular-point-passed"));
}

TEST(SingularPassage, CubeRootsPassZero) {
    const Model model = read("model CubeRoot\n"
                             "  Real x, z(start=1), y(start=0,fixed=true);\n"
                             "equation\n"
                             "  x = cos(time);\n"
                             "  z^3 = x;\n"
                             "  der(y) = z;\n"
                             "end CubeRoot;\n");
    for (const char* method : methods_that_iterate)
        for (const double rtol : {1e-4, 1e-6}) {
            SCOPED_TRACE(method + std::string(" ") + std::to_string(rtol));
            const Solution solution = solved(model, with(method, rtol, 4));
            EXPECT_NEAR(solution.final("z"), std::cbrt(std::cos(4.0)), 10 * rtol);
            EXPECT_NEAR(solution.final("y"), -0.8217641619, 10 * rtol);
        }
}

// Nothing lies behind a fold, however short the way.
TEST(SingularPassage, FoldsAreNotPassed) {
    const Model model = read("model Fold\n"
                             "  Real x(start=0,fixed=true), z(start=1);\n"
                             "equation\n"
                             "  der(x) = 1;\n"
                             "  z^2 = 1 - x;\n"
                             "end Fold;\n");
    for (const std::string& method : every_method()) {
        const Solution solution = run(model, with(method.c_str(), 1e-6, 2));
        EXPECT_FALSE(solution.success()) << method;
        EXPECT_FALSE(warned(solution, "singular-point-passed")) << method;
    }
}

// A leading coefficient that passes through zero: solutions may begin and end there, and one of them is smooth.
TEST(SingularPassage, VanishingLeadingCoefficientsAreToldOf) {
    const Model model = read("model Leading\n"
                             "  Real x(start=1,fixed=true), y(start=0.5,fixed=true);\n"
                             "equation\n"
                             "  der(x) = -1;\n"
                             "  x*der(y) = 1 - y;\n"
                             "end Leading;\n");
    for (const std::string& method : every_method()) {
        const Solution solution = run(model, with(method.c_str(), 1e-6, 2));
        if (!solution.success()) continue;
        EXPECT_TRUE(warned(solution, "singular-point-stepped-over")) << method;
        for (const Diagnostic& d : solution.diagnostics())
            if (d.code == "singular-point-stepped-over") {
                EXPECT_NE(d.message.find("x*der(y) = 1 - y"), std::string::npos) << d.message;
                EXPECT_TRUE(d.where && d.where->line == 5) << method;
            }
    }
    EXPECT_FALSE(warned(solved(model, with("radau", 1e-6, 0.9)), "singular-point-stepped-over"));
}

/// l = 1/x has a pole where x = 1 - t passes zero, and the determinant x² keeps its sign.
TEST(SingularPassage, PolesBehindWhichASolutionGoesOnAreNotSteppedOver) {
    const Model model = read(R"(model Cross
  Real x(start = 1, fixed = true), y(start = 0), u(start = -1, fixed = true), v(start = 0), l;
equation
  der(x) = u; der(y) = v; der(u) = l*y; der(v) = l*x - 1; x*y = 0;
end Cross;)");
    for (const char* method : {"dopri5", "dop853"})
        for (const double rtol : {1e-3, 1e-6, 1e-9})
            for (double first = 0.01; first < 0.6; first *= 1.37) {
                SolveOptions options = with(method, rtol, 3.0);
                options.first_step = first;
                const Solution solution = run(model, options);
                EXPECT_FALSE(solution.success()) << method << ' ' << rtol << ' ' << first;
                EXPECT_NEAR(solution.time().back(), 1.0, 1e-2);
            }
}
