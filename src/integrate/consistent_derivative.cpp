#include "integrate/consistent_derivative.hpp"

#include "integrate/consistency_matrix.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

namespace {

/// F_t at fixed x, x'; one-sided where F is not defined on one side of t.
bool time_derivative(const problem::ImplicitProblem& problem, double t, double step, const double* x, const double* dx,
                     std::vector<double>& result, Counters& counters) {
    std::vector<double> other(result.size());
    counters.residuals += 2;
    double after = t + step, before = t - step;
    if (problem.residual(after, x, dx, result.data()) != problem::EvalStatus::ok) {
        after = t;
        if (problem.residual(after, x, dx, result.data()) != problem::EvalStatus::ok) return false;
    }
    if (problem.residual(before, x, dx, other.data()) != problem::EvalStatus::ok) {
        before = t;
        if (problem.residual(before, x, dx, other.data()) != problem::EvalStatus::ok) return false;
    }
    if (!(after > before)) return false;
    for (std::size_t k = 0; k < result.size(); ++k) result[k] = (result[k] - other[k]) / (after - before);
    return true;
}

/// Every x' stands in one row, and no other beside it: as in x' = f(t, x), F tells all of them.
bool tells_all(const JacobianValues& jacobian, const SparsityPattern& pattern) {
    std::vector<char> taken(static_cast<std::size_t>(pattern.rows), 0);
    for (int j = 0; j < pattern.cols; ++j) {
        int found = 0;
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) {
            if (jacobian.jdx[static_cast<std::size_t>(k)] == 0.0) continue;
            char& row = taken[static_cast<std::size_t>(pattern.row_index[static_cast<std::size_t>(k)])];
            if (row != 0 || ++found > 1) return false;
            row = 1;
        }
        if (found == 0) return false;
    }
    return true;
}

} // namespace

bool consistent_derivative(const problem::ImplicitProblem& problem, double t, double time_scale,
                           std::span<const double> x, std::span<double> dx, linalg::SolverKind kind,
                           Counters& counters) {
    if (problem.highest_index() > 1) return false;
    const auto n = static_cast<std::size_t>(problem.size());
    const double scale = std::abs(time_scale);
    JacobianValues jacobian(problem);
    if (jacobian.evaluate(t, x.data(), dx.data(), counters) != problem::EvalStatus::ok) return false;
    const SparsityPattern& pattern = problem.pattern();
    if (tells_all(jacobian, pattern)) return true;
    std::vector<double> F_t(n);
    const double step = std::max(0.01 * scale, 1e3 * std::numeric_limits<double>::epsilon() * std::abs(t));
    if (!time_derivative(problem, t, step, x.data(), dx.data(), F_t, counters)) return false;

    ConsistencyMatrix local(kind);
    std::vector<char> differential(n);
    jacobian.mark_differential(differential);
    if (local.factor(jacobian, differential, counters) == linalg::FactorStatus::ok) {
        std::vector<double> p(n);
        for (std::size_t k = 0; k < n; ++k) p[k] = -F_t[k];
        for (int j = 0; j < pattern.cols; ++j)
            if (differential[static_cast<std::size_t>(j)] != 0)
                for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
                    p[static_cast<std::size_t>(pattern.row_index[k])] -= jacobian.jx[k] * dx[j];
        local.solve(p, counters);
        if (!std::all_of(p.begin(), p.end(), [](double v) { return std::isfinite(v); })) return false;
        for (std::size_t k = 0; k < n; ++k)
            if (differential[k] == 0) dx[k] = p[k];
        return true;
    }

    ShiftedMatrix<double> matrix(problem, kind);
    std::vector<double> Mdx(n, 0.0);
    for (int j = 0; j < pattern.cols; ++j)
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
            Mdx[static_cast<std::size_t>(pattern.row_index[k])] += jacobian.jdx[k] * dx[j];
    const auto solve_with = [&](double shift, std::vector<double>& p) {
        if (matrix.factor(jacobian, shift, counters) != linalg::FactorStatus::ok) return false;
        for (std::size_t k = 0; k < n; ++k) p[k] = shift * Mdx[k] - F_t[k];
        matrix.solve(p, counters);
        return true;
    };
    std::vector<double> coarse(n), fine(n);
    const double shift = 1e4 / scale;
    if (!solve_with(shift, coarse) || !solve_with(2 * shift, fine)) return false;
    for (std::size_t k = 0; k < n; ++k) {
        fine[k] = 2.0 * fine[k] - coarse[k];
        if (!std::isfinite(fine[k])) return false;
    }
    std::copy(fine.begin(), fine.end(), dx.begin());
    // What links say is exact.
    for (const problem::Link& link : problem.links()) dx[link.state] = x[link.derivative];
    return true;
}

} // namespace daedalus::integrate
