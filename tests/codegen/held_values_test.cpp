// Values of time only are computed when time (or a parameter) changes, and at no other moment.
#include "codegen/kernel.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

using namespace daedalus;
using codegen::Kernel;
using expr::Graph;
using expr::NodeId;
using expr::Op;

TEST(HeldValues, TimePartIsSeparate) {
    Graph g;
    const NodeId source = g.unary(Op::sin, g.mul(g.parameter(0), g.time()));
    const NodeId outputs[] = {g.add(g.variable(0), source), g.mul(source, source)};
    const codegen::Segments segments{{g.parameter(0)}, {g.time()}, {g.variable(0)}};
    const tape::Tape tape = codegen::lower(g, segments, outputs, codegen::Hold::parameters_and_time);
    EXPECT_EQ(tape.time_part.size(), 4U); // product, sine, square, halt
    EXPECT_EQ(tape.main_part.size(), 4U); // sum, two stores, halt
    EXPECT_TRUE(codegen::lower(g, segments, outputs).time_part.empty());
}

TEST(HeldValues, FollowTimeAndParameters) {
    Graph g;
    const NodeId source = g.div(g.parameter(0), g.time());
    const NodeId outputs[] = {g.mul(g.variable(0), source)};
    Kernel kernel(g, {{g.parameter(0)}, {g.time()}, {g.variable(0)}}, outputs);
    double y = 0;
    const auto run = [&](double t, double x) {
        const std::array<const double*, 2> inputs{&t, &x};
        return kernel(inputs, &y);
    };
    const double one = 1, two = 2;
    kernel.set_parameters(std::span(&one, 1));
    EXPECT_TRUE(run(0.25, 3));
    EXPECT_EQ(y, 12.0);
    EXPECT_TRUE(run(0.25, 5));
    EXPECT_EQ(y, 20.0);
    EXPECT_TRUE(run(0.5, 5));
    EXPECT_EQ(y, 10.0);
    kernel.set_parameters(std::span(&two, 1)); // at the same time
    EXPECT_TRUE(run(0.5, 5));
    EXPECT_EQ(y, 20.0);
    EXPECT_FALSE(run(0.0, 5));
    EXPECT_EQ(y, INFINITY);
    EXPECT_FALSE(run(-0.0, 5));
    EXPECT_EQ(y, -INFINITY);
    EXPECT_FALSE(run(NAN, 5));
    EXPECT_TRUE(run(0.5, 5));
    EXPECT_EQ(y, 20.0);
}

TEST(HeldValues, CopiesHaveTheirOwn) {
    Graph g;
    const NodeId outputs[] = {g.add(g.variable(0), g.unary(Op::exp, g.time()))};
    Kernel first(g, {{}, {g.time()}, {g.variable(0)}}, outputs);
    first.set_parameters({});
    Kernel second = first;
    const double x = 1, t1 = 1, t2 = 2;
    double y1 = 0, y2 = 0;
    const std::array<const double*, 2> in1{&t1, &x}, in2{&t2, &x};
    for (int k = 0; k < 2; ++k) {
        EXPECT_TRUE(first(in1, &y1));
        EXPECT_TRUE(second(in2, &y2));
        EXPECT_EQ(y1, 1 + std::exp(1.0));
        EXPECT_EQ(y2, 1 + std::exp(2.0));
    }
}
