// The equation of an implicit Runge–Kutta step with any tableau, F(t_n + c_i h, x_n + Z_i, X_i') = 0 for the stages
// that are unknown together (stage_form.hpp). Simplified Newton with J = ∂F/∂x and M = ∂F/∂x' of one point:
//     (I ⊗ J + W/h ⊗ M) ΔZ = -F ,   in the transformed stages ΔV = (T^{-1} ⊗ I) ΔZ, R = -(T^{-1} ⊗ I) F :
//     (J + λ/h M) ΔV_k = R_k ,   (J + (α - iβ)/h M)(ΔV_k + i ΔV_{k+1}) = R_k + i R_{k+1} ,
// and for diagonally implicit methods  (J + W_kk/h M) ΔV_k = R_k - Σ_{j<k} W_kj/h M ΔV_j .
// Where steps difference a quantity q = Q(t, x), G(t_i, X_i, X_i', q_i') = 0 in place of F, with q_i' from
// Q(t_i, X_i) - q_n as X_i' is from Z_i.
#pragma once

#include "integrate/error_norm.hpp"
#include "integrate/iteration_matrix.hpp"
#include "integrate/methods/step_quantity.hpp"
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
    /// Steps difference this quantity.
    void difference(const StepQuantity& quantity);

    // What Newton needs.
    [[nodiscard]] bool residual();
    void solve();
    [[nodiscard]] double update();

    /// X_i' of the solved stages from Z into slope(i).
    void find_slopes();
    [[nodiscard]] double* slope(int solved_stage) { return dX_.data() + static_cast<std::size_t>(solved_stage) * n_; }
    /// After Newton's iteration: the quantity at the stages of the last iterate less q_n, and its slopes, with what is
    /// conserved (frozen_quantity.hpp); false: it has no value.
    [[nodiscard]] bool carry_quantities(FrozenQuantity& frozen);
    [[nodiscard]] const double* quantity_slope(int solved_stage) const {
        return stated_.slope.data() + static_cast<std::size_t>(solved_stage) * stated_.size();
    }
    [[nodiscard]] const double* quantity_difference(int solved_stage) const {
        return stated_.Z.data() + static_cast<std::size_t>(solved_stage) * stated_.size();
    }
    /// The last correction of each component: the one of the stage where it is largest.
    void largest_correction(double* out) const;

    std::vector<double> Z; ///< solved stages one after the other

private:
    using Complex = std::complex<double>;
    [[nodiscard]] double* block(std::vector<double>& v, int k) { return v.data() + static_cast<std::size_t>(k) * n_; }
    void subtract_couplings(int row);
    [[nodiscard]] double time_of(int solved_stage) const;
    void stage(int i);
    [[nodiscard]] bool stated_residual();
    void slopes_of(const std::vector<double>& Z, std::size_t size, const double* first,
                   std::vector<double>& slopes) const;

    struct Stated {
        const StepQuantity* quantity = nullptr; ///< null: steps difference x
        std::vector<double> Z, slope;           ///< of the stages
        [[nodiscard]] std::size_t size() const { return quantity->size(); }
    };

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
    Stated stated_;
    const JacobianValues* jacobian_ = nullptr;
    double t_ = 0, h_ = 0, t_new_ = 0;
    const double* x_ = nullptr;
    const double* dx_ = nullptr;
    const ErrorNorm* norm_ = nullptr;
    Counters* counters_ = nullptr;
};

} // namespace daedalus::integrate
