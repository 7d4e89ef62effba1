// What dummy derivatives cost: within 1.3 times the work of an integration that needs no exchange of states (the
// underlying ordinary differential equation of the same model, all derivatives below the highest being states, whose
// constraints drift). Jacobians that only serve to watch the choice of states are part of the work. And what is
// delivered satisfies every constraint to round-off.
#include "compile/compile.hpp"
#include "facade/access.hpp"
#include "integrate/consistent_start.hpp"
#include "integrate/integration.hpp"
#include "integrate/methods/registry.hpp"

#include <daedalus/daedalus.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace daedalus;

namespace {

struct Work {
    integrate::Counters counters;
    double residual_cost = 0.0, jacobian_cost = 0.0, entries = 0.0; ///< in operations, and of the matrix
    std::size_t switches = 0;
    double residual = 0.0; ///< largest of a row, relative to the sizes of its terms
};

/// Residuals of all rows at the ends of steps, as delivered. With dummy derivatives the constraints and their
/// derivatives are rows.
struct Watch : integrate::Observer {
    explicit Watch(const problem::ImplicitProblem& problem)
        : p(problem), r(static_cast<std::size_t>(problem.size())), size(r.size()), x(r.size()), dx(r.size()) {}

    integrate::Action step(const integrate::AcceptedStep& s) override {
        if (++steps % 7 != 0) return integrate::Action::proceed; // a Jacobian each: not at every step
        jx.resize(static_cast<std::size_t>(p.pattern().nonzeros()));
        jdx.resize(jx.size());
        if (!s.interpolant.evaluate_consistent(s.t, x.data(), dx.data())) ++refused;
        if (p.residual(s.t, x.data(), dx.data(), r.data()) != problem::EvalStatus::ok ||
            p.jacobian(s.t, x.data(), dx.data(), jx.data(), jdx.data()) != problem::EvalStatus::ok) {
            ADD_FAILURE() << "no value at t = " << s.t;
            return integrate::Action::stop;
        }
        std::fill(size.begin(), size.end(), 1e-3);
        for (int j = 0; j < p.size(); ++j)
            for (int k = p.pattern().column_start[static_cast<std::size_t>(j)];
                 k < p.pattern().column_start[static_cast<std::size_t>(j) + 1]; ++k) {
                const auto at = static_cast<std::size_t>(k), column = static_cast<std::size_t>(j);
                double& row = size[static_cast<std::size_t>(p.pattern().row_index[at])];
                row = std::max({row, std::abs(jx[at] * x[column]), std::abs(jdx[at] * dx[column])});
            }
        for (int i = 0; i < p.kernel_rows(); ++i) {
            const auto row = static_cast<std::size_t>(i);
            largest = std::max(largest, std::abs(r[row]) / size[row]);
        }
        return integrate::Action::proceed;
    }

    const problem::ImplicitProblem& p;
    std::vector<double> r, size, x, dx, jx, jdx;
    double largest = 0.0;
    long steps = 0, refused = 0;
};

Work integrated(const Model& model, Reduction reduce, const char* method, double until, double tolerance,
                std::vector<compile::StartOverride> starts = {}) {
    compile::CompileOptions how;
    how.reduce = reduce;
    how.starts = std::move(starts);
    auto compiled = compile::compile(model.impl().model, how);
    EXPECT_TRUE(compiled) << render(compiled.error());
    const auto start = integrate::consistent_start(compiled->initial);
    EXPECT_TRUE(start) << render(start.error());
    integrate::IntegrationOptions o;
    o.tolerance.relative = o.tolerance.absolute = tolerance;
    const auto run = [&](integrate::Observer& observer) {
        auto result = integrate::integrate(compiled->problem, *integrate::find_method(method), 0, until,
                                           start->x(compiled->initial), start->dx(compiled->initial), o, observer);
        EXPECT_TRUE(result.finished()) << result.failure.cause;
        return result;
    };
    integrate::Observer nobody;
    const auto result = run(nobody);
    Watch watch(compiled->problem);
    (void)run(watch);
    EXPECT_EQ(watch.refused, 0) << "points that could not be made consistent";
    return {result.statistics.counters,
            static_cast<double>(compiled->residual_instructions),
            static_cast<double>(compiled->jacobian_instructions),
            static_cast<double>(compiled->problem.pattern().nonzeros()),
            result.statistics.state_switches.size(),
            watch.largest};
}

Model load(const std::string& path) {
    auto model = Model::from_file(std::string(DAEDALUS_SOURCE_DIR) + "/" + path);
    EXPECT_TRUE(model) << render(model.error());
    return *std::move(model);
}

/// Operations that the counts amount to, at what they cost in the formulation `as`: that constraints are rows makes the
/// system larger, which is the price of having no drift and not of exchanging states. A solve runs through the factors
/// once, a factorisation makes them: some ten operations per entry.
double operations(const integrate::Counters& c, const Work& as) {
    return static_cast<double>(c.residuals) * as.residual_cost + static_cast<double>(c.jacobians) * as.jacobian_cost +
           static_cast<double>(c.solves) * 2 * as.entries + static_cast<double>(c.factorizations) * 10 * as.entries;
}

void compare(const char* name, const Model& model, double until, double tolerance, double round_off,
             const std::vector<compile::StartOverride>& starts = {}) {
    for (const char* method : {"radau5", "bdf"}) {
        const Work dummy = integrated(model, Reduction::dummy, method, until, tolerance, starts);
        const Work plain = integrated(model, Reduction::underlying_ode, method, until, tolerance, starts);
        const auto ratio = [](long a, long b) { return static_cast<double>(a) / static_cast<double>(b); };
        const integrate::Counters &a = dummy.counters, &b = plain.counters;
        std::printf(
            "%-12s %-6s %3zu switches: work %.2f; steps %.2f, residuals %.2f, Jacobians %.2f, factorisations %.2f, "
            "solves %.2f; residual %.1g\n",
            name, method, dummy.switches, operations(a, dummy) / operations(b, dummy), ratio(a.steps, b.steps),
            ratio(a.residuals, b.residuals), ratio(a.jacobians, b.jacobians), ratio(a.factorizations, b.factorizations),
            ratio(a.solves, b.solves), dummy.residual);
        EXPECT_LE(operations(a, dummy), 1.3 * operations(b, dummy)) << name << ' ' << method;
        EXPECT_LE(ratio(a.steps, b.steps), 1.3) << name << ' ' << method;
        EXPECT_LE(dummy.residual, round_off) << name << ' ' << method;
    }
}

/// Twenty unit masses on massless rods, let go from the horizontal.
Model chain_of_pendulums(int links) {
    Model model("Chain");
    std::vector<Expression> x, y, force;
    for (int i = 1; i <= links; ++i) {
        const std::string n = std::to_string(i);
        x.push_back(model.variable("x" + n, {.start = static_cast<double>(i)}));
        y.push_back(model.variable("y" + n, {.start = 0.0}));
        force.push_back(model.variable("l" + n));
    }
    for (int i = 0; i < links; ++i) {
        const auto k = static_cast<std::size_t>(i);
        const auto dx = [&](std::size_t j) { return j == 0 ? x[0] : x[j] - x[j - 1]; };
        const auto dy = [&](std::size_t j) { return j == 0 ? y[0] : y[j] - y[j - 1]; };
        Expression fx = -force[k] * dx(k), fy = -force[k] * dy(k) - 9.81;
        if (i + 1 < links) {
            fx = fx + force[k + 1] * dx(k + 1);
            fy = fy + force[k + 1] * dy(k + 1);
        }
        const std::string n = std::to_string(i + 1);
        const Expression u = model.variable("u" + n, {.start = 0.0}), v = model.variable("v" + n, {.start = 0.0});
        model.equation(der(x[k]) == u);
        model.equation(der(y[k]) == v);
        model.equation(der(u) == fx);
        model.equation(der(v) == fy);
        model.equation(dx(k) * dx(k) + dy(k) * dy(k) == Expression(1.0));
    }
    return model;
}

} // namespace

TEST(SwitchingWork, Pendulum) { compare("pendulum", load("examples/pendulum.mo"), 10, 1e-6, 1e-12); }
TEST(SwitchingWork, PendulumMakesAThousandTurns) {
    using problem::Strength;
    compare("turns", load("examples/pendulum.mo"), 800, 1e-6, 1e-12,
            {{"x", 0, Strength::fixed}, {"y", 1, Strength::fixed}, {"u", 7, Strength::fixed}});
}
TEST(SwitchingWork, ChainOfTwentyPendulums) { compare("chain", chain_of_pendulums(20), 2, 1e-6, 1e-12); }
TEST(SwitchingWork, Andrews) { compare("andrews", load("tests/problems/andrews.mo"), 0.03, 1e-6, 1e-12); }
TEST(SwitchingWork, CarAxis) { compare("caraxis", load("tests/problems/caraxis.mo"), 3, 1e-6, 1e-12); }
TEST(SwitchingWork, SliderCrank) { compare("crank3", load("tests/problems/crank3.mo"), 0.02, 1e-6, 1e-12); }
TEST(SwitchingWork, SliderCrankWithSpring) {
    compare("slcrank", load("tests/problems/slcrank_ida.mo"), 10, 1e-6, 1e-12);
}
