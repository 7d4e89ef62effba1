// Loops over equations of equal shape give what the unrolled tape gives, bit for bit, from far fewer instructions.
#include "codegen/kernel.hpp"
#include "expr/differentiate.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <random>

using namespace daedalus;
using codegen::Kernel;
using expr::Graph;
using expr::NodeId;
using expr::Op;

namespace {

struct Case {
    Graph g;
    codegen::Segments segments;
    std::vector<NodeId> outputs;
    std::vector<std::uint32_t> groups;
    std::vector<double> p, x, dx;

    // Residuals, then their gradients; groups are rows.
    void add_jacobian() {
        const std::size_t rows = outputs.size();
        for (std::size_t i = 0; i < rows; ++i) groups.push_back(static_cast<std::uint32_t>(i));
        for (std::size_t i = 0; i < rows; ++i)
            for (const expr::Partial& partial : expr::gradient(g, outputs[i])) {
                outputs.push_back(partial.value);
                groups.push_back(static_cast<std::uint32_t>(i));
            }
    }
    void values(std::mt19937& random) {
        std::uniform_real_distribution<double> uniform(0.1, 2.0);
        for (std::size_t k = 0; k < segments[0].size(); ++k) p.push_back(uniform(random));
        for (std::size_t k = 0; k < segments[2].size(); ++k) x.push_back(uniform(random));
        for (std::size_t k = 0; k < segments[3].size(); ++k) dx.push_back(uniform(random));
    }
    /// Returns whether there were loops.
    bool expect_equal(double largest_share) {
        Kernel looped(g, segments, outputs, {.groups = groups});
        Kernel straight(g, segments, outputs, {.groups = groups, .loops = false});
        EXPECT_LT(static_cast<double>(looped.stored_instructions()),
                  largest_share * static_cast<double>(straight.stored_instructions()));
        std::vector<double> a(outputs.size()), b(outputs.size());
        for (int round = 0; round < 3; ++round) {
            if (round != 1) {
                for (double& value : p) value *= 1.25;
                looped.set_parameters(p);
                straight.set_parameters(p);
            }
            const double t = 0.3 + round;
            const std::array<const double*, 3> inputs{&t, x.data(), dx.data()};
            EXPECT_EQ(looped(inputs, a.data()), straight(inputs, b.data()));
            std::size_t different = 0;
            for (std::size_t k = 0; k < a.size(); ++k)
                different += std::bit_cast<std::uint64_t>(a[k]) != std::bit_cast<std::uint64_t>(b[k]) &&
                             !(std::isnan(a[k]) && std::isnan(b[k]));
            EXPECT_EQ(different, 0U);
        }
        return looped.stored_instructions() < straight.stored_instructions() / 2;
    }
};

// C_k v_k' = flux_{k} - flux_{k+1} + source, where flux_k is a nonlinear function shared by its two neighbours.
Case transport(int n) {
    Case c;
    Graph& g = c.g;
    c.segments.resize(4);
    c.segments[1] = {g.time()};
    for (int k = 0; k < n; ++k) {
        c.segments[0].push_back(g.parameter(k));
        c.segments[2].push_back(g.variable(k));
        c.segments[3].push_back(g.variable(k, 1));
    }
    std::vector<NodeId> flux;
    for (int k = 0; k + 1 < n; ++k) {
        const NodeId difference = g.sub(g.variable(k), g.variable(k + 1));
        const NodeId mean = g.mul(g.constant(0.5), g.add(g.variable(k), g.variable(k + 1)));
        flux.push_back(g.mul(g.unary(Op::exp, g.neg(mean)), g.pow(difference, g.constant(3))));
    }
    for (int k = 0; k < n; ++k) {
        NodeId sum = g.mul(g.mul(g.parameter(k), g.parameter(k)), g.variable(k, 1));
        if (k > 0) sum = g.sub(sum, flux[static_cast<std::size_t>(k) - 1]);
        if (k + 1 < n) sum = g.add(sum, flux[static_cast<std::size_t>(k)]);
        if (k % 10 == 0) sum = g.add(sum, g.unary(Op::cos, g.mul(g.constant(50 + k % 13), g.time())));
        c.outputs.push_back(sum);
    }
    return c;
}

} // namespace

TEST(RepeatedStructure, TransportIsALoop) {
    std::mt19937 random(3);
    Case c = transport(2000);
    c.values(random);
    c.expect_equal(0.25);
}

TEST(RepeatedStructure, ResidualAndJacobianTogether) {
    std::mt19937 random(4);
    Case c = transport(1000);
    c.values(random);
    c.add_jacobian();
    c.expect_equal(0.2);
}

// Neighbours in memory are neighbours on the grid except where rows end; rows of every length modulo the width of a
// vector, and some shorter than one.
TEST(RepeatedStructure, GridsWhoseRowsEnd) {
    std::mt19937 random(6);
    for (const auto& [rows, columns] : {std::pair{40, 40}, {37, 41}, {30, 43}, {200, 8}, {250, 5}, {400, 4}}) {
        Case c;
        Graph& g = c.g;
        const int width = columns, n = rows * columns;
        c.segments.resize(4);
        c.segments[1] = {g.time()};
        c.segments[0] = {g.parameter(0)};
        for (int k = 0; k < n; ++k) {
            c.segments[2].push_back(g.variable(k));
            c.segments[3].push_back(g.variable(k, 1));
        }
        const auto u = [&](int i, int j) { return g.variable(i * width + j); };
        const auto flux = [&](NodeId a, NodeId b) {
            return g.mul(g.add(g.constant(1.0), g.mul(g.parameter(0), g.add(a, b))), g.sub(b, a));
        };
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < width; ++j) {
                const bool inside = i > 0 && j > 0 && i + 1 < rows && j + 1 < width;
                NodeId sum = g.variable(i * width + j, 1);
                if (inside)
                    for (const NodeId other : {u(i - 1, j), u(i + 1, j), u(i, j - 1), u(i, j + 1)})
                        sum = g.sub(sum, flux(u(i, j), other));
                else
                    sum = g.sub(u(i, j), g.mul(g.parameter(0), g.time()));
                c.outputs.push_back(sum);
            }
        c.values(random);
        c.add_jacobian();
        c.expect_equal(1.01);
    }
}

TEST(RepeatedStructure, InstructionsKeptDoNotGrow) {
    std::map<int, std::size_t> stored;
    for (const int n : {2000, 8000}) {
        Case c = transport(n);
        // Squares of parameters are static values of each instance; they and sources of time are not counted here.
        for (NodeId& node : c.outputs) node = c.g.sub(node, c.g.unary(Op::sin, c.g.variable(0)));
        stored[n] = Kernel(c.g, c.segments, c.outputs).stored_instructions() - static_cast<std::size_t>(n);
    }
    EXPECT_LT(stored[8000], stored[2000] + 100);
}

TEST(RepeatedStructure, AllOperationsInAllLanes) {
    std::mt19937 random(5);
    int loops = 0;
    const double specials[] = {0.0, -0.0, 1.0, -1.5, 1e300, -1e-300, INFINITY, -INFINITY, NAN, 0.3, 7.0};
    for (int round = 0; round < 60; ++round) {
        Case c;
        Graph& g = c.g;
        const int n = 600 + round;
        c.segments.resize(4);
        c.segments[1] = {g.time()};
        for (int k = 0; k < n; ++k) {
            c.segments[0].push_back(g.parameter(k));
            c.segments[2].push_back(g.variable(k));
            c.segments[3].push_back(g.variable(k, 1));
        }
        // The same random program for every instance.
        struct Step {
            Op op;
            std::size_t a[3];
        };
        std::vector<Step> program;
        for (int s = 0; s < 25; ++s) {
            Op op = Op::variable;
            while (expr::is_leaf(op) || op == Op::call) op = static_cast<Op>(random() % expr::op_count);
            program.push_back(
                {op,
                 {random() % (7 + program.size()), random() % (7 + program.size()), random() % (7 + program.size())}});
        }
        for (int k = 0; k < n; ++k) {
            std::vector<NodeId> pool{g.variable(k),
                                     g.variable((k + 1) % n),
                                     g.variable(k, 1),
                                     g.parameter(k),
                                     g.constant(round % 2 == 0 ? k % 3 : 2),
                                     g.time(),
                                     g.variable(7)};
            for (const Step& s : program) {
                const NodeId operands[] = {pool[s.a[0]], pool[s.a[1]], pool[s.a[2]]};
                pool.push_back(g.rebuild(s.op, std::span(operands, static_cast<std::size_t>(expr::arity(s.op)))));
            }
            for (std::size_t last = 0; last < program.size(); ++last) {
                c.outputs.push_back(pool[pool.size() - 1 - last]);
                c.groups.push_back(static_cast<std::uint32_t>(k));
            }
        }
        c.values(random);
        for (double& value : c.x)
            if (random() % 3 == 0) value = specials[random() % std::size(specials)];
        loops += c.expect_equal(1.01);
    }
    EXPECT_GE(loops, 20); // short programs are left straight
}
