#include "daedalus/solve.hpp"

#include "base/expected.hpp"
#include "base/printable.hpp"
#include "daedalus/black_box.hpp"
#include "expr/functions/function.hpp"
#include "facade/access.hpp"
#include "integrate/methods/registry.hpp"
#include "problem/black_box.hpp"
#include "simulation/departure_runs.hpp"
#include "simulation/describe.hpp"
#include "simulation/files_of_run.hpp"
#include "simulation/solve_model.hpp"
#include "simulation/start_options.hpp"
#include "tape/machine_code_scope.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace daedalus {

namespace {

/// The caller's event functions as root functions.
std::vector<problem::BlackBox::Root> roots_of(const std::vector<EventFunction>& events) {
    std::vector<problem::BlackBox::Root> roots;
    for (const EventFunction& e : events)
        roots.push_back({e.function, e.name,
                         static_cast<signed char>(e.direction == EventFunction::Direction::both     ? 0
                                                  : e.direction == EventFunction::Direction::rising ? 1
                                                                                                    : -1)});
    return roots;
}

/// What they do when they vanish.
void act_at_events(const std::vector<EventFunction>& events, const problem::ImplicitProblem& problem,
                   simulation::Job& job) {
    if (events.empty()) return;
    job.at_event = [&events, &problem, by = job.stopped_by](const integrate::EventPoint& point) {
        auto action = integrate::Action::proceed;
        for (const int k : point.roots) {
            const EventFunction& e = events[static_cast<std::size_t>(k)];
            if (e.action) e.action(point.t, point.x, point.dx);
            if (!e.terminal) continue;
            action = integrate::Action::stop;
            *by = problem.hybrid().legend->equation(k);
        }
        return action;
    };
}

void set_quantity(const DifferentiatedQuantity& given, problem::BlackBox& box) {
    problem::BlackBoxQuantity quantity;
    quantity.size = given.size;
    quantity.value = given.value;
    quantity.slope = given.slope;
    quantity.nominal = given.nominal;
    if (given.residual)
        quantity.residual = [f = given.residual](double t, std::span<const double> x, std::span<const double> dx,
                                                 std::span<const double> dq, std::span<double> r) {
            f(t, x, dx, dq, r);
            return true;
        };
    box.residual = [quantity](double t, std::span<const double> x, std::span<const double> dx, std::span<double> r) {
        return quantity.chained(t, x, dx, r);
    };
    box.quantity = std::move(quantity);
}

} // namespace

namespace {

Expected<Solution> solve_with(const simulation::Compilations& compilations,
                              const std::shared_ptr<const mechanics::Scene>& scene, const SolveOptions& options) {
    auto record = simulation::solve_model(compilations, options);
    if (!record) return Unexpected{std::move(record.error())};
    record->files = simulation::files_of_run(compilations.model().get(), options);
    facade::look_for_change_points(scene.get(), compilations, options, *record);
    return Solution(
        std::make_shared<Solution::Impl>(*std::move(record), facade::show(scene, compilations.model(), options)));
}

} // namespace

Expected<Solution> solve(const Model& model, const SolveOptions& options) {
    const simulation::Compilations compilations(model.impl().model, simulation::Compilations::For::one_run);
    return solve_with(compilations, model.impl().scene, options);
}

Expected<Solution> solve(Model&& model, const SolveOptions& options) {
    (void)model.impl(); // throws where it was given up before
    const Model own = std::move(model);
    const simulation::Compilations compilations(simulation::Compilations::Own{own.impl().model});
    return solve_with(compilations, own.impl().scene, options);
}

Expected<Solution> solve(const BlackBox& box, const SolveOptions& options) {
    if (auto trouble = simulation::check_checkpoint_path(nullptr, options)) return fail(*std::move(trouble));
    const tape::MachineCodeScope scope(options.machine_code);
    auto job = simulation::make_job(options, {});
    if (!job) return Unexpected{std::move(job.error())};
    const std::size_t n = box.x0.size();
    for (const std::string& name : box.names)
        if (!is_printable(name))
            return fail(
                make_error("bad-name", fmt::format("the name '{}' has control characters in it", printable(name))));
    problem::BlackBox inner;
    if (box.quantity && box.residual)
        return fail(make_error("black-box-quantity", "two residuals are given: that of the black box must be empty "
                                                     "where a differentiated quantity has its own"));
    if (box.quantity) set_quantity(*box.quantity, inner);
    if (box.residual)
        inner.residual = [f = box.residual](double t, std::span<const double> x, std::span<const double> dx,
                                            std::span<double> r) {
            f(t, x, dx, r);
            return true;
        };
    if (box.jacobian)
        inner.jacobian = [f = box.jacobian](double t, std::span<const double> x, std::span<const double> dx,
                                            std::span<double> jx, std::span<double> jdx) {
            f(t, x, dx, jx, jdx);
            return true;
        };
    if (!box.pattern.empty())
        inner.pattern = SparsityPattern::from_entries(static_cast<int>(n), static_cast<int>(n), box.pattern);
    inner.t0 = job->t0;
    inner.x0 = box.x0;
    inner.dx0 = box.dx0;
    inner.names = box.names;
    inner.roots = roots_of(box.events);
    if (!box.index.empty()) {
        inner.unknowns.resize(n);
        for (std::size_t i = 0; i < std::min(n, box.index.size()); ++i) inner.unknowns[i].index = box.index[i];
    }
    if (const auto error = problem::invalid(inner)) return fail(*error);
    inner.dependence = problem::found_dependence(inner); // once for both
    auto initial = problem::make_initial_problem(inner);
    if (!initial) return Unexpected{std::move(initial.error())};
    auto problem = problem::make_implicit_problem(inner);
    if (!problem) return Unexpected{std::move(problem.error())};
    auto start = integrate::consistent_start(*initial, simulation::start_options(options));
    if (!start) return Unexpected{std::move(start.error())};
    simulation::Record record;
    record.report.model.name = "black box";
    record.files = simulation::files_of_run(nullptr, options);
    for (std::size_t i = 0; i < n; ++i) {
        const bool differential = problem->unknowns()[i].differential;
        record.trajectory.variables.push_back(
            {problem->names().variable(static_cast<int>(i)), "", "",
             differential ? output::VariableKind::differential : output::VariableKind::algebraic,
             problem->unknowns()[i].index});
    }
    if (!options.variables.empty()) record.report.model.variables = record.trajectory.variables;
    simulation::describe_start(*initial, *start, record);
    job->problem = &*problem;
    job->x0 = start->x(*initial);
    job->dx0 = start->dx(*initial);
    act_at_events(box.events, *problem, *job);
    Diagnostics errors = simulation::run(*std::move(job), options, record);
    simulation::warn_of_departure("black boxes are not solved again by themselves", record);
    if (!errors.empty()) return Unexpected{std::move(errors)};
    return Solution(std::make_shared<Solution::Impl>(std::move(record)));
}

std::vector<MethodInfo> methods() {
    std::vector<MethodInfo> list;
    for (const integrate::Method& m : integrate::methods()) list.push_back({m.name, m.description});
    return list;
}

std::vector<FunctionInfo> functions() {
    std::vector<FunctionInfo> list;
    for (const expr::Function* f : expr::all_functions())
        list.push_back({std::string(f->name), std::string(f->meaning)});
    return list;
}

} // namespace daedalus
