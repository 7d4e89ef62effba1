// Newton on a square part of the initial value system, block by block. Rows are weighed by what they are made of,
// Σ|∂G/∂u||u|. Linear groups take one factorisation and one solve, without iteration; nonlinear ones may be torn.
#include "integrate/start_blocks.hpp"
#include "integrate/start_part.hpp"
#include "integrate/start_tearing.hpp"
#include "linalg/linear_solver.hpp"
#include "nonlinear/newton.hpp"
#include "nonlinear/path_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::integrate {

/// G(u) = 0 for the unknowns of one group, all others as they are.
class StartSolver::GroupEquation {
public:
    /// `tearing`: all but the torn unknowns follow from these, at every iterate.
    GroupEquation(StartSolver& solver, const StartGroup& group, std::vector<double>& u,
                  const GroupTearing* tearing = nullptr)
        : s_(solver), u_(u), tearing_(tearing), part_(part_of(solver.problem_, group)),
          solver_(linalg::make_linear_solver<double>(part_.pattern)), values_(part_.entry.size()),
          weight_(group.equations.size()), before_(group.equations.size()), step_(group.equations.size()) {
        for (std::size_t i = 0; i < part_.row_of.size(); ++i)
            if (part_.row_of[i] >= 0) rows_.push_back(i);
        moved_.assign(part_.columns.size(), tearing == nullptr);
        if (tearing)
            for (std::size_t k = 0; k < part_.columns.size(); ++k)
                moved_[k] =
                    std::find(tearing->torn.begin(), tearing->torn.end(), part_.columns[k]) != tearing->torn.end();
    }

    /// The unknowns that follow, level by level; false where one of them does not.
    [[nodiscard]] bool sweep(std::vector<double>& u) {
        if (!tearing_) return true;
        for (const auto& level : tearing_->levels) {
            if (!s_.system_.residual(u, s_.g_) || !s_.system_.jacobian(u, s_.j_)) return false;
            for (const GroupTearing::Assignment& a : level) {
                double& value = u[static_cast<std::size_t>(a.unknown)];
                value -= s_.g_[static_cast<std::size_t>(a.equation)] / s_.j_[static_cast<std::size_t>(a.entry)];
                if (!std::isfinite(value)) return false;
            }
        }
        return true;
    }

    [[nodiscard]] bool linearise() {
        if (!s_.system_.residual(u_, s_.g_) || !s_.system_.jacobian(u_, s_.j_)) return false;
        const SparsityPattern& full = s_.problem_.pattern;
        std::fill(weight_.begin(), weight_.end(), 1e-300);
        for (int j = 0; j < full.cols; ++j)
            for (int k = full.column_start[j]; k < full.column_start[j + 1]; ++k)
                if (const int row = part_.row_of[static_cast<std::size_t>(full.row_index[k])]; row >= 0)
                    weight_[static_cast<std::size_t>(row)] +=
                        std::abs(s_.j_[static_cast<std::size_t>(k)]) *
                        std::max(std::abs(u_[static_cast<std::size_t>(j)]), s_.size(j));
        merit_ = merit_of(s_.g_);
        for (std::size_t k = 0; k < values_.size(); ++k) values_[k] = s_.j_[static_cast<std::size_t>(part_.entry[k])];
        for (std::size_t i = 0; i < rows_.size(); ++i) step_[i] = -(before_[i] = s_.g_[rows_[i]]);
        return solver_->factor(values_) == linalg::FactorStatus::ok;
    }
    void solve() { solver_->solve(step_); }
    /// Every row as the tolerance asks.
    [[nodiscard]] bool satisfied(double tolerance) {
        if (!linearise()) return false;
        return std::all_of(rows_.begin(), rows_.end(), [&, k = std::size_t{0}](std::size_t i) mutable {
            return std::abs(s_.g_[i]) <= tolerance * weight_[k++];
        });
    }
    [[nodiscard]] double merit() const { return merit_; }
    [[nodiscard]] double attempt(double lambda) {
        trial_ = u_;
        for (std::size_t k = 0; k < step_.size(); ++k)
            if (moved_[k]) trial_[static_cast<std::size_t>(part_.columns[k])] += lambda * step_[k];
        if (!sweep(trial_)) return std::numeric_limits<double>::infinity();
        return s_.system_.residual(trial_, s_.g_) ? merit_of(s_.g_) : std::numeric_limits<double>::infinity();
    }
    /// From what the linearisation says, in the norm of the merit.
    [[nodiscard]] double departure(double lambda) {
        if (!std::isfinite(attempt(lambda))) return std::numeric_limits<double>::infinity();
        double sum = 0;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const double off = (s_.g_[rows_[i]] - (1.0 - lambda) * before_[i]) / weight_[i];
            sum += off * off;
        }
        return std::sqrt(sum);
    }
    [[nodiscard]] double update(double lambda) {
        double change = 0;
        // Relative to the value, or to a thousandth of its size where it vanishes.
        for (std::size_t k = 0; k < step_.size(); ++k) {
            const auto j = static_cast<std::size_t>(part_.columns[k]);
            const double moved = tearing_ ? trial_[j] - u_[j] : lambda * step_[k];
            change =
                std::max(change, std::abs(moved) / std::max(std::abs(trial_[j]), 1e-3 * s_.size(part_.columns[k])));
        }
        u_.swap(trial_);
        return change;
    }
    /// A linear group: the first correction is the solution, a second with the same factors takes its round-off away.
    [[nodiscard]] bool solve_once() {
        if (!linearise()) return false;
        for (int pass = 0; pass < 2; ++pass) {
            solve();
            const double after = attempt(1.0);
            if (!std::isfinite(after)) return false;
            if (pass > 0 && !(after < merit_)) return true;
            merit_ = after;
            u_.swap(trial_);
            for (std::size_t i = 0; i < rows_.size(); ++i) step_[i] = -s_.g_[rows_[i]];
            if (after == 0.0) return true;
        }
        return true;
    }

private:
    static ActivePart part_of(const problem::InitialProblem& problem, const StartGroup& group) {
        Question q;
        q.held.assign(problem.unknowns.size(), 1);
        q.active.assign(static_cast<std::size_t>(problem.equations), 0);
        for (const int j : group.unknowns) q.held[static_cast<std::size_t>(j)] = 0;
        for (const int i : group.equations) q.active[static_cast<std::size_t>(i)] = 1;
        return active_part(problem.pattern, q);
    }
    [[nodiscard]] double merit_of(const std::vector<double>& g) const {
        double sum = 0;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const double r = g[rows_[i]] / weight_[i];
            sum += r * r;
        }
        return sum;
    }

    StartSolver& s_;
    std::vector<double>& u_;
    const GroupTearing* tearing_;
    ActivePart part_;
    std::unique_ptr<linalg::LinearSolver<double>> solver_;
    std::vector<double> values_, weight_, before_, step_, trial_; ///< before_: G at the iterate
    std::vector<std::size_t> rows_; ///< equations of the group, in the order of the part's rows
    std::vector<char> moved_;       ///< columns of the part that Newton moves
    double merit_ = 0.0;
};

// Newton on the torn unknowns of a group; u as it was where that fails.
bool StartSolver::solve_torn(const StartGroup& group, const GroupTearing& tearing, std::vector<double>& u,
                             int& iterations) {
    const std::vector<double> before = u;
    GroupEquation equation(*this, group, u, &tearing);
    if (equation.sweep(u)) {
        const nonlinear::NewtonResult result = nonlinear::damped_newton(equation);
        iterations += result.iterations;
        Question check;
        check.held.assign(u.size(), 1);
        check.active.assign(static_cast<std::size_t>(problem_.equations), 0);
        for (const int i : group.equations) check.active[static_cast<std::size_t>(i)] = 1;
        if (run(check, u, {.tolerance = options_.tolerance, .max_iterations = 1, .least_change = false})) return true;
    }
    u = before;
    return false;
}

bool StartSolver::newton(const Question& q, std::vector<double>& u) { return newton(q, u, options_.tear); }

bool StartSolver::torn_newton(const Question& q, std::vector<double>& u) {
    return !options_.tear && newton(q, u, true); // else the first attempt was torn already
}

namespace {

/// Newton with steps that are shortened, and where that ends short of a solution, along the path across borders between
/// pieces of the equations. False: not finite.
template <class Equation>
bool solve_nonlinear(Equation& equation, std::vector<double>& u, double tolerance, int& iterations) {
    const std::vector<double> before = u;
    const nonlinear::NewtonResult result = nonlinear::damped_newton(equation);
    iterations += result.iterations;
    if (result.status == nonlinear::NewtonStatus::not_finite) return false;
    if (equation.satisfied(tolerance)) return true;
    std::vector<double> there = u;
    u = before;
    iterations += nonlinear::path_newton(equation).iterations;
    if (!equation.satisfied(tolerance)) u = std::move(there);
    return true;
}

} // namespace

bool StartSolver::newton(const Question& q, std::vector<double>& u, bool tear) {
    const std::vector<StartGroup> groups = start_groups(problem_, q);
    if (groups.empty()) return false;
    int iterations = 0;
    bool solved = true;
    std::size_t torn_blocks = 0, torn = 0, among = 0, not_torn = 0;
    std::vector<std::optional<GroupTearing>> tearing(groups.size());
    if (tear && system_.jacobian(u, j_)) {
        for (std::size_t k = 0; k < groups.size(); ++k) tearing[k] = tear_group(problem_, groups[k], j_);
        const bool any = std::any_of(tearing.begin(), tearing.end(), [](const auto& t) { return t.has_value(); });
        if (!any && !options_.tear) return false; // nothing that was not tried before
    }
    for (std::size_t k = 0; k < groups.size() && solved; ++k) {
        if (tearing[k]) {
            if (solve_torn(groups[k], *tearing[k], u, iterations)) {
                ++torn_blocks;
                torn += tearing[k]->torn.size();
                among += groups[k].unknowns.size();
                continue;
            }
            ++not_torn;
        }
        GroupEquation equation(*this, groups[k], u);
        if (groups[k].linear) {
            solved = equation.solve_once();
            ++iterations;
            continue;
        }
        solved = solve_nonlinear(equation, u, options_.tolerance, iterations);
    }
    const bool singular = !solved;
    // What stagnated may be at round-off or stuck: every active equation is looked at.
    Question check = q;
    check.held.assign(u.size(), 1);
    bool success = run(check, u, {.tolerance = options_.tolerance, .max_iterations = 1, .least_change = false});
    std::string note = success    ? describe(groups)
                       : singular ? "the matrix of a block is singular or has no value there"
                                  : "no step lowers the residual";
    if (options_.respect_bounds && q.bounds)
        for (std::size_t j = 0; j < u.size() && success; ++j)
            if (!q.held[j] && !(u[j] >= min_[j] && u[j] <= max_[j])) {
                success = false;
                note = "the solution found is out of bounds in " + problem_.names().variable(static_cast<int>(j));
            }
    const auto add = [&note](const std::string& text) { note += (note.empty() ? "" : "; ") + text; };
    if (torn_blocks > 0)
        add(std::to_string(torn_blocks) + " torn: " + std::to_string(torn) + " of " + std::to_string(among) +
            " unknowns guessed, the others follow");
    if (not_torn > 0) add(std::to_string(not_torn) + " torn in vain, then solved whole");
    record(tear && torn_blocks + not_torn > 0 ? "torn Newton" : "Newton", q, success, iterations, std::move(note));
    return success;
}

} // namespace daedalus::integrate
