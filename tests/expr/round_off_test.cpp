#include "expr/round_off.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace daedalus::expr {
namespace {

// (x + y)² − x² − 2xy − y² vanishes, though not in floating-point numbers; x² − y² does not.
TEST(RoundOff, TellsCancellationFromSmallNumbers) {
    Graph g;
    const NodeId x = g.variable(0), y = g.variable(1);
    const NodeId sum = g.add(x, y);
    const NodeId zero =
        g.sub(g.sub(g.sub(g.mul(sum, sum), g.mul(x, x)), g.mul(g.constant(2.0), g.mul(x, y))), g.mul(y, y));
    const NodeId small = g.mul(g.constant(1e-30), g.sub(g.mul(x, x), g.mul(y, y)));
    const std::vector<NodeId> list{zero, small};
    const auto values = evaluate_rounded(
        g, list, [&](NodeId leaf) -> RoundedValue { return {leaf == x ? 1.0 / 3.0 : std::sqrt(2.0)}; });
    EXPECT_TRUE(values[0].vanishes());
    EXPECT_FALSE(values[1].vanishes());
}

// An error of the leaf reaches the value through functions: δ exp(x) = exp(x) δx.
TEST(RoundOff, ErrorsOfLeavesArePropagated) {
    Graph g;
    const std::vector<NodeId> list{g.unary(Op::exp, g.variable(0))};
    const auto values = evaluate_rounded(g, list, [](NodeId) -> RoundedValue { return {2.0, 1e-8}; });
    EXPECT_NEAR(values[0].error, std::exp(2.0) * 1e-8, 1e-15);
}

} // namespace
} // namespace daedalus::expr
