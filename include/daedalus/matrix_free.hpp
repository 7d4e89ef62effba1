// A large residual F(t, x, x') = 0 of index 1 without a matrix: linear systems are solved by GMRES, from products with
// the derivatives (or differences of the residual) and, better, a preconditioner. For discretised partial differential
// equations whose matrices are not stored.
#pragma once

#include "daedalus/expected.hpp"
#include "daedalus/options.hpp"
#include "daedalus/solution.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace daedalus {

struct MatrixFreeBox {
    using Vector = std::span<const double>;
    /// r = F(t, x, dx); NaN where F is not defined.
    std::function<void(double t, Vector x, Vector dx, std::span<double> r)> residual;
    std::vector<double> x0;
    std::vector<double> dx0 = {};        ///< empty: zeros, improved by the consistent start
    std::vector<char> differential = {}; ///< per variable: whether its derivative occurs; empty: of all
    /// y = (a ∂F/∂x + b ∂F/∂x') v; empty: differences of the residual.
    std::function<void(double t, Vector x, Vector dx, double a, double b, Vector v, std::span<double> y)> product = {};
    /// z holds b and becomes, roughly, the solution of (∂F/∂x + shift ∂F/∂x') z = b; empty: none.
    std::function<void(double t, Vector x, Vector dx, double shift, std::span<double> z)> precondition = {};
    std::vector<std::string> names = {};
};

/// Methods: bdf, radau, esdirk and rodas families; `auto` takes bdf. Derivatives of differential variables and values
/// of the others are made consistent at the start, the rest of x0 is held.
[[nodiscard]] Expected<Solution> solve(const MatrixFreeBox& problem, const SolveOptions& options);

} // namespace daedalus
