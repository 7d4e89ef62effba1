// The equation of a BDF step, for Newton's iteration.
#pragma once

#include "integrate/error_norm.hpp"
#include "integrate/iteration_matrix.hpp"

#include <utility>
#include <vector>

namespace daedalus::integrate {

/// The differentiated quantity in a step: q = Q(t, x), e = q - q_pred, q' = q'_pred + cj e.
struct BdfQuantity {
    explicit BdfQuantity(std::size_t m) : predicted(m), predicted_slope(m), value(m), slope(m), e(m) {}
    std::vector<double> predicted, predicted_slope, value, slope, e;

    /// At x; false: it has no value there.
    [[nodiscard]] bool evaluate(const problem::ImplicitProblem& problem, double t, double cj, const double* x) {
        if (value.empty()) return true;
        if (problem.quantity_value(t, x, value.data()) != problem::EvalStatus::ok) return false;
        follow(cj);
        return true;
    }
    /// The value has changed.
    void follow(double cj) {
        for (std::size_t k = 0; k < e.size(); ++k) {
            e[k] = value[k] - predicted[k];
            slope[k] = predicted_slope[k] + cj * e[k];
        }
    }
};

/// F(t, x, x'_pred + cj (x - x_pred)) = 0 for x; with a differentiated quantity
/// G(t, x, x'_pred + cj (x - x_pred), q'_pred + cj (Q(t, x) - q_pred)) = 0.
struct BdfEquation {
    const problem::ImplicitProblem& problem;
    ShiftedMatrix<double>& matrix;
    const ErrorNorm& norm;
    Counters& counters;
    double t, cj;
    double correction; ///< compensates an iteration matrix made for another step size
    double* x;
    double* dx;
    double* e; ///< x - x_pred
    std::vector<double>& delta;
    bool evaluated; ///< delta holds the residual at the first iterate
    BdfQuantity& quantity;

    [[nodiscard]] bool residual() {
        if (std::exchange(evaluated, false)) return true;
        ++counters.residuals;
        if (!quantity.value.empty())
            return quantity.evaluate(problem, t, cj, x) &&
                   problem.stated_residual(t, x, dx, quantity.slope.data(), delta.data()) == problem::EvalStatus::ok;
        return problem.residual(t, x, dx, delta.data()) == problem::EvalStatus::ok;
    }
    void solve() { matrix.solve(delta, counters); }
    [[nodiscard]] double update() {
        ++counters.newton_iterations;
        const std::size_t n = delta.size();
        for (std::size_t k = 0; k < n; ++k) {
            const double d = delta[k] *= correction;
            x[k] -= d;
            e[k] -= d;
            dx[k] -= cj * d;
        }
        return norm(delta.data());
    }
};

} // namespace daedalus::integrate
