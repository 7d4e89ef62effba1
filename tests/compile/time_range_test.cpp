// Ranges of functions of time contain the functions' values, and get narrow with the interval.
#include "compile/time_range.hpp"
#include "expr/evaluate.hpp"
#include "expr/print.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace daedalus;
using compile::Range;
using compile::TimeRange;
using expr::Graph;
using expr::NodeId;
using expr::Op;

namespace {

double at(const Graph& g, NodeId e, double t) {
    return expr::evaluate(g, e, [&](NodeId) { return t; });
}

/// A random expression in time, its size as many operations as asked for.
NodeId grown(Graph& g, std::mt19937& random, int operations) {
    std::vector<NodeId> pool{g.time(), g.constant(0.7), g.constant(-1.3), g.constant(3.0)};
    const auto any = [&] { return pool[random() % pool.size()]; };
    for (int k = 0; k < operations; ++k) {
        static constexpr Op unary[] = {Op::neg,  Op::sqrt, Op::exp,  Op::log,  Op::sin, Op::cos,   Op::tan,
                                       Op::atan, Op::sinh, Op::cosh, Op::tanh, Op::abs, Op::floor, Op::ceil};
        static constexpr Op binary[] = {Op::add, Op::sub, Op::mul, Op::div, Op::min, Op::max, Op::atan2};
        switch (random() % 4) {
        case 0: pool.push_back(g.unary(unary[random() % std::size(unary)], any())); break;
        case 1: pool.push_back(g.binary(Op::pow, any(), g.constant(static_cast<double>(random() % 7) - 3.0))); break;
        case 2: pool.push_back(g.select(g.binary(Op::lt, any(), any()), any(), any())); break;
        default: pool.push_back(g.binary(binary[random() % std::size(binary)], any(), any())); break;
        }
    }
    return pool.back();
}

TEST(TimeRange, ContainsAllValues) {
    std::mt19937 random(4711);
    int finite = 0;
    for (int round = 0; round < 4000; ++round) {
        Graph g;
        const NodeId e = grown(g, random, 1 + static_cast<int>(random() % 8));
        const TimeRange range(g, e);
        const double a = std::uniform_real_distribution(-4.0, 4.0)(random);
        const double width = std::pow(10.0, std::uniform_real_distribution(-6.0, 0.7)(random));
        const Range r = range(a, a + width, {});
        for (int k = 0; k <= 200; ++k) {
            const double value = at(g, e, a + width * k / 200);
            if (!std::isfinite(value)) {
                ASSERT_FALSE(r.continuous && std::isnan(value))
                    << round << " " << expr::to_string(g, e, {}) << " " << a << " " << width;
                continue;
            }
            ++finite;
            ASSERT_FALSE(r.nowhere) << round;
            ASSERT_LE(r.low, value) << round;
            ASSERT_GE(r.high, value) << round;
        }
    }
    EXPECT_GT(finite, 100'000);
}

TEST(TimeRange, OfNarrowIntervalsIsNarrow) {
    Graph g;
    const NodeId t = g.time();
    const NodeId e = g.mul(g.unary(Op::exp, g.unary(Op::neg, t)), g.unary(Op::sin, g.mul(g.constant(50.0), t)));
    const TimeRange range(g, e);
    for (double width = 1e-3; width > 1e-9; width /= 10) {
        const Range r = range(0.3, 0.3 + width, {});
        EXPECT_TRUE(r.continuous);
        EXPECT_LE(r.high - r.low, 100 * width);
    }
}

TEST(TimeRange, KnowsWhereNothingIsDefinedAndWhereItJumps) {
    Graph g;
    const NodeId t = g.time();
    const TimeRange root(g, g.unary(Op::sqrt, t)), steps(g, g.unary(Op::floor, t)), pole(g, g.div(g.constant(1.0), t));
    EXPECT_TRUE(root(-2.0, -1.0, {}).nowhere);
    EXPECT_FALSE(root(-1.0, 1.0, {}).nowhere);
    EXPECT_FALSE(root(-1.0, 1.0, {}).continuous);
    EXPECT_TRUE(steps(1.2, 1.8, {}).continuous);
    EXPECT_FALSE(steps(1.8, 2.2, {}).continuous);
    EXPECT_FALSE(pole(-1.0, 1.0, {}).continuous);
    EXPECT_TRUE(pole(1.0, 2.0, {}).continuous);
}

} // namespace
