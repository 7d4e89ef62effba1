// Lossless lines against the sum of their reflections.
#include "daedalus/circuit.hpp"
#include "daedalus/solve.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace daedalus {
namespace {

/// A ramp of 1 V in 1 ns at 1 ns through 25 Ω into a line of 50 Ω and 2 ns with 150 Ω at its end.
double at_the_end(double t) {
    const auto ramp = [](double s) { return std::clamp(s / 1e-9 - 1.0, 0.0, 1.0); };
    const double source = (25.0 - 50.0) / 75.0, load = (150.0 - 50.0) / 200.0, into = 50.0 / 75.0;
    double sum = 0.0, factor = into * (1.0 + load);
    for (int k = 0; k < 20; ++k, factor *= source * load) sum += factor * ramp(t - 2e-9 - 4e-9 * k);
    return sum;
}

TEST(TransmissionLine, ReflectionsAddUp) {
    const auto circuit = Circuit::from_string("line\nV1 s 0 PWL(0 0 1n 0 2n 1)\nR1 s a 25\nT1 a 0 b 0 Z0=50 TD=2n\n"
                                              "R2 b 0 150\n.tran 10p 15n\n.end\n",
                                              "line.cir");
    ASSERT_TRUE(circuit) << render(circuit.error());
    const auto solution = solve(circuit->model(), {.until = 15e-9, .rtol = 1e-8});
    ASSERT_TRUE(solution) << render(solution.error());
    for (double t = 0.25e-9; t < 15e-9; t += 0.5e-9) {
        const auto v = solution->at(t, "V(b)");
        ASSERT_TRUE(v) << render(v.error());
        EXPECT_NEAR(*v, at_the_end(t), 1e-6) << t;
    }
}

// At rest a pair of wires: 1 V over 25 and 150 Ω.
TEST(TransmissionLine, RestsAsWires) {
    const auto circuit = Circuit::from_string("line\nV1 s 0 7\nR1 s a 25\nT1 a 0 b 0 Z0=50 TD=2n\nR2 b 0 150\n.end\n");
    ASSERT_TRUE(circuit) << render(circuit.error());
    const auto table = circuit->operating_point();
    ASSERT_TRUE(table) << render(table.error());
    for (const CircuitTable::Column& c : table->columns) {
        if (c.name == "V(a)" || c.name == "V(b)") {
            EXPECT_NEAR(c.values.at(0), 6.0, 1e-12) << c.name;
        }
    }
}

} // namespace
} // namespace daedalus
