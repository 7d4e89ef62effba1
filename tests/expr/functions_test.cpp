// What every elementary function says of itself, against its value in quadruple precision: a new one is tested here
// without a line.
#include "expr/differentiate.hpp"
#include "expr/evaluate.hpp"
#include "expr/functions/function.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>

using daedalus::expr::Function;
using daedalus::expr::Graph;
using daedalus::expr::NodeId;
using daedalus::expr::Quad;
using daedalus::expr::Range;

namespace {

using Random = std::mt19937_64;

Quad in_quad(const Function& f, Quad a, Quad b) { return f.quad1 ? f.quad1(a) : f.quad2(a, b); }
double in_double(const Function& f, double a, double b) { return f.value1 ? f.value1(a) : f.value2(a, b); }
bool defined(const Function& f, double a, double b) { return f.domain == nullptr || f.domain(a, b).empty(); }

/// Around zero and around one, where domains end.
double sample(Random& random) {
    std::uniform_real_distribution<double> wide(-4.0, 4.0), beside_one(0.5, 1.5);
    return random() % 2 == 0 ? wide(random) : beside_one(random);
}

/// Of the operands: ∂f/∂(operand k) by symbols.
double derivative(const Function& f, double a, double b, int k) {
    Graph g;
    const NodeId x = g.variable(0), y = g.variable(1);
    const NodeId self = f.value1 ? g.unary(f.op, x) : g.binary(f.op, x, y);
    const NodeId d = f.derivative(g, self, k);
    if (d == daedalus::expr::no_node) return 0.0;
    return daedalus::expr::evaluate(g, d, [&](NodeId leaf) { return g.variable_id(leaf) == 0 ? a : b; });
}

/// The same by a central difference: with 33 digits and a step of 1e-9 it is right to about 1e-18 f'''.
double difference(const Function& f, double a, double b, int k) {
    const Quad h = Quad(1e-9), da = k == 0 ? h : Quad(0), db = k == 1 ? h : Quad(0);
    return static_cast<double>((in_quad(f, a + da, b + db) - in_quad(f, a - da, b - db)) / (2 * h));
}

Range interval(double a, double b) { return {std::min(a, b), std::max(a, b)}; }

class Functions : public testing::TestWithParam<const Function*> {};

} // namespace

TEST_P(Functions, SaysWhatItIs) {
    const Function& f = *GetParam();
    EXPECT_EQ(&daedalus::expr::function(f.op), &f);
    EXPECT_EQ(daedalus::expr::find_function(f.name), &f);
    EXPECT_FALSE(f.latex.empty());
    EXPECT_FALSE(f.meaning.empty());
    const auto blanks = std::count(f.arguments.begin(), f.arguments.end(), ' ');
    EXPECT_EQ(blanks + 1, daedalus::expr::arity(f.op));
    EXPECT_EQ(daedalus::expr::arity(f.op), f.value1 ? 1 : 2);
    ASSERT_NE(f.range, nullptr);
}

TEST_P(Functions, ValueAgreesWithQuadruplePrecision) {
    const Function& f = *GetParam();
    Random random(1);
    for (int i = 0; i < 2000; ++i) {
        const double a = sample(random), b = sample(random);
        const double value = in_double(f, a, b);
        if (!defined(f, a, b)) {
            EXPECT_FALSE(std::isfinite(value)) << f.name << " of " << a << " has a value and says that it has none";
            continue;
        }
        const double truth = static_cast<double>(in_quad(f, a, b));
        EXPECT_NEAR(value, truth, 4e-16 * std::abs(truth)) << f.name << " of " << a << ", " << b; // libm: below 1 ulp
    }
}

TEST_P(Functions, DerivativeAgreesWithADifference) {
    const Function& f = *GetParam();
    Random random(2);
    for (int i = 0; i < 500; ++i)
        for (int k = 0; k < daedalus::expr::arity(f.op); ++k) {
            const double a = sample(random), b = sample(random), near = 1e-3;
            const bool inside = defined(f, a - near, b) && defined(f, a + near, b);
            const bool kink = !f.smooth && (std::abs(a - b) < near || std::abs(a - std::round(a)) < near);
            if (!inside || kink) continue;
            const double by_symbols = derivative(f, a, b, k), by_difference = difference(f, a, b, k);
            EXPECT_NEAR(by_symbols, by_difference, 1e-11 * (1.0 + std::abs(by_difference)))
                << f.name << " at " << a << ", " << b << " by operand " << k;
        }
}

TEST_P(Functions, RangesContainValuesAndDerivatives) {
    const Function& f = *GetParam();
    Random random(3);
    const double slack = 1e-14; // what a range is widened by where it is used
    for (int i = 0; i < 2000; ++i) {
        std::array<double, 4> end{};
        for (double& e : end) e = sample(random);
        const Range a = interval(end[0], end[1]), b = interval(end[2], end[3]);
        const Range r = daedalus::expr::range_of(f.op, a, b);
        for (int j = 0; j <= 10; ++j) {
            const double x = a.low + 0.1 * j * (a.high - a.low), y = b.low + 0.1 * ((7 * j) % 11) * (b.high - b.low);
            if (!defined(f, x, y)) {
                EXPECT_FALSE(r.continuous) << f.name << " on [" << a.low << ", " << a.high << "] leaves its domain";
                continue;
            }
            EXPECT_FALSE(r.nowhere) << f.name;
            const double v = in_double(f, x, y);
            EXPECT_LE(r.low, v + slack * (1.0 + std::abs(v))) << f.name << " at " << x << ", " << y;
            EXPECT_GE(r.high, v - slack * (1.0 + std::abs(v))) << f.name << " at " << x << ", " << y;
            if (f.derivative_range == nullptr || !r.continuous) continue;
            for (int k = 0; k < daedalus::expr::arity(f.op); ++k) {
                const Range d = f.derivative_range(k, a, b, r);
                const double slope = derivative(f, x, y, k);
                if (!std::isfinite(slope)) continue;
                EXPECT_LE(d.low, slope + slack * (1.0 + std::abs(slope))) << f.name << " at " << x << ", " << y;
                EXPECT_GE(d.high, slope - slack * (1.0 + std::abs(slope))) << f.name << " at " << x << ", " << y;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, Functions,
                         testing::ValuesIn(daedalus::expr::all_functions().begin(),
                                           daedalus::expr::all_functions().end()),
                         [](const auto& info) { return std::string(info.param->name); });

// Inverse functions and identities that must hold to round-off, whatever the derivative says.
TEST(Identities, InverseFunctionsLeadBack) {
    const auto inverse_of = [](std::string_view outer, std::string_view inner, std::initializer_list<double> at) {
        const Function &f = *daedalus::expr::find_function(outer), &g = *daedalus::expr::find_function(inner);
        for (const double x : at) EXPECT_NEAR(f.value1(g.value1(x)), x, 1e-14 * (1.0 + std::abs(x))) << outer << inner;
    };
    inverse_of("asin", "sin", {-1.2, 0.0, 0.3, 1.5});
    inverse_of("acos", "cos", {0.1, 0.3, 1.5, 3.0});
    inverse_of("atan", "tan", {-1.2, 0.0, 0.3, 1.5});
    inverse_of("log", "exp", {-30.0, 0.0, 0.3, 30.0});
    inverse_of("asinh", "sinh", {-30.0, 0.0, 1e-9, 30.0});
}
