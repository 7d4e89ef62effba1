// Taylor recurrences against repeated symbolic differentiation, against quadruple-precision polynomials through the
// function's values, against closed forms, and against each other (numbers, compiled tape).
#include "codegen/taylor.hpp"
#include "expr/differentiate.hpp"
#include "expr/evaluate.hpp"
#include "expr/functions/function.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

using namespace daedalus;
using codegen::TaylorEvaluation;
using codegen::TaylorProgram;
using expr::Graph;
using expr::NodeId;
using expr::Op;
using expr::Quad;

namespace {

constexpr int order = 15;

// x(s) = 0.4 + 0.3 s + 0.2 s² and y(s) = 0.7 - 0.5 s: inside every domain.
template <class T>
std::vector<T> series(TaylorProgram& program, bool two) {
    TaylorEvaluation<T> evaluation(program, order);
    evaluation.leaf(0)[0] = T(0.4), evaluation.leaf(0)[1] = T(0.3), evaluation.leaf(0)[2] = T(0.2);
    if (two) evaluation.leaf(1)[0] = T(0.7), evaluation.leaf(1)[1] = T(-0.5);
    std::vector<T> result;
    for (int k = 0; k <= order; ++k) {
        evaluation.advance(k);
        result.push_back(evaluation.output(0, k));
    }
    return result;
}

Quad direct(const Graph& g, NodeId expression, Quad s) {
    std::vector<std::pair<NodeId, Quad>> values;
    const auto value = [&](NodeId id) {
        for (const auto& [node, v] : values)
            if (node == id) return v;
        return Quad(0);
    };
    for (const NodeId node : g.reachable(std::span(&expression, 1))) {
        const Op op = g.op(node);
        if (op == Op::constant)
            values.emplace_back(node, g.constant_value(node));
        else if (expr::is_leaf(op))
            values.emplace_back(node, g.variable_id(node) == 0 ? Quad(0.4) + Quad(0.3) * s + Quad(0.2) * s * s
                                                               : Quad(0.7) - Quad(0.5) * s);
        else {
            Quad o[3] = {0, 0, 0};
            for (int k = 0; k < expr::arity(op); ++k) o[k] = value(g.operand(node, k));
            values.emplace_back(node, expr::apply_to(op, o[0], o[1], o[2]));
        }
    }
    return values.back().second;
}

// Coefficients 0 … 4 by central differences with step h: error O(h²) times the sixth derivative and round-off/h^k.
std::array<double, 5> differences(const Graph& g, NodeId e) {
    const Quad h = 1e-4;
    std::array<Quad, 7> f;
    for (int i = -3; i <= 3; ++i) f[static_cast<std::size_t>(i + 3)] = direct(g, e, h * i);
    const auto at = [&](int i) { return f[static_cast<std::size_t>(i + 3)]; };
    return {
        static_cast<double>(at(0)),
        static_cast<double>((45 * (at(1) - at(-1)) - 9 * (at(2) - at(-2)) + (at(3) - at(-3))) / (60 * h)),
        static_cast<double>((270 * (at(1) + at(-1)) - 27 * (at(2) + at(-2)) + 2 * (at(3) + at(-3)) - 490 * at(0)) /
                            (180 * h * h * 2)),
        static_cast<double>((-13 * (at(1) - at(-1)) + 8 * (at(2) - at(-2)) - (at(3) - at(-3))) / (8 * h * h * h * 6)),
        static_cast<double>((56 * at(0) - 39 * (at(1) + at(-1)) + 12 * (at(2) + at(-2)) - (at(3) + at(-3))) /
                            (6 * h * h * h * h * 24))};
}

std::vector<NodeId> expressions(Graph& g) {
    const NodeId x = g.variable(0), y = g.variable(1);
    std::vector<NodeId> list;
    for (const expr::Function* f : expr::all_functions())
        list.push_back(expr::arity(f->op) == 1 ? g.unary(f->op, x) : g.binary(f->op, x, y));
    list.push_back(g.neg(x));
    list.push_back(g.mul(x, y));
    list.push_back(g.div(x, y));
    list.push_back(g.sub(x, g.mul(y, y)));
    list.push_back(g.pow(x, y));
    list.push_back(g.pow(x, g.constant(2.5)));
    list.push_back(g.pow(x, g.constant(7)));
    list.push_back(g.pow(x, g.constant(-3)));
    list.push_back(g.select(g.binary(Op::lt, x, y), g.unary(Op::exp, x), y));
    list.push_back(g.select(g.binary(Op::gt, x, y), g.unary(Op::exp, x), g.mul(y, y)));
    list.push_back(g.unary(Op::sin, g.div(g.unary(Op::exp, g.mul(x, y)), g.unary(Op::sqrt, g.add(x, y)))));
    return list;
}

} // namespace

TEST(Taylor, EveryFunctionAgainstSymbolicDerivatives) {
    Graph g;
    for (const NodeId e : expressions(g)) {
        TaylorProgram program(g, {g.variable(0), g.variable(1)}, {}, std::span(&e, 1));
        const std::vector<double> c = series<double>(program, true);
        // d^k e/ds^k with x' = 0.3 + 0.4 s, x'' = 0.4, y' = -0.5; symbolic derivatives swell: up to order 6 here
        expr::TimeDerivative derivative(g);
        NodeId current = e;
        double factorial = 1;
        for (int k = 0; k <= 6; ++k) {
            if (k > 0) factorial *= k;
            const double expected = expr::evaluate(g, current, [&](NodeId leaf) {
                const int m = g.derivative_order(leaf);
                if (g.variable_id(leaf) == 0) return m == 0 ? 0.4 : m == 1 ? 0.3 : m == 2 ? 0.4 : 0.0;
                return m == 0 ? 0.7 : m == 1 ? -0.5 : 0.0;
            });
            EXPECT_NEAR(c[static_cast<std::size_t>(k)], expected / factorial,
                        2e-12 * std::max(1.0, std::abs(expected / factorial)))
                << "operation " << static_cast<int>(g.op(e)) << " order " << k;
            current = derivative(current);
        }
    }
}

TEST(Taylor, QuadrupleAgreesWithDoubleAndWithDifferences) {
    Graph g;
    for (const NodeId e : expressions(g)) {
        TaylorProgram program(g, {g.variable(0), g.variable(1)}, {}, std::span(&e, 1));
        const std::vector<double> c = series<double>(program, true);
        const std::vector<Quad> q = series<Quad>(program, true);
        double scale = 1;
        for (std::size_t k = 0; k <= order; ++k) {
            scale = std::max(scale, std::abs(c[k]));
            EXPECT_NEAR(c[k], static_cast<double>(q[k]), 1e-12 * scale)
                << "operation " << static_cast<int>(g.op(e)) << " order " << k;
        }
        const auto d = differences(g, e);
        for (std::size_t k = 0; k < d.size(); ++k)
            EXPECT_NEAR(static_cast<double>(q[k]), d[k], 1e-5 * scale)
                << "operation " << static_cast<int>(g.op(e)) << " order " << k;
        // The polynomial meets the function: the remainder at a small s is far below every term kept.
        const Quad s = 1e-2;
        Quad p = 0;
        for (std::size_t k = order + 1; k-- > 0;) p = p * s + q[k];
        EXPECT_LT(std::abs(static_cast<double>(p - direct(g, e, s))), 1e-20 * scale) << static_cast<int>(g.op(e));
    }
}

TEST(Taylor, ClosedForms) {
    Graph g;
    const NodeId t = g.time();
    const NodeId outputs[] = {g.unary(Op::exp, t),  g.div(g.constant(1), g.sub(g.constant(1), t)),
                              g.unary(Op::sin, t),  g.unary(Op::log, g.add(g.constant(1), t)),
                              g.unary(Op::atan, t), g.pow(t, g.constant(5))};
    TaylorProgram program(g, {t}, {}, outputs);
    TaylorEvaluation<double> evaluation(program, order);
    evaluation.leaf(0)[1] = 1;
    double factorial = 1;
    for (int k = 0; k <= order; ++k) {
        evaluation.advance(k);
        if (k > 0) factorial *= k;
        EXPECT_NEAR(evaluation.output(0, k), 1 / factorial, 1e-15);
        EXPECT_EQ(evaluation.output(1, k), 1.0);
        EXPECT_NEAR(evaluation.output(2, k), k % 2 == 0 ? 0 : (k % 4 == 1 ? 1 : -1) / factorial, 1e-15);
        EXPECT_NEAR(evaluation.output(3, k), k == 0 ? 0 : (k % 2 == 1 ? 1.0 : -1.0) / k, 1e-14);
        EXPECT_NEAR(evaluation.output(4, k), k % 2 == 0 ? 0 : (k % 4 == 1 ? 1.0 : -1.0) / k, 1e-14);
        EXPECT_EQ(evaluation.output(5, k), k == 5 ? 1.0 : 0.0); // although the base vanishes
    }
}

TEST(Taylor, SolvesAnOrdinaryDifferentialEquationOrderByOrder) {
    // x' = x², x(0) = 1: x = 1/(1 - t), all coefficients 1.
    Graph g;
    const NodeId f = g.pow(g.variable(0), g.constant(2));
    TaylorProgram program(g, {g.variable(0)}, {}, std::span(&f, 1));
    TaylorEvaluation<double> evaluation(program, order);
    evaluation.leaf(0)[0] = 1;
    for (int k = 0; k < order; ++k) {
        evaluation.advance(k);
        evaluation.leaf(0)[static_cast<std::size_t>(k) + 1] = evaluation.output(0, k) / (k + 1);
        EXPECT_DOUBLE_EQ(evaluation.leaf(0)[static_cast<std::size_t>(k) + 1], 1.0);
    }
}

TEST(Taylor, KernelEqualsEvaluation) {
    Graph g;
    const std::vector<NodeId> list = expressions(g);
    std::vector<NodeId> outputs = list;
    outputs.push_back(g.mul(g.parameter(0), g.unary(Op::sin, g.mul(g.parameter(0), g.variable(0)))));
    const TaylorProgram program(g, {g.variable(0), g.variable(1)}, {g.parameter(0)}, outputs);
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(0.2, 0.8);
    TaylorEvaluation<double> evaluation(program, order);
    std::vector<double> coefficients;
    for (int i = 0; i < 2; ++i)
        for (double& c : evaluation.leaf(i)) coefficients.push_back(c = uniform(random));
    const double p = 1.7;
    evaluation.set_held(0, p);
    for (int k = 0; k <= order; ++k) evaluation.advance(k);
    codegen::Kernel kernel = codegen::taylor_kernel(program, order);
    kernel.set_parameters(std::span(&p, 1));
    std::vector<double> got(outputs.size() * (order + 1));
    const std::array<const double*, 1> inputs{coefficients.data()};
    EXPECT_TRUE(kernel(inputs, got.data()));
    for (int i = 0; i < program.outputs(); ++i)
        for (int k = 0; k <= order; ++k) {
            const double expected = evaluation.output(i, k);
            // Foldings with 0 and 1 are exact; only the base of a product may be shared in another order.
            EXPECT_NEAR(got[static_cast<std::size_t>(i * (order + 1) + k)], expected,
                        1e-13 * std::max(1.0, std::abs(expected)))
                << i << ' ' << k;
        }
}

TEST(Taylor, SeriesOfADerivative) {
    const std::array<double, 5> jet{1, 2, 3, 4, 5};
    std::array<double, 3> series{};
    codegen::series_of_derivative(jet, 2, series);
    EXPECT_EQ(series[0], 6.0);
    EXPECT_EQ(series[1], 24.0);
    EXPECT_EQ(series[2], 60.0);
}
