// The equation of an implicit Runge–Kutta step with any tableau, F(t_n + c_i h, x_n + Z_i, X_i') = 0 for the stages
// that are unknown together (stage_form.hpp). Simplified Newton with J = ∂F/∂x and M = ∂F/∂x' of one point:
//     (I ⊗ J + W/h ⊗ M) ΔZ = -F ,   in the transformed stages ΔV = (T^{-1} ⊗ I) ΔZ, R = -(T^{-1} ⊗ I) F :
//     (J + λ/h M) ΔV_k = R_k ,   (J + (α - iβ)/h M)(ΔV_k + i ΔV_{k+1}) = R_k + i R_{k+1} ,
// and for diagonally implicit methods  (J + W_kk/h M) ΔV_k = R_k - Σ_{j<k} W_kj/h M ΔV_j .
#pragma once

#include "integrate/error_norm.hpp"
#include "integrate/iteration_matrix.hpp"
#include "integrate/tableau/stage_form.hpp"

#include <complex>
#include <vector>

namespace daedalus::integrate {

class StageEquation {
public:
    /// `real_matrix` is J + scale/h M, the caller's; the others belong to the equation.
    StageEquation(const problem::ImplicitProblem& problem, const tableau::StageForm& form,
                  ShiftedMatrix<double>& real_matrix, linalg::SolverKind kind);

    /// Factorises the matrices besides `real_matrix` for steps of size h.
    [[nodiscard]] linalg::FactorStatus factor(const JacobianValues& jacobian, double h, Counters& counters);
    void links_changed();
    /// Whether `real_matrix` is one of those needed.
    [[nodiscard]] bool uses_real_matrix() const { return form_.units.front().beta == 0.0; }

    /// The step to solve; Z holds the starting values. dx: x_n'.
    void pose(double t, double h, double t_new, const double* x, const double* dx, const ErrorNorm& norm,
              Counters& counters);

    // What Newton needs.
    [[nodiscard]] bool residual();
    void solve();
    [[nodiscard]] double update();

    /// X_i' of the solved stages from Z into slope(i).
    void find_slopes();
    [[nodiscard]] double* slope(int solved_stage) { return dX_.data() + static_cast<std::size_t>(solved_stage) * n_; }
    /// The last correction of each component: the one of the stage where it is largest.
    void largest_correction(double* out) const;

    std::vector<double> Z; ///< solved stages one after the other

private:
    using Complex = std::complex<double>;
    [[nodiscard]] double* block(std::vector<double>& v, int k) { return v.data() + static_cast<std::size_t>(k) * n_; }
    void subtract_couplings(int row);

    const problem::ImplicitProblem& problem_;
    const tableau::StageForm& form_;
    const std::size_t n_;
    ShiftedMatrix<double>& real_matrix_;
    std::vector<ShiftedMatrix<double>> more_real_;
    std::vector<double> more_shifts_; ///< h σ of these
    std::vector<int> real_of_unit_;   ///< 0: real_matrix_, k: more_real_[k - 1], -1: complex
    std::vector<ShiftedMatrix<Complex>> complex_;
    std::vector<Complex> pair_;
    std::vector<double> R_, V_, dX_, X_, change_;
    const JacobianValues* jacobian_ = nullptr;
    double t_ = 0, h_ = 0, t_new_ = 0;
    const double* x_ = nullptr;
    const double* dx_ = nullptr;
    const ErrorNorm* norm_ = nullptr;
    Counters* counters_ = nullptr;
};

} // namespace daedalus::integrate
