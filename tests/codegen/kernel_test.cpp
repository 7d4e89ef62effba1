#include "codegen/kernel.hpp"
#include "expr/evaluate.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <random>

using namespace daedalus;
using codegen::Kernel;
using expr::Graph;
using expr::NodeId;
using expr::Op;

namespace {

// A random graph of every operation but pow (whose integer case is lowered to products on purpose).
std::vector<NodeId> random_graph(Graph& g, std::mt19937& random, std::vector<NodeId> pool, int size) {
    const auto pick = [&] { return pool[random() % pool.size()]; };
    for (int k = 0; k < size; ++k) {
        Op op = Op::pow;
        while (op == Op::pow || op == Op::call || expr::is_leaf(op)) op = static_cast<Op>(random() % expr::op_count);
        const NodeId operands[] = {pick(), pick(), pick()};
        pool.push_back(g.rebuild(op, std::span(operands, static_cast<std::size_t>(expr::arity(op)))));
    }
    return pool;
}

} // namespace

TEST(Kernel, BackendsEqualDirectEvaluationBitForBit) {
    std::mt19937 random(11);
    const double specials[] = {0.0, -0.0, 1.0, -1.5, 1e300, -1e-300, INFINITY, -INFINITY, NAN, 0.3, 7.0};
    for (int round = 0; round < 2000; ++round) {
        Graph g;
        const codegen::Segments segments{
            {g.parameter(0), g.parameter(1)}, {g.time()}, {g.variable(0), g.variable(1)}, {g.variable(0, 1)}};
        std::vector<NodeId> leaves{g.constant(0.5), g.constant(-2)};
        for (const auto& s : segments) leaves.insert(leaves.end(), s.begin(), s.end());
        const std::vector<NodeId> pool = random_graph(g, random, leaves, 5 + static_cast<int>(random() % 120));
        std::vector<NodeId> outputs;
        for (std::size_t k = 1 + random() % 24; k > 0; --k) outputs.push_back(pool[random() % pool.size()]);
        const auto value = [&] {
            return random() % 3 == 0 ? specials[random() % std::size(specials)]
                                     : std::uniform_real_distribution<double>(-2, 2)(random);
        };
        const std::array<double, 2> p{value(), value()};
        const double t = value();
        const std::array<double, 2> x{value(), value()};
        const std::array<double, 1> dx{value()};
        const auto expected = expr::evaluate(g, outputs, [&](NodeId leaf) {
            if (g.op(leaf) == Op::parameter) return p[static_cast<std::size_t>(g.parameter_id(leaf))];
            if (g.op(leaf) == Op::time) return t;
            return g.derivative_order(leaf) == 1 ? dx[0] : x[static_cast<std::size_t>(g.variable_id(leaf))];
        });
        Kernel kernel(g, segments, outputs,
                      {.backend = round % 4 == 0 ? tape::Backend::interpreter : tape::Backend::automatic});
        kernel.set_parameters(p);
        std::vector<double> got(outputs.size());
        const std::array<const double*, 3> inputs{&t, x.data(), dx.data()};
        const bool finite = kernel(inputs, got.data());
        bool all_finite = true;
        for (std::size_t k = 0; k < got.size(); ++k) {
            all_finite = all_finite && std::isfinite(expected[k]);
            const bool same = std::isnan(expected[k])
                                  ? std::isnan(got[k])
                                  : std::bit_cast<std::uint64_t>(got[k]) == std::bit_cast<std::uint64_t>(expected[k]);
            EXPECT_TRUE(same) << round << ": " << got[k] << " instead of " << expected[k];
        }
        EXPECT_EQ(finite, all_finite) << round;
    }
}

TEST(Kernel, IntegerPowersAreProducts) {
    Graph g;
    const codegen::Segments segments{{}, {g.variable(0)}};
    for (const int n : {2, 3, 4, 5, 7, 8, 13, -1, -2, -5}) {
        const NodeId outputs[] = {g.pow(g.variable(0), g.constant(n))};
        Kernel kernel(g, segments, outputs);
        kernel.set_parameters({});
        const double x = 1.37;
        double y = 0;
        const std::array<const double*, 1> inputs{&x};
        EXPECT_TRUE(kernel(inputs, &y));
        EXPECT_NEAR(y, std::pow(x, n), 4e-15 * std::abs(std::pow(x, n))) << n;
        if (n == 2) {
            EXPECT_EQ(y, x * x);
        }
    }
}

TEST(Kernel, ParametersChangeWithoutANewKernel) {
    Graph g;
    const NodeId p = g.parameter(0);
    const NodeId outputs[] = {g.mul(g.unary(Op::exp, g.mul(p, p)), g.variable(0))};
    Kernel kernel(g, {{p}, {g.variable(0)}}, outputs);
    EXPECT_EQ(kernel.instructions(), 2U); // the exponential is static: product and store remain
    const double x = 2;
    const std::array<const double*, 1> inputs{&x};
    double y = 0;
    for (const double value : {0.5, 1.5}) {
        kernel.set_parameters(std::span(&value, 1));
        EXPECT_TRUE(kernel(inputs, &y));
        EXPECT_EQ(y, std::exp(value * value) * x);
    }
}
