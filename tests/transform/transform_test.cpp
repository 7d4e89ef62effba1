#include "modelica/read_modelica.hpp"
#include "transform/alias_elimination.hpp"
#include "transform/formulation.hpp"
#include "transform/structural_diagnostics.hpp"
#include "transform/structural_repair.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace daedalus;
using namespace daedalus::transform;

namespace {

struct Read {
    std::shared_ptr<model::Model> model;
    System system;
};

Read read(const std::string& declarations, const std::string& equations) {
    const std::string text = "model M\n" + declarations + "\nequation\n" + equations + "\nend M;\n";
    auto result = modelica::read_modelica(std::make_shared<SourceFile>("M.mo", text));
    EXPECT_TRUE(result) << (result ? "" : render(result.error()));
    auto model = std::make_shared<model::Model>(*std::move(result));
    auto parameters = model::parameter_values(*model);
    EXPECT_TRUE(parameters);
    return {model, make_system(*model, *parameters)};
}

ReducedSystem reduced(const System& s) {
    auto sigma = s.signature();
    auto analysis = structure::signature_method(sigma);
    EXPECT_TRUE(analysis.regular);
    return reduce_index(s, sigma, analysis);
}

const char* pendulum_variables = "Real x, y, u, v, lam;";
const char* pendulum_equations = "der(x) = u; der(y) = v; der(u) = -x*lam; der(v) = -y*lam - 9.81; x^2 + y^2 = 1;";

} // namespace

TEST(AliasElimination, TurnsAFirstOrderPendulumIntoASecondOrderOne) {
    Read r = read(pendulum_variables, pendulum_equations);
    const AliasCounts counts = eliminate_aliases(r.system);
    EXPECT_EQ(counts.derivatives, 2);
    EXPECT_EQ(r.system.equations.size(), 3U);
    EXPECT_EQ(r.system.text(0), "der(u) = -x*lam"); // names survive
    const ReducedSystem reduced_system = reduced(r.system);
    EXPECT_THAT(reduced_system.analysis.c, testing::ElementsAre(0, 0, 2));
    EXPECT_THAT(reduced_system.analysis.d, testing::ElementsAre(2, 2, 0));
    EXPECT_EQ(differentiated_text(r.system, 2, 1), "2*x*u + 2*y*v = 0");
}

TEST(AliasElimination, FollowsChainsSignsAndKnownValues) {
    Read r = read("parameter Real p = 3; Real a, b, c, d, e;", "a = -b; b = c; c = 2*p; d = a; der(e) = d;");
    const AliasCounts counts = eliminate_aliases(r.system);
    EXPECT_EQ(counts.known + counts.aliases, 4);
    EXPECT_EQ(r.system.equations.size(), 1U);
    EXPECT_EQ(r.system.text(0), "der(e) = -2*p");
}

TEST(AliasElimination, KeepsAnAlgebraicVariableThatEqualsADerivative) {
    // Without z this semi-explicit system would become a fully implicit one.
    Read r = read("Real y, z;", "der(y) = -z; y = z^3/3 - z;");
    eliminate_aliases(r.system);
    EXPECT_EQ(r.system.equations.size(), 2U);
}

TEST(AliasElimination, KeepsADerivativeThatNothingElseMentions) {
    Read r = read("Real x, u, w;", "u = der(x); w = der(u); x^3 + x = time;");
    eliminate_aliases(r.system);
    const auto& g = r.system.graph();
    for (const Elimination& e : r.system.eliminations) {
        ASSERT_EQ(g.op(e.value), expr::Op::variable);
        int highest = 0;
        for (std::size_t i = 0; i < r.system.equations.size(); ++i) {
            const NodeId roots[] = {r.system.residual(static_cast<int>(i))};
            for (const NodeId node : g.reachable(roots))
                if (g.op(node) == expr::Op::variable && g.variable_id(node) == g.variable_id(e.value))
                    highest = std::max(highest, g.derivative_order(node));
        }
        EXPECT_LE(g.derivative_order(e.value), highest);
    }
}

TEST(Formulation, DummyDerivativesHaveARowForEveryHiddenConstraint) {
    Read r = read(pendulum_variables, pendulum_equations);
    eliminate_aliases(r.system);
    const Formulation f = formulate(r.system, reduced(r.system), Reduction::dummy);
    EXPECT_EQ(f.unknowns.size(), 7U); // x, y with two derivatives each, lam
    EXPECT_EQ(f.rows.size(), 5U);
    ASSERT_EQ(f.choices.size(), 1U);
    EXPECT_EQ(f.permanent_links.size(), 0U);
}

TEST(Formulation, AnOdeStaysAsSmallAsItWasWritten) {
    Read r = read("Real a, b;", "der(a) = -a*b; der(b) + 2*der(a) = a;");
    const Formulation f = formulate(r.system, reduced(r.system), Reduction::dummy);
    EXPECT_EQ(f.unknowns.size(), 2U);
    EXPECT_TRUE(f.choices.empty());
}

TEST(StructuralRepair, FindsTheConstraintBetweenTwoCapacitorEquations) {
    // The mass matrix [[1,-1],[-1,1]] C has rank 1: structure alone sees two states.
    Read r = read("parameter Real C = 1e-6; Real a, b, g;",
                  "g = exp(b); C*(der(b) - der(a)) = a - sin(time); C*(der(a) - der(b)) = b + 0.01*g;");
    EXPECT_EQ(structure::signature_method(r.system.signature()).value, 2);
    const RepairOutcome outcome = repair_structure(r.system);
    EXPECT_TRUE(outcome.regular);
    ASSERT_EQ(outcome.repairs.size(), 1U);
    EXPECT_EQ(structure::signature_method(r.system.signature()).value, 1);
    // What the rows take from other blocks (g) must survive in the combination.
    const std::string text = r.system.text(outcome.repairs[0].row);
    EXPECT_THAT(text, testing::HasSubstr("g"));
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("der")));
}

TEST(StructuralRepair, LeavesARegularSystemAlone) {
    Read r = read(pendulum_variables, pendulum_equations);
    EXPECT_TRUE(repair_structure(r.system).repairs.empty());
}

// The second row contains the first as a factor: dependent on solutions, and nowhere else.
TEST(StructuralRepair, EliminatesLeadingDerivativesWhereSolutionsAskForIt) {
    Read r =
        read("Real x, z, w;", "der(x) + z = cos(time) + w; z*(der(x) + z - cos(time) - w) + x = sin(time); der(w) = "
                              "-w;");
    EXPECT_TRUE(repair_structure(r.system).repairs.empty()); // at random points the Jacobian is regular
    const RepairOutcome outcome = repair_structure(r.system, {{0, 1}});
    EXPECT_TRUE(outcome.regular);
    EXPECT_EQ(outcome.eliminated, 1);
    ASSERT_EQ(outcome.repairs.size(), 1U);
    EXPECT_EQ(outcome.repairs[0].row, 1);
    // x = sin(time), and nothing else.
    const std::vector<expr::Partial> left = expr::gradient(r.system.graph(), r.system.residual(outcome.repairs[0].row));
    ASSERT_EQ(left.size(), 1U);
    EXPECT_EQ(r.system.graph().variable_id(left[0].leaf), r.model->find_variable("x"));
    EXPECT_EQ(r.system.graph().derivative_order(left[0].leaf), 0);
    ASSERT_EQ(r.system.replaced.size(), 1U); // what was written must still hold, and is checked
}

TEST(StructuralRepair, LeavesAloneWhatCannotBeEliminated) {
    Read r = read("Real x, z;", "der(x) + z + (der(x) + z)^3 = 2; z*(der(x) + z - 1) + x = sin(time);");
    const NodeId before = r.system.residual(1);
    const RepairOutcome outcome = repair_structure(r.system, {{0, 1}});
    EXPECT_EQ(outcome.eliminated, 0);
    EXPECT_TRUE(outcome.repairs.empty());
    EXPECT_FALSE(outcome.why_not.empty());
    EXPECT_EQ(r.system.residual(1), before);
}

TEST(StructuralDiagnostics, NamesWhatIsTooMuchAndWhatIsMissing) {
    Read r = read("Real x, y, z;", "x + y = 1; x - y = 2; x*y = 3;");
    const Diagnostics d = explain(r.system, structure::diagnose(r.system.signature()));
    const std::string text = render(d);
    EXPECT_THAT(text, testing::HasSubstr("variable 'z' occurs in no equation"));
    EXPECT_THAT(text, testing::HasSubstr("3 equations determine only 2 variables ('x' and 'y')"));
    EXPECT_THAT(text, testing::HasSubstr("M.mo:4"));
}
