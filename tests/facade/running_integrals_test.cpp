// The rule's degree, halving where it must, and integrals that stand outside the system.
#include "facade/solving.hpp"

#include <cmath>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

Solution integrated(const std::string& integrand, const SolveOptions& options) {
    return solved(
        "model M Real x(start = 1, fixed = true), q(start = 0.5, fixed = true); equation der(x) = -x; der(q) = " +
            integrand + "; end M;",
        options);
}

// Kronrod's 7 points are exact to degree 11: one step over the whole interval.
TEST(RunningIntegrals, DegreeOfTheRule) {
    SolveOptions options{.until = 1, .rtol = 1e-3, .first_step = 1.0};
    options.quadratures = true;
    const Solution s = integrated("12*time^11", options);
    EXPECT_NEAR(s.final("q"), 1.5, 1e-14);
}

TEST(RunningIntegrals, MatchTheSystem) {
    for (const char* method : {"radau", "radau5", "bdf", "rodas4", "rodas5", "esdirk4", "limex"})
        for (const double rtol : {1e-4, 1e-6, 1e-8}) {
            SolveOptions options{.until = 3, .method = method, .rtol = rtol, .points = 7};
            const Solution outside = integrated("x^2*cos(5*time)", options);
            options.quadratures = false;
            const Solution inside = integrated("x^2*cos(5*time)", options);
            // ∫ e^{-2t} cos 5t = e^{-2t} (5 sin 5t - 2 cos 5t)/29 + 2/29
            for (std::size_t k = 0; k < outside.time().size(); ++k) {
                const double t = outside.time()[k];
                const double exact =
                    0.5 + 2.0 / 29 + std::exp(-2 * t) * (5 * std::sin(5 * t) - 2 * std::cos(5 * t)) / 29;
                EXPECT_NEAR(outside["q"][k], exact, 10 * rtol) << method << " " << rtol << " at " << t;
                EXPECT_NEAR(inside["q"][k], exact, 10 * rtol) << method << " " << rtol << " at " << t;
            }
        }
}

// A peak that the steps of x do not see.
TEST(RunningIntegrals, HalvesWhereItMust) {
    const Solution s = integrated("exp(-((time - 1.3)/0.001)^2)", {.until = 3, .rtol = 1e-6, .max_step = 0.05});
    EXPECT_NEAR(s.final("q"), 0.5 + 0.001 * std::sqrt(3.14159265358979323846), 1e-6);
}

// No rule may step over a pole, where the integral does not exist: halving shows that it does not help.
TEST(RunningIntegrals, APoleIsNotSteppedOver) {
    auto model = Model::from_string("model M Real x(start = -1, fixed = true), q(start = 0, fixed = true); equation "
                                    "der(x) = 1; der(q) = 1/x; end M;");
    ASSERT_TRUE(model);
    for (const char* method : {"auto", "radau", "bdf", "esdirk4", "dop853"}) {
        const auto s = solve(*model, {.until = 3, .method = method});
        ASSERT_TRUE(s) << method;
        EXPECT_FALSE(s->success()) << method;
        EXPECT_NEAR(s->end_time(), 1.0, 1e-3) << method;
    }
}

constexpr const char* some_methods[] = {"auto", "radau", "bdf", "rodas4", "limex", "dop853", "esdirk4"};

void expect_integral(const std::string& model, double until, const char* name, double exact) {
    for (const char* method : some_methods)
        for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
            const Solution s = solved(model, {.until = until, .method = method, .rtol = rtol, .points = 3});
            EXPECT_NEAR(s.final(name), exact, 10 * rtol) << method << " " << rtol << ": " << model;
        }
}

// ∫ e^{-t} sin²(ωt), which varies much faster than the steps: written out, and through a variable.
TEST(RunningIntegrals, FasterThanTheSteps) {
    for (const double w : {77.0, 100.0}) {
        const double exact = 0.5 * (1 - std::exp(-3)) -
                             0.5 * (1 + std::exp(-3) * (2 * w * std::sin(6 * w) - std::cos(6 * w))) / (1 + 4 * w * w);
        const std::string begin = "model M Real x(start = 1, fixed = true), p, E(start = 0, fixed = true); equation "
                                  "der(x) = -x; p = x*sin(" +
                                  std::to_string(w) + "*time)^2; der(E) = ";
        expect_integral(begin + "x*sin(" + std::to_string(w) + "*time)^2; end M;", 3, "E", exact);
        expect_integral(begin + "p; end M;", 3, "E", exact);
    }
}

// An equation that has to be solved for the integrand: p + p³ = e^{-t} sin 60t + (e^{-t} sin 60t)³.
TEST(RunningIntegrals, OfAlgebraicUnknowns) {
    const double exact = 0.5 * 0.5 * (1 - std::exp(-4)) -
                         0.5 * (2 + std::exp(-4) * (120 * std::sin(240) - 2 * std::cos(240))) / (4 + 120.0 * 120.0);
    expect_integral("model M Real x(start = 1, fixed = true), s, p(start = 0), E(start = 0, fixed = true); equation "
                    "der(x) = -x; s = x*sin(60*time); p + p^3 = s + s^3; der(E) = p^2; end M;",
                    2, "E", exact);
}

// Derivatives that only the integrand mentions follow from equations that are differentiated for them:
// ∫ φ'' φ' = φ'²/2, where φ + φ³/10 = sin(3t/2).
TEST(RunningIntegrals, OfWhatTimeDetermines) {
    double phi = 0.0;
    for (int k = 0; k < 50; ++k) phi -= (phi + 0.1 * phi * phi * phi - std::sin(7.5)) / (1 + 0.3 * phi * phi);
    const double w = 1.5 * std::cos(7.5) / (1 + 0.3 * phi * phi);
    expect_integral("model M Real phi, w, a, E(start = 0, fixed = true); equation phi + 0.1*phi^3 = sin(1.5*time); "
                    "der(phi) = w; der(w) = a; der(E) = a*w; end M;",
                    5, "E", 0.5 * (w * w - 1.5 * 1.5));
}

// A pendulum that is driven quickly, index 3: work is energy, and the force of the rod changes the momentum.
TEST(RunningIntegrals, WorkAndMomentum) {
    for (const char* method : some_methods)
        for (const double rtol : {1e-4, 1e-6, 1e-8}) {
            const Solution s = solved(
                "model M Real x(start = 1), y(start = 0), u(start = 0), v(start = 0), l, P, m, W(start = 0, fixed = "
                "true), I(start = 0, fixed = true); equation der(x) = u; der(y) = v; m = 3*sin(40*time); der(u) = -l*x "
                "- y*m; der(v) = -l*y - 9.81 + x*m; x^2 + y^2 = 1; P = (x*v - y*u)*m; der(W) = P; der(I) = -l*x - y*m; "
                "end M;",
                {.until = 3, .method = method, .rtol = rtol, .points = 3});
            const double energy = 0.5 * (std::pow(s.final("u"), 2) + std::pow(s.final("v"), 2)) + 9.81 * s.final("y");
            EXPECT_NEAR(s.final("W"), energy, 100 * rtol) << method << " " << rtol;
            EXPECT_NEAR(s.final("I"), s.final("u"), 100 * rtol) << method << " " << rtol;
        }
}

// Tens of thousands of periods in a step: errors of pieces add up.
TEST(RunningIntegrals, ManyPieces) {
    const double exact = 0.5 + 1.5 - std::sin(6e5) / 4e5;
    for (const double rtol : {1e-4, 1e-6})
        EXPECT_NEAR(integrated("sin(1e5*time)^2", {.until = 3, .method = "radau", .rtol = rtol}).final("q"), exact,
                    10 * rtol)
            << rtol;
}

// Whoever is asked for by something else stays in the system.
TEST(RunningIntegrals, StayWhereSomethingDepends) {
    auto model = Model::from_string("model M Real x(start = 1, fixed = true), q(start = 0, fixed = true); equation "
                                    "der(x) = -x; der(q) = x; when q > 0.5 then terminate(\"half\"); end when; end M;");
    ASSERT_TRUE(model);
    const auto s = solve(*model, {.until = 3, .rtol = 1e-8});
    ASSERT_TRUE(s && s->success());
    EXPECT_NEAR(s->end_time(), std::log(2.0), 1e-7);
}

TEST(RunningIntegrals, OnRequest) {
    auto model = Model::from_string("model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;");
    ASSERT_TRUE(model);
    SolveOptions options{.until = 2, .rtol = 1e-9};
    options.integrals = {{"area", "x"}, {"energy", "x*x"}};
    auto s = solve(*model, options);
    ASSERT_TRUE(s && s->success());
    EXPECT_NEAR(s->final("area"), 1 - std::exp(-2), 1e-8);
    EXPECT_NEAR(s->final("energy"), 0.5 * (1 - std::exp(-4)), 1e-8);
    options.integrals = {{"x", "x"}};
    EXPECT_FALSE(solve(*model, options));
    options.integrals = {{"a", "x +"}};
    EXPECT_FALSE(solve(*model, options));
}

} // namespace
