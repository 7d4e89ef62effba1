// Symplectic methods: orders, energy over long times, reversibility, invariants.
#include "mechanics/pendulum.hpp"

using namespace daedalus;
using namespace daedalus::testing;

namespace {

Solution with_steps(const std::string& model, const char* method, double h, double until, int points = 0) {
    return solved(model, {.until = until, .method = method, .points = points, .fixed_step = h});
}

double energy(const Solution& s, std::size_t i) {
    return (s["u"][i] * s["u"][i] + s["v"][i] * s["v"][i]) / 2 + s["y"][i];
}

/// HW (2.15).
const char* const kepler =
    "model Kepler Real q1(start = 0.4, fixed = true), q2(start = 0, fixed = true), p1(start = 0, fixed = true), "
    "p2(start = 2, fixed = true), H, L; equation der(q1) = p1; der(q2) = p2; "
    "der(p1) = -q1/(q1^2+q2^2)^1.5 - 0.015*q1/(q1^2+q2^2)^2.5; "
    "der(p2) = -q2/(q1^2+q2^2)^1.5 - 0.015*q2/(q1^2+q2^2)^2.5; "
    "H = (p1^2+p2^2)/2 - 1/sqrt(q1^2+q2^2) - 0.005/(q1^2+q2^2)^1.5; L = q1*p2 - q2*p1; end Kepler;";

} // namespace

TEST(Symplectic, HasItsOrder) {
    const Solution exact = solved(pendulum(), {.until = 10, .method = "radau", .rtol = 1e-12, .points = 1});
    const std::tuple<const char*, int, double> methods[] = {{"symplectic-euler", 1, 0.005},
                                                            {"shake", 2, 0.02},
                                                            {"rattle", 2, 0.02},
                                                            {"rattle4", 4, 0.05},
                                                            {"rattle6", 6, 0.1}};
    for (const auto& [method, order, h] : methods) {
        const EndErrors a = end_errors(with_steps(pendulum(), method, h, 10), exact),
                        b = end_errors(with_steps(pendulum(), method, h / 2, 10), exact);
        EXPECT_NEAR(std::log2(a.q / b.q), order, 0.25) << method;
        EXPECT_NEAR(std::log2(a.v / b.v), order, 0.25) << method;
        EXPECT_NEAR(std::log2(a.lambda / b.lambda), order, 0.25) << method;
    }
}

TEST(Symplectic, KeepsBothConstraintsAtTheSteps) {
    for (const char* method : {"symplectic-euler", "rattle", "rattle4", "rattle6"}) {
        const ConstraintErrors c = constraint_errors(with_steps(pendulum(), method, 0.05, 100));
        EXPECT_LT(c.g, 1e-14) << method;
        EXPECT_LT(c.Gv, 1e-14) << method;
    }
    // Nothing is granted to multipliers: they belong to the positions and velocities shown.
    EXPECT_TRUE(with_steps(pendulum(), "rattle", 0.05, 1).diagnostics().empty());
    // SHAKE has the positions of RATTLE.
    const Solution shake = with_steps(pendulum(), "shake", 0.05, 10),
                   rattle = with_steps(pendulum(), "rattle", 0.05, 10);
    EXPECT_NEAR(shake.final("x"), rattle.final("x"), 1e-11);
    EXPECT_LT(constraint_errors(shake).g, 1e-14);
}

// 100,000 periods (one is 7.416): the energy error of the last ones is as large as that of the first ones.
TEST(Symplectic, EnergyStaysBounded) {
    SolveOptions o{.until = 741630,
                   .method = "rattle",
                   .certify = Certify::steps,
                   .points = 200000,
                   .dense = false,
                   .fixed_step = 0.2};
    o.max_steps = 4'000'000;
    const Solution s = solved(pendulum(), o);
    double first = 0, last = 0;
    const std::size_t n = s.time().size();
    for (std::size_t i = 0; i < n; ++i) {
        const double error = std::abs(energy(s, i) - energy(s, 0));
        if (i < n / 10) first = std::max(first, error);
        if (i > n - n / 10) last = std::max(last, error);
    }
    EXPECT_LT(first, 0.1);
    EXPECT_LT(last, 1.001 * first);
}

// h, then back with -h: the start to round-off, after 500 steps.
TEST(Symplectic, IsReversible) {
    for (const char* method : {"rattle", "rattle4", "rattle6"}) {
        const Solution there = with_steps(pendulum(), method, 0.05, 25);
        const Solution back = with_steps(
            pendulum(there.final("x"), there.final("y"), -there.final("u"), -there.final("v")), method, 0.05, 25);
        EXPECT_NEAR(back.final("x"), 1, 1e-12) << method;
        EXPECT_NEAR(back.final("y"), 0, 1e-12) << method;
        EXPECT_NEAR(back.final("u"), 0, 1e-12) << method;
        EXPECT_NEAR(back.final("v"), 0, 1e-12) << method;
    }
}

TEST(Symplectic, EulerOnThePerturbedKeplerProblem) {
    const Solution s = with_steps(kepler, "symplectic-euler", 0.01, 200);
    double H = 0, L = 0, early = 0, late = 0;
    for (std::size_t i = 0; i < s.time().size(); ++i) {
        const double change = std::abs(s["H"][i] - s["H"][0]);
        H = std::max(H, change);
        (i < s.time().size() / 2 ? early : late) = std::max(i < s.time().size() / 2 ? early : late, change);
        L = std::max(L, std::abs(s["L"][i] - s["L"][0]));
    }
    EXPECT_LE(H, 1.5e-2);
    EXPECT_LE(L, 1e-13);
    EXPECT_NEAR(late, early, 0.02 * early); // no trend
    const Solution euler = with_steps(kepler, "explicit-euler", 0.01, 200);
    double lost = 0;
    for (std::size_t i = 0; i < euler.time().size(); ++i)
        lost = std::max(lost, std::abs(euler["H"][i] - euler["H"][0]));
    EXPECT_NEAR(lost, 0.53, 0.005);
}

namespace {

/// Ten bodies on rods in space, one below the other as they fall: coordinates x1 … z10, velocities a1 … c10.
std::string chain_of_ten() {
    constexpr int n = 10;
    std::string variables, equations, potential = "0", kinetic = "0";
    const auto d = [](const std::string& c, int i) {
        return i == 1 ? c + "1" : fmt::format("({0}{1} - {0}{2})", c, i, i - 1);
    };
    for (int i = 1; i <= n; ++i) {
        variables += fmt::format("Real x{0}(start = {0}), y{0}(start = 0), z{0}(start = 0), a{0}(start = 0), "
                                 "b{0}(start = {1}), c{0}(start = 0), l{0};\n",
                                 i, 0.1 * i);
        for (const auto& [q, v] : {std::pair{"x", "a"}, {"y", "b"}, {"z", "c"}}) {
            const std::string next = i < n ? fmt::format(" + l{}*{}", i + 1, d(q, i + 1)) : std::string();
            equations += fmt::format("der({0}{2}) = {1}{2}; der({1}{2}) = -l{2}*{3}{4}{5};\n", q, v, i, d(q, i), next,
                                     std::string(q) == "z" ? " - 1" : "");
        }
        equations += fmt::format("{}^2 + {}^2 + {}^2 = 1;\n", d("x", i), d("y", i), d("z", i));
        potential += fmt::format(" + z{}", i);
        kinetic += fmt::format(" + (a{0}^2 + b{0}^2 + c{0}^2)/2", i);
    }
    return "model Chain\n" + variables + "Real E;\nequation\n" + equations + "E = " + kinetic + " + " + potential +
           ";\nend Chain;";
}

} // namespace

// 1e5 steps: the energy error has no trend.
TEST(Symplectic, SpatialChainOfTen) {
    SolveOptions o{.until = 500,
                   .method = "rattle",
                   .certify = Certify::steps,
                   .points = 5000,
                   .dense = false,
                   .fixed_step = 0.005};
    const Solution s = solved(chain_of_ten(), o);
    double first = 0, last = 0;
    for (std::size_t i = 0; i < s.time().size(); ++i) {
        double& worst = i < s.time().size() / 2 ? first : last;
        worst = std::max(worst, std::abs(s["E"][i] - s["E"][0]));
        EXPECT_NEAR(s["x1"][i] * s["x1"][i] + s["y1"][i] * s["y1"][i] + s["z1"][i] * s["z1"][i], 1, 1e-9);
    }
    EXPECT_LT(first, 0.05); // of 10 bodies that fall from 0 to -55
    EXPECT_LT(last, 1.5 * first);
}

// 200 steps there and back: the motion of the chain magnifies round-off, which sets the limit.
TEST(Symplectic, SpatialChainOfTenIsReversible) {
    const Model model = read(chain_of_ten());
    for (const char* method : {"rattle", "lobatto3ab-3"}) {
        SolveOptions o{.until = 2, .method = method, .points = 0, .fixed_step = 0.01};
        const Solution there = solved(model, o);
        for (int i = 1; i <= 10; ++i) {
            for (const char* q : {"x", "y", "z"})
                o.starts.push_back({fmt::format("{}{}", q, i), there.final(fmt::format("{}{}", q, i))});
            for (const char* v : {"a", "b", "c"})
                o.starts.push_back({fmt::format("{}{}", v, i), -there.final(fmt::format("{}{}", v, i))});
        }
        for (StartValue& start : o.starts) start.strength = StartStrength::preferred; // they are on the constraints
        const Solution back = solved(model, o);
        for (int i = 1; i <= 10; ++i) {
            EXPECT_NEAR(back.final(fmt::format("x{}", i)), i, 1e-10) << method;
            EXPECT_NEAR(back.final(fmt::format("b{}", i)), -0.1 * i, 1e-9) << method;
        }
    }
}
