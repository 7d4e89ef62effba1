#include "study/integration.hpp"
#include "study/newton_to_round_off.hpp"

#include <algorithm>
#include <cassert>

namespace daedalus::study {

namespace {

using tableau::ButcherTableau;

/// One step of W (3.1): unknowns are the stage derivatives k_i, or stage values where an algebraic component is to be
/// independent of the past (indirect variant, which so admits singular A). A first stage that is explicit takes its
/// k_1 from the end of the last step, where it was computed.
class RungeKuttaStep {
public:
    RungeKuttaStep(const Problem& problem, const ButcherTableau& method, bool stage_values, bool first_known)
        : problem_(problem), m_(method), n_(problem.size), first_(first_known ? 1 : 0) {
        for (int j = 0; j < n_; ++j) by_value_.push_back(stage_values && problem.is_algebraic(j));
    }

    [[nodiscard]] bool attempt(Real t, Real h, const Vector& x, const Vector& dx, Vector& x_new, Vector& dx_new) {
        const auto size = static_cast<std::size_t>(n_);
        k_.assign(static_cast<std::size_t>(m_.stages), dx);
        for (int i = 0; i < m_.stages; ++i) {
            Vector& k = k_[static_cast<std::size_t>(i)];
            // Equations nonlinear in y have several solutions; the theorems speak of the one near the exact solution.
            const Real stage_time = t + m_.c[static_cast<std::size_t>(i)] * h;
            Vector value = x;
            if (problem_.exact && i >= first_) k = problem_.exact_derivative(stage_time);
            if (problem_.exact) value = problem_.exact_value(stage_time);
            for (std::size_t j = 0; j < size; ++j)
                if (by_value_[j]) k[j] = value[j];
        }
        Vector u;
        for (int i = first_; i < m_.stages; ++i)
            u.insert(u.end(), k_[static_cast<std::size_t>(i)].begin(), k_[static_cast<std::size_t>(i)].end());
        const bool good =
            newton_to_round_off(u, [&](const Vector& v, Vector& r, Matrix& J) { assemble(t, h, x, v, r, J); });
        if (!good) return false;
        scatter(u);
        x_new = x;
        for (std::size_t j = 0; j < size; ++j)
            for (int i = 0; i < m_.stages; ++i) {
                const Real k = k_[static_cast<std::size_t>(i)][j];
                if (!by_value_[j])
                    x_new[j] += h * m_.b[static_cast<std::size_t>(i)] * k;
                else if (i == m_.stages - 1)
                    x_new[j] = k; // replaced by the constraint at x_new
            }
        dx_new = k_.back();
        return true;
    }

private:
    void scatter(const Vector& u) {
        const auto size = static_cast<std::size_t>(n_);
        for (int i = first_; i < m_.stages; ++i)
            std::copy_n(u.begin() + (i - first_) * n_, size, k_[static_cast<std::size_t>(i)].begin());
    }

    void assemble(Real t, Real h, const Vector& x, const Vector& u, Vector& r, Matrix& J) {
        scatter(u);
        for (int i = first_; i < m_.stages; ++i) {
            Vector X = x;
            Vector K = k_[static_cast<std::size_t>(i)];
            for (int j = 0; j < n_; ++j) {
                const auto jj = static_cast<std::size_t>(j);
                if (by_value_[jj]) {
                    X[jj] = K[jj];
                    K[jj] = 0;
                    continue;
                }
                for (int l = 0; l < m_.stages; ++l) X[jj] += h * m_.a(i, l) * k_[static_cast<std::size_t>(l)][jj];
            }
            const Linearization at = linearize(problem_, t + m_.c[static_cast<std::size_t>(i)] * h, X, K);
            const int row = (i - first_) * n_;
            for (int e = 0; e < n_; ++e) {
                r[static_cast<std::size_t>(row + e)] = at.F[static_cast<std::size_t>(e)];
                for (int l = first_; l < m_.stages; ++l)
                    for (int j = 0; j < n_; ++j) {
                        Real& entry = J(row + e, (l - first_) * n_ + j);
                        if (by_value_[static_cast<std::size_t>(j)])
                            entry = l == i ? at.Fx(e, j) : 0.0L;
                        else
                            entry = h * m_.a(i, l) * at.Fx(e, j) + (l == i ? at.Fdx(e, j) : 0.0L);
                    }
            }
        }
    }

    const Problem& problem_;
    const ButcherTableau& m_;
    int n_;
    int first_;
    std::vector<bool> by_value_;
    std::vector<Vector> k_;
};

/// 0 = g(x_n, y_n) for the algebraic components, W (3.7).
bool solve_constraint(const Problem& problem, Real t, Vector& x, const Vector& dx) {
    Vector y;
    for (const int a : problem.algebraic) y.push_back(x[static_cast<std::size_t>(a)]);
    const bool good = newton_to_round_off(y, [&](const Vector& u, Vector& r, Matrix& J) {
        for (std::size_t i = 0; i < u.size(); ++i) x[static_cast<std::size_t>(problem.algebraic[i])] = u[i];
        const Linearization at = linearize(problem, t, x, dx);
        for (std::size_t i = 0; i < u.size(); ++i) {
            const int row = problem.algebraic_rows[i];
            r[i] = at.F[static_cast<std::size_t>(row)];
            for (std::size_t j = 0; j < u.size(); ++j)
                J(static_cast<int>(i), static_cast<int>(j)) = at.Fx(row, problem.algebraic[j]);
        }
    });
    for (std::size_t i = 0; i < y.size(); ++i) x[static_cast<std::size_t>(problem.algebraic[i])] = y[i];
    return good;
}

/// Index 2: x̂ = x + f_y μ with g(x̂) = 0, W (3.21), f_y taken at x (the choice changes nothing in the order);
/// then y and x' from  x' = f(x̂, y),  g_t + g_x x' = 0.
bool project(const Problem& problem, Real t, Vector& x, Vector& dx) {
    const std::size_t m = problem.algebraic.size();
    std::vector<int> differential, differential_rows;
    for (int j = 0; j < problem.size; ++j) {
        if (!problem.is_algebraic(j)) differential.push_back(j);
        if (std::find(problem.algebraic_rows.begin(), problem.algebraic_rows.end(), j) == problem.algebraic_rows.end())
            differential_rows.push_back(j);
    }
    const Linearization before = linearize(problem, t, x, dx);
    const Vector x_start = x;
    Vector mu(m);
    const auto place = [&](const Vector& u) {
        for (std::size_t i = 0; i < differential.size(); ++i) {
            Real shift = 0; // F = x' - f, so f_y = -∂F/∂y of the differential rows
            for (std::size_t a = 0; a < m; ++a) shift -= before.Fx(differential_rows[i], problem.algebraic[a]) * u[a];
            x[static_cast<std::size_t>(differential[i])] = x_start[static_cast<std::size_t>(differential[i])] + shift;
        }
    };
    bool good = newton_to_round_off(mu, [&](const Vector& u, Vector& r, Matrix& J) {
        place(u);
        const Linearization at = linearize(problem, t, x, dx);
        for (std::size_t i = 0; i < m; ++i) {
            const int row = problem.algebraic_rows[i];
            r[i] = at.F[static_cast<std::size_t>(row)];
            for (std::size_t a = 0; a < m; ++a)
                for (std::size_t d = 0; d < differential.size(); ++d)
                    J(static_cast<int>(i), static_cast<int>(a)) -=
                        at.Fx(row, differential[d]) * before.Fx(differential_rows[d], problem.algebraic[a]);
        }
    });
    if (!good) return false;
    place(mu);
    // Unknowns: x' of the differential components, then y.
    Vector u;
    for (const int d : differential) u.push_back(dx[static_cast<std::size_t>(d)]);
    for (const int a : problem.algebraic) u.push_back(x[static_cast<std::size_t>(a)]);
    const std::size_t nd = differential.size();
    const auto spread = [&](const Vector& v) {
        for (std::size_t i = 0; i < nd; ++i) dx[static_cast<std::size_t>(differential[i])] = v[i];
        for (std::size_t i = 0; i < m; ++i) x[static_cast<std::size_t>(problem.algebraic[i])] = v[nd + i];
    };
    good = newton_to_round_off(u, [&](const Vector& v, Vector& r, Matrix& J) {
        spread(v);
        const Linearization at = linearize(problem, t, x, dx);
        for (std::size_t i = 0; i < nd; ++i) {
            const int row = differential_rows[i];
            r[i] = at.F[static_cast<std::size_t>(row)];
            for (std::size_t j = 0; j < nd; ++j)
                J(static_cast<int>(i), static_cast<int>(j)) = at.Fdx(row, differential[j]);
            for (std::size_t j = 0; j < m; ++j)
                J(static_cast<int>(i), static_cast<int>(nd + j)) = at.Fx(row, problem.algebraic[j]);
        }
        for (std::size_t i = 0; i < m; ++i) {
            const int row = problem.algebraic_rows[i];
            r[nd + i] = at.Ft[static_cast<std::size_t>(row)];
            for (std::size_t j = 0; j < nd; ++j) {
                r[nd + i] += at.Fx(row, differential[j]) * v[j];
                J(static_cast<int>(nd + i), static_cast<int>(j)) = at.Fx(row, differential[j]);
            }
        }
    });
    spread(u);
    return good;
}

} // namespace

DiscreteSolution reference_integrate(const Problem& problem, const ButcherTableau& method, const Vector& grid,
                                     Variant variant, const StartValues& given) {
    DiscreteSolution solution;
    Vector x = given.x.empty() ? problem.exact_value(grid[0]) : given.x[0];
    Vector dx = given.dx.empty() ? (problem.exact ? problem.exact_derivative(grid[0]) : Vector(x.size())) : given.dx[0];
    const auto keep = [&](Real t) {
        solution.t.push_back(t);
        solution.x.push_back(x);
        solution.dx.push_back(dx);
    };
    keep(grid[0]);
    const bool stage_values = variant == Variant::indirect;
    const bool first_known = tableau::properties(method).explicit_first_stage && !stage_values;
    RungeKuttaStep step(problem, method, stage_values, first_known);
    for (std::size_t n = 1; n < grid.size(); ++n) {
        Vector x_new, dx_new;
        bool good = step.attempt(grid[n - 1], grid[n] - grid[n - 1], x, dx, x_new, dx_new);
        if (good && variant == Variant::indirect && !problem.algebraic.empty())
            good = solve_constraint(problem, grid[n], x_new, dx_new);
        if (good && variant == Variant::projected) good = project(problem, grid[n], x_new, dx_new);
        if (!good) {
            solution.solved = false;
            return solution;
        }
        x = std::move(x_new);
        dx = std::move(dx_new);
        keep(grid[n]);
    }
    return solution;
}

} // namespace daedalus::study
