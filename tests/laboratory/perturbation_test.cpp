// The measured perturbation index against what HW VII.1 states: of the counter-examples (1.31), (1.32), of Hessenberg
// systems of index 1 to 4, and of the y and z of an index-2 system (1.30).
#include "daedalus/analysis.hpp"
#include "daedalus/model.hpp"
#include "daedalus/solve.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <utility>

namespace daedalus {
namespace {

Analysis measured(const std::string& text) {
    const auto model = Model::from_string(text);
    EXPECT_TRUE(model) << text;
    AnalyzeOptions what;
    what.measure = true;
    what.along_solution = false;
    auto a = analyze(*model, {}, what);
    EXPECT_TRUE(a) << text;
    return a ? *a : Analysis{};
}

TEST(PerturbationIndex, OfCampbellAndGear) { // HW (1.32): y_m N y' + y = 0 has differentiation index 1, the other is m
    for (int m = 2; m <= 6; ++m) {
        std::string declarations = "  Real y1(start=0)", equations;
        for (int i = 2; i <= m; ++i) declarations += fmt::format(", y{}(start=0)", i);
        for (int i = 1; i < m; ++i) equations += fmt::format("  y{}*der(y{}) + y{} = 0;\n", m, i + 1, i);
        const Analysis a =
            measured(fmt::format("model M\n{};\nequation\n{}  y{} = 0;\nend M;\n", declarations, equations, m));
        EXPECT_EQ(a.differentiation_index.value, 1) << a.differentiation_index.reason;
        EXPECT_EQ(a.perturbation_index.value, m) << a.perturbation_index.reason;
    }
}

TEST(PerturbationIndex, IsNotInferredWhereAFactorVanishesOnTheSolution) {
    // Solved for der(y2), der(y3) it looks like HW (1.15); on its solution y3 = 0 it is not of that form.
    for (const char* text : {"model M\n  Real y1, y2, y3;\nequation\n  y3*der(y2) + y1 = 0;\n  y3*der(y3) + y2 = 0;\n"
                             "  y3 = 0;\nend M;\n",
                             "model M\n  Real y1, y2, y3;\nequation\n  y3 = 0;\n  2*y3*der(y2) = -2*y1;\n"
                             "  y2 = -y3*der(y3);\nend M;\n"}) {
        const auto a = analyze(*Model::from_string(text));
        ASSERT_TRUE(a);
        EXPECT_FALSE(a->perturbation_index.inferred) << a->perturbation_index.reason;
        EXPECT_EQ(a->perturbation_index.value, 3) << a->perturbation_index.reason;
        for (const std::string& name : a->classes) EXPECT_FALSE(name.starts_with("Hessenberg")) << name;
    }
}

TEST(PerturbationIndex, OfLubich) { // HW (1.31)
    const Analysis a = measured("model M\n  Real y1(start=0, fixed=true), y2, y3;\nequation\n"
                                "  der(y1) - y3*der(y2) + y2*der(y3) = 0;\n  y2 = 0;\n  y3 = 0;\nend M;\n");
    EXPECT_EQ(a.differentiation_index.value, 1) << a.differentiation_index.reason;
    EXPECT_EQ(a.perturbation_index.value, 2) << a.perturbation_index.reason;
}

TEST(PerturbationIndex, OfHessenbergSystems) {
    const struct {
        int index;
        const char* text;
    } systems[] = {
        {1, "Real y(start=1, fixed=true), z(start=1);\nequation\n  der(y) = -y + z;\n  z + z^3 = 2*y;"},
        {2, "Real y1(start=1), y2(start=0, fixed=true), z;\nequation\n  der(y1) = -y2 + y1*z;\n  der(y2) = y1 + y2*z;\n"
            "  y1^2 + y2^2 = 1;"},
        {2, "Real y(start=0), z;\nequation\n  der(y) = z + z^3/3;\n  y = sin(time);"}, // nonlinear in z
        {3, "Real x(start=1), y(start=0, fixed=true), u(start=0), v(start=1, fixed=true), l;\nequation\n  der(x) = u;\n"
            "  der(y) = v;\n  der(u) = -x*l;\n  der(v) = -y*l;\n  x^2 + y^2 = 1;"},
        {4, "Real x1, x2, x3, z;\nequation\n  der(x1) = z;\n  der(x2) = x1 + x2^2;\n  der(x3) = x2 + x3^2;\n"
            "  x3 = sin(time);"}};
    for (const auto& s : systems) {
        const Analysis a = measured(fmt::format("model M\n  {}\nend M;\n", s.text));
        EXPECT_EQ(a.differentiation_index.value, s.index) << s.text;
        EXPECT_EQ(a.perturbation_index.value, s.index) << s.text << "\n" << a.perturbation_index.reason;
        EXPECT_FALSE(a.perturbation_index.inferred);
    }
}

TEST(PerturbationIndex, IsThatOfTheClassWhereNothingCouldBeMeasured) {
    // HW (1.9) near a fold of its hidden manifold: the slow part of the perturbation leads over it.
    const Analysis a =
        measured("model M\n  Real y1(start=0.8775825618903728), y2(start=-0.479425538604203), z(start=0.6);\n"
                 "equation\n  der(y1) = 0.7*y2 + sin(2.5*z);\n  der(y2) = 1.4*y1 + cos(2.5*z);\n"
                 "  y1^2 + y2^2 = 1;\n  annotation(experiment(StopTime=30));\nend M;\n");
    EXPECT_EQ(a.perturbation_index.value, 2) << a.perturbation_index.reason;
    if (a.perturbation_index.inferred) EXPECT_THAT(a.perturbation_index.reason, testing::HasSubstr("not measured"));
}

TEST(PerturbationIndex, OfEachVariable) { // HW (1.30): z feels δ'; y no more than that
    const Analysis a = measured("model M\n  Real y1(start=1), y2(start=0, fixed=true), z;\nequation\n"
                                "  der(y1) = -y2 + y1*z;\n  der(y2) = y1 + y2*z;\n  y1^2 + y2^2 = 1;\nend M;\n");
    for (const AnalyzedVariable& v : a.variables) {
        ASSERT_TRUE(v.measured_index) << v.name;
        EXPECT_LE(*v.measured_index, 2) << v.name;
        if (v.name == "z") EXPECT_EQ(*v.measured_index, 2);
    }
}

// HW VII.1, exercise 6 (Arnold 1993): of a perturbation θ of the constraint of an index-2 system, y feels θ itself and
// the square of θ' only:  ‖Δy‖ ≤ C (‖θ‖ + ‖θ'‖²). Here y₁' = z, y₂' = z², 0 = y₁ − sin t + θ with θ = ε sin ωt:
//   Δy₁ = −θ,  Δy₂ = ∫ (θ'² − 2 θ' cos t) dt,  which for large ω is ε² ω² t/2 up to O(ε).
TEST(PerturbationIndex, TheDifferentialPartFeelsTheSquareOfTheDerivative) { // HW VII.1, exercise 6
    const auto model =
        Model::from_string("model M\n  parameter Real eps = 0, w = 1;\n  Real y1, y2(start=0, fixed=true), "
                           "z;\nequation\n  der(y1) = z;\n  der(y2) = z^2;\n"
                           "  0 = y1 - sin(time) + eps*sin(w*time);\nend M;\n");
    ASSERT_TRUE(model);
    const auto end = [&](double eps, double w) {
        SolveOptions options;
        options.until = 1;
        options.rtol = 1e-9;
        options.parameters = {{"eps", eps}, {"w", w}};
        const auto s = solve(*model, options);
        EXPECT_TRUE(s && s->success());
        return s ? std::pair(s->final("y1"), s->final("y2")) : std::pair(0.0, 0.0);
    };
    const auto exact = end(0.0, 1.0);
    for (const double steepness : {0.05, 0.1, 0.2}) // ‖θ'‖ = ε ω
        for (const double w : {20.0, 80.0, 320.0}) {
            const double eps = steepness / w;
            const auto perturbed = end(eps, w);
            const double dy1 = perturbed.first - exact.first, dy2 = perturbed.second - exact.second;
            EXPECT_LE(std::abs(dy1) + std::abs(dy2), 4 * (eps + steepness * steepness)) << eps << " " << w;
            // Sharp: the square is there, and the first power, which would be twenty times as much, is not.
            EXPECT_NEAR(dy2, steepness * steepness / 2, 4 * eps) << eps << " " << w;
        }
}

} // namespace
} // namespace daedalus
