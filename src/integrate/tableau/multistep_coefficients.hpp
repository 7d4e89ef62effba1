// Linear multistep methods  Σ α_i x_{n-i} = h Σ β_i x'_{n-i},  i = 0 … k (0: the newest), in extended precision.
//
//   bdf_alpha      derivative at t_n of the polynomial through x_n … x_{n-k}, on any grid (Brayton & al. 1972; on an
//                  equidistant one the classical coefficients, stable for k ≤ 6)
//   adams_beta     α = (1, -1): β integrates the polynomial through the chosen x'_{n-i} over the last step
//   β with β_0 given: one order less than possible, so that the roots of σ can be moved inside the unit circle, as
//                  methods for algebraic constraints need (W Thms 2.3, 2.6)
#pragma once

#include <span>
#include <string>
#include <vector>

namespace daedalus::tableau {

struct MultistepMethod {
    std::string id;
    std::string title;
    int order = 1;
    bool bdf = false;     ///< β = (1, 0, …): defined on any grid
    bool one_leg = false; ///< F(Σ β_i t_{n-i}, Σ β_i x_{n-i}, Σ α_i x_{n-i} / h) = 0
    std::vector<long double> alpha;
    std::vector<long double> beta;

    [[nodiscard]] int steps() const { return static_cast<int>(alpha.size()) - 1; }
    [[nodiscard]] bool implicit() const { return beta[0] != 0; }
};

/// For times t[0] = t_n > t[1] > …: x'(t_n) ≈ Σ α_i x(t_i), with 1/h inside.
[[nodiscard]] std::vector<long double> bdf_alpha(std::span<const long double> t);
void bdf_alpha(std::span<const long double> t, std::span<long double> alpha);

/// Order conditions Σ α_i (-i)^q = q Σ β_i (-i)^{q-1} for q = 0, 1, …: the number fulfilled, less one.
[[nodiscard]] int multistep_order(const MultistepMethod& method);

/// Largest modulus of the zeros of σ(ζ) = Σ β_i ζ^{k-i}: < 1 is strict stability at infinity. 0 for BDF.
[[nodiscard]] long double spectral_radius_at_infinity(const MultistepMethod& method);

[[nodiscard]] MultistepMethod make_bdf(int k);
/// k = 1, 2, …: Adams–Bashforth with k values, or with `implicit` Adams–Moulton with k + 1.
[[nodiscard]] MultistepMethod make_adams(int k, bool implicit);
/// α = (1, -1), k steps, order k, β_0 prescribed.
[[nodiscard]] MultistepMethod make_damped_adams(int k, long double beta0);

} // namespace daedalus::tableau
