#include "integrate/consistent_start.hpp"

#include "integrate/start_conflict.hpp"
#include "integrate/start_freedom.hpp"
#include "integrate/start_solver.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace daedalus::integrate {

using problem::InitialProblem;
using problem::Strength;

namespace {

// Beyond this size an attempt costs seconds: only the promising ones are made while preferred values are held.
constexpr std::size_t many_unknowns = 5000;
// A preferred value that changed by less than this share of the largest change only yielded to the finite weights;
// it is put back and held.
constexpr double leak = 1e-4;

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
        if (solver.fixed_point_homotopy(q, u)) return true;
        u = start;
        if (solver.pseudo_transient(q, u)) return true;
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

void list_changes(const InitialProblem& problem, const StartSolver& solver, ConsistentStart& result) {
    for (std::size_t j = 0; j < result.u.size(); ++j) {
        const auto& unknown = problem.unknowns[j];
        if (unknown.strength != Strength::preferred && unknown.strength != Strength::guess) continue;
        const double size = std::max(solver.size(static_cast<int>(j)), std::abs(unknown.start));
        constexpr double unmoved = 1e-12; // what the last correction of an iteration may leave; not worth a line
        if (std::abs(result.u[j] - unknown.start) <= unmoved * size) continue;
        result.changes.push_back({static_cast<int>(j), problem.names().variable(static_cast<int>(j)), unknown.start,
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
                                   .message = problem.names().variable(column) + text,
                                   .where = problem.names().variable_location(column),
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
            Diagnostic error = make_error("start-not-finite", "the start value of " + problem.names().variable(column) +
                                                                  " is not a number");
            error.where = problem.names().variable_location(column);
            return fail(std::move(error));
        }
    StartSolver solver(problem, options);
    std::vector<double> u = solver.start();
    if (const int row = solver.row_not_finite(u); row >= 0 && !solver.leave_domain_error(u))
        return Unexpected{explain_domain_error(problem, row, u)};

    const bool preferred = any_of_strength(problem, Strength::preferred);
    const StageOutcome stages = by_stages(problem, solver, u);
    bool may_have_leaked = stages == StageOutcome::solved_merged;
    if (stages == StageOutcome::failed && !(preferred && with_preferred_held(problem, solver, u))) {
        if (!with_fixed_held(problem, options, solver, u))
            return Unexpected{explain_conflict(problem, options, solver, solver.start())};
        may_have_leaked = true;
    }
    if (preferred && may_have_leaked) put_back_preferred(problem, solver, u);
    // Whatever the way, the result counts only if every equation holds.
    if (!solver.satisfied(u)) return Unexpected{explain_conflict(problem, options, solver, solver.start())};

    // Least change leaves 1e-79 where nothing but zero is meant.
    constexpr double dust = 1e-40;
    for (std::size_t j = 0; j < u.size(); ++j)
        if (std::abs(u[j]) < dust * solver.size(static_cast<int>(j))) u[j] = 0.0;

    ConsistentStart result;
    result.u = std::move(u);
    analyse_freedom(problem, options, solver, result);
    if (options.multistart > 0) search_other_solutions(problem, options, solver, result);
    result.residual = solver.measure(result.u).residual;
    result.largest_residual = solver.last().largest;
    list_changes(problem, solver, result);
    warn_about_bounds(problem, result);
    result.attempts = std::move(solver.log);
    return result;
}

} // namespace daedalus::integrate
