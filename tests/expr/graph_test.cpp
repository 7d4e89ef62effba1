#include "expr/differentiate.hpp"
#include "expr/evaluate.hpp"
#include "expr/functions/function.hpp"
#include "expr/graph.hpp"
#include "expr/print.hpp"
#include "expr/substitute.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

using namespace daedalus::expr;

namespace {

const Names names{[](int id, int order) {
                      const std::string base(1, static_cast<char>('x' + id));
                      return order == 0 ? base : "der(" + base + (order > 1 ? "," + std::to_string(order) : "") + ")";
                  },
                  [](int id) { return "p" + std::to_string(id); }};

std::string text(const Graph& g, NodeId id) { return to_string(g, id, names); }

} // namespace

TEST(Graph, EqualExpressionsAreOneNode) {
    Graph g;
    const NodeId x = g.variable(0), y = g.variable(1);
    EXPECT_EQ(g.add(x, y), g.add(y, x));
    EXPECT_EQ(g.mul(g.add(x, y), x), g.mul(x, g.add(y, x)));
    EXPECT_NE(g.sub(x, y), g.sub(y, x));
    EXPECT_EQ(g.constant(-0.0), g.constant(0.0));
}

// What was built goes on being one node for equal expressions, and a copy of the beginning grows as the whole once did.
TEST(Graph, RestsAndIsCopiedInPart) {
    Graph g;
    const NodeId x = g.variable(0), sum = g.add(x, g.parameter(0));
    const Graph::Extent early = g.extent();
    std::vector<NodeId> later;
    for (int k = 1; k < 2000; ++k) later.push_back(g.mul(sum, g.variable(k)));
    g.rest();
    EXPECT_EQ(g.add(g.parameter(0), g.variable(0)), sum);
    EXPECT_EQ(g.mul(g.variable(1999 - 1), sum), later[1997]);
    EXPECT_EQ(g.size(), early.nodes + 2 * later.size());
    Graph copy = g.first(early);
    EXPECT_EQ(copy.size(), early.nodes);
    for (int k = 1; k < 2000; ++k) EXPECT_EQ(copy.mul(sum, copy.variable(k)), later[static_cast<std::size_t>(k - 1)]);
}

TEST(Graph, SimplifiesExactly) {
    Graph g;
    const NodeId x = g.variable(0), y = g.variable(1), zero = g.constant(0), one = g.constant(1);
    EXPECT_EQ(g.add(x, zero), x);
    EXPECT_EQ(g.mul(one, x), x);
    EXPECT_EQ(g.sub(x, x), zero);
    EXPECT_EQ(g.div(x, x), one);
    EXPECT_EQ(g.neg(g.sub(x, y)), g.sub(y, x));
    EXPECT_EQ(g.add(x, g.neg(y)), g.sub(x, y));
    EXPECT_EQ(g.pow(x, one), x);
    EXPECT_EQ(g.select(g.binary(Op::lt, one, zero), x, y), y);
    // An undefined constant operation stays, so that it can be reported where it stands.
    EXPECT_EQ(g.op(g.div(one, zero)), Op::div);
    // No reassociation: (x + 1) + 2 is not x + 3.
    EXPECT_EQ(text(g, g.add(g.add(x, one), g.constant(2))), "x + 1 + 2");
}

TEST(Print, UsesTheFewestParenthesesThatKeepTheMeaning) {
    Graph g;
    const NodeId x = g.variable(0), y = g.variable(1), z = g.variable(2), two = g.constant(2);
    EXPECT_EQ(text(g, g.sub(x, g.sub(y, z))), "x - (y - z)");
    EXPECT_EQ(text(g, g.div(x, g.mul(y, z))), "x/(y*z)");
    EXPECT_EQ(text(g, g.mul(g.add(x, y), z)), "(x + y)*z");
    EXPECT_EQ(text(g, g.pow(g.neg(x), two)), "(-x)^2");
    EXPECT_EQ(text(g, g.neg(g.pow(x, two))), "-x^2");
    EXPECT_EQ(text(g, g.pow(x, g.constant(-1))), "x^(-1)");
    EXPECT_EQ(text(g, g.select(g.binary(Op::lt, x, y), x, g.unary(Op::sin, g.variable(0, 1)))),
              "if x < y then x else sin(der(x))");
    EXPECT_EQ(to_string(g, g.div(x, g.unary(Op::sqrt, y)), names, Notation::latex), R"(\frac{x}{\sqrt{y}})");
}

TEST(Differentiate, TotalDerivativeOfTheLengthConstraint) {
    Graph g;
    const NodeId x = g.variable(0), y = g.variable(1), two = g.constant(2);
    TimeDerivative ddt(g);
    const NodeId constraint = g.sub(g.add(g.pow(x, two), g.pow(y, two)), g.parameter(0));
    EXPECT_EQ(text(g, ddt(constraint)), "2*x*der(x) + 2*y*der(y)");
    EXPECT_EQ(ddt(g.time()), g.constant(1));
}

// Every operation against a central difference at points of its domain.
TEST(Differentiate, GradientAgreesWithDifferences) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> in(0.15, 0.85);
    for (int code = static_cast<int>(Op::neg); code < op_count; ++code) {
        const Op op = static_cast<Op>(code);
        if (is_boolean(op)) continue;
        Graph g;
        const NodeId x = g.variable(0), y = g.variable(1);
        const NodeId f = arity(op) == 1   ? g.unary(op, x)
                         : arity(op) == 2 ? g.binary(op, x, y)
                                          : g.select(g.binary(Op::lt, x, g.constant(0.5)), g.mul(x, y), g.sub(y, x));
        const double at[2] = {in(random), in(random)};
        const auto value = [&](double vx, double vy) {
            return evaluate(g, f, [&](NodeId leaf) { return leaf == x ? vx : vy; });
        };
        double exact[2] = {0, 0};
        for (const Partial& p : gradient(g, f))
            exact[g.variable_id(p.leaf)] = evaluate(g, p.value, [&](NodeId leaf) { return at[g.variable_id(leaf)]; });
        const double h = 1e-6;
        EXPECT_NEAR(exact[0], (value(at[0] + h, at[1]) - value(at[0] - h, at[1])) / (2 * h), 1e-7) << code;
        EXPECT_NEAR(exact[1], (value(at[0], at[1] + h) - value(at[0], at[1] - h)) / (2 * h), 1e-7) << code;
    }
}

TEST(Graph, DeepAndWideExpressionsCostLinearTimeAndNoStack) {
    Graph g;
    NodeId deep = g.variable(0);
    for (int i = 0; i < 100000; ++i) deep = g.unary(i % 2 ? Op::sin : Op::atan, deep);
    TimeDerivative ddt(g);
    EXPECT_NE(ddt(deep), no_node);
    EXPECT_EQ(gradient(g, deep).size(), 1U);
    EXPECT_LE(to_string(g, deep, names).size(), 4100U);
    Substitution shift(g, [&](NodeId leaf) { return g.op(leaf) == Op::variable ? g.time() : leaf; });
    EXPECT_NE(shift(deep), deep);
    NodeId wide = g.constant(0);
    for (int i = 0; i < 500000; ++i) wide = g.add(wide, g.mul(g.variable(i), g.variable(i + 1)));
    EXPECT_EQ(gradient(g, wide).size(), 500001U);
}

TEST(Evaluate, NamesTheOperationThatIsNotDefined) {
    Graph g;
    const NodeId x = g.variable(0);
    const NodeId root = g.unary(Op::sqrt, g.sub(x, g.constant(1)));
    const DomainError e = find_domain_error(g, g.mul(g.constant(3), root), [](NodeId) { return 0.75; });
    EXPECT_EQ(e.node, root);
    EXPECT_EQ(e.reason, "sqrt of a negative number (-0.25)");
}

TEST(Functions, TableFollowsTheOps) {
    for (const Function* f : all_functions()) {
        EXPECT_EQ(&function(f->op), f);
        EXPECT_EQ(find_function(f->name), f);
        EXPECT_EQ(arity(f->op), f->value1 ? 1 : 2);
    }
}

TEST(Graph, FactorsThatAreNotFiniteAreBuiltInFiniteTime) {
    Graph g;
    const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    const NodeId x = g.variable(0);
    for (const double a : {inf, -inf, nan, 1e308, 5e-324})
        for (const double b : {inf, -inf, nan, 1e308, 5e-324})
            for (const Op op : {Op::add, Op::sub, Op::mul, Op::div, Op::pow, Op::min})
                for (const NodeId left : {g.constant(a), g.neg(g.constant(a)), g.mul(g.constant(a), x)})
                    for (const NodeId right : {g.constant(b), g.neg(g.constant(b)), g.neg(g.mul(g.constant(b), x))}) {
                        const NodeId built = g.binary(op, left, right);
                        EXPECT_LT(index(built), g.size());
                    }
}
