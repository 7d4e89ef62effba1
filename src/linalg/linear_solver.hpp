// Square systems A x = b with a fixed sparsity pattern and many values: the one door to dense LU, straight-line LU, KLU
// and UMFPACK.
#pragma once

#include "base/sparsity_pattern.hpp"

#include <complex>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace daedalus::linalg {

/// Of all solvers of one problem: there are up to a dozen.
using SharedPattern = std::shared_ptr<const SparsityPattern>;

enum class FactorStatus { ok, singular, not_finite, out_of_memory };

/// Factorises values on the pattern given at construction; allocation happens there, not here.
template <class Scalar>
class LinearSolver {
public:
    virtual ~LinearSolver() = default;
    /// `values` in the order of the pattern. After a failure, solve() must not be called.
    [[nodiscard]] virtual FactorStatus factor(std::span<const Scalar> values) = 0;
    /// b := A⁻¹ b
    virtual void solve(std::span<Scalar> b) = 0;
    /// b := A⁻ᵀ b (plain transpose)
    virtual void solve_transposed(std::span<Scalar> b) = 0;
    /// Estimate of 1/cond₁(A) of the equilibrated matrix; 0 after a singular factorisation.
    [[nodiscard]] virtual double reciprocal_condition() const = 0;
    /// After `singular`: the column (unknown) at which elimination broke down, else -1.
    [[nodiscard]] virtual int singular_column() const = 0;
    /// Of the real matrix last factorised; 0: this solver does not know.
    [[nodiscard]] virtual long double determinant() const { return 0.0L; }
    [[nodiscard]] virtual std::string_view name() const = 0;
    /// What is done and at which cost, for reports: a sentence without full stop.
    [[nodiscard]] virtual std::string description() const { return std::string(name()); }
};

enum class SolverKind { automatic, dense, straight_line, klu, umfpack };

/// automatic: dense for small or nearly full patterns, KLU otherwise, and a faster one when the matrices turn out to be
/// worth it (adaptive_solver.hpp). umfpack: KLU where the build has no UMFPACK.
template <class Scalar>
[[nodiscard]] std::unique_ptr<LinearSolver<Scalar>> make_linear_solver(SharedPattern pattern,
                                                                       SolverKind kind = SolverKind::automatic);
template <class Scalar>
[[nodiscard]] std::unique_ptr<LinearSolver<Scalar>> make_linear_solver(const SparsityPattern& pattern,
                                                                       SolverKind kind = SolverKind::automatic) {
    return make_linear_solver<Scalar>(std::make_shared<const SparsityPattern>(pattern), kind);
}

extern template std::unique_ptr<LinearSolver<double>> make_linear_solver(SharedPattern, SolverKind);
extern template std::unique_ptr<LinearSolver<std::complex<double>>> make_linear_solver(SharedPattern, SolverKind);

} // namespace daedalus::linalg
