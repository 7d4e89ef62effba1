// Models made of models: index of optimality conditions (HW (1.40), Ex. 8), hierarchy of a singular perturbation
// (W (1.29)), and a PDAE made a DAE.
#include "daedalus/analysis.hpp"
#include "daedalus/derived_models.hpp"
#include "daedalus/linear_system.hpp"
#include "daedalus/solve.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace daedalus {
namespace {

Model read(const std::string& text) {
    auto model = Model::from_string(text);
    EXPECT_TRUE(model);
    return *std::move(model);
}

const char* const plant = "model Plant\n  Real x1(start=1);\n  Real x2(start=0);\n  Real u;\nequation\n"
                          "  der(x1) = x2;\n  der(x2) = -x1 + u;\nend Plant;\n";

TEST(Optimality, IndexByTheSecondDerivativeOfTheHamiltonian) {
    const auto regular = optimality_conditions(read(plant), "0.5*(x1^2 + x2^2 + u^2)");
    ASSERT_TRUE(regular);
    EXPECT_EQ(regular->equation_count(), 5U);
    const auto one = analyze(*regular);
    ASSERT_TRUE(one);
    EXPECT_EQ(one->differentiation_index.value, 1) << one->differentiation_index.reason;
    EXPECT_EQ(one->array_degrees_of_freedom, 4);
    // H_uu = 0, and BᵀCB is invertible: index 3.
    const auto singular = optimality_conditions(read(plant), "0.5*(x1^2 + x2^2)");
    ASSERT_TRUE(singular);
    const auto three = analyze(*singular);
    ASSERT_TRUE(three);
    EXPECT_EQ(three->differentiation_index.value, 3) << three->differentiation_index.reason;
    // BᵀCB = 0 as well, BᵀAᵀCAB is not: two more differentiations.
    const auto five = analyze(*optimality_conditions(read(plant), "0.5*x1^2"));
    ASSERT_TRUE(five);
    EXPECT_EQ(five->differentiation_index.value, 5) << five->differentiation_index.reason;
}

TEST(Optimality, ConstraintsHaveMultipliers) {
    const auto m = optimality_conditions(read("model C\n  Real x(start=1);\n  Real u;\n  Real w;\nequation\n"
                                              "  der(x) = -x + u;\n  u + w = sin(time);\nend C;\n"),
                                         "x^2 + u^2 + w^2");
    ASSERT_TRUE(m);
    EXPECT_EQ(m->equation_count(), m->variable_count());
    const auto a = analyze(*m);
    ASSERT_TRUE(a);
    EXPECT_EQ(a->differentiation_index.value, 1);
}

TEST(Optimality, Refusals) {
    const auto unknown = optimality_conditions(read(plant), "z^2");
    ASSERT_FALSE(unknown);
    EXPECT_THAT(unknown.error().front().message, testing::HasSubstr("z"));
    const auto implicit = optimality_conditions(
        read("model I\n  Real x;\n  Real y;\n  Real u;\nequation\n  der(x) + der(y) = u;\n  der(y) = x;\nend I;\n"),
        "u^2");
    ASSERT_FALSE(implicit);
    EXPECT_EQ(implicit.error().front().code, "not-semi-explicit");
}

const char* const fast = "model Fast\n  parameter Real eps = 0.01;\n  Real x(start=1, fixed=true);\n"
                         "  Real y(start=0.6823278038280193);\nequation\n  der(x) = -y;\n  eps*der(y) = x - y - y^3;\n"
                         "end Fast;\n";

TEST(Hierarchy, OfOrderLHasIndexLPlusOne) {
    for (int l = 0; l <= 3; ++l) {
        const auto terms = perturbation_hierarchy(read(fast), "eps", l);
        ASSERT_TRUE(terms);
        EXPECT_EQ(terms->variable_count(), 2U * static_cast<unsigned>(l + 1));
        const auto a = analyze(*terms);
        ASSERT_TRUE(a);
        EXPECT_EQ(a->differentiation_index.value, l + 1) << a->differentiation_index.reason;
        EXPECT_EQ(a->structural_index, l + 1);
        EXPECT_EQ(a->tractability_index.value, l + 1) << a->tractability_index.reason;
        EXPECT_EQ(a->perturbation_index.value, l + 1) << a->perturbation_index.reason;
    }
}

TEST(Hierarchy, ItsSumsApproachTheSolution) {
    SolveOptions options;
    options.rtol = 1e-10;
    options.atol = 1e-12;
    options.until = 1.0;
    const auto terms = solve(*perturbation_hierarchy(read(fast), "eps", 1), options);
    ASSERT_TRUE(terms && terms->success());
    double error[2][2];
    for (int k = 0; k < 2; ++k) {
        const double eps = k == 0 ? 1e-2 : 1e-3;
        SolveOptions full = options;
        full.parameters.push_back({"eps", eps});
        full.starts.push_back({"y", (*terms)["y_0"].front() + eps * (*terms)["y_1"].front()});
        const auto exact = solve(read(fast), full);
        ASSERT_TRUE(exact && exact->success());
        error[k][0] = std::abs(exact->final("x") - terms->final("x_0"));
        error[k][1] = std::abs(exact->final("x") - terms->final("x_0") - eps * terms->final("x_1"));
    }
    EXPECT_NEAR(std::log10(error[0][0] / error[1][0]), 1.0, 0.1); // the reduced system: O(ε)
    EXPECT_NEAR(std::log10(error[0][1] / error[1][1]), 2.0, 0.2); // with one term more: O(ε²)
}

TEST(Hierarchy, Refusals) {
    EXPECT_FALSE(perturbation_hierarchy(read(fast), "epsilon", 1));
    EXPECT_FALSE(perturbation_hierarchy(read(fast), "eps", -1));
    EXPECT_FALSE(perturbation_hierarchy(read(fast), "eps", 1000));
}

TEST(SemiDiscretization, TheGridDecidesTheIndex) {
    const MatrixData e = MatrixData::dense(2, 2, {0, 1, 0, 0}), h = MatrixData::dense(2, 2, {0, 0, 1, 0}),
                     c = MatrixData::dense(2, 2, {1, 0, 8, 1});
    for (const int points : {1, 2, 5, 40}) {
        const auto p = semi_discretize(e, h, c, points);
        ASSERT_TRUE(p);
        const auto a = analyze_pencil(p->e, p->h);
        ASSERT_TRUE(a);
        EXPECT_EQ(a->index, points == 1 ? 2 : 1) << a->verdict;
    }
    EXPECT_FALSE(semi_discretize(e, h, MatrixData::dense(3, 3, {1}), 3));
    EXPECT_FALSE(semi_discretize(e, h, c, 0));
}

} // namespace
} // namespace daedalus
