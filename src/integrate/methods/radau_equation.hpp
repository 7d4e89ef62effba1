// The equation that a Radau step solves.
//
// Stage unknowns Z_i = X_i - x_n, i = 1 … S; with A^{-1} from the tableau the stage derivatives are
//     X_i' = (1/h) Σ_j (A^{-1})_ij Z_j ,
// so that the collocation conditions are  F(t_n + c_i h, x_n + Z_i, X_i') = 0. Simplified Newton with J = ∂F/∂x and
// M = ∂F/∂x' frozen at the start of the step, transformed by T (HW (8.5)-(8.8)), decouples into one real system and
// (S-1)/2 complex ones:
//     (γ/h M + J) ΔW_1 = R_1 ,   ((α+iβ)/h M + J)(ΔW_k + iΔW_{k+1}) = R_k + iR_{k+1} ,   R = -(T^{-1} ⊗ I) F ,
// and ΔZ = (T ⊗ I) ΔW. Where the problem has a differentiated quantity q = Q(t, x),
//     G(t_n + c_i h, x_n + Z_i, X_i', q_i') = 0 ,   q_i' = (1/h) Σ_j (A^{-1})_ij (Q(t_j, X_j) - q_n) ,
// with the same matrices for M = ∂G/∂x' + ∂G/∂q' ∂Q/∂x.
#pragma once

#include "integrate/error_norm.hpp"
#include "integrate/frozen_quantity.hpp"
#include "integrate/iteration_matrix.hpp"
#include "integrate/methods/stage_algebra.hpp"
#include "integrate/tableau/radau_iia.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <vector>

namespace daedalus::integrate {

template <int S>
class RadauEquation {
public:
    static constexpr int pairs = (S - 1) / 2;
    using Complex = std::complex<double>;

    RadauEquation(const problem::ImplicitProblem& problem, const tableau::RadauIIA& tableau, linalg::SolverKind kind);

    /// Factorises the 1 + (S-1)/2 matrices for steps of size h.
    [[nodiscard]] linalg::FactorStatus factor(const JacobianValues& jacobian, double h, Counters& counters);
    void links_changed();

    /// The step to solve; Z holds the starting values. q: the quantity at x, if there is one.
    void pose(double t, double h, double t_new, const double* x, const double* q, const ErrorNorm& norm,
              Counters& counters);

    // What Newton needs.
    [[nodiscard]] bool residual();
    void solve();
    [[nodiscard]] double update();

    /// The last correction of each component: the one of the stage where it is largest.
    void largest_correction(double* out) const;
    /// x' at stage i from Z.
    void stage_derivative(int i, double* dx) const;
    /// Where the problem has a differentiated quantity: Q at all stages less q of the beginning, from Z; false: it has
    /// no value there. Then q' at stage i follows as x' does.
    [[nodiscard]] bool find_quantities();
    /// After Newton's iteration: those of the last iterate, with what is conserved (frozen_quantity.hpp).
    [[nodiscard]] bool carry_quantities(FrozenQuantity& frozen);
    void quantity_derivative(int i, double* dq) const;
    [[nodiscard]] const double* quantity_at_end() const { return quantity_.Z.data() + (S - 1) * quantity_.m; }
    /// Σ_j w_j of those differences.
    void combine_quantities(const std::array<double, S>& w, double* sum) const {
        combine_stages<1, S>(w, quantity_.m, quantity_.Z.data(), sum);
    }

    std::vector<double> Z;             ///< S blocks of n
    ShiftedMatrix<double> real_matrix; ///< γ/h M + J, also the filter of the error estimate

private:
    [[nodiscard]] double time_of(int i) const { return i == S - 1 ? t_new_ : t_ + c_[i] * h_; }
    [[nodiscard]] bool stated_residual();
    /// The last correction of component k of all stages, transformed.
    [[nodiscard]] std::array<double, S> transformed(std::size_t k) const;

    struct Quantity {
        std::size_t m;             ///< 0: there is none
        std::vector<double> Z, dQ; ///< Q(t_i, X_i) - q_n and q_i' of the stages
        const double* q;           ///< q_n
    };

    const problem::ImplicitProblem& problem_;
    int n_;
    Quantity quantity_;
    std::array<double, S> c_;
    std::array<double, S * S> A_inverse_, T_, minus_T_inverse_;
    double gamma_;
    std::array<double, pairs + 1> alpha_, beta_;
    std::vector<ShiftedMatrix<Complex>> complex_matrix_;
    std::vector<double> X_, dX_, R_; ///< of all stages; R: residuals
    std::vector<double> W_;          ///< transformed: one real vector, then complex ones
    double t_ = 0, h_ = 0, t_new_ = 0;
    const double* x_ = nullptr;
    const ErrorNorm* norm_ = nullptr;
    Counters* counters_ = nullptr;
};

template <int S>
RadauEquation<S>::RadauEquation(const problem::ImplicitProblem& problem, const tableau::RadauIIA& tableau,
                                linalg::SolverKind kind)
    : real_matrix(problem, kind), problem_(problem),
      n_(problem.size()), quantity_{static_cast<std::size_t>(problem.quantity().size), {}, {}, nullptr},
      gamma_(tableau.gamma) {
    std::copy(tableau.c.begin(), tableau.c.end(), c_.begin());
    std::copy(tableau.A_inverse.begin(), tableau.A_inverse.end(), A_inverse_.begin());
    std::copy(tableau.T.begin(), tableau.T.end(), T_.begin());
    std::transform(tableau.T_inverse.begin(), tableau.T_inverse.end(), minus_T_inverse_.begin(), std::negate<>());
    std::copy(tableau.alpha.begin(), tableau.alpha.end(), alpha_.begin());
    std::copy(tableau.beta.begin(), tableau.beta.end(), beta_.begin());
    complex_matrix_.reserve(pairs);
    for (int k = 0; k < pairs; ++k) complex_matrix_.emplace_back(problem, kind);
    const auto n = static_cast<std::size_t>(n_);
    for (auto* stages : {&X_, &dX_, &R_, &W_, &Z}) stages->resize(S * n);
    for (auto* stages : {&quantity_.Z, &quantity_.dQ}) stages->resize(S * quantity_.m);
}

template <int S>
void RadauEquation<S>::links_changed() {
    real_matrix.resize(problem_);
    for (auto& matrix : complex_matrix_) matrix.resize(problem_);
}

template <int S>
linalg::FactorStatus RadauEquation<S>::factor(const JacobianValues& jacobian, double h, Counters& counters) {
    linalg::FactorStatus status = real_matrix.factor(jacobian, gamma_ / h, counters);
    for (int k = 0; k < pairs && status == linalg::FactorStatus::ok; ++k)
        status = complex_matrix_[k].factor(jacobian, Complex(alpha_[k], beta_[k]) / h, counters);
    return status;
}

template <int S>
void RadauEquation<S>::pose(double t, double h, double t_new, const double* x, const double* q, const ErrorNorm& norm,
                            Counters& counters) {
    quantity_.q = q;
    t_ = t;
    h_ = h;
    t_new_ = t_new;
    x_ = x;
    norm_ = &norm;
    counters_ = &counters;
}

template <int S>
void RadauEquation<S>::stage_derivative(int i, double* dx) const {
    std::array<double, S> a;
    for (int j = 0; j < S; ++j) a[j] = A_inverse_[i * S + j] / h_;
    combine_stages<1, S>(a, static_cast<std::size_t>(n_), Z.data(), dx);
}

template <int S>
void RadauEquation<S>::quantity_derivative(int i, double* dq) const {
    std::array<double, S> a;
    for (int j = 0; j < S; ++j) a[j] = A_inverse_[i * S + j] / h_;
    combine_stages<1, S>(a, quantity_.m, quantity_.Z.data(), dq);
}

template <int S>
bool RadauEquation<S>::find_quantities() {
    const std::size_t n = static_cast<std::size_t>(n_);
    for (int i = 0; i < S; ++i) {
        double *X = X_.data() + i * n, *z = quantity_.Z.data() + i * quantity_.m;
        for (std::size_t k = 0; k < n; ++k) X[k] = x_[k] + Z[i * n + k];
        if (problem_.quantity_value(time_of(i), X, z) != problem::EvalStatus::ok) return false;
        for (std::size_t k = 0; k < quantity_.m; ++k) z[k] -= quantity_.q[k];
    }
    return true;
}

template <int S>
bool RadauEquation<S>::stated_residual() {
    if (!find_quantities()) return false;
    const std::size_t n = static_cast<std::size_t>(n_);
    std::array<double, S * S> a;
    for (std::size_t k = 0; k < a.size(); ++k) a[k] = A_inverse_[k] / h_;
    combine_stages<S, S>(a, quantity_.m, quantity_.Z.data(), quantity_.dQ.data());
    for (int i = 0; i < S; ++i) {
        ++counters_->residuals;
        if (problem_.stated_residual(time_of(i), X_.data() + i * n, dX_.data() + i * n,
                                     quantity_.dQ.data() + i * quantity_.m,
                                     R_.data() + i * n) != problem::EvalStatus::ok)
            return false;
    }
    return true;
}

template <int S>
bool RadauEquation<S>::residual() {
    const std::size_t n = static_cast<std::size_t>(n_);
    std::array<double, S * S> a;
    for (std::size_t k = 0; k < a.size(); ++k) a[k] = A_inverse_[k] / h_;
    form_stages<S>(a, n, x_, Z.data(), X_.data(), dX_.data());
    if (quantity_.m > 0) return stated_residual();
    for (int i = 0; i < S; ++i) {
        ++counters_->residuals;
        if (problem_.residual(time_of(i), X_.data() + i * n, dX_.data() + i * n, R_.data() + i * n) !=
            problem::EvalStatus::ok)
            return false;
    }
    return true;
}

template <int S>
void RadauEquation<S>::solve() {
    const std::size_t n = static_cast<std::size_t>(n_);
    double* w = W_.data();
    transform_residuals<S>(minus_T_inverse_, n, R_.data(), w);
    real_matrix.solve(std::span(w, n), *counters_);
    for (int p = 0; p < pairs; ++p)
        complex_matrix_[p].solve(std::span(reinterpret_cast<Complex*>(w + (2 * p + 1) * n), n), *counters_);
}

template <int S>
std::array<double, S> RadauEquation<S>::transformed(std::size_t k) const {
    const std::size_t n = static_cast<std::size_t>(n_);
    std::array<double, S> w; // W lies as the solvers want it: one real vector, then complex ones
    w[0] = W_[k];
    for (std::size_t p = 0; p < pairs; ++p) {
        w[2 * p + 1] = W_[(2 * p + 1) * n + 2 * k];
        w[2 * p + 2] = W_[(2 * p + 1) * n + 2 * k + 1];
    }
    return w;
}

template <int S>
bool RadauEquation<S>::carry_quantities(FrozenQuantity& frozen) {
    const std::size_t n = static_cast<std::size_t>(n_);
    for (std::size_t k = 0; k < n; ++k) { // ΔZ of all stages, where their derivatives were
        const std::array<double, S> w = transformed(k);
        for (std::size_t i = 0; i < S; ++i) {
            double change = 0.0;
            for (std::size_t j = 0; j < S; ++j) change += T_[i * S + j] * w[j];
            dX_[i * n + k] = change;
        }
    }
    for (std::size_t i = 0; i < S; ++i)
        if (!frozen.add(1.0, dX_.data() + i * n, quantity_.Z.data() + i * quantity_.m)) return false;
    return true;
}

template <int S>
void RadauEquation<S>::largest_correction(double* out) const {
    const std::size_t n = static_cast<std::size_t>(n_);
    for (std::size_t k = 0; k < n; ++k) {
        const std::array<double, S> w = transformed(k);
        out[k] = 0.0;
        for (std::size_t i = 0; i < S; ++i) {
            double change = 0.0;
            for (std::size_t j = 0; j < S; ++j) change += T_[i * S + j] * w[j];
            if (std::abs(change) > std::abs(out[k])) out[k] = change;
        }
    }
}

template <int S>
double RadauEquation<S>::update() {
    ++counters_->newton_iterations;
    const std::size_t n = static_cast<std::size_t>(n_);
    const bool rms = norm_->kind() == NormKind::rms;
    const double size = correct_stages<S>(T_, n, W_.data(), norm_->weights().data(),
                                          rms ? StageNorm::sum_of_squares : StageNorm::largest, Z.data());
    return norm_->of_parts(size, S);
}

} // namespace daedalus::integrate
