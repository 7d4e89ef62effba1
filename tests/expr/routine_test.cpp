// Loops and roots as operations: values and derivatives against closed forms.
#include "expr/differentiate.hpp"
#include "expr/evaluate.hpp"
#include "expr/loop.hpp"
#include "expr/root.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace daedalus::expr {
namespace {

/// Newton's method for √a from x = 1, until x² is a to round-off.
std::shared_ptr<const Loop> square_root() {
    LoopBody b;
    b.inputs = 1;
    Graph& g = b.graph;
    const NodeId a = g.variable(0), x = b.own(0), rest = g.sub(g.mul(x, x), a);
    b.initial = {g.constant(1.0)};
    b.condition = g.binary(Op::gt, g.unary(Op::abs, rest), g.mul(g.constant(1e-15), a));
    b.update = {g.sub(x, g.div(rest, g.mul(g.constant(2.0), x)))};
    b.name = "newton";
    return std::make_shared<const Loop>(std::move(b));
}

double at(const Graph& g, NodeId node, double x) {
    return evaluate(g, node, [&](NodeId) { return x; });
}

TEST(Routine, DerivativesOfALoopAreThoseOfWhatItComputes) {
    Graph g;
    const NodeId x = g.variable(0), y = g.call(square_root(), 0, {g.mul(x, x)}); // |x|
    const NodeId z = g.call(square_root(), 0, {x});
    const NodeId first = partial(g, z, x), second = partial(g, first, x), third = partial(g, second, x);
    for (const double v : {0.3, 1.5, 2.0, 50.0}) { // not 1, where no round is needed and nothing depends on a
        EXPECT_NEAR(at(g, y, v), v, 1e-14 * v);
        EXPECT_NEAR(at(g, z, v), std::sqrt(v), 1e-15 * v + 1e-15);
        EXPECT_NEAR(at(g, first, v), 0.5 / std::sqrt(v), 1e-7 / std::sqrt(v));
        EXPECT_NEAR(at(g, second, v), -0.25 * std::pow(v, -1.5), 1e-5 * std::pow(v, -1.5));
        EXPECT_NEAR(at(g, third, v), 0.375 * std::pow(v, -2.5), 1e-3 * std::pow(v, -2.5));
    }
    EXPECT_TRUE(g.is_constant(g.call(square_root(), 0, {g.constant(9.0)}))); // known at once
}

TEST(Routine, ALoopKeepsWhatDoesNotDependOnTheInputOutOfItsTangents) {
    // s := s·x for i = 1 … n: x^n, with the counter beside it
    LoopBody b;
    b.inputs = 2;
    Graph& body = b.graph;
    const NodeId s = b.own(0), i = b.own(1);
    b.initial = {body.constant(1.0), body.constant(1.0)};
    b.condition = body.binary(Op::le, i, body.variable(1));
    b.update = {body.mul(s, body.variable(0)), body.add(i, body.constant(1.0))};
    b.name = "power";
    const auto power = std::make_shared<const Loop>(std::move(b));
    Graph g;
    const NodeId x = g.variable(0), y = g.call(power, 0, {x, g.constant(5.0)});
    const NodeId counter = g.call(power, 1, {x, g.constant(5.0)});
    const NodeId slope = partial(g, y, x);
    EXPECT_EQ(at(g, y, 2.0), 32.0);
    EXPECT_EQ(at(g, counter, 2.0), 6.0);
    EXPECT_EQ(at(g, slope, 2.0), 80.0);
    EXPECT_EQ(at(g, partial(g, slope, x), 2.0), 160.0);
    EXPECT_TRUE(g.is_constant(partial(g, counter, x), 0.0));
    EXPECT_EQ(g.call_of(slope).routine->outputs(), 3); // no tangent of the counter
}

TEST(Routine, ALoopWithoutEndHasNoResult) {
    LoopBody b;
    b.inputs = 1;
    b.initial = {b.graph.variable(0)};
    b.condition = b.graph.constant(1.0);
    b.update = {b.graph.mul(b.own(0), b.graph.constant(0.5))};
    b.name = "the loop of 'halves'";
    Graph g;
    const NodeId y = g.call(std::make_shared<const Loop>(std::move(b)), 0, {g.variable(0)});
    EXPECT_TRUE(std::isnan(at(g, y, 1.0)));
    const DomainError why = find_domain_error(g, y, [](NodeId) { return 1.0; });
    EXPECT_EQ(why.reason, "the loop of 'halves' has no result");
}

TEST(Routine, DerivativesOfARootFollowFromItsEquation) {
    // u³ + p u = 1 between 0 and 1
    Graph inner;
    const NodeId p = inner.variable(2), u = inner.variable(3);
    const NodeId residual = inner.sub(inner.add(inner.mul(u, inner.mul(u, u)), inner.mul(p, u)), inner.constant(1.0));
    const auto root = std::make_shared<const Root>(std::move(inner), 3, residual, "root");
    Graph g;
    const NodeId x = g.variable(0), y = g.call(root, 0, {g.constant(0.0), g.constant(1.0), x});
    const NodeId first = partial(g, y, x), second = partial(g, first, x);
    for (const double v : {0.0, 0.5, 3.0}) {
        const double w = at(g, y, v), slope = 3 * w * w + v;
        EXPECT_NEAR(w * w * w + v * w, 1.0, 4e-16);
        EXPECT_NEAR(at(g, first, v), -w / slope, 1e-15);
        const double d = -w / slope; // differentiated twice: (3w² + v) w'' + 6 w w'² + 2 w' = 0
        EXPECT_NEAR(at(g, second, v), -(6 * w * d * d + 2 * d) / slope, 1e-14);
    }
    EXPECT_TRUE(std::isnan(at(g, y, -5.0))); // u³ − 5u − 1 has no sign change there
}

} // namespace
} // namespace daedalus::expr
