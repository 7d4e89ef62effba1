// Subexpressions that root functions have in common, with each other and with residual and Jacobian, are computed once
// where they are evaluated together.
#include "codegen/kernel.hpp"
#include "compile/compilation.hpp"
#include "compile/problem_jacobian.hpp"
#include "modelica/read_modelica.hpp"

#include <gtest/gtest.h>

using namespace daedalus;
using namespace daedalus::compile;

namespace {

std::size_t operations(const Compilation& c, const std::vector<expr::NodeId>& outputs) {
    return codegen::Kernel(c.system.graph(), problem_segments(c), outputs, {.loops = false}).instructions();
}

std::vector<expr::NodeId> rows_and_entries(const Compilation& c) {
    std::vector<expr::NodeId> list;
    for (const auto& row : c.formulation.rows) list.push_back(row.residual);
    for (const int k : c.jacobian.varying) list.push_back(c.jacobian.entries[static_cast<std::size_t>(k)]);
    return list;
}

Expected<CompiledModel> compiled(const std::string& text) {
    auto m = modelica::read_modelica(std::make_shared<const SourceFile>("roots.mo", text));
    EXPECT_TRUE(m);
    return compile::compile(std::make_shared<const model::Model>(*std::move(m)));
}

} // namespace

TEST(RootSharing, RootFunctionsAreOneTape) {
    // Three conditions on one costly value.
    const auto m = compiled("model M Real x(start=1); Real y; discrete Integer n(start=0); equation der(x) = -x + y; "
                            "y = sin(x*x)*exp(-x) + time; "
                            "when sin(x*x)*exp(-x) > 0.5 then n = 1; "
                            "elsewhen sin(x*x)*exp(-x) + x > 1 then n = 2; "
                            "elsewhen x*(sin(x*x)*exp(-x)) > 2 then n = 3; end when; end M;");
    ASSERT_TRUE(m);
    const Compilation& c = *m->compilation;
    ASSERT_EQ(c.root_expressions.size(), 3U);
    std::size_t alone = 0;
    for (const expr::NodeId root : c.root_expressions) alone += operations(c, {root});
    EXPECT_EQ(m->root_instructions, operations(c, c.root_expressions));
    // sin, exp, two products and a sign, twice less.
    EXPECT_EQ(m->root_instructions + 10, alone);
}

TEST(RootSharing, WithResidualAndJacobianInOneKernel) {
    const auto m = compiled("model M Real x(start=1); Real y(start=1); Boolean high; equation "
                            "der(x) = -sin(x*y)*exp(-x); der(y) = if high then x else -y; "
                            "high = sin(x*y)*exp(-x) > 0.25; end M;");
    ASSERT_TRUE(m);
    const Compilation& c = *m->compilation;
    std::vector<expr::NodeId> all = rows_and_entries(c);
    const std::size_t linearization = operations(c, all);
    const std::size_t roots = operations(c, c.root_expressions);
    all.insert(all.end(), c.root_expressions.begin(), c.root_expressions.end());
    const std::size_t together = operations(c, all);
    // Of the root function nothing is left but a difference and a store.
    EXPECT_EQ(together, linearization + 2);
    EXPECT_GT(roots, 6U);
}
