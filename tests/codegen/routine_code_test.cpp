// Kernels whose expressions call routines: machine code between them, the interpreter, and values node by node agree.
#include "codegen/kernel.hpp"
#include "expr/evaluate.hpp"
#include "expr/loop.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace daedalus::codegen {
namespace {

using expr::NodeId;
using expr::Op;

TEST(RoutineCode, BackEndsAgree) {
    expr::LoopBody body; // (a, b) := ((a + b)/2, √(a b)) until they agree
    body.inputs = 2;
    expr::Graph& inner = body.graph;
    const NodeId a = body.own(0), b = body.own(1);
    body.initial = {inner.variable(0), inner.variable(1)};
    body.condition = inner.binary(Op::gt, inner.unary(Op::abs, inner.sub(a, b)), inner.mul(inner.constant(1e-15), a));
    body.update = {inner.mul(inner.constant(0.5), inner.add(a, b)), inner.unary(Op::sqrt, inner.mul(a, b))};
    const auto mean = std::make_shared<const expr::Loop>(std::move(body));
    expr::Graph g;
    const NodeId p = g.parameter(0), x = g.variable(0), y = g.variable(1);
    const NodeId m = g.call(mean, 0, {x, y}), n = g.call(mean, 1, {x, y}),
                 fixed = g.call(mean, 0, {p, g.constant(1.0)});
    std::vector<NodeId> outputs{g.add(m, g.unary(Op::sin, n)), g.mul(fixed, x)};
    outputs.push_back(g.call(mean, 0, {g.mul(m, x), g.add(outputs[0], g.constant(3.0))}));
    for (int k = 0; k < 40; ++k) outputs.push_back(g.add(g.mul(outputs.back(), g.unary(Op::cos, m)), x)); // long-lived
    const Segments segments{{p}, {x, y}};
    for (const auto backend : {tape::Backend::interpreter, tape::Backend::automatic}) {
        KernelOptions options;
        options.backend = backend;
        Kernel kernel(g, segments, outputs, options);
        const double parameter[] = {7.0};
        kernel.set_parameters(parameter);
        for (const double v : {0.5, 2.0, 30.0}) {
            const double at[] = {v, 1.0 + v * v};
            const double* inputs[] = {at};
            std::vector<double> out(outputs.size());
            ASSERT_TRUE(kernel(inputs, out.data()));
            const auto expected = expr::evaluate(
                g, outputs, [&](NodeId leaf) { return g.op(leaf) == Op::parameter ? 7.0 : at[g.variable_id(leaf)]; });
            for (std::size_t k = 0; k < out.size(); ++k)
                EXPECT_NEAR(out[k], expected[k], 1e-12 * (1 + std::abs(expected[k]))) << k;
        }
    }
}

} // namespace
} // namespace daedalus::codegen
