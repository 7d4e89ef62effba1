// The fused kernels say what residual and Jacobian say: at random points, in every formulation, for other parameters,
// interpreted and translated.
#include "codegen/kernel.hpp"
#include "compile/baumgarte.hpp"
#include "compile/compilation.hpp"
#include "compile/problem_jacobian.hpp"
#include "modelica/read_modelica.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <thread>

using namespace daedalus;
using namespace daedalus::compile;

namespace {

std::shared_ptr<const model::Model> read(const std::string& name) {
    auto m = modelica::read_modelica_file(std::string(DAEDALUS_SOURCE_DIR) + "/tests/problems/" + name + ".mo");
    EXPECT_TRUE(m) << name;
    return std::make_shared<const model::Model>(*std::move(m));
}

struct Point {
    double t = 0;
    std::vector<double> x, dx;
};

Point random_point(int n, std::mt19937& random) {
    std::uniform_real_distribution<double> uniform(0.1, 1.5);
    Point p{uniform(random), std::vector<double>(static_cast<std::size_t>(n)), {}};
    p.dx = p.x;
    for (double& v : p.x) v = uniform(random);
    for (double& v : p.dx) v = uniform(random) - 0.8;
    return p;
}

void expect_same(const std::vector<double>& a, const std::vector<double>& b, const std::string& where) {
    for (std::size_t k = 0; k < a.size(); ++k)
        ASSERT_TRUE(std::bit_cast<std::uint64_t>(a[k]) == std::bit_cast<std::uint64_t>(b[k]) ||
                    (std::isnan(a[k]) && std::isnan(b[k])))
            << where << ", entry " << k << ": " << a[k] << " and " << b[k];
}

void check(const problem::ImplicitProblem& p, std::mt19937& random, const std::string& where) {
    const auto n = static_cast<std::size_t>(p.size());
    const auto nonzeros = static_cast<std::size_t>(p.pattern().nonzeros());
    std::vector<double> r(n), r2(n), jx(nonzeros), jdx(nonzeros), jx2(nonzeros), jdx2(nonzeros);
    const Point first = random_point(p.size(), random);
    (void)p.jacobian(first.t, first.x.data(), first.dx.data(), jx2.data(), jdx2.data());
    for (int round = 0; round < 5; ++round) {
        const Point q = random_point(p.size(), random);
        const auto residual_status = p.residual(q.t, q.x.data(), q.dx.data(), r.data());
        const auto jacobian_status = p.jacobian(q.t, q.x.data(), q.dx.data(), jx.data(), jdx.data());
        const auto status = p.linearize(q.t, q.x.data(), q.dx.data(), r2.data(), jx2.data(), jdx2.data());
        const bool fine = residual_status == problem::EvalStatus::ok && jacobian_status == problem::EvalStatus::ok;
        EXPECT_EQ(status == problem::EvalStatus::ok, fine) << where;
        expect_same(r, r2, where + ", residual");
        expect_same(jx, jx2, where + ", dF/dx");
        expect_same(jdx, jdx2, where + ", dF/dx'");
    }
}

} // namespace

TEST(ProblemJacobian, FusedKernelsAgreeWithResidualAndJacobian) {
    std::mt19937 random(7);
    for (const char* name : {"pendulum", "andrews", "caraxis", "transamp", "robertson_dae", "chemakzo", "crank",
                             "double_pendulum", "ringmod", "batch_reactor", "campbell_moore", "skate"})
        for (const Reduction reduce : {Reduction::automatic, Reduction::none, Reduction::ggl, Reduction::projection,
                                       Reduction::baumgarte, Reduction::underlying_ode})
            for (const bool machine_code : {false, true}) {
                auto compiled = compile::compile(read(name), {.reduce = reduce, .machine_code = machine_code});
                if (!compiled) continue; // not every formulation exists for every model
                const std::string where = std::string(name) + ", " + std::string(to_string(reduce)) +
                                          (machine_code ? ", machine code" : ", interpreter");
                check(compiled->problem, random, where);
                // Kernels keep what depends on parameters only: it must follow them.
                for (double& v : compiled->problem.environment().change()) v *= 1.25;
                check(compiled->problem, random, where + ", other parameters");
            }
}

TEST(ProblemJacobian, ParametersChangeEveryValueThatDependsOnThem) {
    // The same point with the parameters of a fresh compilation and with parameters set afterwards.
    std::mt19937 random(8);
    const auto fresh = compile::compile(read("transamp"));
    auto changed = compile::compile(read("transamp"));
    ASSERT_TRUE(fresh && changed);
    const problem::Environment original = changed->problem.environment();
    for (double& v : changed->problem.environment().change()) v *= 2.0;
    const problem::ImplicitProblem& a = fresh->problem;
    problem::ImplicitProblem& b = changed->problem;
    const auto nonzeros = static_cast<std::size_t>(a.pattern().nonzeros());
    std::vector<double> r(static_cast<std::size_t>(a.size())), r2(r), jx(nonzeros), jdx(jx), jx2(jx), jdx2(jx);
    const Point q = random_point(a.size(), random);
    (void)b.residual(q.t, q.x.data(), q.dx.data(), r2.data());
    b.environment() = original;
    (void)a.residual(q.t, q.x.data(), q.dx.data(), r.data());
    (void)b.residual(q.t, q.x.data(), q.dx.data(), r2.data());
    (void)a.jacobian(q.t, q.x.data(), q.dx.data(), jx.data(), jdx.data());
    (void)b.jacobian(q.t, q.x.data(), q.dx.data(), jx2.data(), jdx2.data());
    expect_same(r, r2, "residual");
    expect_same(jx, jx2, "dF/dx");
    expect_same(jdx, jdx2, "dF/dx'");
}

TEST(ProblemJacobian, CopiesShareCodeAndNothingElse) {
    // One compilation in eight threads, each with parameters of its own, against a compilation for each.
    const auto shared = compile::compile(read("transamp"));
    ASSERT_TRUE(shared);
    std::mt19937 random(9);
    const Point q = random_point(shared->problem.size(), random);
    const auto rows = static_cast<std::size_t>(shared->problem.size());
    const auto residual = [&](problem::ImplicitProblem run, double factor) {
        for (double& v : run.environment().change()) v *= factor;
        std::vector<double> r(rows);
        for (int repeat = 0; repeat < 200; ++repeat) (void)run.residual(q.t, q.x.data(), q.dx.data(), r.data());
        return r;
    };
    constexpr int threads = 8;
    std::vector<std::vector<double>> found(threads);
    std::vector<std::thread> running;
    for (int k = 0; k < threads; ++k)
        running.emplace_back([&, k] { found[static_cast<std::size_t>(k)] = residual(shared->problem, 1.0 + 0.1 * k); });
    for (std::thread& thread : running) thread.join();
    for (int k = 0; k < threads; ++k) {
        const auto own = compile::compile(read("transamp"));
        ASSERT_TRUE(own);
        expect_same(residual(own->problem, 1.0 + 0.1 * k), found[static_cast<std::size_t>(k)], "residual");
    }
}

namespace {

/// Operations of the rows with their Jacobian.
std::size_t operations(expr::Graph& g, std::vector<expr::NodeId> rows, const std::vector<expr::NodeId>& variables,
                       const std::vector<transform::JacobianEntry>& entries) {
    for (const auto& e : entries) rows.push_back(e.value);
    return codegen::Kernel(g, {{}, variables}, rows, {.loops = false}).instructions();
}

} // namespace

TEST(ProblemJacobian, RowsThatShareALongSumAreDifferentiatedForward) {
    // 40 rows of one long value of two variables: in reverse, each row would walk through it again.
    expr::Graph g;
    const std::vector<expr::NodeId> v{g.variable(0), g.variable(1)};
    expr::NodeId shared = v[0];
    for (int k = 0; k < 60; ++k) shared = g.mul(g.add(shared, v[static_cast<std::size_t>(k % 2)]), g.constant(0.5 + k));
    std::vector<expr::NodeId> rows;
    for (int k = 0; k < 40; ++k) rows.push_back(g.mul(shared, g.add(v[1], g.constant(k))));
    const compile::JacobianEntries entries = compile::jacobian_entries(g, rows);
    EXPECT_TRUE(entries.forward);
    const auto &chosen = entries.list, reverse = transform::jacobian(g, rows);
    ASSERT_EQ(chosen.size(), reverse.size());
    std::vector<expr::NodeId> a, b;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
        EXPECT_EQ(chosen[k].row, reverse[k].row);
        EXPECT_EQ(chosen[k].leaf, reverse[k].leaf);
        a.push_back(chosen[k].value);
        b.push_back(reverse[k].value);
    }
    EXPECT_LT(operations(g, rows, v, chosen), operations(g, rows, v, reverse));
    codegen::Kernel by_choice(g, {{}, v}, a), by_rows(g, {{}, v}, b);
    const double x[] = {0.3, 0.7};
    const double* const inputs[] = {x};
    std::vector<double> ya(a.size()), yb(b.size());
    ASSERT_TRUE(by_choice(inputs, ya.data()) && by_rows(inputs, yb.data()));
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(ya[k], yb[k], 1e-13 * std::abs(yb[k]));
}
