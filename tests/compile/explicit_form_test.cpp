// z = f(t, x) as code of one piece satisfies the rows that it was eliminated from, and a step onto the constraints is
// the shortest that solves the linearised ones.
#include "compile/compile.hpp"
#include "integrate/consistent_start.hpp"
#include "modelica/read_modelica.hpp"
#include "problem/explicit_form.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace daedalus::compile {
namespace {

struct Started {
    CompiledModel compiled;
    std::vector<double> x, dx;
};

Started started(const std::string& name) {
    auto m = modelica::read_modelica_file(std::string(DAEDALUS_SOURCE_DIR) + "/tests/problems/" + name + ".mo");
    EXPECT_TRUE(m) << name;
    auto c = compile(std::make_shared<const model::Model>(*std::move(m)), {.inline_definitions = true});
    EXPECT_TRUE(c) << name;
    Started s{*std::move(c), {}, {}};
    const auto start = integrate::consistent_start(s.compiled.initial);
    EXPECT_TRUE(start) << name;
    s.x = start->x(s.compiled.initial);
    s.dx = start->dx(s.compiled.initial);
    return s;
}

/// States moved aside; then the most differentiated rows, and those alone, can be satisfied by z.
TEST(ExplicitForm, SatisfiesTheRowsThatItComesFrom) {
    for (const char* name : {"pendulum", "caraxis", "andrews"}) {
        Started s = started(name);
        const problem::ImplicitProblem& p = s.compiled.problem;
        const auto& form = p.facet<problem::ExplicitForm>();
        ASSERT_FALSE(form.empty()) << name;
        const auto n = static_cast<std::size_t>(p.size());
        std::vector<double> x = s.x, z(n + problem::ExplicitForm::watched), dx(n, 0.0), r(n);
        for (std::size_t k = 0; k < n; ++k)
            x[k] += 1e-2 * std::cos(3.0 * static_cast<double>(k)) * (0.1 + std::abs(x[k]));
        ASSERT_EQ(form.evaluate(p.call(), 0.1, x.data(), z.data()), problem::EvalStatus::ok);
        std::vector<char> given(n, 0), below(n, 0);
        for (const problem::Link& link : p.state_choice().permanent_links)
            given[static_cast<std::size_t>(link.state)] = 1;
        for (const problem::ChoiceBlock& block : p.state_choice().blocks) {
            for (const std::vector<int>& chain : block.chain)
                for (std::size_t k = 0; k + 1 < chain.size(); ++k) {
                    given[static_cast<std::size_t>(chain[k])] = 1;
                    // z of what a link integrates is what it integrates.
                    const auto d = static_cast<std::size_t>(chain[k + 1]);
                    EXPECT_EQ(z[static_cast<std::size_t>(chain[k])], k + 2 < chain.size() ? x[d] : z[d]) << name;
                }
            for (std::size_t i = 0; i < block.top_row.size(); ++i)
                for (int k = 1; k <= block.differentiations[i]; ++k)
                    below[static_cast<std::size_t>(block.top_row[i] - k)] = 1;
        }
        for (std::size_t k = 0; k < n; ++k)
            if (given[k] == 0) x[k] = z[k];
        ASSERT_EQ(p.residual(0.1, x.data(), dx.data(), r.data()), problem::EvalStatus::ok);
        double size = 1.0;
        for (const double v : z) size = std::max(size, std::min(std::abs(v), 1e6));
        for (int i = 0; i < p.kernel_rows(); ++i)
            if (below[static_cast<std::size_t>(i)] == 0)
                EXPECT_NEAR(r[static_cast<std::size_t>(i)], 0.0, 1e-11 * size) << name << " row " << i;
    }
}

// The pendulum of length L in all coordinates: beside x² + y² = L² by d, the nearest point with equal sizes lies on the
// ray, d away to first order; what is left is of second order.
TEST(ConstraintStep, IsTheShortestOne) {
    Started s = started("pendulum");
    const problem::ImplicitProblem& p = s.compiled.problem;
    const auto& step = p.facet<problem::ConstraintStep>();
    ASSERT_FALSE(step.empty());
    std::vector<double> x = s.x, delta(step.moved.size() + 1), sizes(x.size(), 1.0);
    int ix = -1, iy = -1;
    for (int i = 0; i < p.size(); ++i) {
        if (p.names().variable(i) == "x") ix = i;
        if (p.names().variable(i) == "y") iy = i;
    }
    ASSERT_TRUE(ix >= 0 && iy >= 0);
    const double length = std::hypot(x[static_cast<std::size_t>(ix)], x[static_cast<std::size_t>(iy)]), d = 1e-4;
    x[static_cast<std::size_t>(ix)] = (length + d) * 0.6;
    x[static_cast<std::size_t>(iy)] = (length + d) * -0.8;
    for (const int k : step.moved)
        if (k != ix && k != iy) x[static_cast<std::size_t>(k)] = 0.0; // at rest
    ASSERT_EQ(step.evaluate(p.call(), 0.0, x.data(), sizes.data(), delta.data()), problem::EvalStatus::ok);
    for (std::size_t k = 0; k < step.moved.size(); ++k) {
        const double wanted = step.moved[k] == ix ? -0.6 * d : step.moved[k] == iy ? 0.8 * d : 0.0;
        EXPECT_NEAR(delta[k], wanted, 2.0 * d * d / length);
    }
}

} // namespace
} // namespace daedalus::compile
