// Small matrices times blocks of stages: out_i = Σ_j C_ij in_j for S vectors of n components stored one after the
// other, as Runge–Kutta methods need them for x', for the transformation by T and for starting values.
//
// A Newton iteration of Radau passes over its stages three times, and each pass does all there is to do with a
// component. In between, the transformed residuals lie as the linear solvers take them: one real vector, then complex
// ones.
//
// Four components at a time, in the widest registers that the processor has; each component is rounded as in the plain
// loop over j, whatever the registers.
#pragma once

#include <array>
#include <cstddef>

namespace daedalus::integrate {

/// C is row-major; `out` may be `in`.
template <int Rows, int Columns>
void combine_stages(const std::array<double, Rows * Columns>& C, std::size_t n, const double* in, double* out);

/// X_i = x + Z_i and X_i' = Σ_j a_ij Z_j.
template <int S>
void form_stages(const std::array<double, S * S>& a, std::size_t n, const double* x, const double* Z, double* X,
                 double* dX);

/// Σ_j C_ij R_j of S residuals: i = 0 real, then pairs (1, 2), (3, 4) … as complex numbers.
template <int S>
void transform_residuals(const std::array<double, S * S>& C, std::size_t n, const double* R, double* W);

/// Z_i += Δ_i = Σ_j T_ij W_j with W as above. Returns Σ (w_k Δ_ik)², or max |w_k Δ_ik|.
enum class StageNorm { sum_of_squares, largest };
template <int S>
[[nodiscard]] double correct_stages(const std::array<double, S * S>& T, std::size_t n, const double* W, const double* w,
                                    StageNorm kind, double* Z);

} // namespace daedalus::integrate
