#include "base/expected.hpp"
#include "base/printable.hpp"
#include "daedalus/matrix_free.hpp"
#include "facade/access.hpp"
#include "integrate/krylov_start.hpp"
#include "problem/matrix_free.hpp"
#include "simulation/files_of_run.hpp"
#include "simulation/run.hpp"

#include <fmt/format.h>

namespace daedalus {

namespace {

problem::MatrixFreeBox inner_box(const MatrixFreeBox& box) {
    using Vector = MatrixFreeBox::Vector;
    problem::MatrixFreeBox inner;
    if (box.residual)
        inner.residual = [f = box.residual](double t, Vector x, Vector dx, std::span<double> r) {
            f(t, x, dx, r);
            return true;
        };
    if (box.product)
        inner.product = [f = box.product](double t, Vector x, Vector dx, double a, double b, Vector v,
                                          std::span<double> y) {
            f(t, x, dx, a, b, v, y);
            return true;
        };
    if (box.precondition)
        inner.precondition = [f = box.precondition](double t, Vector x, Vector dx, double shift, std::span<double> z) {
            f(t, x, dx, shift, z);
            return true;
        };
    inner.x0 = box.x0;
    inner.dx0 = box.dx0;
    inner.differential = box.differential;
    inner.names = box.names;
    return inner;
}

/// Names and kinds of what will be recorded.
void describe(const problem::ImplicitProblem& problem, const SolveOptions& options, simulation::Record& record) {
    record.report.model.name = "black box without a matrix";
    for (int i = 0; i < problem.size(); ++i) {
        const bool differential = problem.unknowns()[static_cast<std::size_t>(i)].differential;
        record.trajectory.variables.push_back(
            {problem.names().variable(i), "", "",
             differential ? output::VariableKind::differential : output::VariableKind::algebraic, 1});
    }
    if (!options.variables.empty()) record.report.model.variables = record.trajectory.variables;
}

} // namespace

Expected<Solution> solve(const MatrixFreeBox& box, const SolveOptions& options) {
    if (auto trouble = simulation::check_checkpoint_path(nullptr, options)) return fail(*std::move(trouble));
    auto job = simulation::make_job(options, {});
    if (!job) return Unexpected{std::move(job.error())};
    for (const std::string& name : box.names)
        if (!is_printable(name))
            return fail(
                make_error("bad-name", fmt::format("the name '{}' has control characters in it", printable(name))));
    auto problem = problem::make_implicit_problem(inner_box(box));
    if (!problem) return Unexpected{std::move(problem.error())};
    job->x0 = box.x0;
    job->dx0 = box.dx0.empty() ? std::vector<double>(box.x0.size(), 0.0) : box.dx0;
    const integrate::KrylovStart start = integrate::consistent_without_entries(*problem, job->t0, job->x0, job->dx0);
    if (!start.found)
        return fail(make_error(
            "inconsistent-start",
            fmt::format("no values of the derivatives and of variables without derivative satisfy the equations at "
                        "t = {}; '{}' is farthest from it, by {:.3g}",
                        job->t0, problem->names().equation(start.worst_row), start.largest_residual)));
    simulation::Record record;
    record.files = simulation::files_of_run(nullptr, options);
    describe(*problem, options, record);
    job->problem = &*problem;
    if (Diagnostics errors = simulation::run(*std::move(job), options, record); !errors.empty())
        return Unexpected{std::move(errors)};
    return Solution(std::make_shared<Solution::Impl>(std::move(record)));
}

} // namespace daedalus
