// A residual F(t, x, x') that is only a callback and too large, or too far away, for the entries of its derivatives:
// products with them at most, and an approximate solver. Index 1.
#pragma once

#include "base/expected.hpp"
#include "problem/black_box.hpp"
#include "problem/linear_operations.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace daedalus::problem {

struct MatrixFreeBox {
    using Vector = std::span<const double>;
    BlackBox::Residual residual;
    /// y := (a ∂F/∂x + b ∂F/∂x') v at (t, x, x'); empty: differences of the residual.
    std::function<bool(double t, Vector x, Vector dx, double a, double b, Vector v, std::span<double> y)> product;
    /// z, the right side at first: roughly the solution of (∂F/∂x + shift ∂F/∂x') z = b; empty: none.
    std::function<bool(double t, Vector x, Vector dx, double shift, std::span<double> z)> precondition;
    std::vector<double> x0, dx0;    ///< dx0 empty: 0
    std::vector<char> differential; ///< per unknown: its derivative occurs; empty: all of them
    std::vector<std::string> names; ///< empty: x[0], x[1], …
};

[[nodiscard]] std::optional<Diagnostic> invalid(const MatrixFreeBox& box);
[[nodiscard]] Expected<ImplicitProblem> make_implicit_problem(MatrixFreeBox box);

} // namespace daedalus::problem
