// Newton on a square part of the initial value system. Rows are weighed by what they are made of, Σ|∂G/∂u||u|; a step
// is halved until the weighed residual decreases (Armijo), and the matrix is factorised anew at every iterate.
#include "integrate/start_part.hpp"
#include "integrate/start_solver.hpp"
#include "linalg/linear_solver.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

bool StartSolver::newton(const Question& q, std::vector<double>& u) {
    const ActivePart part = active_part(problem_.pattern, q);
    const auto n = static_cast<std::size_t>(part.pattern.rows);
    if (part.pattern.rows != part.pattern.cols || n == 0) return false;
    const auto solver = linalg::make_linear_solver<double>(part.pattern);
    std::vector<double> values(part.entry.size()), weight(n), step(n), trial;
    const auto merit = [&](const std::vector<double>& g) {
        double sum = 0;
        for (std::size_t i = 0; i < part.row_of.size(); ++i)
            if (part.row_of[i] >= 0) {
                const double r = g[i] / weight[static_cast<std::size_t>(part.row_of[i])];
                sum += r * r;
            }
        return sum;
    };
    constexpr int most_iterations = 60;
    int iteration = 0;
    for (; iteration < most_iterations; ++iteration) {
        if (!system_.residual(u, g_) || !system_.jacobian(u, j_)) break;
        std::fill(weight.begin(), weight.end(), 1e-300);
        for (int j = 0; j < problem_.pattern.cols; ++j)
            for (int k = problem_.pattern.column_start[j]; k < problem_.pattern.column_start[j + 1]; ++k)
                if (const int row = part.row_of[static_cast<std::size_t>(problem_.pattern.row_index[k])]; row >= 0)
                    weight[static_cast<std::size_t>(row)] +=
                        std::abs(j_[static_cast<std::size_t>(k)]) *
                        std::max(std::abs(u[static_cast<std::size_t>(j)]), size(j));
        const double before = merit(g_);
        for (std::size_t k = 0; k < values.size(); ++k) values[k] = j_[static_cast<std::size_t>(part.entry[k])];
        if (solver->factor(values) != linalg::FactorStatus::ok) break;
        for (std::size_t i = 0; i < part.row_of.size(); ++i)
            if (part.row_of[i] >= 0) step[static_cast<std::size_t>(part.row_of[i])] = -g_[i];
        solver->solve(step);
        bool improved = false;
        double change = 0;
        for (double lambda = 1.0; lambda > 1e-6 && !improved; lambda *= 0.5) {
            trial = u;
            change = 0;
            for (std::size_t k = 0; k < n; ++k) {
                const auto j = static_cast<std::size_t>(part.columns[k]);
                trial[j] += lambda * step[k];
                change = std::max(change, std::abs(lambda * step[k]) /
                                              std::max(std::abs(trial[j]), 1e-3 * size(part.columns[k])));
            }
            improved = system_.residual(trial, g_) && merit(g_) < before * (1 - 1e-4 * lambda);
        }
        if (!improved) break; // at round-off, or stuck: the check below tells which
        u = trial;
        if (change < 1e-14) break;
    }
    Question check = q;
    check.held.assign(u.size(), 1);
    const bool success = run(check, u, {.tolerance = options_.tolerance, .max_iterations = 1, .least_change = false});
    record("Newton", q, success, iteration);
    return success;
}

} // namespace daedalus::integrate
