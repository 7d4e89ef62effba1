#include "simulation/impulse_jump.hpp"

#include "compile/compilation.hpp"
#include "linalg/linear_solver.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::simulation {

std::optional<std::vector<double>> impulse_jump(compile::CompiledModel& as_written, double t, double length,
                                                const std::function<double(int, int)>& before) {
    problem::ImplicitProblem& p = as_written.problem;
    const auto n = static_cast<std::size_t>(p.size());
    // Truncation is of the order of h, and round-off of constraints on positions shows in velocities divided by h.
    constexpr double part = 1e-7;
    const double h = part * length;
    std::vector<double> x0(n), x, dx(n, 0.0), r(n), values;
    for (std::size_t i = 0; i < n; ++i) {
        const transform::JetEntry& entry = as_written.compilation->formulation.unknowns[i];
        x0[i] = before(entry.variable, entry.order);
        if (!std::isfinite(x0[i])) return std::nullopt;
    }
    x = x0;
    std::vector<signed char> side;
    p.set_modes_at(t, x.data(), dx.data(), length > 0.0, side);
    const SparsityPattern& pattern = p.pattern();
    const auto nonzeros = static_cast<std::size_t>(pattern.nonzeros());
    std::vector<double> jx(nonzeros), jdx(nonzeros);
    values.resize(nonzeros);
    const auto solver = linalg::make_linear_solver<double>(pattern, linalg::SolverKind::automatic);
    constexpr int most = 60;        // iterations; Newton's method on a smooth constraint takes a few
    constexpr double small = 1e-12; // change of everything, relative
    for (int iteration = 0; iteration < most; ++iteration) {
        for (std::size_t i = 0; i < n; ++i) dx[i] = (x[i] - x0[i]) / h;
        if (p.residual(t, x.data(), dx.data(), r.data()) != problem::EvalStatus::ok ||
            p.jacobian(t, x.data(), dx.data(), jx.data(), jdx.data()) != problem::EvalStatus::ok)
            return std::nullopt;
        for (std::size_t k = 0; k < nonzeros; ++k) values[k] = jx[k] + jdx[k] / h;
        if (solver->factor(values) != linalg::FactorStatus::ok) return std::nullopt;
        solver->solve(r);
        double change = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            x[i] -= r[i];
            change = std::max(change, std::abs(r[i]) / (std::abs(x[i]) + std::abs(p.unknowns()[i].nominal)));
        }
        if (!std::isfinite(change)) return std::nullopt;
        if (change > small && iteration + 1 < most) continue;
        constexpr double noise = 1e-7; // what round-off leaves of a velocity, see above
        if (change > noise) return std::nullopt;
        break;
    }
    for (std::size_t i = 0; i < n; ++i) dx[i] = (x[i] - x0[i]) / h;
    std::vector<double> y(static_cast<std::size_t>(p.output_count()));
    if (p.outputs(t, x.data(), dx.data(), y.data()) != problem::EvalStatus::ok) return std::nullopt;
    return y;
}

} // namespace daedalus::simulation
