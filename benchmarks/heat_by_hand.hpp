// The heat equation of codegen_tapes.hpp as a careful programmer writes it, with its Jacobian: two loops over the grid,
// built by g++ -O2 -march=native.
#pragma once

namespace daedalus::benchmarks {

/// r: n·n residuals; j: five entries per inner point (itself, up, down, left, right).
void heat_by_hand(int n, const double* parameters, const double* u, const double* du, double* r, double* j);

} // namespace daedalus::benchmarks
