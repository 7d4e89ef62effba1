// A model in the form that codes for F(t, y, y') = 0 or M y' = f(t, y) want it: variables that are only names of
// expressions are put in place, unknowns are ordered by index, row i holds the derivative of unknown i where there is
// one, and position constraints are differentiated as often as asked. The residual and the Jacobian are the same
// machine code that Daedalus makes for itself.
#pragma once

#include "compile/compile.hpp"
#include "problem/implicit_problem.hpp"

#include <memory>
#include <string>
#include <vector>

namespace daedalus::benchmarks {

/// One problem of the test set with its reference at the end point.
struct TestProblem {
    std::string name;
    std::shared_ptr<const model::Model> model;
    double t0 = 0.0, t1 = 0.0;
    int index = 1;
    std::vector<std::string> unknowns; ///< the essential ones, ordered by index
    std::vector<int> unknown_index;
    std::vector<double> end;              ///< reference values of `unknowns`
    std::vector<std::string> significant; ///< in which digits are counted
    std::vector<double> scale;            ///< absolute tolerance per relative tolerance, of `unknowns`
    double longest = 0.06;                ///< seconds of one integration beyond which smaller tolerances are left out
    bool large = false;                   ///< only codes with sparse linear algebra
    [[nodiscard]] int position(const std::string& unknown) const;
    /// -log10 of the largest relative error (absolute where the reference vanishes) among the significant ones.
    [[nodiscard]] double digits(const std::vector<double>& values) const;
};

/// Those of tests/problems and, as heat100 and heat300 (the latter only by name), the heat equation on a square.
[[nodiscard]] std::vector<TestProblem> test_problems(const std::string& only);

struct PeerForm {
    std::string name; ///< "index 3"
    compile::CompiledModel compiled;
    std::vector<double> x0, dx0;
    std::vector<int> index;         ///< per unknown, not descending
    std::vector<char> differential; ///< its derivative occurs
    std::vector<double> scale;
    int m1 = 0, m2 = 0; ///< y'[i] = y[i + m2] for i < m1 (the second-order structure that RADAU5 takes)
    [[nodiscard]] const problem::ImplicitProblem& problem() const { return compiled.problem; }
    [[nodiscard]] int size() const { return compiled.problem.size(); }
    [[nodiscard]] int highest_index() const;
};

/// With the position constraints differentiated `differentiations` times (0 … index - 1).
[[nodiscard]] PeerForm peer_form(const TestProblem& problem, int differentiations);

} // namespace daedalus::benchmarks
