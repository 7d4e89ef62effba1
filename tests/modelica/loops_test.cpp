// Functions whose loops depend on variables: the value of der(x) = f(x) for many x, compared with the same computed
// here.
#include "expr/differentiate.hpp"
#include "expr/evaluate.hpp"
#include "reading.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace daedalus::modelica {
namespace {

/// The right side of der(x) = f(x), given x.
class Value {
public:
    explicit Value(const std::string& functions, const std::string& call) {
        auto read =
            read_text("package P\n" + functions +
                          "\nmodel M Real x(start = 1, fixed = true); equation der(x) = " + call + "; end M;\nend P;",
                      {.model = "P.M", .libraries = {}});
        EXPECT_TRUE(read) << render(read.error());
        if (!read) return;
        model_ = *std::move(read);
        EXPECT_EQ(model_.equations.size(), 1U);
        value_ = model_.equations[0].right;
    }
    double operator()(double x) const {
        return expr::evaluate(*model_.graph, value_, [&](expr::NodeId) { return x; });
    }
    double slope(double x) {
        expr::Graph& g = *model_.graph;
        const expr::NodeId s = expr::partial(g, value_, g.variable(*model_.find_variable("x")));
        return expr::evaluate(g, s, [&](expr::NodeId) { return x; });
    }

private:
    model::Model model_;
    expr::NodeId value_ = expr::no_node;
};

TEST(ModelicaLoops, WhileUntilItIsAccurate) {
    Value root(R"(
function newton input Real a; output Real x = 1; protected Boolean found = false; Integer i = 0; Real d;
algorithm
  while i < 50 and not found loop
    d := (x*x - a)/(2*x); x := x - d; i := i + 1;
    if abs(d) < 1e-12 then found := true; end if;
  end while;
end newton;)",
               "newton(x)");
    for (const double x : {0.1, 1.0, 2.0, 300.0}) {
        EXPECT_NEAR(root(x), std::sqrt(x), 1e-15 * (1 + x));
        EXPECT_NEAR(root.slope(x), 0.5 / std::sqrt(x), 1e-12);
    }
}

TEST(ModelicaLoops, BreakAndReturnLeaveOnTheirPathsOnly) {
    Value count(R"(
function count input Real x; output Integer n = 0; protected Real v = x;
algorithm
  while v < 100 loop
    if v < 0 then n := -1; return; end if;
    v := 2*v + 1;
    if v > 50 then break; end if;
    n := n + 1;
  end while;
  n := n + 1000;
end count;)",
                "count(x)");
    const auto expected = [](double x) {
        int n = 0;
        for (double v = x; v < 100;) {
            if (v < 0) return -1;
            v = 2 * v + 1;
            if (v > 50) break;
            ++n;
        }
        return n + 1000;
    };
    for (const double x : {-3.0, 0.0, 1.0, 7.5, 24.0, 40.0, 99.0, 150.0}) EXPECT_EQ(count(x), expected(x)) << x;
}

TEST(ModelicaLoops, ForLoopsWithBoundsThatVaryAndElementsThatAreChosen) {
    Value sum(R"(
function sieve input Real x; output Real y = 0; protected Real v[5] = {0, 0, 0, 0, 0}; Integer n;
algorithm
  n := integer(x);
  for i in 1:n loop
    v[i] := i*x;
    for j in i:-1:2 loop v[j] := v[j] + v[j - 1]; end for;
  end for;
  for i in n:5 loop v[i] := v[i] - 1; end for;
  for i in 1:5 loop y := 10*y + v[i]; end for;
end sieve;)",
              "sieve(x)");
    const auto expected = [](double x) {
        double v[6] = {};
        const int n = static_cast<int>(std::floor(x));
        for (int i = 1; i <= n; ++i) {
            v[i] = i * x;
            for (int j = i; j >= 2; --j) v[j] += v[j - 1];
        }
        for (int i = n; i <= 5; ++i) v[i] -= 1;
        double y = 0;
        for (int i = 1; i <= 5; ++i) y = 10 * y + v[i];
        return y;
    };
    for (const double x : {1.5, 2.25, 4.0, 5.5}) EXPECT_NEAR(sum(x), expected(x), 1e-9 * expected(x)) << x;
}

TEST(ModelicaLoops, LoopsInLoopsInFunctionsInBranches) {
    // Euclid's algorithm inside Collatz' problem
    Value both(R"(
function gcd input Integer a; input Integer b; output Integer g; protected Integer r = b, t;
algorithm g := a; while r <> 0 loop t := mod(g, r); g := r; r := t; end while; end gcd;
function steps input Integer n; output Integer k = 0; output Integer largest = n; protected Integer m = n;
algorithm
  while m > 1 loop
    m := if mod(m, 2) == 0 then div(m, 2) else 3*m + 1;
    k := k + gcd(m, 6);
    largest := max(largest, m);
  end while;
end steps;
function two input Real x; output Real y; protected Integer k, l;
algorithm if x > 3 then (k, l) := steps(integer(x)); y := k + 0.001*l; else y := -x; end if; end two;)",
               "two(x)");
    const auto expected = [](double x) {
        if (!(x > 3)) return -x;
        int m = static_cast<int>(x), k = 0, largest = m;
        while (m > 1) {
            m = m % 2 == 0 ? m / 2 : 3 * m + 1;
            int g = m, r = 6;
            while (r != 0) {
                const int t = g % r;
                g = r;
                r = t;
            }
            k += g;
            largest = std::max(largest, m);
        }
        return k + 0.001 * largest;
    };
    for (const double x : {1.0, 3.0, 4.5, 7.0, 27.2, 97.0}) EXPECT_NEAR(both(x), expected(x), 1e-9) << x;
}

TEST(ModelicaLoops, RecordsAndArraysAreCarriedAlong) {
    Value power(R"(
record Pair Real a; Real b[2]; end Pair;
function f input Real x; output Real y; protected Pair p; Real e = 1;
algorithm
  p := Pair(x, {1, x});
  while e > 1e-3 loop
    p.b := {p.b[2], p.b[1] + p.b[2]};
    p.a := p.b[2]/p.b[1];
    e := abs(p.a - (1 + sqrt(5))/2);
  end while;
  y := p.a;
end f;)",
                "f(x)");
    const auto expected = [](double x) {
        double b[2] = {1, x}, a = x, e = 1;
        while (e > 1e-3) {
            const double next = b[0] + b[1];
            b[0] = b[1];
            b[1] = next;
            a = b[1] / b[0];
            e = std::abs(a - (1 + std::sqrt(5.0)) / 2);
        }
        return a;
    };
    for (const double x : {0.5, 1.0, 2.0, 9.0}) EXPECT_NEAR(power(x), expected(x), 1e-14) << x;
}

TEST(ModelicaLoops, TheRootOfAFunctionHasTheDerivativesOfItsEquation) {
    auto m = read_text(R"(
package Modelica package Math package Nonlinear
  partial function scalarFunction input Real u; output Real y; end scalarFunction;
  function solveOneNonlinearEquation input scalarFunction f; input Real u_min; input Real u_max; input Real tolerance = 1e-12;
    output Real u;
  algorithm u := 0;
  end solveOneNonlinearEquation;
end Nonlinear; end Math;
  function enthalpy extends Math.Nonlinear.scalarFunction; input Real h; algorithm y := 2*u + 0.001*u^2 - h; end enthalpy;
  function T_h input Real h; output Real T;
  algorithm T := Math.Nonlinear.solveOneNonlinearEquation(function enthalpy(h = h), 0, 6000); end T_h;
  model M Real x(start = 1, fixed = true); equation der(x) = T_h(x); end M;
end Modelica;)",
                       {.model = "Modelica.M", .libraries = {}});
    ASSERT_TRUE(m) << render(m.error());
    expr::Graph& g = *m->graph;
    for (const model::Equation& e : m->equations) {
        const expr::NodeId slope = expr::partial(g, e.right, g.variable(*m->find_variable("x")));
        for (const double h : {1.0, 500.0, 3e4}) {
            const double T = 1000 * (std::sqrt(1 + 0.001 * h) - 1);
            EXPECT_NEAR(expr::evaluate(g, e.right, [&](expr::NodeId) { return h; }), T, 1e-11 * (1 + T));
            EXPECT_NEAR(expr::evaluate(g, slope, [&](expr::NodeId) { return h; }), 1 / (2 + 0.002 * T), 1e-13);
        }
    }
}

} // namespace
} // namespace daedalus::modelica
