// A branch that is not taken may be undefined: neither values nor derivatives of any kind see it, in any back end.
#include "codegen/derivatives.hpp"
#include "codegen/emitter.hpp"
#include "codegen/taylor.hpp"
#include "expr/differentiate.hpp"
#include "expr/evaluate.hpp"
#include "tape/batch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

using namespace daedalus;
using codegen::Kernel;
using expr::Graph;
using expr::NodeId;
using expr::Op;

namespace {

struct Case {
    const char* name;
    std::function<NodeId(Graph&, NodeId x, NodeId y)> branch; ///< undefined for x < 0
};

const Case cases[] = {
    {"sqrt(x)", [](Graph& g, NodeId x, NodeId) { return g.unary(Op::sqrt, x); }},
    {"log(x)", [](Graph& g, NodeId x, NodeId) { return g.unary(Op::log, x); }},
    {"x^0.5", [](Graph& g, NodeId x, NodeId) { return g.pow(x, g.constant(0.5)); }},
    {"y*sqrt(x)", [](Graph& g, NodeId x, NodeId y) { return g.mul(y, g.unary(Op::sqrt, x)); }},
    {"y/(x + 1)", [](Graph& g, NodeId x, NodeId y) { return g.div(y, g.add(x, g.constant(1))); }}, // x = -1
    {"sin(sqrt(x))*exp(y*log(x))", [](Graph& g, NodeId x, NodeId y) {
         return g.mul(g.unary(Op::sin, g.unary(Op::sqrt, x)), g.unary(Op::exp, g.mul(y, g.unary(Op::log, x))));
     }}};

/// Branches alone, nested, several of one expression, in products and below functions.
std::vector<NodeId> uses(Graph& g, NodeId x, NodeId y, NodeId risky) {
    const NodeId zero = g.constant(0), positive = g.binary(Op::gt, x, zero), large = g.binary(Op::gt, x, y);
    const NodeId plain = g.select(positive, risky, y);
    return {plain,
            g.select(g.binary(Op::le, x, zero), g.mul(x, y), risky),
            g.add(g.select(positive, risky, zero), g.select(positive, g.mul(risky, risky), x)),
            g.select(positive, g.select(large, risky, g.mul(risky, y)), y),
            g.add(g.mul(g.select(positive, risky, x), y), g.select(large, g.mul(x, risky), y)),
            g.unary(Op::exp, g.neg(g.mul(plain, plain)))};
}

class BranchNotTaken : public ::testing::TestWithParam<std::size_t> {};

TEST_P(BranchNotTaken, HasNoValueAndNoDerivatives) {
    Graph g;
    const NodeId x = g.variable(0), y = g.variable(1);
    const std::vector<NodeId> leaves{x, y}, outputs = uses(g, x, y, cases[GetParam()].branch(g, x, y));
    std::vector<NodeId> all = outputs;
    for (const codegen::Sweep sweep : {codegen::Sweep::forward, codegen::Sweep::reverse})
        for (const NodeId value : codegen::sparse_jacobian(g, outputs, leaves, sweep).values) all.push_back(value);
    const std::size_t jacobians = all.size();
    for (const NodeId output : outputs)
        for (const expr::Partial& p : expr::gradient(g, output)) all.push_back(p.value);
    const std::vector<NodeId> weights(outputs.size(), g.constant(1));
    for (const NodeId value : codegen::hessian_vector(g, outputs, leaves, weights, leaves)) all.push_back(value);
    expr::TimeDerivative dt(g);
    for (const NodeId output : outputs) all.push_back(dt(dt(output)));
    const codegen::Segments segments{
        {}, {g.time()}, {x, y, g.variable(0, 1), g.variable(1, 1)}, {g.variable(0, 2), g.variable(1, 2)}};

    for (const double at : {-1.0, 2.0}) { // not taken, taken
        const double t = 0, values[] = {at, 0.5, 0.7, -0.3}, second[] = {0.1, 0.2};
        std::vector<double> expected;
        for (const tape::Backend backend : {tape::Backend::interpreter, tape::Backend::automatic}) {
            Kernel kernel(g, segments, all, {.backend = backend});
            std::vector<double> out(all.size());
            const double* inputs[] = {&t, values, second};
            EXPECT_TRUE(kernel(inputs, out.data())) << cases[GetParam()].name << " at " << at;
            for (std::size_t k = 0; k < out.size(); ++k) EXPECT_TRUE(std::isfinite(out[k])) << k;
            if (expected.empty()) expected = out;
            EXPECT_EQ(out, expected);
        }
        // Forward and reverse agree, so what was masked is what had to be.
        const std::size_t entries = (jacobians - outputs.size()) / 2;
        for (std::size_t k = 0; k < entries; ++k)
            EXPECT_NEAR(expected[outputs.size() + k], expected[outputs.size() + entries + k], 1e-14);
    }
}

TEST_P(BranchNotTaken, InBatches) {
    Graph g;
    const NodeId x = g.variable(0), y = g.variable(1);
    const std::vector<NodeId> leaves{x, y}, outputs = uses(g, x, y, cases[GetParam()].branch(g, x, y));
    std::vector<NodeId> all = outputs;
    for (const NodeId value : codegen::sparse_jacobian(g, outputs, leaves, codegen::Sweep::reverse).values)
        all.push_back(value);
    const tape::Tape tape = codegen::lower(g, {{}, {x, y}}, all);
    for (const tape::Backend backend : {tape::Backend::interpreter, tape::Backend::automatic}) {
        const auto program = tape::make_batch_program(tape, backend);
        tape::AlignedMemory w = program->memory();
        const auto width = static_cast<std::size_t>(program->width());
        std::vector<double> out(all.size() * width);
        for (std::size_t lane = 0; lane < width; ++lane) {
            w[tape.segment_begin[1] * width + lane] = lane % 2 == 0 ? -1.0 : 2.0;
            w[(tape.segment_begin[1] + 1) * width + lane] = 0.5;
        }
        program->run_static(w.data(), out.data());
        program->run_main(w.data(), out.data());
        for (const double value : out) EXPECT_TRUE(std::isfinite(value)) << program->name();
    }
}

TEST_P(BranchNotTaken, InTaylorSeries) {
    Graph g;
    const NodeId x = g.variable(0), y = g.variable(1);
    const std::vector<NodeId> outputs = uses(g, x, y, cases[GetParam()].branch(g, x, y));
    const codegen::TaylorProgram program(g, {x, y}, {}, outputs);
    constexpr int order = 5;
    codegen::TaylorEvaluation<double> series(program, order);
    const double curve[2][2] = {{-1.0, 0.7}, {0.5, -0.3}};
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 2; ++k) series.leaf(i)[k] = curve[i][k];
    for (int k = 0; k <= order; ++k) series.advance(k);
    for (int i = 0; i < program.outputs(); ++i)
        for (int k = 0; k <= order; ++k) EXPECT_TRUE(std::isfinite(series.output(i, k))) << i << " " << k;
}

INSTANTIATE_TEST_SUITE_P(Branches, BranchNotTaken, ::testing::Range(std::size_t{0}, std::size(cases)),
                         [](const auto& test) { return "case" + std::to_string(test.param); });

TEST(DomainErrors, BranchNotTakenIsNotBlamed) {
    Graph g;
    const NodeId x = g.variable(0), zero = g.constant(0);
    const NodeId guarded = g.select(g.binary(Op::gt, x, zero), g.unary(Op::sqrt, x), zero);
    const NodeId culprit = g.unary(Op::log, x);
    const expr::DomainError e = expr::find_domain_error(g, g.add(guarded, culprit), [](NodeId) { return -1.0; });
    EXPECT_EQ(e.node, culprit);
}

} // namespace
