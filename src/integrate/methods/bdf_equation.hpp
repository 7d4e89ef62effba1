// The equation of a BDF step, for Newton's iteration.
#pragma once

#include "integrate/error_norm.hpp"
#include "integrate/iteration_matrix.hpp"

#include <utility>
#include <vector>

namespace daedalus::integrate {

/// F(t, x, x'_pred + cj (x - x_pred)) = 0 for x.
struct BdfEquation {
    const problem::ImplicitProblem& problem;
    ShiftedMatrix<double>& matrix;
    const ErrorNorm& norm;
    Counters& counters;
    double t, cj;
    double correction; ///< 2/(1 + cj/cj_of_matrix): compensates an iteration matrix made for another step size
    double* x;
    double* dx;
    double* e; ///< x - x_pred
    std::vector<double>& delta;
    bool evaluated; ///< delta holds the residual at the first iterate

    [[nodiscard]] bool residual() {
        if (std::exchange(evaluated, false)) return true;
        ++counters.residuals;
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
