// Every kind of derivative against the complex step, against quadruple-precision differences, and against each other.
#include "codegen/derivatives.hpp"
#include "expr/functions/taylor_rule.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <map>
#include <random>

using namespace daedalus;
using codegen::Kernel;
using codegen::Sweep;
using expr::Graph;
using expr::NodeId;
using expr::Op;
using expr::Quad;

namespace {

using Complex = std::complex<double>;

Complex apply(Op op, Complex a, Complex b, Complex c) {
    switch (op) {
    case Op::neg: return -a;
    case Op::add: return a + b;
    case Op::sub: return a - b;
    case Op::mul: return a * b;
    case Op::div: return a / b;
    case Op::pow: return std::pow(a, b);
    case Op::sqrt: return std::sqrt(a);
    case Op::exp: return std::exp(a);
    case Op::log: return std::log(a);
    case Op::log10: return std::log10(a);
    case Op::sin: return std::sin(a);
    case Op::cos: return std::cos(a);
    case Op::tan: return std::tan(a);
    case Op::asin: return std::asin(a);
    case Op::acos: return std::acos(a);
    case Op::atan: return std::atan(a);
    case Op::sinh: return std::sinh(a);
    case Op::cosh: return std::cosh(a);
    case Op::tanh: return std::tanh(a);
    case Op::abs: return a.real() < 0 ? -a : a;
    case Op::min: return b.real() < a.real() ? b : a;
    case Op::max: return b.real() > a.real() ? b : a;
    case Op::select: return a.real() != 0 ? b : c;
    default: return expr::apply_to(op, a.real(), b.real(), c.real()); // relations
    }
}
Quad apply(Op op, Quad a, Quad b, Quad c) { return expr::apply_to(op, a, b, c); }

template <class T>
std::vector<T> values(const Graph& g, std::span<const NodeId> outputs, const std::map<NodeId, T>& leaf) {
    std::map<NodeId, T> value;
    for (const NodeId node : g.reachable(outputs)) {
        const Op op = g.op(node);
        if (op == Op::constant)
            value[node] = g.constant_value(node);
        else if (expr::is_leaf(op))
            value[node] = leaf.at(node);
        else {
            T o[3] = {0, 0, 0};
            for (int k = 0; k < expr::arity(op); ++k) o[k] = value.at(g.operand(node, k));
            value[node] = apply(op, o[0], o[1], o[2]);
        }
    }
    std::vector<T> result;
    for (const NodeId output : outputs) result.push_back(value.at(output));
    return result;
}

/// A chain with shared distances, a function of everything, and every smooth operation somewhere.
struct Example {
    static constexpr int n = 8;
    Graph g;
    std::vector<NodeId> x, p, outputs;
    codegen::Segments segments;
    std::vector<double> at, with;
    Example() {
        std::mt19937 random(2);
        std::uniform_real_distribution<double> uniform(0.2, 0.8);
        for (int k = 0; k < n; ++k) {
            x.push_back(g.variable(k));
            at.push_back(uniform(random));
        }
        for (int k = 0; k < 3; ++k) {
            p.push_back(g.parameter(k));
            with.push_back(uniform(random));
        }
        const Op smooth[] = {Op::sqrt, Op::exp,  Op::log,  Op::log10, Op::sin,  Op::cos,
                             Op::tan,  Op::asin, Op::acos, Op::atan,  Op::sinh, Op::cosh};
        const auto var = [&](int k) { return x[static_cast<std::size_t>(k)]; };
        for (int k = 0; k + 1 < n; ++k) {
            const NodeId d = g.unary(Op::tanh, g.mul(p[0], g.sub(var(k), var(k + 1))));
            const NodeId f = g.unary(smooth[k], g.mul(var(k), g.constant(0.9)));
            outputs.push_back(g.add(g.mul(d, g.unary(smooth[k + 5], var(k))), g.div(f, g.add(p[1], var(k + 1)))));
        }
        NodeId sum = g.constant(0.0);
        for (const NodeId v : x) sum = g.add(sum, g.mul(v, v));
        outputs.push_back(g.pow(sum, p[2]));
        outputs.push_back(g.select(g.binary(Op::lt, x[0], g.constant(2)), g.pow(x[0], g.constant(3)), x[1]));
        outputs.push_back(g.binary(Op::max, g.pow(x[1], x[2]), g.unary(Op::abs, g.neg(x[3]))));
        segments = {p, x};
    }
    template <class T>
    std::map<NodeId, T> leaves() const {
        std::map<NodeId, T> leaf;
        for (std::size_t k = 0; k < x.size(); ++k) leaf[x[k]] = at[k];
        for (std::size_t k = 0; k < p.size(); ++k) leaf[p[k]] = with[k];
        return leaf;
    }
    /// ∂F/∂leaf by the complex step.
    std::vector<double> column(NodeId leaf) const {
        constexpr double h = 1e-40;
        auto point = leaves<Complex>();
        point[leaf] += Complex(0, h);
        std::vector<double> result;
        for (const Complex& v : values(g, outputs, point)) result.push_back(v.imag() / h);
        return result;
    }
    std::vector<double> run(Kernel& kernel, std::vector<const double*> more = {}) {
        kernel.set_parameters(with);
        std::vector<const double*> inputs{at.data()};
        inputs.insert(inputs.end(), more.begin(), more.end());
        std::vector<double> out(static_cast<std::size_t>(kernel.outputs()));
        EXPECT_TRUE(kernel(inputs, out.data()));
        return out;
    }
};

} // namespace

TEST(Derivatives, SparseJacobianAgainstComplexStep) {
    for (const bool parameters : {false, true})
        for (const Sweep sweep : {Sweep::reverse, Sweep::forward, Sweep::automatic}) {
            Example e;
            const std::vector<NodeId>& leaves = parameters ? e.p : e.x;
            const codegen::SparseDerivative j = codegen::sparse_jacobian(e.g, e.outputs, leaves, sweep);
            Kernel kernel(e.g, e.segments, j.values);
            const std::vector<double> got = e.run(kernel);
            for (int col = 0; col < j.pattern.cols; ++col) {
                const std::vector<double> expected = e.column(leaves[static_cast<std::size_t>(col)]);
                for (int row = 0; row < j.pattern.rows; ++row) {
                    const int k = j.pattern.find(row, col);
                    const double want = expected[static_cast<std::size_t>(row)];
                    EXPECT_NEAR(k < 0 ? 0.0 : got[static_cast<std::size_t>(k)], want,
                                1e-13 * std::max(1.0, std::abs(want)))
                        << row << ' ' << col;
                }
            }
        }
}

TEST(Derivatives, TangentAndAdjoint) {
    Example e;
    std::vector<double> v, w;
    for (std::size_t k = 0; k < e.x.size(); ++k) v.push_back(0.3 - 0.1 * static_cast<double>(k));
    for (std::size_t k = 0; k < e.outputs.size(); ++k) w.push_back(1.0 / (1.0 + static_cast<double>(k)));
    std::vector<double> jv(e.outputs.size(), 0.0), wj(e.x.size(), 0.0);
    for (std::size_t j = 0; j < e.x.size(); ++j) {
        const std::vector<double> column = e.column(e.x[j]);
        for (std::size_t i = 0; i < column.size(); ++i) {
            jv[i] += column[i] * v[j];
            wj[j] += column[i] * w[i];
        }
    }
    Kernel tangent = codegen::tangent_kernel(e.g, e.segments, e.outputs, e.x);
    Kernel adjoint = codegen::adjoint_kernel(e.g, e.segments, e.outputs, e.x);
    const std::vector<double> got_jv = e.run(tangent, {v.data()});
    const std::vector<double> got_wj = e.run(adjoint, {w.data()});
    for (std::size_t i = 0; i < jv.size(); ++i) EXPECT_NEAR(got_jv[i], jv[i], 1e-13 * std::max(1.0, std::abs(jv[i])));
    for (std::size_t j = 0; j < wj.size(); ++j) EXPECT_NEAR(got_wj[j], wj[j], 1e-13 * std::max(1.0, std::abs(wj[j])));
}

TEST(Derivatives, SecondDerivativesAgainstQuadrupleDifferences) {
    Example e;
    std::vector<double> v, w;
    for (std::size_t k = 0; k < e.x.size(); ++k) v.push_back(0.3 - 0.1 * static_cast<double>(k));
    for (std::size_t k = 0; k < e.outputs.size(); ++k) w.push_back(1.0 / (1.0 + static_cast<double>(k)));
    // F''[v, v] by central differences: error O(h²) = 1e-16, round-off 1e-34/h² = 1e-18.
    const Quad h = 1e-8;
    const auto shifted = [&](Quad s) {
        auto point = e.leaves<Quad>();
        for (std::size_t k = 0; k < e.x.size(); ++k) point[e.x[k]] += s * Quad(v[k]);
        return values(e.g, e.outputs, point);
    };
    const auto plus = shifted(h), zero = shifted(0), minus = shifted(-h);
    Kernel kernel = codegen::hessian_vector_kernel(e.g, e.segments, e.outputs, e.x);
    const std::vector<double> hv = e.run(kernel, {v.data(), w.data()});
    std::vector<NodeId> direction;
    for (const double c : v) direction.push_back(e.g.constant(c));
    Kernel second(e.g, e.segments, codegen::second_tangent(e.g, e.outputs, e.x, direction));
    const std::vector<double> fvv = e.run(second);
    double weighted = 0, vhv = 0;
    for (std::size_t i = 0; i < e.outputs.size(); ++i) {
        const double expected = static_cast<double>((plus[i] - 2 * zero[i] + minus[i]) / (h * h));
        EXPECT_NEAR(fvv[i], expected, 1e-12 * std::max(1.0, std::abs(expected))) << i;
        weighted += w[i] * expected;
    }
    for (std::size_t j = 0; j < v.size(); ++j) vhv += v[j] * hv[j];
    EXPECT_NEAR(vhv, weighted, 1e-12 * std::max(1.0, std::abs(weighted)));
}

TEST(Derivatives, CompressedColumns) {
    Example e;
    e.outputs.resize(Example::n - 1); // the chain: rows touch two neighbours
    const codegen::SparseDerivative j = codegen::sparse_jacobian(e.g, e.outputs, e.x);
    Kernel direct(e.g, e.segments, j.values);
    std::vector<int> color;
    for (int k = 0; k < Example::n; ++k) color.push_back(k % 2);
    codegen::CompressedJacobian compressed(e.g, e.segments, e.outputs, e.x, j.pattern, color);
    compressed.set_parameters(e.with);
    const std::vector<double> expected = e.run(direct);
    std::vector<double> got(expected.size());
    const std::array<const double*, 1> inputs{e.at.data()};
    EXPECT_TRUE(compressed(inputs, got.data()));
    for (std::size_t k = 0; k < got.size(); ++k)
        EXPECT_NEAR(got[k], expected[k], 1e-14 * std::max(1.0, std::abs(expected[k])));
}

TEST(Derivatives, TheCheaperSweepIsChosen) {
    Graph g;
    // One function of many leaves: reverse. Many functions of one shared value of one leaf: forward.
    std::vector<NodeId> leaves, wide, tall;
    NodeId sum = g.constant(0.0);
    for (int k = 0; k < 20; ++k) {
        leaves.push_back(g.variable(k));
        sum = g.add(sum, g.unary(Op::sin, leaves.back()));
    }
    wide = {g.mul(sum, sum)};
    NodeId shared = g.variable(0);
    for (int k = 0; k < 20; ++k) shared = g.unary(Op::sin, g.mul(shared, shared));
    for (int k = 1; k <= 20; ++k) tall.push_back(g.mul(g.constant(k + 1), shared));
    EXPECT_EQ(codegen::sparse_jacobian(g, wide, leaves).sweep, Sweep::reverse);
    EXPECT_EQ(codegen::sparse_jacobian(g, tall, leaves).sweep, Sweep::forward);
    const auto instructions = [&](const std::vector<NodeId>& outputs, Sweep sweep) {
        return Kernel(g, {{}, leaves}, codegen::sparse_jacobian(g, outputs, leaves, sweep).values).instructions();
    };
    EXPECT_LE(instructions(wide, Sweep::reverse), instructions(wide, Sweep::forward));
    EXPECT_LE(instructions(tall, Sweep::forward), instructions(tall, Sweep::reverse));
}
