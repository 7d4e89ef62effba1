// A residual F(t, x, x') that is only a callback, turned into problems for the numerical half: an ImplicitProblem for
// the integrators and an InitialProblem in x and the derivatives that occur. Without a Jacobian, coloured finite
// differences; without a sparsity pattern, probing: which rows notice that a component became NaN or moved. With a
// pattern only x' is left to be told from x: by the values of the Jacobian, or by probing columns together that share
// no row.
#pragma once

#include "base/expected.hpp"
#include "problem/black_box_quantity.hpp"
#include "problem/finite_difference.hpp"
#include "problem/implicit_problem.hpp"
#include "problem/initial_problem.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace daedalus::problem {

/// Where F depends on x and on x'.
struct Dependence {
    SparsityPattern on_x;
    SparsityPattern on_dx;
};

struct BlackBox {
    /// r := F(t, x, x'); false where it has no value (NaN in r says the same).
    using Residual =
        std::function<bool(double t, std::span<const double> x, std::span<const double> dx, std::span<double> r)>;
    /// Values of ∂F/∂x and ∂F/∂x', both on `pattern` (dense and column-major if no pattern is given).
    using Jacobian = std::function<bool(double t, std::span<const double> x, std::span<const double> dx,
                                        std::span<double> jx, std::span<double> jdx)>;

    /// A function of (t, x, x') whose zeros are events.
    struct Root {
        std::function<double(double t, std::span<const double> x, std::span<const double> dx)> function;
        std::string name;          ///< empty: numbered
        signed char direction = 0; ///< only rising (+1) or falling (-1) zeros count, 0: all
    };

    Residual residual;
    Jacobian jacobian;                      ///< empty: finite differences
    std::optional<SparsityPattern> pattern; ///< entries of ∂F/∂x and ∂F/∂x' together; none: probed
    std::optional<Dependence> dependence; ///< as found_dependence() says, for whoever makes both problems; none: found
    double t0 = 0.0;
    std::vector<double> x0;            ///< its size is the number of equations and unknowns
    std::vector<double> dx0;           ///< guess; empty: 0
    std::vector<UnknownInfo> unknowns; ///< empty: defaults; `differential` is found by probing
    std::vector<Strength> strength;    ///< of x0; empty: preferred for differential, guess for algebraic unknowns
    std::vector<std::string> names;    ///< empty: x[0], x[1], …
    std::vector<Root> roots = {};
    /// Given: `residual` is F by the chain rule (BlackBoxQuantity::chained), and methods may difference the quantity.
    std::optional<BlackBoxQuantity> quantity = {};
    DifferenceScheme scheme = DifferenceScheme::forward;
};

/// By NaN propagation and by perturbation, at (x0, dx0) and at a few reproducible points around it.
[[nodiscard]] Dependence probe_dependence(const BlackBox& box);

/// What is wrong with it, if anything: sizes that do not agree, numbers that are none.
[[nodiscard]] std::optional<Diagnostic> invalid(const BlackBox& box);

/// What is known of a valid one without asking, and the rest by as few evaluations as it takes.
[[nodiscard]] Dependence found_dependence(const BlackBox& box);

[[nodiscard]] Expected<ImplicitProblem> make_implicit_problem(BlackBox box);

/// Unknowns u = (x, x' of the differential unknowns), equations F = 0: consistent values of an index-1 problem.
[[nodiscard]] Expected<InitialProblem> make_initial_problem(BlackBox box);

} // namespace daedalus::problem
