#include "compile/compile.hpp"
#include "modelica/read_modelica.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace daedalus;
using namespace daedalus::compile;

namespace {

std::shared_ptr<model::Model> read(const std::string& text) {
    auto m = modelica::read_modelica(std::make_shared<SourceFile>("m.mo", text));
    EXPECT_TRUE(m) << (m ? "" : render(m.error()));
    return std::make_shared<model::Model>(*std::move(m));
}

std::shared_ptr<model::Model> example(const std::string& name) {
    auto m = modelica::read_modelica_file(std::string(DAEDALUS_SOURCE_DIR) + "/examples/" + name + ".mo");
    EXPECT_TRUE(m);
    return std::make_shared<model::Model>(*std::move(m));
}

std::vector<int> indices(const StructuralReport& r) {
    std::vector<int> list;
    for (const StructuralReport::OfVariable& v : r.of_variables) list.push_back(v.index);
    return list;
}

std::vector<std::string> names(const std::vector<compile::SpecialClass>& classes) {
    std::vector<std::string> list;
    for (const compile::SpecialClass& found : classes) list.push_back(found.text);
    return list;
}

} // namespace

TEST(Analyze, Pendulum) {
    const auto a = analyze(*example("pendulum"));
    ASSERT_TRUE(a);
    EXPECT_EQ(a->structure.structural_index, 3);
    EXPECT_EQ(a->structure.degrees_of_freedom, 2);
    EXPECT_THAT(indices(a->structure), testing::ElementsAre(1, 1, 2, 2, 3));
    ASSERT_EQ(a->structure.hidden_constraints.size(), 2U);
    EXPECT_EQ(a->structure.hidden_constraints[0].text, "2*x*u + 2*y*v = 0");
    EXPECT_EQ(a->structure.hidden_constraints[0].from, "x^2 + y^2 = L^2");
    EXPECT_THAT(names(a->structure.classes), testing::Contains(testing::HasSubstr("mechanical")));
}

TEST(Analyze, IndexAndFreedomOfEveryExample) {
    const struct {
        const char* name;
        int index, freedom;
    } expected[] = {
        {"pendulum", 3, 2},       {"circle_steering", 2, 1}, {"robertson", 1, 2},   {"transistor_amplifier", 1, 5},
        {"differentiator", 2, 0}, {"van_der_pol_dae", 1, 1}, {"index5_chain", 5, 0}};
    for (const auto& e : expected) {
        const auto a = analyze(*example(e.name));
        ASSERT_TRUE(a) << e.name;
        EXPECT_EQ(a->structure.structural_index, e.index) << e.name;
        EXPECT_EQ(a->structure.degrees_of_freedom, e.freedom) << e.name;
        EXPECT_TRUE(a->structure.structure_reliable) << e.name;
    }
}

TEST(Analyze, ClassesOfTheLiterature) {
    const auto classes = [](const char* body) {
        const auto a = analyze(*read(body));
        EXPECT_TRUE(a);
        return names(a->structure.classes);
    };
    EXPECT_THAT(classes("model M Real x; equation der(x) = -x; end M;"),
                testing::Contains(testing::HasSubstr("ordinary")));
    EXPECT_THAT(classes("model M Real x, z; equation der(x) = z; z = -x^3; end M;"),
                testing::Contains(testing::HasSubstr("semi-explicit index 1")));
    EXPECT_THAT(classes("model M Real y, z; equation der(y) = sin(z); y = cos(time); end M;"),
                testing::Contains(testing::HasSubstr("Hessenberg form of index 2")));
    EXPECT_THAT(classes("model M Real x, y; equation der(x) + 2*y = 1; x = sin(time); end M;"),
                testing::Contains(testing::HasSubstr("linear with constant")));
}

// Symbolic Jacobian of the compiled problem against central differences of its residual.
TEST(Compile, JacobianAgreesWithDifferences) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> value(0.3, 1.4);
    for (const char* name : {"pendulum", "circle_steering", "robertson", "transistor_amplifier", "van_der_pol_dae"})
        for (const Reduction reduce : {Reduction::none, Reduction::dummy}) {
            CompileOptions options;
            options.reduce = reduce;
            auto c = compile::compile(example(name), options);
            ASSERT_TRUE(c) << name;
            const problem::ImplicitProblem& p = c->problem;
            const auto n = static_cast<std::size_t>(p.size());
            std::vector<double> x(n), dx(n), lo(n), hi(n), jx(static_cast<std::size_t>(p.pattern().nonzeros())),
                jdx(jx.size());
            for (std::size_t i = 0; i < n; ++i) x[i] = value(random), dx[i] = value(random);
            ASSERT_EQ(p.jacobian(0.7, x.data(), dx.data(), jx.data(), jdx.data()), problem::EvalStatus::ok);
            for (std::vector<double>* vector : {&x, &dx})
                for (std::size_t j = 0; j < n; ++j) {
                    const double saved = (*vector)[j], h = 1e-6;
                    (*vector)[j] = saved + h;
                    ASSERT_EQ(p.residual(0.7, x.data(), dx.data(), hi.data()), problem::EvalStatus::ok);
                    (*vector)[j] = saved - h;
                    ASSERT_EQ(p.residual(0.7, x.data(), dx.data(), lo.data()), problem::EvalStatus::ok);
                    (*vector)[j] = saved;
                    for (std::size_t i = 0; i < n; ++i) {
                        const int k = p.pattern().find(static_cast<int>(i), static_cast<int>(j));
                        const double symbolic = k < 0 ? 0.0 : (vector == &x ? jx : jdx)[static_cast<std::size_t>(k)];
                        const double numeric = (hi[i] - lo[i]) / (2 * h);
                        EXPECT_NEAR(symbolic, numeric, 1e-6 * (1 + std::abs(numeric)) + 1e-9 * std::abs(hi[i]) / h)
                            << name << " " << p.names().equation(static_cast<int>(i));
                    }
                }
        }
}

TEST(Compile, RecordsEveryPassAndItsReason) {
    auto c = compile::compile(example("pendulum"));
    ASSERT_TRUE(c);
    std::vector<std::string> names;
    for (const PassRecord& p : c->passes) names.push_back(p.name);
    EXPECT_THAT(names, testing::ElementsAre("structure as written", "alias elimination", "signature method",
                                            "structural repair", "constants", "formulation", "derivatives and code",
                                            "initial value system"));
    EXPECT_EQ(c->reduce, Reduction::dummy);
    EXPECT_THAT(c->reduce_reason, testing::HasSubstr("index is 3"));
}

TEST(Compile, TimeEventsAreExtractedFromConditions) {
    auto c = compile::compile(read("model M parameter Real T = 2; Real x(start=0, fixed=true); equation der(x) = if "
                                   "time < T then 1 else if 3*time > 9 then -1 else 0; end M;"));
    ASSERT_TRUE(c);
    EXPECT_THAT(c->problem.hybrid().time_events, testing::ElementsAre(2.0, 3.0));
    EXPECT_EQ(c->problem.hybrid().roots.size, 2); // their signs choose the branch
}

TEST(Compile, StructurallySingularModelsAreExplained) {
    const auto c = compile::compile(read("model M\n  Real x;\n  Real y;\nequation\n  x = 1;\n  2*x = 3;\nend M;\n"));
    ASSERT_FALSE(c);
    const std::string text = render(c.error());
    EXPECT_THAT(text, testing::HasSubstr("variable 'y' occurs in no equation"));
    EXPECT_THAT(text, testing::HasSubstr("m.mo:3"));
}
