#include "integrate/consistent_start.hpp"

#include "integrate/start_conflict.hpp"
#include "integrate/start_solver.hpp"
#include "linalg/independent_columns.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <tuple>

namespace daedalus::integrate {

using problem::InitialProblem;
using problem::Strength;

namespace {

// Beyond this size an attempt costs seconds: only the promising ones are made while preferred values are held.
constexpr std::size_t many_unknowns = 5000;
// A preferred value that changed by less than this share of the largest change only yielded to the finite weights;
// it is put back and held.
constexpr double leak = 1e-4;

Question hold(const InitialProblem& problem, Strength at_least, std::string label) {
    Question q;
    for (const auto& unknown : problem.unknowns) q.held.push_back(unknown.strength >= at_least);
    q.label = std::move(label);
    return q;
}

bool any_of_strength(const InitialProblem& problem, Strength strength) {
    return std::any_of(problem.unknowns.begin(), problem.unknowns.end(),
                       [strength](const auto& unknown) { return unknown.strength == strength; });
}

bool bounded(const InitialProblem& problem) {
    return std::any_of(problem.unknowns.begin(), problem.unknowns.end(),
                       [](const auto& unknown) { return std::isfinite(unknown.min) || std::isfinite(unknown.max); });
}

/// With the preferred values held: cheap if that is possible, and given up early if it is visibly not.
bool with_preferred_held(const InitialProblem& problem, StartSolver& solver, std::vector<double>& u) {
    const std::vector<double> start = u;
    const Question q = hold(problem, Strength::preferred, "preferred values held");
    if (solver.gauss_newton(q, u)) return true;
    const bool contradictory = solver.last().stationary;
    if (u.size() <= many_unknowns && solver.perturbed(q, u)) return true;
    if (!contradictory) {
        u = start;
        if (solver.levenberg_marquardt(q, u)) return true;
        u = start;
        if (solver.homotopy(q, u)) return true;
    }
    u = start;
    return false;
}

/// Stage by stage, each with the unknowns of lower stages held; within a stage the preferred values first.
bool by_stages(const InitialProblem& problem, StartSolver& solver, std::vector<double>& u) {
    if (problem.unknown_stage.empty()) return false;
    const std::vector<double> start = u;
    const int last = *std::max_element(problem.unknown_stage.begin(), problem.unknown_stage.end());
    for (int s = 0; s <= last; ++s) {
        const std::string stage = "stage " + std::to_string(s + 1) + " of " + std::to_string(last + 1);
        Question held = hold(problem, Strength::preferred, stage + ", preferred values held");
        Question free = hold(problem, Strength::fixed, stage);
        bool empty = true;
        for (const int e : problem.equation_stage) {
            held.active.push_back(e == s);
            empty = empty && e != s;
        }
        if (empty) continue;
        free.active = held.active;
        for (std::size_t j = 0; j < u.size(); ++j)
            if (problem.unknown_stage[j] != s) held.held[j] = free.held[j] = 1;
        const std::vector<double> before = u;
        const auto attempt = [&](bool (StartSolver::*method)(const Question&, std::vector<double>&),
                                 const Question& q) {
            u = before;
            return (solver.*method)(q, u);
        };
        if (!attempt(&StartSolver::newton, free) && !attempt(&StartSolver::newton, held) &&
            !attempt(&StartSolver::gauss_newton, held) && !attempt(&StartSolver::gauss_newton, free) &&
            !attempt(&StartSolver::levenberg_marquardt, free) && !attempt(&StartSolver::homotopy, free) &&
            !attempt(&StartSolver::perturbed, free)) {
            u = start;
            return false;
        }
    }
    Question all = hold(problem, Strength::unspecified, "all stages together");
    if (solver.gauss_newton(all, u)) return true;
    u = start;
    return false;
}

/// Everything not fixed may move.
bool with_fixed_held(const InitialProblem& problem, const StartOptions& options, StartSolver& solver,
                     std::vector<double>& u) {
    const std::vector<double> start = u;
    Question q = hold(problem, Strength::fixed, any_of_strength(problem, Strength::preferred) ? "preferred free" : "");
    const auto attempts = [&] {
        if (solver.gauss_newton(q, u)) return true;
        u = start;
        if (solver.levenberg_marquardt(q, u)) return true;
        u = start;
        if (solver.homotopy(q, u)) return true;
        u = start;
        return solver.perturbed(q, u);
    };
    if (attempts()) return true;
    if (!options.respect_bounds || !bounded(problem)) return false;
    q.bounds = false;
    q.label += q.label.empty() ? "bounds ignored" : ", bounds ignored";
    u = start;
    return attempts();
}

/// Finite weights let every preferred value yield a little; those that need not are put back exactly.
void put_back_preferred(const InitialProblem& problem, StartSolver& solver, std::vector<double>& u) {
    Question q = hold(problem, Strength::fixed, "unchanged preferred values held");
    double largest = 0.0;
    const auto change = [&](std::size_t j) {
        return std::abs(u[j] - solver.start()[j]) / solver.size(static_cast<int>(j));
    };
    for (std::size_t j = 0; j < u.size(); ++j) largest = std::max(largest, change(j));
    std::vector<double> trial = u;
    bool any = false;
    for (std::size_t j = 0; j < u.size(); ++j) {
        if (problem.unknowns[j].strength != Strength::preferred || change(j) > leak * largest) continue;
        any = any || u[j] != solver.start()[j];
        q.held[j] = 1;
        trial[j] = solver.start()[j];
    }
    if (any && solver.gauss_newton(q, trial)) u = std::move(trial);
}

/// Unknowns that should be determined rather than chosen come first: unspecified before guess before preferred before
/// fixed; algebraic variables and high derivatives before low ones; then short columns, which fill less.
std::vector<int> preference_order(const InitialProblem& problem) {
    const std::size_t n = problem.unknowns.size();
    std::vector<int> level(n, 0);
    for (std::size_t j = 0; j < n; ++j) level[j] = problem.unknowns[j].derivative;
    const int highest = n == 0 ? 0 : *std::max_element(level.begin(), level.end());
    for (std::size_t i = 0; i < problem.x_from.size() && i < problem.dx_from.size(); ++i)
        if (problem.x_from[i] >= 0 && problem.dx_from[i] < 0)
            level[static_cast<std::size_t>(problem.x_from[i])] = highest;
    std::vector<int> order(n);
    for (std::size_t j = 0; j < n; ++j) order[j] = static_cast<int>(j);
    const auto key = [&](int column) {
        const auto j = static_cast<std::size_t>(column);
        return std::tuple(static_cast<int>(problem.unknowns[j].strength), -level[j],
                          problem.pattern.column_start[j + 1] - problem.pattern.column_start[j]);
    };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
    return order;
}

void analyse_freedom(const InitialProblem& problem, const StartOptions& options, StartSolver& solver,
                     ConsistentStart& result) {
    std::vector<double> values(problem.pattern.row_index.size());
    InitialSystem system(problem);
    if (!system.jacobian(result.u, values)) return;
    for (std::size_t j = 0; j < result.u.size(); ++j)
        for (int k = problem.pattern.column_start[j]; k < problem.pattern.column_start[j + 1]; ++k)
            values[static_cast<std::size_t>(k)] *= solver.size(static_cast<int>(j));
    // A pivot below the error of the Jacobian itself says nothing.
    const double tolerance = std::max(options.rank_tolerance, 100.0 * problem.jacobian_error);
    const auto columns = linalg::independent_columns(problem.pattern, values, preference_order(problem), tolerance,
                                                     options.analysis_work_limit);
    if (!columns.complete) return;
    result.analysed = true;
    result.rank = columns.rank;
    result.degrees_of_freedom = static_cast<int>(result.u.size()) - columns.rank;
    result.redundant_equations = problem.equations - columns.rank;
    for (std::size_t j = 0; j < result.u.size(); ++j) {
        if (columns.chosen[j]) continue;
        result.free_unknowns.push_back(static_cast<int>(j));
        if (problem.unknowns[j].strength != Strength::fixed) result.chosen_freely.push_back(static_cast<int>(j));
    }
}

void list_changes(const InitialProblem& problem, const StartSolver& solver, ConsistentStart& result) {
    for (std::size_t j = 0; j < result.u.size(); ++j) {
        const auto& unknown = problem.unknowns[j];
        if (unknown.strength != Strength::preferred && unknown.strength != Strength::guess) continue;
        const double size = std::max(solver.size(static_cast<int>(j)), std::abs(unknown.start));
        if (std::abs(result.u[j] - unknown.start) <= 1e-12 * size) continue;
        result.changes.push_back({static_cast<int>(j), problem.legend->variable(static_cast<int>(j)), unknown.start,
                                  result.u[j], unknown.strength});
    }
    std::stable_sort(result.changes.begin(), result.changes.end(), [&](const StartChange& a, const StartChange& b) {
        if (a.strength != b.strength) return a.strength > b.strength;
        return std::abs(a.after - a.before) / solver.size(a.unknown) >
               std::abs(b.after - b.before) / solver.size(b.unknown);
    });
}

void warn_about_bounds(const InitialProblem& problem, ConsistentStart& result) {
    for (std::size_t j = 0; j < result.u.size(); ++j) {
        const auto& unknown = problem.unknowns[j];
        const bool below = result.u[j] < unknown.min;
        if (!below && !(result.u[j] > unknown.max)) continue;
        char text[96];
        std::snprintf(text, sizeof text, " = %.10g at the start is %s its %s %.10g", result.u[j],
                      below ? "below" : "above", below ? "minimum" : "maximum", below ? unknown.min : unknown.max);
        const int column = static_cast<int>(j);
        result.warnings.push_back({.severity = Severity::warning,
                                   .code = "start-out-of-bounds",
                                   .message = problem.legend->variable(column) + text,
                                   .where = problem.legend->variable_location(column),
                                   .hint = {},
                                   .notes = {}});
    }
}

std::vector<double> gather(const std::vector<double>& u, const std::vector<int>& from) {
    std::vector<double> v;
    v.reserve(from.size());
    for (int k : from) v.push_back(k >= 0 ? u[static_cast<std::size_t>(k)] : 0.0);
    return v;
}

} // namespace

std::vector<double> ConsistentStart::x(const InitialProblem& p) const { return gather(u, p.x_from); }
std::vector<double> ConsistentStart::dx(const InitialProblem& p) const { return gather(u, p.dx_from); }

Expected<ConsistentStart> consistent_start(const InitialProblem& problem, const StartOptions& options) {
    for (std::size_t j = 0; j < problem.unknowns.size(); ++j)
        if (!std::isfinite(problem.unknowns[j].start)) {
            const int column = static_cast<int>(j);
            Diagnostic error = make_error("start-not-finite", "the start value of " + problem.legend->variable(column) +
                                                                  " is not a number");
            error.where = problem.legend->variable_location(column);
            return fail(std::move(error));
        }
    StartSolver solver(problem, options);
    std::vector<double> u = solver.start();
    if (const int row = solver.row_not_finite(u); row >= 0 && !solver.leave_domain_error(u))
        return Unexpected{explain_domain_error(problem, row, u)};

    const bool preferred = any_of_strength(problem, Strength::preferred);
    if (!by_stages(problem, solver, u) && !(preferred && with_preferred_held(problem, solver, u))) {
        if (!with_fixed_held(problem, options, solver, u))
            return Unexpected{explain_conflict(problem, options, solver, solver.start())};
        if (preferred) put_back_preferred(problem, solver, u);
    }

    ConsistentStart result;
    result.u = std::move(u);
    for (auto it = solver.log.rbegin(); it != solver.log.rend(); ++it)
        if (it->success) {
            result.residual = it->residual;
            break;
        }
    std::vector<double> g(static_cast<std::size_t>(problem.equations));
    (void)InitialSystem(problem).residual(result.u, g);
    for (double r : g) result.largest_residual = std::max(result.largest_residual, std::abs(r));
    analyse_freedom(problem, options, solver, result);
    list_changes(problem, solver, result);
    warn_about_bounds(problem, result);
    result.attempts = std::move(solver.log);
    return result;
}

} // namespace daedalus::integrate
