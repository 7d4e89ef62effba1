#include "integrate/start_solver.hpp"

#include "integrate/homotopy_path.hpp"
#include "problem/beside.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace daedalus::integrate {

using nonlinear::GaussNewtonOptions;
using nonlinear::GaussNewtonStatus;
using problem::Strength;

namespace {

// How much more freely a value may change than a preferred one. Squares count: a preferred value yields 1e-4 of what
// a guess yields, 1e-6 of what an unspecified value yields; further apart, the saddle point loses its digits.
double freedom(Strength strength) {
    switch (strength) {
    case Strength::fixed:
    case Strength::preferred: return 1.0;
    case Strength::guess: return 1e2;
    case Strength::unspecified: break;
    }
    return 1e3;
}

// How much is tried. None of these decides what counts as a solution, which is the tolerance of the last iteration:
// more costs time where a start fails anyway, less gives up one that might be found.
namespace effort {
constexpr double tolerance_on_the_way = 1e-6; // a point of the path is only a guess for the next one
constexpr int iterations_on_the_way = 15;     // Newton from a near guess takes 3 to 5, damped some more
constexpr int iterations_at_the_end = 50, iterations_to_be_feasible = 60;
// Moves in units of a value's size: one digit of a hundred, so that what cancels does not; a third; as far as it is
// large.
constexpr double near = 1e-2, third = 0.3, far = 1.0;
constexpr double moves[] = {near, third, far};
constexpr double moves_into_bounds[] = {0.1, far};
// Away from a point without value the least move that helps is the best one: a decade and more at a time, first.
constexpr double moves_into_domain[] = {1e-3, 1e-1, far, 3.0};
// One unknown at a time, values must come into order (levels of tanks): the largest first, smaller ones fill in.
constexpr double moves_of_one[] = {far, third, 0.1, near, 1e-3, 3.0};
constexpr double entries_evaluated = 1e8; // a second
} // namespace effort

/// A reproducible number in ±[0.5, 1] for an unknown: perturbations must not leave unknowns equal or cancel.
double spread(std::size_t unknown, int variant) {
    std::uint64_t h =
        (unknown + 1) * 0x9E3779B97F4A7C15ull + static_cast<std::uint64_t>(variant) * 0xD1B54A32D192ED03ull;
    h ^= h >> 32; // splitmix64 finaliser (Steele, Lea & Flood 2014)
    h *= 0xBF58476D1CE4E5B9ull;
    h ^= h >> 29;
    h *= 0x94D049BB133111EBull;
    h ^= h >> 32;
    const double unit = static_cast<double>(h >> 11) * 0x1p-53;
    const double magnitude = 0.5 + 0.5 * unit;
    // Variants 0 and 1 move everything up and down, the others scatter the signs.
    if (variant == 0) return magnitude;
    if (variant == 1) return -magnitude;
    return (h & 1) != 0 ? magnitude : -magnitude;
}

} // namespace

bool InitialSystem::residual(std::span<const double> u, std::span<double> g) {
    return problem_.residual(problem_.binding.call(), problem_.t0, u.data(), g.data()) == problem::EvalStatus::ok;
}

bool InitialSystem::jacobian(std::span<const double> u, std::span<double> values) {
    const auto evaluate = [&](const double* at) {
        return problem_.jacobian(problem_.binding.call(), problem_.t0, at, values.data()) == problem::EvalStatus::ok;
    };
    if (evaluate(u.data())) return true;
    std::vector<double> g(static_cast<std::size_t>(problem_.pattern.rows));
    return residual(u, g) &&
           problem::evaluate_beside(
               u.data(), u.size(), [&](std::size_t k) { return problem_.unknowns[k].nominal; }, evaluate);
}

Question hold(const problem::InitialProblem& problem, Strength at_least, std::string label) {
    Question q;
    for (const auto& unknown : problem.unknowns) q.held.push_back(unknown.strength >= at_least);
    q.label = std::move(label);
    return q;
}

StartSolver::StartSolver(const problem::InitialProblem& problem, const StartOptions& options)
    : problem_(problem), options_(options), system_(problem), iteration_(problem.pattern),
      g_(static_cast<std::size_t>(problem.equations)), j_(problem.pattern.row_index.size()) {
    for (const problem::InitialUnknown& unknown : problem.unknowns) {
        double nominal = std::isfinite(unknown.nominal) && unknown.nominal != 0.0 ? std::abs(unknown.nominal) : 1.0;
        if (std::isfinite(unknown.size)) nominal = std::max(nominal, unknown.size);
        start_.push_back(unknown.start);
        size_.push_back(nominal);
        scale_.push_back(std::max(nominal, std::abs(unknown.start)) * freedom(unknown.strength));
        min_.push_back(unknown.min);
        max_.push_back(std::max(unknown.min, unknown.max));
    }
}

bool StartSolver::run(const Question& q, std::vector<double>& u, const GaussNewtonOptions& options,
                      std::span<const double> shift) {
    std::vector<double> scale = scale_;
    for (std::size_t j = 0; j < scale.size(); ++j)
        if (q.held[j]) scale[j] = 0.0;
    const nonlinear::LeastChange task{
        .anchor = start_, .scale = scale, .size = size_, .min = min_, .max = max_, .active = q.active, .shift = shift};
    last_ = iteration_.solve(system_, task, u, options);
    if (last_.status == GaussNewtonStatus::max_iterations && options.least_change) {
        // Chasing the least change must not cost the solution.
        GaussNewtonOptions plain = options;
        plain.least_change = false;
        const int spent = last_.iterations;
        last_ = iteration_.solve(system_, task, u, plain);
        last_.iterations += spent;
    }
    return last_.status == GaussNewtonStatus::converged;
}

void StartSolver::record(std::string method, const Question& q, bool success, int iterations, std::string note) {
    if (!q.label.empty()) method += ", " + q.label;
    if (note.empty() && !success) {
        switch (last_.status) {
        case GaussNewtonStatus::stuck:
            note = last_.stationary ? "the linearised equations contradict each other" : "no step lowers the residual";
            break;
        case GaussNewtonStatus::max_iterations: note = "too many iterations"; break;
        case GaussNewtonStatus::not_finite: note = "an equation has no value at the start"; break;
        case GaussNewtonStatus::out_of_memory: note = "the linear algebra failed"; break;
        case GaussNewtonStatus::converged: break;
        }
    }
    log.push_back({std::move(method), success, iterations, last_.residual, std::move(note)});
}

const nonlinear::GaussNewtonResult& StartSolver::measure(const std::vector<double>& u) {
    std::vector<double> at = u;
    Question q;
    q.held.assign(u.size(), 1);
    (void)run(q, at, {.tolerance = options_.tolerance, .max_iterations = 1, .least_change = false, .bounds = false});
    return last_;
}

bool StartSolver::satisfied(const std::vector<double>& u) { return measure(u).status == GaussNewtonStatus::converged; }

bool StartSolver::gauss_newton(const Question& q, std::vector<double>& u) {
    const bool success = run(q, u,
                             {.tolerance = options_.tolerance,
                              .max_iterations = options_.max_iterations,
                              .least_change = q.least_change,
                              .bounds = options_.respect_bounds && q.bounds});
    record("Gauss-Newton", q, success, last_.iterations);
    return success;
}

bool StartSolver::levenberg_marquardt(const Question& q, std::vector<double>& u) {
    const bool success = run(q, u,
                             {.tolerance = options_.tolerance,
                              .max_iterations = options_.max_iterations,
                              .least_change = false,
                              .damping = true,
                              .bounds = options_.respect_bounds && q.bounds});
    record("Levenberg-Marquardt", q, success, last_.iterations);
    return success;
}

/// From s = 0, which u solves, to s = 1, in steps as large as the iteration takes them: G(u) = shift_at(s).
template <class Shift, class OnPath>
bool StartSolver::trace(const char* name, const Question& q, std::vector<double>& u, Shift shift_at, OnPath on_path) {
    int iterations = 0;
    const double s = follow_path(u, [&](double next, std::vector<double>& trial) {
        const bool last = next == 1.0;
        const bool success =
            run(q, trial,
                {.tolerance = last ? options_.tolerance : effort::tolerance_on_the_way,
                 .max_iterations = last ? effort::iterations_at_the_end : effort::iterations_on_the_way,
                 .least_change = false,
                 .bounds = options_.respect_bounds && q.bounds,
                 .polish = last},
                shift_at(next));
        iterations += last_.iterations;
        return success && on_path(trial);
    });
    const bool success = s == 1.0;
    char reached[64];
    std::snprintf(reached, sizeof reached, "reached s = %.3g of 1", s);
    record(name, q, success, iterations, success ? std::string() : std::string(reached));
    return success;
}

/// G(u) = (1 - s) G(u₀) (global homotopy; Deuflhard 2004, 5.1).
bool StartSolver::homotopy(const Question& q, std::vector<double>& u) {
    std::vector<double> initial(g_.size()), shift(g_.size());
    if (!system_.residual(u, initial)) return false;
    const auto shift_at = [&](double s) {
        for (std::size_t i = 0; i < shift.size(); ++i) shift[i] = (1.0 - s) * initial[i];
        return std::span<const double>(shift);
    };
    return trace("residual homotopy", q, u, shift_at, [](const std::vector<double>&) { return true; });
}

bool StartSolver::continuation(const Question& q, std::vector<double>& u, const std::function<void(double)>& set,
                               const std::function<bool(const std::vector<double>&)>& on_path) {
    const auto no_shift = [&](double s) {
        set(s);
        return std::span<const double>();
    };
    return trace("continuation", q, u, no_shift, on_path);
}

std::vector<double> StartSolver::perturb(const std::vector<double>& u, const std::vector<char>& movable, double amount,
                                         int variant) const {
    std::vector<double> moved = u;
    for (std::size_t j = 0; j < u.size(); ++j) {
        if (!movable[j]) continue;
        moved[j] += amount * std::max(size_[j], std::abs(u[j])) * spread(j, variant);
        if (!options_.respect_bounds) continue;
        // What would leave the bounds goes inward instead: at a bound itself, too much can vanish.
        const double bound = std::clamp(moved[j], min_[j], max_[j]);
        if (bound != moved[j])
            moved[j] =
                std::clamp(bound + (bound - moved[j] > 0 ? 1 : -1) * amount * std::max(size_[j], std::abs(bound)),
                           min_[j], max_[j]);
    }
    return moved;
}

bool StartSolver::perturbed(const Question& q, std::vector<double>& u) {
    std::vector<char> movable(q.held.size());
    for (std::size_t j = 0; j < movable.size(); ++j) movable[j] = !q.held[j];
    int iterations = 0;
    std::vector<double> trial;
    for (const double amount : effort::moves)
        for (int variant : {0, 2, 3}) {
            trial = perturb(start_, movable, amount, variant);
            const bool success = run(q, trial,
                                     {.tolerance = options_.tolerance,
                                      .max_iterations = options_.max_iterations,
                                      .least_change = q.least_change,
                                      .damping = variant == 3,
                                      .bounds = options_.respect_bounds && q.bounds});
            iterations += last_.iterations;
            if (success) {
                u = trial;
                char note[64];
                std::snprintf(note, sizeof note, "start moved by up to %g of its size", amount);
                record("Gauss-Newton, perturbed start", q, true, iterations, note);
                return true;
            }
        }
    record("Gauss-Newton, perturbed start", q, false, iterations);
    return false;
}

bool StartSolver::feasible(const Question& q, std::vector<double>& u) {
    const GaussNewtonOptions mild{.tolerance = options_.tolerance,
                                  .max_iterations =
                                      std::min(options_.max_iterations, effort::iterations_to_be_feasible),
                                  .least_change = false,
                                  .bounds = options_.respect_bounds && q.bounds};
    std::vector<double> trial = u;
    if (run(q, trial, mild)) {
        u = trial;
        return true;
    }
    std::vector<char> movable(q.held.size());
    for (std::size_t j = 0; j < movable.size(); ++j) movable[j] = !q.held[j];
    GaussNewtonOptions damped = mild;
    damped.damping = true;
    for (const double amount : effort::moves_into_bounds) {
        trial = perturb(u, movable, amount, 2);
        if (run(q, trial, damped)) {
            u = trial;
            return true;
        }
    }
    return false;
}

int StartSolver::row_not_finite(const std::vector<double>& u) {
    const bool residual_ok = system_.residual(u, g_);
    for (std::size_t i = 0; i < g_.size(); ++i)
        if (!std::isfinite(g_[i])) return static_cast<int>(i);
    if (!residual_ok) return 0; // the kernel knows, but does not say where
    const bool jacobian_ok = system_.jacobian(u, j_);
    for (std::size_t k = 0; k < j_.size(); ++k)
        if (!std::isfinite(j_[k])) return problem_.pattern.row_index[k];
    return jacobian_ok ? -1 : 0;
}

bool StartSolver::leave_domain_error(std::vector<double>& u) {
    // Rows without a value, and the unknowns in them that may move.
    std::vector<char> bad_row(g_.size(), 0);
    (void)system_.residual(u, g_);
    bool any = false;
    for (std::size_t i = 0; i < g_.size(); ++i) any = (bad_row[i] = !std::isfinite(g_[i])) || any;
    if (!any) {
        (void)system_.jacobian(u, j_);
        for (std::size_t k = 0; k < j_.size(); ++k)
            if (!std::isfinite(j_[k])) bad_row[static_cast<std::size_t>(problem_.pattern.row_index[k])] = 1;
        // A kernel that only says "somewhere" makes every row suspect.
        if (std::find(bad_row.begin(), bad_row.end(), 1) == bad_row.end()) bad_row.assign(bad_row.size(), 1);
    }
    std::vector<char> movable(u.size(), 0);
    for (std::size_t j = 0; j < u.size(); ++j) {
        if (problem_.unknowns[j].strength == Strength::fixed) continue;
        for (int k = problem_.pattern.column_start[j]; k < problem_.pattern.column_start[j + 1]; ++k)
            movable[j] |= bad_row[static_cast<std::size_t>(problem_.pattern.row_index[static_cast<std::size_t>(k)])];
    }
    for (const double amount : effort::moves_into_domain)
        for (int variant : {0, 1, 2, 3}) {
            std::vector<double> trial = perturb(u, movable, amount, variant);
            if (row_not_finite(trial) >= 0) continue;
            u = std::move(trial);
            char note[64];
            std::snprintf(note, sizeof note, "start moved by up to %g of its size", amount);
            log.push_back({"leaving a point without value", true, 0, 0.0, note});
            return true;
        }
    return leave_one_by_one(movable, u);
}

int StartSolver::rows_not_finite(const std::vector<double>& u, std::vector<char>& bad) {
    bad.assign(g_.size(), 0);
    (void)system_.residual(u, g_);
    for (std::size_t i = 0; i < g_.size(); ++i) bad[i] = !std::isfinite(g_[i]);
    (void)system_.jacobian(u, j_);
    for (std::size_t k = 0; k < j_.size(); ++k)
        if (!std::isfinite(j_[k])) bad[static_cast<std::size_t>(problem_.pattern.row_index[k])] = 1;
    return static_cast<int>(std::count(bad.begin(), bad.end(), 1));
}

// Moving everything at once does not help where values must be in order (levels of tanks): one unknown after the other,
// each move accepted that gives one more row a value.
bool StartSolver::leave_one_by_one(const std::vector<char>& movable, std::vector<double>& u) {
    double work = 0;
    std::vector<char> bad, bad_after, one(u.size(), 0);
    std::vector<double> best = u;
    int count = rows_not_finite(best, bad), moves = 0;
    for (bool progress = true; count > 0 && progress && work < effort::entries_evaluated;) {
        progress = false;
        for (std::size_t j = 0; j < best.size() && count > 0 && work < effort::entries_evaluated; ++j) {
            if (!movable[j]) continue;
            bool concerned = false;
            for (int k = problem_.pattern.column_start[j]; k < problem_.pattern.column_start[j + 1]; ++k)
                concerned = concerned || bad[static_cast<std::size_t>(problem_.pattern.row_index[k])];
            if (!concerned) continue;
            one[j] = 1;
            for (const double amount : effort::moves_of_one)
                for (const int variant : {0, 1}) {
                    std::vector<double> trial = perturb(best, one, amount, variant);
                    work += static_cast<double>(j_.size());
                    const int after = rows_not_finite(trial, bad_after);
                    if (after >= count) continue;
                    best = std::move(trial);
                    bad = bad_after;
                    count = after;
                    progress = true;
                    ++moves;
                }
            one[j] = 0;
        }
    }
    if (count > 0 || row_not_finite(best) >= 0) return false;
    u = std::move(best);
    log.push_back({"leaving a point without value", true, 0, 0.0,
                   "one unknown after the other moved, " + std::to_string(moves) + " in all"});
    return true;
}

} // namespace daedalus::integrate
