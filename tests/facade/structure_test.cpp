// Structural analysis through the façade: models on which structure alone fails, published with the remedy, and the
// agreement of two independent methods on everything at hand.
#include <daedalus/daedalus.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

using namespace daedalus;

namespace {

namespace fs = std::filesystem;

Model read(const fs::path& path) {
    auto model = Model::from_file(path.string());
    EXPECT_TRUE(model) << (model ? "" : render(model.error()));
    return *std::move(model);
}

Model problem(const char* name) {
    return read(fs::path(DAEDALUS_SOURCE_DIR) / "tests/problems/structure" / (std::string(name) + ".mo"));
}

Analysis analyzed(const Model& model, const SolveOptions& options = {}) {
    auto analysis = analyze(model, options);
    EXPECT_TRUE(analysis) << (analysis ? "" : render(analysis.error()));
    return *std::move(analysis);
}

Solution solved(const Model& model, const SolveOptions& options) {
    auto solution = solve(model, options);
    EXPECT_TRUE(solution) << (solution ? "" : render(solution.error()));
    EXPECT_EQ(solution->outcome(), Outcome::success) << solution->message();
    return *std::move(solution);
}

SolveOptions at(double tolerance) {
    SolveOptions options;
    options.rtol = tolerance;
    options.atol = tolerance;
    return options;
}

} // namespace

TEST(Structure, PantelidesAgreesOnEveryExampleAndProblem) {
    int models = 0;
    for (const char* folder : {"examples", "tests/problems"})
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(DAEDALUS_SOURCE_DIR) / folder)) {
            if (entry.path().extension() != ".mo") continue;
            ++models;
            EXPECT_EQ(analyzed(read(entry.path())).pantelides_agrees, std::optional(true)) << entry.path();
        }
    EXPECT_GE(models, 10);
}

// Campbell & Griepentrog (1995): the structural index is 3, the index 5.
TEST(StructureFails, RobotArm) {
    const Model model = read(fs::path(DAEDALUS_SOURCE_DIR) / "examples/robot_arm.mo");
    const Analysis a = analyzed(model);
    EXPECT_EQ(a.structural_index, 3);
    EXPECT_EQ(a.repaired_index, 5);
    EXPECT_EQ(a.degrees_of_freedom, 0);
    EXPECT_TRUE(a.structure_reliable);
    const Solution s = solved(model, at(1e-8));
    EXPECT_NEAR(s.final("x1"), 1 - std::exp(1.0), 1e-7);
    EXPECT_NEAR(s.final("x3"), std::exp(1.0) - 1, 1e-7);
}

// Test Set for IVP Solvers, release 2.4, II-3, with Cs = 0: structure sees index 1 and 15 states.
TEST(StructureFails, RingModulatorWithoutCapacitances) {
    const Model model = read(fs::path(DAEDALUS_SOURCE_DIR) / "tests/problems/ringmod_dae.mo");
    const Analysis a = analyzed(model);
    EXPECT_EQ(a.structural_index, 1);
    EXPECT_EQ(a.repaired_index, 2);
    EXPECT_EQ(a.degrees_of_freedom, 10);
    EXPECT_TRUE(a.structure_reliable);
    SolveOptions options = at(1e-8);
    options.until = 1e-3;
    const Solution s = solved(model, options);
    // computed with BIMD at 1e-11; agrees with RADAU5 at 1e-11 to 4e-8
    const std::pair<const char*, double> reference[] = {
        {"y1", -0.02339913463},   {"y2", -0.007374882587},  {"y3", 0.3234248227},    {"y4", -0.3413135401},
        {"y5", -0.3388118309},    {"y6", 0.325926532},      {"y7", 0.1106744767},    {"y8", 2.939909764e-07},
        {"y10", 0.0007260847289}, {"y11", 0.0007935162808}, {"y14", 7.087821181e-05}};
    for (const auto& [name, value] : reference) EXPECT_NEAR(s.final(name) / value, 1, 1e-6) << name;
}

TEST(StructureFails, OnlyExpressionSubstitutionConverts) {
    const Model model = problem("substitution");
    const Analysis a = analyzed(model);
    EXPECT_TRUE(a.structure_reliable);
    EXPECT_EQ(a.degrees_of_freedom, 1);
    EXPECT_EQ(a.variables.size(), 2U); // what was introduced is not the author's
    const Solution s = solved(model, at(1e-8));
    EXPECT_NEAR(s.final("x1"), -std::cos(3.0), 1e-6);
    EXPECT_NEAR(s.final("x2"), 2 + 0.5 * std::sin(3.0), 1e-6);
}

TEST(StructureFails, ReissigsChain) {
    const Model model = problem("reissig");
    const Analysis a = analyzed(model);
    EXPECT_TRUE(a.structure_reliable);
    EXPECT_EQ(a.degrees_of_freedom, 2);
    const Solution s = solved(model, at(1e-8));
    for (const char* name : {"x1", "x2", "x3", "x4", "x5"}) EXPECT_NEAR(s.final(name), std::sin(2.0), 1e-6) << name;
}

namespace {

// A ring of `n` capacitively coupled nodes, one irreducible block, with `part` (in a, b and v1 … vn) inside it.
Model ring_with(int n, const std::string& part) {
    std::string text = "model Ring Real a(start=0.5), b(start=0.2);";
    const auto v = [n](int i) { return "v" + std::to_string((i + n) % n + 1); };
    for (int i = 0; i < n; ++i) text += " Real " + v(i) + "(start=1);";
    text += " equation ";
    for (int i = 0; i < n; ++i)
        text += "2.5*der(" + v(i) + ") - der(" + v(i - 1) + ") - der(" + v(i + 1) + ")" +
                (i == 4 ? " + 0.1*der(a)" : "") + " = sin(time) - " + v(i) + ";";
    auto model = Model::from_string(text + part + " end Ring;");
    EXPECT_TRUE(model) << (model ? "" : render(model.error()));
    return *std::move(model);
}

} // namespace

TEST(StructureFails, InsideAThousandEquations) {
    const Model model = ring_with(1000, "der(a) + der(b) + 0.1*der(v7) = v3 - a;"
                                        "2*der(a) + 2*der(b) + 0.2*der(v7) = cos(time) - 3*b;");
    const Analysis a = analyzed(model);
    EXPECT_TRUE(a.structure_reliable);
    EXPECT_EQ(a.degrees_of_freedom, 1001);
    ASSERT_EQ(a.hidden_constraints.size(), 1U);
    const auto start = initialize(model);
    ASSERT_TRUE(start) << render(start.error());
    // Twice the first equation subtracted from the second: 3 b − cos t − 2 a + 2 v3 = 0.
    EXPECT_NEAR(2 * *(*start)["v3"] - 2 * *(*start)["a"] + 3 * *(*start)["b"], 1.0, 1e-10);
}

TEST(StructureFails, InsideAThousandEquationsWithoutRemedy) {
    // Multipliers and null vector contain der(a) and der(b) themselves: neither conversion applies.
    const Model model = ring_with(1000, "der(a)*der(b) + der(v7) = v3 - a; (der(a)*der(b) + der(v7))^2 = 2 - b;");
    const Analysis a = analyzed(model, {});
    EXPECT_FALSE(a.structure_reliable);
    EXPECT_THAT(a.warnings, testing::Contains(testing::AllOf(
                                testing::HasSubstr("Equations involved: der(a)*der(b) + der(v7) = v3 - a; "),
                                testing::HasSubstr("Leading derivatives cancel in "))));
}

TEST(Structure, BlocksTellHowTheyAreSolved) {
    auto model = Model::from_string("model M Real x(start=1), y, z, w; equation der(x) = -x; y + z = x; y - z = 2*x; "
                                    "w + exp(w) = x; end M;");
    ASSERT_TRUE(model);
    SolveOptions options;
    options.tear = true;
    const Analysis a = analyzed(*model, options);
    int linear = 0, nonlinear = 0;
    for (const EquationBlock& b : a.blocks) {
        linear += b.linearity == Linearity::linear;
        nonlinear += b.linearity == Linearity::nonlinear;
        if (b.variables.size() == 2) {
            EXPECT_EQ(b.torn.size(), 1U); // y or z: the other follows
        }
    }
    EXPECT_EQ(linear, 2);
    EXPECT_EQ(nonlinear, 1);
    EXPECT_THAT(a.to_json(), testing::HasSubstr("\"torn\""));
    EXPECT_THAT(a.to_text(), testing::HasSubstr("Torn variables"));
}

TEST(Structure, ASingularPointAtTheStartIsNamed) {
    auto model = Model::from_string("model M Real x(start=0, fixed=true), y(start=0, fixed=true); equation der(x) = 1; "
                                    "y^2 = x; end M;");
    ASSERT_TRUE(model);
    SolveOptions options;
    options.until = 1.0;
    const auto solution = solve(*model, options);
    ASSERT_TRUE(solution);
    EXPECT_NE(solution->outcome(), Outcome::success);
    EXPECT_THAT(render(solution->diagnostics()), testing::HasSubstr("y^2 = x does not determine y"));
}
