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
struct Reversal {
    const char *name, *declarations, *equations; ///< with the flow q
    const char *law, *states[2];
    double until;
    bool stiff;
};

class ReversedFlow : public ::testing::TestWithParam<Reversal> {};
INSTANTIATE_TEST_SUITE_P(Orifice, ReversedFlow,
                         ::testing::Values(Reversal{"swing",
                                                    "Real x(start=1,fixed=true), y(start=0,fixed=true), q;",
                                                    "der(x) = y; der(y) = -q - 0.1*y;",
                                                    "if x > 0 then sqrt(x) else -sqrt(-x)",
                                                    {"x", "y"},
                                                    20,
                                                    false},
                                           Reversal{"tank",
                                                    "Real h(start=1,fixed=true), s(start=1,fixed=true), q;",
                                                    "der(h) = 0.6*cos(time) - q; 1e-6*der(s) = h - s;",
                                                    "if h > 0 then sqrt(h) else -sqrt(-h)",
                                                    {"h", "s"},
                                                    6,
                                                    true}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(ReversedFlow, PassesWhereBothBranchesEnd) {
    const Reversal& r = GetParam();
    const auto text = [&](const std::string& law) {
        return std::string("model M\n  ") + r.declarations + "\nequation\n  q = " + law + ";\n  " + r.equations +
               "\nend M;";
    };
    const std::string law = r.law;
    const Solution reference = solve_with(read(text("noEvent(" + law + ")")), r.until, "radau", 1e-11);
    const Model model = read(text(law));
    for_each_method(r.stiff, [&](const std::string& method, double rtol) {
        const Solution s = solve_with(model, r.until, method, rtol);
        for (const char* name : r.states) EXPECT_NEAR(s.final(name), reference.final(name), 10 * rtol) << name;
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
