#include "study/product_run.hpp"

#include "integrate/methods/multistep.hpp"
#include "integrate/methods/registry.hpp"
#include "problem/implicit_problem.hpp"

#include <algorithm>
#include <cassert>

namespace daedalus::study {

namespace {

/// The problem's functions as the waist wants them.
struct Code {
    Problem problem;

    static problem::EvalStatus residual(const problem::Call& call, double t, const double* x, const double* dx,
                                        double* r) {
        const Problem& p = call.object<Code>().problem;
        const Vector X(x, x + p.size), DX(dx, dx + p.size);
        Vector F(X.size());
        p.residual(t, X.data(), DX.data(), F.data());
        bool finite = true;
        for (std::size_t i = 0; i < F.size(); ++i) {
            r[i] = static_cast<double>(F[i]);
            finite = finite && std::isfinite(r[i]);
        }
        return finite ? problem::EvalStatus::ok : problem::EvalStatus::not_finite;
    }
    static problem::EvalStatus jacobian(const problem::Call& call, double t, const double* x, const double* dx,
                                        double* jx, double* jdx) {
        const Problem& p = call.object<Code>().problem;
        const Linearization at = linearize(p, t, Vector(x, x + p.size), Vector(dx, dx + p.size));
        bool finite = true;
        for (int j = 0, k = 0; j < p.size; ++j)
            for (int i = 0; i < p.size; ++i, ++k) {
                jx[k] = static_cast<double>(at.Fx(i, j));
                jdx[k] = static_cast<double>(at.Fdx(i, j));
                finite = finite && std::isfinite(jx[k]) && std::isfinite(jdx[k]);
            }
        return finite ? problem::EvalStatus::ok : problem::EvalStatus::not_finite;
    }
};

problem::ImplicitProblem in_doubles(const Problem& p) {
    problem::System system;
    system.code = std::make_shared<Code>(Code{p});
    system.kernels.residual = &Code::residual;
    system.kernels.jacobian = &Code::jacobian;
    system.pattern = SparsityPattern::dense(p.size, p.size);
    system.unknowns.resize(static_cast<std::size_t>(p.size));
    for (const ComponentGroup& group : p.groups)
        for (int j = group.first; j < group.first + group.count; ++j)
            system.unknowns[static_cast<std::size_t>(j)].index = std::max(1, group.index);
    for (int j = 0; j < p.size; ++j) system.unknowns[static_cast<std::size_t>(j)].differential = !p.is_algebraic(j);
    return problem::ImplicitProblem(std::move(system));
}

std::vector<double> rounded(const Vector& v) { return {v.begin(), v.end()}; }

integrate::EndOfStep end_of_step(Variant variant) {
    switch (variant) {
    case Variant::direct: return integrate::EndOfStep::direct;
    case Variant::indirect: return integrate::EndOfStep::indirect;
    case Variant::projected: return integrate::EndOfStep::projected;
    }
    return integrate::EndOfStep::automatic;
}

void keep(DiscreteSolution& solution, Real t, std::span<const double> x, std::span<const double> dx) {
    solution.t.push_back(t);
    solution.x.emplace_back(x.begin(), x.end());
    solution.dx.emplace_back(dx.begin(), dx.end());
}

} // namespace

DiscreteSolution run_method(const Problem& problem, const std::string& name, const Vector& grid, Variant variant,
                            const StartValues& given) {
    const integrate::Method* method = integrate::find_method(name);
    assert(method != nullptr);
    const problem::ImplicitProblem system = in_doubles(problem);
    integrate::IntegrationOptions options;
    // Newton's iteration goes to round-off: the error of the method is measured, and nothing else may be seen.
    options.tolerance.relative = options.tolerance.absolute = 1e-13;
    options.method.fixed_step = true;
    options.method.variant = end_of_step(variant);
    const auto stepper = method->make(system, options);

    StartValues start = given;
    if (start.x.empty())
        for (int i = 0; i < std::max(1, integrate::steps_of(*stepper)); ++i) {
            start.x.push_back(problem.exact_value(grid[static_cast<std::size_t>(i)]));
            start.dx.push_back(problem.exact_derivative(grid[static_cast<std::size_t>(i)]));
        }
    if (start.dx.empty()) start.dx.assign(start.x.size(), Vector(static_cast<std::size_t>(problem.size)));
    DiscreteSolution solution;
    const std::size_t first = start.x.size() - 1;
    std::vector<double> times;
    std::vector<std::vector<double>> x, dx;
    for (std::size_t i = 0; i <= first; ++i) keep(solution, grid[i], rounded(start.x[i]), rounded(start.dx[i]));
    for (std::size_t i = first; i-- > 0;) {
        times.push_back(static_cast<double>(grid[i]));
        x.push_back(rounded(start.x[i]));
        dx.push_back(rounded(start.dx[i]));
    }
    if (first > 0) integrate::give_past(*stepper, times, x, dx);
    stepper->start(static_cast<double>(grid[first]), rounded(start.x[first]), rounded(start.dx[first]),
                   static_cast<double>(grid[first + 1] - grid[first]));
    for (std::size_t n = first + 1; n < grid.size(); ++n) {
        const double t = static_cast<double>(grid[n]);
        if (!stepper->attempt(t - stepper->t(), t).acceptable()) {
            solution.solved = false;
            break;
        }
        stepper->accept();
        keep(solution, grid[n], stepper->x(), stepper->dx());
    }
    return solution;
}

} // namespace daedalus::study
