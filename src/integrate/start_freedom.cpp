#include "integrate/start_freedom.hpp"

#include "linalg/independent_columns.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace daedalus::integrate {

using problem::InitialProblem;
using problem::Strength;

namespace {

/// Jacobian in units of the nominal values; empty where it has no value.
std::vector<double> scaled_jacobian(const InitialProblem& problem, const StartSolver& solver,
                                    const std::vector<double>& u) {
    std::vector<double> values(problem.pattern.row_index.size());
    InitialSystem system(problem);
    if (!system.jacobian(u, values)) return {};
    for (std::size_t j = 0; j < u.size(); ++j)
        for (int k = problem.pattern.column_start[j]; k < problem.pattern.column_start[j + 1]; ++k)
            values[static_cast<std::size_t>(k)] *= solver.size(static_cast<int>(j));
    return values;
}

std::vector<int> not_chosen(const linalg::IndependentColumns& columns) {
    std::vector<int> list;
    for (std::size_t j = 0; j < columns.chosen.size(); ++j)
        if (!columns.chosen[j]) list.push_back(static_cast<int>(j));
    return list;
}

} // namespace

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

void analyse_freedom(const InitialProblem& problem, const StartOptions& options, const StartSolver& solver,
                     ConsistentStart& result) {
    const std::vector<double> values = scaled_jacobian(problem, solver, result.u);
    if (values.size() != problem.pattern.row_index.size()) return;
    // A pivot below the error of the Jacobian itself says nothing.
    const double tolerance = std::max(options.rank_tolerance, 100.0 * problem.jacobian_error);
    const std::vector<int> order = preference_order(problem);
    const auto columns =
        linalg::independent_columns(problem.pattern, values, order, tolerance, options.analysis_work_limit);
    if (!columns.complete) return;
    result.analysed = true;
    result.rank = columns.rank;
    result.degrees_of_freedom = static_cast<int>(result.u.size()) - columns.rank;
    result.redundant_equations = problem.equations - columns.rank;
    result.free_unknowns = not_chosen(columns);
    for (const int j : result.free_unknowns)
        if (problem.unknowns[static_cast<std::size_t>(j)].strength != Strength::fixed)
            result.chosen_freely.push_back(j);

    // Another set for each unknown that could be free instead: most wanted last, so that it is left over if it can be.
    const auto wanted = static_cast<std::size_t>(options.alternatives);
    for (auto it = order.rbegin(); it != order.rend() && result.alternatives.size() < wanted; ++it) {
        if (!columns.chosen[static_cast<std::size_t>(*it)]) continue;
        std::vector<int> other_order;
        for (const int j : order)
            if (j != *it) other_order.push_back(j);
        other_order.push_back(*it);
        const auto other =
            linalg::independent_columns(problem.pattern, values, other_order, tolerance, options.analysis_work_limit);
        if (!other.complete || other.chosen[static_cast<std::size_t>(*it)]) continue;
        std::vector<int> set = not_chosen(other);
        if (std::find(result.alternatives.begin(), result.alternatives.end(), set) == result.alternatives.end())
            result.alternatives.push_back(std::move(set));
    }
}

namespace {

double distance(const InitialProblem& problem, const StartSolver& solver, const std::vector<double>& u) {
    // Guesses only decide between solutions that are equally far from the preferred values.
    constexpr double guess_weight = 1e-3;
    double sum = 0.0;
    for (std::size_t j = 0; j < u.size(); ++j) {
        const Strength strength = problem.unknowns[j].strength;
        if (strength == Strength::unspecified || strength == Strength::fixed) continue;
        const double change = (u[j] - solver.start()[j]) / solver.size(static_cast<int>(j));
        sum += change * change * (strength == Strength::guess ? guess_weight * guess_weight : 1.0);
    }
    return std::sqrt(sum);
}

bool same(const StartSolver& solver, const std::vector<double>& a, const std::vector<double>& b) {
    constexpr double close = 1e-6; // far above what Newton leaves, far below what a user would tell apart
    for (std::size_t j = 0; j < a.size(); ++j)
        if (std::abs(a[j] - b[j]) >
            close * std::max({solver.size(static_cast<int>(j)), std::abs(a[j]), std::abs(b[j])}))
            return false;
    return true;
}

} // namespace

void search_other_solutions(const InitialProblem& problem, const StartOptions& options, StartSolver& solver,
                            ConsistentStart& result) {
    result.solutions.push_back({result.u, distance(problem, solver, result.u), 1});
    if (!result.analysed) return;
    Question q = hold(problem, Strength::fixed, "multistart");
    for (const int j : result.free_unknowns) q.held[static_cast<std::size_t>(j)] = 1;
    q.least_change = false;
    std::vector<char> movable(q.held.size());
    for (std::size_t j = 0; j < movable.size(); ++j) movable[j] = !q.held[j];
    int successes = 0, iterations = 0;
    for (int k = 0; k < options.multistart; ++k) {
        // Ever wider, up to ten times the size of a value; 2 + k scatters signs (see StartSolver::perturb).
        constexpr double amounts[] = {1.0, 2.0, 0.3, 4.0, 10.0};
        std::vector<double> u = solver.scattered(result.u, movable, amounts[static_cast<std::size_t>(k) % 5], 2 + k);
        const bool solved = solver.feasible(q, u);
        iterations += solver.last().iterations;
        if (!solved || !solver.satisfied(u)) continue;
        ++successes;
        const auto known = std::find_if(result.solutions.begin(), result.solutions.end(),
                                        [&](const StartSolution& s) { return same(solver, s.u, u); });
        if (known != result.solutions.end())
            ++known->found;
        else
            result.solutions.push_back({u, distance(problem, solver, u), 1});
    }
    std::stable_sort(result.solutions.begin(), result.solutions.end(),
                     [](const StartSolution& a, const StartSolution& b) { return a.distance < b.distance; });
    result.u = result.solutions.front().u;
    solver.log.push_back({"multistart", true, iterations, solver.measure(result.u).residual,
                          std::to_string(successes) + " of " + std::to_string(options.multistart) +
                              " starts led to a solution, " + std::to_string(result.solutions.size()) + " distinct"});
}

} // namespace daedalus::integrate
