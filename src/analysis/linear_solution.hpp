// The solution of E x' + H x = c(t) with constant coefficients, as accurate as numbers allow, from the Weierstrass
// form:
//     x = Q (y, z) ,   y' + C y = (P c)₁ ,   N z' + z = (P c)₂                                       HW (1.6), W (1.7)
//     y(t) = e^{-C (t - t₀)} y₀ + ∫ e^{-C (t - s)} (P c(s))₁ ds ,   z(t) = Σ_k (-N)^k (P c)₂^(k)(t)   HW (1.7), W (1.8)
// Derivatives of c are asked for, never approximated. The integral is adaptive Gauss quadrature, in which the
// exponentials are exact.
#pragma once

#include "analysis/weierstrass_form.hpp"

#include <functional>
#include <map>
#include <span>

namespace daedalus::analysis {

/// c^(k)(t) into the span.
using Forcing = std::function<void(double t, int k, std::span<double> c)>;

class LinearSolution {
public:
    /// Of `x0` only the part in the consistent subspace counts: y₀ = (P E x₀)₁.
    LinearSolution(WeierstrassForm form, const linalg::Matrix& e, Forcing forcing, double t0,
                   std::span<const double> x0);

    /// x at t (before or after t₀). `tolerance`: of the quadrature, relative to the largest |y|.
    [[nodiscard]] std::vector<double> at(double t, double tolerance = 1e-13);
    /// x(t₀): the consistent vector that belongs to x₀.
    [[nodiscard]] std::vector<double> initial() { return at(t0_); }
    /// ‖x(t₀) - x₀‖_∞: zero, up to rounding, if x₀ is consistent.
    [[nodiscard]] double inconsistency() const { return inconsistency_; }
    /// False if quadrature gave up somewhere.
    [[nodiscard]] bool accurate() const { return accurate_; }
    [[nodiscard]] int index() const { return form_.index; }

private:
    struct Step { ///< exponentials for one step size
        linalg::Matrix whole;
        std::vector<linalg::Matrix> from_node;
    };
    [[nodiscard]] const Step& step_of(double h);
    [[nodiscard]] std::vector<double> advanced(double t, double h, const std::vector<double>& y);
    [[nodiscard]] std::vector<double> transformed_forcing(double t, int k) const;
    [[nodiscard]] std::vector<double> algebraic(double t) const;

    WeierstrassForm form_;
    Forcing forcing_;
    double t0_;
    std::vector<double> y0_;
    double inconsistency_ = 0.0;
    bool accurate_ = true;
    std::map<double, Step> steps_;
    std::vector<double> nodes_, weights_; ///< of Gauss quadrature on [0, 1]
};

} // namespace daedalus::analysis
