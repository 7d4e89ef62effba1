// The regularised saddle-point (KKT) system of least change under linearised equations,
//
//     [ I   Ĵᵀ ] [ v ]   [ a ]
//     [ Ĵ  -μI ] [ λ ] = [ b ] ,     Ĵ = D J S ,
//
// with J rectangular and possibly rank-deficient, S the unknowns' scales (0 holds an unknown) and D the rows' scales
// (0 drops an equation). For μ > 0 the matrix is symmetric quasi-definite, hence regular whatever the rank of J
// (Vanderbei 1995); v then is the Levenberg–Marquardt step of the scaled problem. Holding unknowns and dropping
// equations changes values only, never the pattern: one symbolic factorisation serves every question.
#pragma once

#include "linalg/linear_solver.hpp"

#include <memory>
#include <span>
#include <vector>

namespace daedalus::nonlinear {

class SaddlePoint {
public:
    explicit SaddlePoint(const SparsityPattern& jacobian);

    /// Factorises for Jacobian values on the pattern and the scales.
    [[nodiscard]] linalg::FactorStatus factor(std::span<const double> values, std::span<const double> row_scale,
                                              std::span<const double> unknown_scale, double mu);
    /// v from a (size of unknowns) and b (size of equations); λ is available as multipliers().
    void solve(std::span<const double> a, std::span<const double> b, std::span<double> v);
    [[nodiscard]] std::span<const double> multipliers() const;
    [[nodiscard]] long factorisations() const { return factorisations_; }

private:
    std::size_t unknowns_;
    std::size_t equations_;
    SparsityPattern jacobian_;
    SparsityPattern pattern_;
    std::vector<int> lower_, upper_; ///< Jacobian entry → positions in Ĵ and Ĵᵀ
    std::vector<int> diagonal_;
    std::vector<double> values_;
    std::vector<double> work_;
    std::unique_ptr<linalg::LinearSolver<double>> solver_;
    long factorisations_ = 0;
};

} // namespace daedalus::nonlinear
