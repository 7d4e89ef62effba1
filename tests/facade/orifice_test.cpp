// Flow through orifices where it vanishes: roots end there, their slopes are infinite, and branches meet that are both
// undefined on the other's side.
#include "facade/solving.hpp"

#include <functional>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

void for_each_method(bool stiff, const std::function<void(const std::string& method, double rtol)>& check) {
    for (const char* method : {"auto", "radau", "bdf", "rodas4", "esdirk4", "dop853"})
        for (const double rtol : {1e-4, 1e-8}) {
            if (stiff && std::string_view(method) == "dop853") continue; // a million steps
            SCOPED_TRACE(std::string(method) + " " + std::to_string(rtol));
            check(method, rtol);
        }
}

Solution solve_with(const Model& model, double until, const std::string& method, double rtol) {
    SolveOptions options;
    options.until = until;
    options.method = method;
    options.rtol = rtol;
    return solved(model, options);
}

} // namespace

// Neither branch is defined beyond the border, and neither is the other one before it.
TEST(Orifice, FlowIsReversedWhereBothBranchesEnd) {
    const auto text = [](const std::string& law) {
        return "model swing\n  Real x(start=1,fixed=true), y(start=0,fixed=true), q;\nequation\n  q = " + law +
               ";\n  der(x) = y;\n  der(y) = -q - 0.1*y;\nend swing;";
    };
    const std::string law = "if x > 0 then sqrt(x) else -sqrt(-x)";
    const Solution reference = solve_with(read(text("noEvent(" + law + ")")), 20, "radau", 1e-11);
    const Model model = read(text(law));
    for_each_method(false, [&](const std::string& method, double rtol) {
        const Solution s = solve_with(model, 20, method, rtol);
        for (const char* name : {"x", "y"}) EXPECT_NEAR(s.final(name), reference.final(name), 10 * rtol) << name;
    });
}

TEST(Orifice, FlowOfAStiffModelIsReversed) {
    const auto text = [](const std::string& law) {
        return "model tank\n  Real h(start=1,fixed=true), s(start=1,fixed=true), q;\nequation\n  q = " + law +
               ";\n  der(h) = 0.6*cos(time) - q;\n  1e-6*der(s) = h - s;\nend tank;";
    };
    const std::string law = "if h > 0 then sqrt(h) else -sqrt(-h)";
    const Solution reference = solve_with(read(text("noEvent(" + law + ")")), 6, "radau", 1e-11);
    const Model model = read(text(law));
    for_each_method(true, [&](const std::string& method, double rtol) {
        const Solution s = solve_with(model, 6, method, rtol);
        EXPECT_NEAR(s.final("h"), reference.final("h"), 10 * rtol);
        EXPECT_NEAR(s.final("s"), reference.final("s"), 10 * rtol);
    });
}

// d/dh √max(h, 0) is 0 · ∞ where the tank is empty.
TEST(Orifice, TankRunsEmptyAndStaysSo) {
    const Model model = read("model tank\n  Real h(start=1,fixed=true), x(start=0,fixed=true);\nequation\n"
                             "  der(h) = -sqrt(max(h, 0));\n  der(x) = h;\nend tank;");
    for_each_method(false, [&](const std::string& method, double rtol) {
        const Solution s = solve_with(model, 4, method, rtol);
        EXPECT_NEAR(s.final("h"), 0.0, rtol); // (1 - t/2)² until t = 2
        EXPECT_NEAR(s.final("x"), 2.0 / 3.0, 10 * rtol);
    });
}

TEST(Orifice, EmptyTankIsFilledAgain) {
    const Model model = read("model tank\n  Real h(start=1,fixed=true), s(start=1,fixed=true), q;\nequation\n"
                             "  q = sqrt(max(h, 0));\n  der(h) = (if time > 3 then 0.5 else 0) - q;\n"
                             "  1e-6*der(s) = h - s;\nend tank;");
    // -2 q - log(1 - 2 q) = t - 3
    constexpr double q = 0.4906696854556583;
    for_each_method(true, [&](const std::string& method, double rtol) {
        const Solution s = solve_with(model, 6, method, rtol);
        EXPECT_NEAR(s.final("h"), q * q, 10 * rtol);
        EXPECT_NEAR(s.final("q"), q, 10 * rtol);
    });
}

// The slope by the states is infinite just where the event is located; what follows from them is known all the same.
TEST(Orifice, FlowBetweenTanksIsReversed) {
    const Model model = read("model tanks\n  Real h1(start=1,fixed=true), h2(start=0.2,fixed=true), q;\nequation\n"
                             "  q = 0.009*sign(h1 - h2)*sqrt(abs(h1 - h2));\n  0.5*der(h1) = -q;\n"
                             "  0.3*der(h2) = q + 0.001*sin(time) + 0.002;\nend tanks;");
    const Solution reference = solve_with(model, 200, "bdf", 1e-11);
    for (const char* method : {"auto", "dop853", "bdf"})
        for (const double rtol : {1e-3, 1e-4, 1e-6, 1e-8}) {
            SCOPED_TRACE(std::string(method) + " " + std::to_string(rtol));
            const Solution s = solve_with(model, 200, method, rtol);
            for (const char* name : {"h1", "h2"}) EXPECT_NEAR(s.final(name), reference.final(name), 10 * rtol) << name;
        }
}
