// Facets: what a system offers in place of the entries of its derivatives J = ∂F/∂x and M = ∂F/∂x'. Such a system has
// no Jacobian kernel and an empty pattern (ImplicitProblem::has_entries() is false); methods that keep to J + σ M run
// on it, whatever asks for entries or determinants is absent.
#pragma once

#include "problem/functions.hpp"

#include <complex>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace daedalus::problem {

/// A point at which F is linearised.
struct LinearisationPoint {
    double t = 0.0;
    const double* x = nullptr;
    const double* dx = nullptr;
};

/// y = (a J + b M) v at a point; y is overwritten.
using Product = EvalStatus (*)(const Call& call, const LinearisationPoint& at, double a, double b, const double* v,
                               double* y);

/// Facet: products with the derivatives and nothing else. Linear systems are then solved by GMRES
/// (integrate/krylov.hpp).
struct Products {
    Product apply = nullptr;
    Product apply_transposed = nullptr; ///< the same with Jᵀ and Mᵀ; null: not offered
};

/// Solves (J + σ M) z = b.
template <class Scalar>
class ShiftedSolver {
public:
    virtual ~ShiftedSolver() = default;
    /// For the system at this point, whose memory may be gone afterwards. False: it cannot be solved.
    [[nodiscard]] virtual bool prepare(const Call& call, const LinearisationPoint& at, Scalar shift) = 0;
    /// b becomes z. False: not found; b is of no use then.
    [[nodiscard]] virtual bool solve(std::span<Scalar> b) = 0;
    /// For reports: a sentence without full stop.
    [[nodiscard]] virtual std::string description() const = 0;
};

/// Facet: the solver that a problem brings along: of a library with matrices of its own, or of processes together.
struct OwnSolver {
    std::function<std::unique_ptr<ShiftedSolver<double>>()> make_real;
    std::function<std::unique_ptr<ShiftedSolver<std::complex<double>>>()> make_complex; ///< empty: none

    template <class Scalar>
    [[nodiscard]] std::unique_ptr<ShiftedSolver<Scalar>> make() const {
        if constexpr (std::is_same_v<Scalar, double>)
            return make_real ? make_real() : nullptr;
        else
            return make_complex ? make_complex() : nullptr;
    }
};

/// Facet: approximate solutions of (J + σ M) z = b for GMRES, σ real.
struct Preconditioner {
    std::function<std::unique_ptr<ShiftedSolver<double>>()> make;
};

} // namespace daedalus::problem
