// The memory of a BDF method: modified divided differences of x at the last steps, and the coefficients of the
// fixed-leading-coefficient formula that follow from the step sizes alone. Where the problem has a differentiated
// quantity q = Q(t, x), differences of q as well, behind those of x: phi is then of d = (x, q).
//
// Dictionary (Brenan, Campbell & Petzold 1996, 5.2.1, with their indices lowered by one):
//   psi[i]   = t_{n+1} - t_{n-i}                    phi[i] = psi[0] … psi[i-1] x[t_n, …, t_{n-i}]
//   beta[i]  = Π psi_{n+1}/psi_n: phi*[i] = beta[i] phi[i]
//   alpha[i] = h / psi[i] ,  sigma[i] = h^i i! / (psi[0] … psi[i]) ,  gamma[i] = Σ_{l<i} 1/psi[l]
// The predictor is Σ phi*[i], its slope Σ gamma[i] phi*[i]. The corrector at order k is
//     x' = x'_pred - α_s/h (x - x_pred) ,   α_s = -Σ_{j=1}^{k} 1/j .
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace daedalus::integrate {

class BdfHistory {
public:
    static constexpr int max_order = 6;

    /// Of n unknowns and m quantities.
    explicit BdfHistory(std::size_t n, std::size_t m = 0) : n_(n), m_(m) {
        for (auto& column : phi_) column.resize(n + m);
    }

    /// One point and its slope; the next step is of size h (another size is as good, the differences are rescaled).
    void start(std::span<const double> x, std::span<const double> dx, double h, std::span<const double> q = {},
               std::span<const double> dq = {});
    /// Points d at several times, the present first.
    void start(std::span<const double> times, std::span<const double> values);

    /// Coefficients of a step of size h at order k.
    void prepare(double h, int k);
    [[nodiscard]] double leading_coefficient() const { return cj_; } ///< -α_s/h: ∂x'/∂x of the corrector
    /// M of the error test: error = ck ‖x - x_pred‖.
    [[nodiscard]] double error_constant() const { return ck_; }
    [[nodiscard]] double sigma(int i) const { return sigma_[i]; }
    void predict(double* x, double* dx) const { predict(0, n_, x, dx); }
    void predict_quantity(double* q, double* dq) const { predict(n_, m_, q, dq); }

    /// Norms of the estimated error terms at order k-1, k-2, k+1 need these vectors: out = phi*[i] + v, and so on.
    void add_difference(int i, const double* v, double* out) const { add_difference(0, n_, i, v, out); }
    void subtract_top(const double* e, double* out) const { subtract_top(0, n_, e, out); } ///< e - phi[k+1]
    /// The same of the quantity.
    void add_quantity_difference(int i, const double* v, double* out) const { add_difference(n_, m_, i, v, out); }
    void subtract_quantity_top(const double* e, double* out) const { subtract_top(n_, m_, e, out); }

    /// Commits the prepared step with correction e = x - x_pred, and that of q.
    void commit(const double* e, const double* of_quantity = nullptr);
    /// As if the last committed correction had been e + delta: the polynomial goes through the moved point.
    void correct(const double* delta, const double* of_quantity = nullptr);
    /// Polynomial of x in the last committed step, `offset` = t - t_n ≤ 0.
    void interpolate(double offset, double* x, double* dx) const;
    [[nodiscard]] int order() const { return k_; } ///< of the prepared step
    [[nodiscard]] int committed_order() const { return k_committed_; }
    /// What that polynomial is made of: its order, differences 0 … order (x in front) and psi.
    [[nodiscard]] int polynomial_order() const { return std::max(k_committed_, 1); }
    [[nodiscard]] const double* difference(int i) const { return phi_[static_cast<std::size_t>(i)].data(); }
    [[nodiscard]] const std::array<double, max_order + 2>& psi() const { return psi_; }

private:
    // Of the `size` components from `first` on.
    void predict(std::size_t first, std::size_t size, double* x, double* dx) const;
    void add_difference(std::size_t first, std::size_t size, int i, const double* v, double* out) const;
    void subtract_top(std::size_t first, std::size_t size, const double* e, double* out) const;

    std::size_t n_, m_;
    std::array<std::vector<double>, max_order + 2> phi_;
    std::array<double, max_order + 2> psi_{}, psi_next_{}, beta_{}, sigma_{}, gamma_{};
    int k_ = 1;           ///< of the prepared step
    int k_committed_ = 0; ///< of the last committed step
    double cj_ = 0, ck_ = 0;
};

} // namespace daedalus::integrate
