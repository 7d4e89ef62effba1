// What `analyze` finds by numbers, and problems solved by derivative arrays that structure alone gets wrong.
#include "daedalus/analysis.hpp"
#include "daedalus/solve.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <string>

namespace daedalus {
namespace {

Model read(const std::string& path) {
    auto model = Model::from_file(std::string(DAEDALUS_SOURCE_DIR) + "/" + path);
    EXPECT_TRUE(model) << path;
    return *std::move(model);
}

TEST(Indices, OfThePendulumAgree) {
    const auto a = analyze(read("examples/pendulum.mo"));
    ASSERT_TRUE(a);
    EXPECT_EQ(a->differentiation_index.value, 3);
    EXPECT_EQ(a->strangeness_index.value, 2);
    EXPECT_EQ(a->perturbation_index.value, 3);
    EXPECT_TRUE(a->perturbation_index.inferred);
    EXPECT_EQ(a->tractability_index.value, 3) << a->tractability_index.reason;
    EXPECT_FALSE(a->tractability_index.inferred);
    EXPECT_THAT(a->agreement, testing::Not(testing::HasSubstr("perturbation")));
    EXPECT_EQ(a->array_degrees_of_freedom, 2);
    EXPECT_EQ(a->free_initial_values.size(), 2U);
    EXPECT_THAT(a->agreement, testing::HasSubstr("agree: 3"));
    EXPECT_FALSE(a->recommendation.empty());
    for (const char* key : {"differentiation_index_reason", "tractability_index", "conditioning", "recommendation"})
        EXPECT_THAT(a->to_json(), testing::HasSubstr(std::string("\"") + key + "\""));
    EXPECT_THAT(a->to_html(), testing::HasSubstr("<svg"));
}

TEST(Indices, PerturbationIndexOfTheCounterexamples) {
    const auto lubich = analyze(read("tests/problems/structure/lubich.mo"));
    ASSERT_TRUE(lubich);
    EXPECT_EQ(lubich->differentiation_index.value, 1);
    EXPECT_EQ(lubich->perturbation_index.value, 2) << lubich->perturbation_index.reason;
    const auto gear = analyze(read("tests/problems/structure/campbell_gear.mo"));
    ASSERT_TRUE(gear);
    EXPECT_EQ(gear->differentiation_index.value, 1);
    EXPECT_EQ(gear->perturbation_index.value, 3) << gear->perturbation_index.reason;
}

TEST(Indices, OfReissigsChainContradictStructure) {
    const auto a = analyze(read("tests/problems/structure/reissig.mo"));
    ASSERT_TRUE(a);
    EXPECT_EQ(a->structural_index, 3);
    EXPECT_EQ(a->differentiation_index.value, 1);
    EXPECT_EQ(a->tractability_index.value, 1);
    EXPECT_THAT(a->cancellation, testing::HasSubstr("der(x2) + der(x3) + x1"));
    EXPECT_THAT(a->agreement, testing::HasSubstr("structural index is 3 but the differentiation index is 1"));
}

TEST(Indices, TheProjectorChainSeesTimeVaryingCoefficients) {
    // t (x + t y)' + (1 − t) y = sin t: index 2 away from t = 1.
    const auto a = analyze(*Model::from_string("model M\n  Real x(start=0);\n  Real y(start=0);\nequation\n"
                                               "  time*der(x) + time^2*der(y) + y = sin(time);\n"
                                               "  x + time*y = cos(time);\nend M;\n"),
                           [] {
                               SolveOptions o;
                               o.from = 2.0;
                               return o;
                           }());
    ASSERT_TRUE(a);
    ASSERT_TRUE(a->differentiation_index.value) << a->differentiation_index.reason;
    EXPECT_EQ(a->tractability_index.value, a->differentiation_index.value) << a->tractability_index.reason;
}

TEST(ByArray, AndrewsKeepsItsConsistentStart) {
    SolveOptions options;
    options.reduction = Reduction::derivative_array;
    options.until = 0.005;
    options.rtol = 1e-6;
    const Model andrews = read("tests/problems/andrews.mo");
    const auto solution = solve(andrews, options);
    ASSERT_TRUE(solution);
    ASSERT_EQ(solution->outcome(), Outcome::success) << solution->message();
    EXPECT_NEAR((*solution)["beta"].front(), -0.06171389001427645, 1e-12);
    EXPECT_EQ((*solution)["Theta"].front(), 0.0);
    EXPECT_EQ(solution->to_text().find("start values changed"), std::string::npos);
    options.reduction = Reduction::automatic;
    options.rtol = 1e-9;
    const auto reference = solve(andrews, options);
    ASSERT_TRUE(reference);
    for (const char* name : {"beta", "gamma", "epsilon"})
        EXPECT_NEAR(solution->final(name), reference->final(name), 1e-6) << name;
}

Expected<Analysis> followed(const std::string& equations, double until) {
    SolveOptions options;
    options.until = until;
    AnalyzeOptions along;
    along.along_solution = true;
    return analyze(*Model::from_string("model M\n  Real x(start=1, fixed=true);\n  Real y(start=1);\nequation\n" +
                                       equations + "end M;\n"),
                   options, along);
}

TEST(IndexAlongTheSolution, ASingularPointIsReportedWithItsTime) {
    // D = x vanishes for an instant.
    const auto nonlinear = followed("  der(x) = -1;\n  x*y = x*cos(time);\n", 1.5);
    ASSERT_TRUE(nonlinear);
    EXPECT_EQ(nonlinear->differentiation_index.value, 1);
    EXPECT_THAT(nonlinear->warnings,
                testing::Contains(testing::MatchesRegex(".*a singular point at t = (1|0.9999.*)")));
    const auto linear = followed("  der(x) = y;\n  (time - 0.6)*y + x = sin(time) + (time - 0.6)*cos(time);\n", 1.5);
    ASSERT_TRUE(linear);
    EXPECT_THAT(linear->warnings, testing::Contains(testing::HasSubstr("a singular point at t = 0.6")));
    EXPECT_FALSE(linear->local_index.empty());
}

TEST(IndexAlongTheSolution, AChangeOfIndexIsReportedWithItsTime) {
    const auto a = followed("  der(x) = -x + y;\n  (if time < 0.5 then 1 else 0)*y + x = exp(-time);\n", 1.5);
    ASSERT_TRUE(a);
    EXPECT_EQ(a->differentiation_index.value, 1);
    EXPECT_THAT(a->warnings, testing::Contains(testing::HasSubstr("another index from t = 0.5")));
    ASSERT_FALSE(a->local_index.empty());
    EXPECT_EQ(a->local_index.front().index, 1);
    EXPECT_EQ(a->local_index.back().index, 2);
}

TEST(IndexAlongTheSolution, NothingIsReportedWhereNothingHappens) {
    SolveOptions options;
    options.until = 5.0;
    AnalyzeOptions along;
    along.along_solution = true;
    for (const char* name : {"examples/pendulum.mo", "examples/circle_steering.mo"}) {
        const auto a = analyze(read(name), options, along);
        ASSERT_TRUE(a);
        for (const std::string& w : a->warnings) EXPECT_THAT(w, testing::Not(testing::HasSubstr("rank"))) << name;
    }
}

TEST(Explain, SaysWhatAnalyzeSays) {
    const auto e = explain(read("examples/pendulum.mo"));
    ASSERT_TRUE(e);
    EXPECT_EQ(e->analysis.differentiation_index.value, 3);
    EXPECT_EQ(e->analysis.tractability_index.value, 3);
    EXPECT_FALSE(e->analysis.recommendation.empty());
    EXPECT_FALSE(e->analysis.equations.front().mentions.empty());
}

TEST(Indices, NearlySingularPencilsAreNamed) {
    SolveOptions options;
    options.until = 1.0;
    const auto a =
        analyze(*Model::from_string("model N\n  Real x1(start=1, fixed=true);\n  Real x2(start=0, fixed=true);\n"
                                    "  Real y;\nequation\n  der(x1) = -x1 - x2 + y;\n  der(x2) = 0;\n"
                                    "  0 = x2 + 1e-6*y + 1e-6*sin(time);\nend N;\n"),
                options);
    ASSERT_TRUE(a);
    EXPECT_NEAR(a->conditioning.distance_to_singular.value_or(1.0), 1e-6, 1e-8);
    EXPECT_THAT(a->conditioning.singular_combination, testing::HasSubstr("x2"));
    EXPECT_THAT(a->conditioning.advice, testing::HasSubstr("singular"));
    ASSERT_TRUE(a->conditioning.kappa1);
    EXPECT_GT(*a->conditioning.kappa1, 1e5);
}

TEST(Indices, LargeModelsAreLeftToStructure) {
    std::string declarations, equations;
    for (int i = 0; i < 300; ++i) {
        declarations += "Real x" + std::to_string(i) + "(start=1);\n";
        equations += "der(x" + std::to_string(i) + ") = -x" + std::to_string(i) + ";\n";
    }
    const std::string text = "model M\n" + declarations + "equation\n" + equations + "end M;\n";
    auto model = Model::from_string(text);
    ASSERT_TRUE(model);
    const auto a = analyze(*model);
    ASSERT_TRUE(a);
    EXPECT_FALSE(a->differentiation_index.value);
    EXPECT_THAT(a->differentiation_index.reason, testing::HasSubstr("300 equations"));
}

class ByArrays : public testing::TestWithParam<Reduction> {};

TEST_P(ByArrays, WhereStructureIsWrong) {
    SolveOptions options;
    options.reduction = GetParam();
    options.rtol = 1e-7;
    options.until = 1.0;
    const auto arm = solve(read("examples/robot_arm.mo"), options); // index 5
    ASSERT_TRUE(arm);
    ASSERT_EQ(arm->outcome(), Outcome::success) << arm->message();
    EXPECT_NEAR(arm->final("x1"), 1 - std::exp(1.0), 1e-6);
    EXPECT_NEAR(arm->final("x3"), std::exp(1.0) - 1, 1e-6);
    // The motor's angle and the torques, found where the combination that hides the constraint is put into the model.
    EXPECT_NEAR(arm->final("x2"), 0.3908814782, 1e-6);
    EXPECT_NEAR(arm->final("u1"), 13.5912606, 1e-4);
    EXPECT_NEAR(arm->final("u2"), 19.3304288, 1e-4);
    const auto chain = solve(read("tests/problems/structure/reissig.mo"), options);
    ASSERT_TRUE(chain);
    ASSERT_EQ(chain->outcome(), Outcome::success) << chain->message();
    for (const char* name : {"x1", "x2", "x3", "x4", "x5"}) EXPECT_NEAR(chain->final(name), std::sin(1.0), 1e-6);
    const auto substitution = solve(read("tests/problems/structure/substitution.mo"), options);
    ASSERT_TRUE(substitution);
    ASSERT_EQ(substitution->outcome(), Outcome::success) << substitution->message();
    EXPECT_NEAR(substitution->final("x1"), -std::cos(1.0), 1e-5);
}

TEST_P(ByArrays, RingModulatorWithoutStrayCapacitances) {
    // Diodes that hardly conduct: derivatives are found from equations whose coefficients differ by 10⁹.
    SolveOptions options;
    options.reduction = GetParam();
    options.until = 1e-4;
    options.rtol = 1e-6;
    const Model model = read("tests/problems/ringmod_dae.mo");
    const auto solution = solve(model, options);
    ASSERT_TRUE(solution);
    ASSERT_EQ(solution->outcome(), Outcome::success) << solution->message();
    options.reduction = Reduction::automatic;
    options.rtol = 1e-9;
    const auto reference = solve(model, options);
    ASSERT_TRUE(reference);
    for (const char* name : {"y1", "y2", "y3", "y7"})
        EXPECT_NEAR(solution->final(name), reference->final(name), 1e-5) << name;
}

TEST_P(ByArrays, TheSameAsByStructureWhereThatIsRight) {
    SolveOptions options;
    options.rtol = 1e-8;
    options.until = 2.0;
    const Model pendulum = read("examples/pendulum.mo");
    const auto reference = solve(pendulum, options);
    options.reduction = GetParam();
    const auto solution = solve(pendulum, options);
    ASSERT_TRUE(reference && solution);
    ASSERT_EQ(solution->outcome(), Outcome::success) << solution->message();
    EXPECT_NEAR(solution->final("x"), reference->final("x"), 1e-5);
    EXPECT_NEAR(solution->final("y"), reference->final("y"), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Forms, ByArrays, testing::Values(Reduction::derivative_array, Reduction::campbell_moore),
                         [](const auto& info) {
                             return info.param == Reduction::derivative_array ? "KunkelMehrmann" : "CampbellMoore";
                         });

} // namespace
} // namespace daedalus
