// An implicit Runge–Kutta tableau as the equation of a step needs it.
//
// Stage unknowns are Z_i = X_i - x_n. Let Ã be A without an explicit first stage (a zero row, Lobatto IIIA) and without
// a last stage that no other uses (a zero column, Lobatto IIIB); it is regular, and with W = Ã^{-1}
//     h X_i' = Σ_j W_ij Z_j - w_i h x_n' ,    w = W (a_i1) if the first stage is explicit, else 0 .
// W is brought to a form in which the linear systems of simplified Newton decouple (Butcher 1976; HW IV.8):
//     T^{-1} W T = diag(λ_1 …, [[α, β], [-β, α]], …) ,
// or, where W is lower triangular (diagonally implicit methods, whose W has no basis of eigenvectors), T = I and the
// systems follow each other.
//
// The step ends at x_{n+1} = x_n + h Σ b_i X_i', in terms of Z: x_n + Σ e_j Z_j + ..., e = b^T W, which for algebraic
// unknowns is R(∞) y_n + Σ e_j Y_j (HLR 1989; W (3.6)).
#pragma once

#include "integrate/tableau/butcher.hpp"

namespace daedalus::tableau {

struct StageForm {
    /// Rows of the transformed system that are solved together: one if β = 0, else two.
    struct Unit {
        int row = 0;
        double alpha = 0;
        double beta = 0;
    };

    int stages = 0;
    int first = 0;           ///< 1: the first stage is explicit
    int solved = 0;          ///< stages first … first + solved - 1 are unknown together
    bool last_apart = false; ///< the last stage follows from the others
    bool stiffly_accurate = false;
    bool triangular = false;
    double scale = 0; ///< of a real shift scale/h that is near those of the units, equal to that of the first real one
    std::vector<double> c;               ///< of all stages
    std::vector<double> W, T, T_inverse; ///< row-major, solved × solved
    std::vector<double> from_first;      ///< w_i
    std::vector<Unit> units;             ///< real ones first
    std::vector<double> end;             ///< e_j
    double end_first = 0;                ///< factor of h x_n' at the end
    std::vector<double> last;            ///< X_s - x_n = Σ last_j Z_j, if it is apart;
    double end_last = 0;                 ///< … and the factor of h X_s' at the end
    /// Factors of X_i' of all stages: x'(1) by interpolation, and x'(0) by interpolation in stages with c_i ≠ 0.
    std::vector<double> slope_at_end, slope_at_begin;
    int order_of_stages = 0;   ///< C of W (3.2)
    int order_of_estimate = 0; ///< h (x_n' - x'(0)) = O(h^(this + 1))
};

/// Ã regular, and triangular or with simple eigenvalues; nodes distinct.
[[nodiscard]] StageForm make_stage_form(const ButcherTableau& method);

} // namespace daedalus::tableau
