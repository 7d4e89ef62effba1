#include "study/integration.hpp"
#include "study/newton_to_round_off.hpp"

#include <algorithm>
#include <cassert>

namespace daedalus::study {

namespace {

using tableau::MultistepMethod;

/// The equation of one step. Every component is affine in its unknown u: x = x0 + x1 u, x' = d0 + d1 u. That covers
/// implicit formulas (u = x_n), explicit ones (u = x'_n of differential, u = x_n of algebraic components), and the
/// one-leg form, where x and x' are combinations of the past.
struct StepEquation {
    const Problem& problem;
    Real t;
    Vector x0, x1, d0, d1;
    Vector past_rows; ///< Σ_{i≥1} β_i / β_0 times the algebraic rows of the past (direct variant)

    void assemble(const Vector& u, Vector& r, Matrix& J) const {
        Vector x(u.size()), dx(u.size());
        for (std::size_t j = 0; j < u.size(); ++j) {
            x[j] = x0[j] + x1[j] * u[j];
            dx[j] = d0[j] + d1[j] * u[j];
        }
        const Linearization at = linearize(problem, t, x, dx);
        for (int i = 0; i < problem.size; ++i) {
            r[static_cast<std::size_t>(i)] = at.F[static_cast<std::size_t>(i)] + past_rows[static_cast<std::size_t>(i)];
            for (int j = 0; j < problem.size; ++j)
                J(i, j) =
                    at.Fx(i, j) * x1[static_cast<std::size_t>(j)] + at.Fdx(i, j) * d1[static_cast<std::size_t>(j)];
        }
    }
};

StartValues exact_start(const Problem& problem, const Vector& grid, int k) {
    StartValues start;
    for (int i = 0; i < k; ++i) {
        start.x.push_back(problem.exact_value(grid[static_cast<std::size_t>(i)]));
        start.dx.push_back(problem.exact_derivative(grid[static_cast<std::size_t>(i)]));
    }
    return start;
}

} // namespace

Vector equidistant(Real t0, Real t1, int n) {
    Vector t;
    for (int i = 0; i <= n; ++i) t.push_back(t0 + (t1 - t0) * static_cast<Real>(i) / static_cast<Real>(n));
    return t;
}

Real DiscreteSolution::error_at(const Problem& problem, const ComponentGroup& group, std::size_t n) const {
    const Vector exact = problem.exact_value(t[n]);
    Real largest = 0;
    for (int j = group.first; j < group.first + group.count; ++j) {
        const auto jj = static_cast<std::size_t>(j);
        const Real e = std::abs(x[n][jj] - exact[jj]) / std::max(1.0L, std::abs(exact[jj]));
        if (!(e <= largest)) largest = e;
    }
    return largest;
}

Real DiscreteSolution::error(const Problem& problem, const ComponentGroup& group) const {
    Real largest = 0;
    for (std::size_t n = 3 * t.size() / 4; n < t.size(); ++n) {
        const Real e = error_at(problem, group, n);
        if (!(e <= largest)) largest = e;
    }
    return largest;
}

DiscreteSolution reference_integrate(const Problem& problem, const MultistepMethod& method, const Vector& grid,
                                     Variant variant, const StartValues& given) {
    assert(variant != Variant::projected);
    const int k = method.steps();
    const auto size = static_cast<std::size_t>(problem.size);
    StartValues start = given.x.empty() ? exact_start(problem, grid, k) : given;
    if (start.dx.empty()) start.dx.assign(start.x.size(), Vector(size));
    DiscreteSolution solution;
    for (int i = 0; i < k; ++i) {
        solution.t.push_back(grid[static_cast<std::size_t>(i)]);
        solution.x.push_back(start.x[static_cast<std::size_t>(i)]);
        solution.dx.push_back(start.dx[static_cast<std::size_t>(i)]);
    }
    const bool direct = variant == Variant::direct && method.implicit() && !method.one_leg;
    std::vector<Vector> rows(solution.x.size(), Vector(size)); // algebraic rows of the past: the start satisfies them

    for (std::size_t n = static_cast<std::size_t>(k); n < grid.size(); ++n) {
        const Real h = grid[n] - grid[n - 1];
        Vector alpha = method.alpha;
        if (method.bdf) {
            Vector times;
            for (int i = 0; i <= k; ++i) times.push_back(grid[n - static_cast<std::size_t>(i)]);
            alpha = tableau::bdf_alpha(times);
            for (Real& a : alpha) a *= h;
        }
        Vector past_alpha(size), past_beta(size);
        StepEquation step{problem, grid[n], Vector(size), Vector(size), Vector(size), Vector(size), Vector(size)};
        for (int i = 1; i <= k; ++i) {
            const auto ii = static_cast<std::size_t>(i);
            for (std::size_t j = 0; j < size; ++j) {
                past_alpha[j] += alpha[ii] * solution.x[n - ii][j];
                past_beta[j] += method.beta[ii] * (method.one_leg ? solution.x : solution.dx)[n - ii][j];
                if (direct) step.past_rows[j] += method.beta[ii] / method.beta[0] * rows[n - ii][j];
            }
        }
        for (std::size_t j = 0; j < size; ++j) {
            if (method.one_leg) {
                step.x0[j] = past_beta[j], step.x1[j] = method.beta[0];
                step.d0[j] = past_alpha[j] / h, step.d1[j] = alpha[0] / h;
            } else if (method.implicit()) {
                step.x1[j] = 1;
                step.d0[j] = (past_alpha[j] / h - past_beta[j]) / method.beta[0];
                step.d1[j] = alpha[0] / (h * method.beta[0]);
            } else if (problem.is_algebraic(static_cast<int>(j))) {
                step.x1[j] = 1;
            } else {
                step.x0[j] = (h * past_beta[j] - past_alpha[j]) / alpha[0];
                step.d1[j] = 1;
            }
        }
        if (method.one_leg) {
            step.t = 0;
            for (std::size_t i = 0; i < method.beta.size(); ++i) step.t += method.beta[i] * grid[n - i];
        }
        // Of several solutions of a nonlinear equation the one near the exact solution is meant.
        const Vector guess_x = problem.exact ? problem.exact_value(grid[n]) : solution.x[n - 1];
        const Vector guess_dx = problem.exact ? problem.exact_derivative(grid[n]) : solution.dx[n - 1];
        Vector u(size);
        for (std::size_t j = 0; j < size; ++j) u[j] = (step.x1[j] != 0 ? guess_x : guess_dx)[j];
        if (!newton_to_round_off(u, [&](const Vector& v, Vector& r, Matrix& J) { step.assemble(v, r, J); })) {
            solution.solved = false;
            return solution;
        }
        Vector x(size), dx(size);
        for (std::size_t j = 0; j < size; ++j) {
            x[j] = method.one_leg ? u[j] : step.x0[j] + step.x1[j] * u[j];
            dx[j] = step.d0[j] + step.d1[j] * u[j];
        }
        if (direct) {
            Vector F(size), kept(size);
            problem.residual(grid[n], x.data(), dx.data(), F.data());
            for (const int row : problem.algebraic_rows)
                kept[static_cast<std::size_t>(row)] = F[static_cast<std::size_t>(row)];
            rows.push_back(std::move(kept));
        }
        solution.t.push_back(grid[n]);
        solution.x.push_back(std::move(x));
        solution.dx.push_back(std::move(dx));
    }
    return solution;
}

} // namespace daedalus::study
