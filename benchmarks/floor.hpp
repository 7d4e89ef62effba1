// The arithmetic that an integration cannot avoid:
//     floor = evaluations × their cost + factorisations and solves × those of straight-line LU ,
// with the counts of a run and each cost measured alone, on machine code without loops or calls in between.
#pragma once

#include "problem/implicit_problem.hpp"

#include <vector>

namespace daedalus::benchmarks {

/// Counts of one integration; `factorizations` and `solves` include the complex ones.
struct Work {
    long steps = 0, residuals = 0, jacobians = 0, factorizations = 0, solves = 0;
    long complex_factorizations = 0, complex_solves = 0;
};

/// Seconds of processor time, each.
struct UnitCosts {
    double residual = 0.0, jacobian = 0.0;
    double real_factor = 0.0, real_solve = 0.0, complex_factor = 0.0, complex_solve = 0.0;
};

/// At one point, for steps of about this size.
[[nodiscard]] UnitCosts unit_costs(const problem::ImplicitProblem& problem, double t, const std::vector<double>& x,
                                   const std::vector<double>& dx, double step);
/// The smaller of each.
[[nodiscard]] UnitCosts smaller(const UnitCosts& a, const UnitCosts& b);

struct Floor {
    double residuals = 0.0, jacobians = 0.0, factors = 0.0, solves = 0.0;
    [[nodiscard]] double total() const { return residuals + jacobians + factors + solves; }
};
[[nodiscard]] Floor floor_of(const Work& work, const UnitCosts& costs);

} // namespace daedalus::benchmarks
