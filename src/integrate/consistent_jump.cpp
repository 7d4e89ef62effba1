#include "integrate/consistent_jump.hpp"

#include "integrate/consistency_matrix.hpp"
#include "integrate/start_solver.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace daedalus::integrate {

using problem::EvalStatus;
using problem::InitialProblem;

Branches branches_of(const problem::ImplicitProblem& problem, const std::vector<signed char>& sides) {
    Branches branches{sides, problem.environment()};
    const problem::Modes& modes = problem.hybrid().modes;
    if (modes.size > 0) modes.set(problem.code(), branches.environment, sides.data());
    return branches;
}

void set_branches(problem::ImplicitProblem& problem, const Branches& branches) {
    if (problem.environment().stamp() != branches.environment.stamp()) problem.environment() = branches.environment;
}

/// F(t, x, x') = 0 for u = x' of the states and x of all others, between the branches before and behind an event.
class ConsistentJump::Equations {
public:
    Equations(problem::ImplicitProblem& problem, double t, const BranchPoint& before, const BranchPoint& behind,
              Counters& counters)
        : problem_(problem), counters_(counters), before_(before), behind_(behind), x_(behind.x), dx_(behind.dx),
          r_(x_.size()), jx_(static_cast<std::size_t>(problem.pattern().nonzeros())), jdx_(jx_.size()),
          jacobian_(problem), differential_(x_.size()) {
        // Where it has no value at the point itself, entries that are constant still have.
        (void)jacobian_.evaluate(t, x_.data(), dx_.data(), counters);
        jacobian_.mark_differential(differential_);
        start_.t0 = t;
        start_.equations = problem.size();
        start_.binding = problem::Binding::to(*this);
        start_.legend = problem.facet<problem::Names>().legend;
        start_.residual = [](const problem::Call& call, double at, const double* u, double* g) {
            return call.object<Equations>().residual(at, u, g);
        };
        start_.jacobian = [](const problem::Call& call, double at, const double* u, double* values) {
            return call.object<Equations>().jacobian(at, u, values);
        };
        for (std::size_t j = 0; j < x_.size(); ++j) {
            const problem::UnknownInfo& info = problem.unknowns()[j];
            problem::InitialUnknown unknown;
            unknown.start = unknown_of(behind, j);
            unknown.strength = problem::Strength::guess;
            unknown.nominal = info.nominal;
            if (!differential_[j]) {
                unknown.min = info.min;
                unknown.max = info.max;
            }
            start_.unknowns.push_back(unknown);
        }
        build_pattern();
    }

    [[nodiscard]] const InitialProblem& problem() const { return start_; }
    /// At the point itself, with the states held.
    [[nodiscard]] bool singular(linalg::SolverKind kind) {
        if (jacobian_.evaluate(start_.t0, behind_.x.data(), behind_.dx.data(), counters_) != EvalStatus::ok)
            return false;
        return ConsistencyMatrix(kind).factor(jacobian_, differential_, counters_) != linalg::FactorStatus::ok;
    }
    /// States move by the change of their derivatives over sigma (ConsistentOutput).
    void release_states(double sigma) {
        sigma_ = sigma;
        build_pattern();
    }
    /// 0: before the event, 1: behind it.
    void set_share(double s) { share_ = s; }
    [[nodiscard]] std::vector<double> before() const {
        std::vector<double> u(x_.size());
        for (std::size_t j = 0; j < u.size(); ++j) u[j] = unknown_of(before_, j);
        return u;
    }
    [[nodiscard]] BranchPoint point(const std::vector<double>& u) {
        place(u.data());
        return {x_, dx_, behind_.branches};
    }

private:
    [[nodiscard]] double unknown_of(const BranchPoint& at, std::size_t j) const {
        return differential_[j] ? at.dx[j] : at.x[j];
    }
    /// Entries that can differ from zero.
    void build_pattern() {
        const SparsityPattern& whole = problem_.pattern();
        std::vector<char> varies_x, varies_dx;
        const bool known = problem_.mark_varying(varies_x, varies_dx);
        const auto occurs = [known](const std::vector<char>& varies, const std::vector<double>& values, std::size_t k) {
            return !known || varies[k] || values[k] != 0.0;
        };
        ChosenEntries own = choose_entries(whole, [&](int j, int entry) {
            const auto k = static_cast<std::size_t>(entry);
            const bool of_x = occurs(varies_x, jacobian_.jx, k), of_dx = occurs(varies_dx, jacobian_.jdx, k);
            return differential_[static_cast<std::size_t>(j)] ? of_dx || (of_x && sigma_ > 0.0) : of_x;
        });
        start_.pattern = std::move(own.pattern);
        entry_ = std::move(own.entry);
    }
    void place(const double* u) {
        for (std::size_t j = 0; j < x_.size(); ++j)
            if (differential_[j]) {
                dx_[j] = u[j];
                x_[j] = share_ == 1.0 ? behind_.x[j] : (1.0 - share_) * before_.x[j] + share_ * behind_.x[j];
                if (sigma_ > 0.0) x_[j] += (u[j] - (1.0 - share_) * before_.dx[j] - share_ * behind_.dx[j]) / sigma_;
            } else {
                x_[j] = u[j];
            }
    }
    /// On the branches behind the event, or on both: `keep` the values of those before.
    template <class Evaluate, class Keep>
    EvalStatus between(Evaluate evaluate, Keep keep) {
        if (share_ == 1.0) return evaluate();
        set_branches(problem_, before_.branches);
        const EvalStatus first = evaluate();
        keep();
        set_branches(problem_, behind_.branches);
        const EvalStatus second = evaluate();
        return first == EvalStatus::ok ? second : first;
    }
    EvalStatus residual(double t, const double* u, double* g) {
        place(u);
        const EvalStatus status = between(
            [&] {
                ++counters_.residuals;
                return problem_.residual(t, x_.data(), dx_.data(), g);
            },
            [&] { std::copy_n(g, r_.size(), r_.data()); });
        if (share_ < 1.0)
            for (std::size_t i = 0; i < r_.size(); ++i) g[i] = (1.0 - share_) * r_[i] + share_ * g[i];
        return status;
    }
    EvalStatus jacobian(double t, const double* u, double* values) {
        place(u);
        // What it says of all entries is no matter: a slope by states that are held may be infinite (√x at 0).
        (void)between([&] { return jacobian_.evaluate(t, x_.data(), dx_.data(), counters_); },
                      [&] {
                          jx_ = jacobian_.jx;
                          jdx_ = jacobian_.jdx;
                      });
        const auto mixed = [this](const std::vector<double>& before, const std::vector<double>& behind, std::size_t k) {
            return share_ == 1.0 ? behind[k] : (1.0 - share_) * before[k] + share_ * behind[k];
        };
        bool finite = true;
        for (std::size_t j = 0; j < x_.size(); ++j)
            for (auto own = static_cast<std::size_t>(start_.pattern.column_start[j]);
                 own < static_cast<std::size_t>(start_.pattern.column_start[j + 1]); ++own) {
                const auto k = static_cast<std::size_t>(entry_[own]);
                values[own] = local_entry(mixed(jx_, jacobian_.jx, k), mixed(jdx_, jacobian_.jdx, k),
                                          differential_[j] != 0, sigma_);
                finite = finite && std::isfinite(values[own]);
            }
        return finite ? EvalStatus::ok : EvalStatus::not_finite;
    }

    problem::ImplicitProblem& problem_;
    Counters& counters_;
    const BranchPoint &before_, &behind_;
    std::vector<double> x_, dx_, r_, jx_, jdx_;
    JacobianValues jacobian_;
    std::vector<char> differential_;
    double sigma_ = 0.0; ///< 0: infinite, the states are held
    double share_ = 1.0;
    InitialProblem start_;
    std::vector<int> entry_; ///< of the problem's pattern, per own entry
};

/// The attempts, from the mildest on.
class ConsistentJump::Search {
public:
    /// `regularity` of a point.
    Search(Equations& equations, const StartOptions& options, std::function<double(const BranchPoint&)> regularity)
        : equations_(equations), regularity_(std::move(regularity)), solver_(equations.problem(), options),
          start_(solver_.start()) {
        question_.held.assign(start_.size(), 0);
        question_.least_change = false;
        if (solver_.row_not_finite(start_) >= 0) (void)solver_.leave_domain_error(start_);
    }

    /// What they find, until `enough` says so of one.
    template <class Enough>
    void run(bool from_newton, Enough enough) {
        const auto from_start = [this](bool (StartSolver::*way)(const Question&, std::vector<double>&)) {
            return [this, way](std::vector<double>& u) { return (solver_.*way)(question_, u); };
        };
        std::vector<std::function<bool(std::vector<double>&)>> ways;
        if (from_newton) ways = {from_start(&StartSolver::newton), from_start(&StartSolver::torn_newton)};
        ways.insert(ways.end(),
                    {[this](std::vector<double>& u) { return between_branches(u); }, from_start(&StartSolver::homotopy),
                     from_start(&StartSolver::fixed_point_homotopy), from_start(&StartSolver::levenberg_marquardt),
                     from_start(&StartSolver::pseudo_transient), from_start(&StartSolver::perturbed)});
        for (const auto& way : ways) {
            std::vector<double> u = start_;
            if (way(u) && enough(equations_.point(u))) return;
        }
    }

    /// Rows with a residual where it is least, the largest first.
    [[nodiscard]] std::vector<int> resisting() {
        std::vector<double> u = start_;
        if (const int row = solver_.row_not_finite(u); row >= 0) return {row};
        (void)solver_.levenberg_marquardt(question_, u);
        (void)solver_.measure(u);
        const auto g = solver_.iteration().residual(), size = solver_.iteration().row_size();
        const auto share = [&](int i) {
            return std::abs(g[static_cast<std::size_t>(i)]) / size[static_cast<std::size_t>(i)];
        };
        constexpr double round_off = 1e-9; // of an iteration that stopped: more is an equation that does not hold
        std::vector<int> rows;
        for (int i = 0; i < equations_.problem().equations; ++i)
            if (!(share(i) <= round_off)) rows.push_back(i);
        std::stable_sort(rows.begin(), rows.end(), [&](int a, int b) { return share(a) > share(b); });
        constexpr std::size_t listed = 5;
        if (rows.size() > listed) rows.resize(listed);
        return rows;
    }

private:
    /// A step of the continuation must not end at a singular root beside the path.
    [[nodiscard]] bool between_branches(std::vector<double>& u) {
        constexpr double alike = 0.01;
        u = equations_.before();
        double latest = regularity_(equations_.point(u));
        const auto on_path = [&](const std::vector<double>& next) {
            const double there = regularity_(equations_.point(next));
            if (there < alike * latest) return false;
            latest = there;
            return true;
        };
        const bool found = solver_.continuation(
            question_, u, [this](double s) { equations_.set_share(s); }, on_path);
        equations_.set_share(1.0);
        return found;
    }

    Equations& equations_;
    std::function<double(const BranchPoint&)> regularity_;
    StartSolver solver_;
    std::vector<double> start_;
    Question question_;
};

namespace {
constexpr double weak = 1e-4;                                             // of the regularity before the event
constexpr double preferable = 1e3;                                        // times more regular
double sigma_of(double time_scale) { return 1e7 / std::abs(time_scale); } // as in ConsistentOutput
} // namespace

/// Smallest singular value of the matrix that determines the values at a point, scaled; 0 where there is none.
double ConsistentJump::regularity(double t, double time_scale, const BranchPoint& at) {
    if (!matrix_) matrix_.emplace(problem_, options_.linear_solver);
    ++counters_.jacobians;
    ++counters_.factorizations;
    const double value = matrix_->smallest_singular_value(t, at.x.data(), at.dx.data(), sigma_of(time_scale));
    return std::isfinite(value) ? value : 0.0;
}

/// Whether an algebraic unknown differs by more than this part of its size, of which `nominal` tells a part too.
bool ConsistentJump::apart(const BranchPoint& a, const BranchPoint& b, double by, double nominal) const {
    for (std::size_t j = 0; j < a.x.size(); ++j) {
        const problem::UnknownInfo& info = problem_.unknowns()[j];
        const double size = std::abs(a.x[j]) + nominal * std::abs(info.nominal);
        if (!info.differential && !(std::abs(a.x[j] - b.x[j]) <= by * size)) return true;
    }
    return false;
}

/// Ways are tried until one leads to a regular root, or a second one to the same as the first.
bool ConsistentJump::search(Equations& equations, double t, double time_scale, double healthy, bool from_newton,
                            std::optional<Root>& best) {
    constexpr double same = 1e-6;
    StartOptions options;
    options.respect_bounds = options_.bounds.keep;
    Search ways(equations, options, [&](const BranchPoint& at) { return regularity(t, time_scale, at); });
    ways.run(from_newton, [&](const BranchPoint& found) {
        if (best && !apart(best->point, found, same, 1.0)) return true;
        const double regular = regularity(t, time_scale, found);
        if (!best || regular > preferable * best->regularity) best = {found, regular};
        return regular >= weak * healthy;
    });
    if (!best) resisting_ = ways.resisting();
    return best.has_value();
}

double ConsistentJump::regularity_before(double t, double time_scale, const BranchPoint& before,
                                         const BranchPoint& behind) {
    set_branches(problem_, before.branches);
    const double value = regularity(t, time_scale, before);
    set_branches(problem_, behind.branches);
    return value;
}

bool ConsistentJump::find(double t, double time_scale, const BranchPoint& before, BranchPoint& behind) {
    const double healthy = regularity_before(t, time_scale, before, behind);
    Equations equations(problem_, t, before, behind, counters_);
    std::optional<Root> root;
    if (!search(equations, t, time_scale, healthy, true, root)) {
        // A leading matrix that mixes components leaves some states undetermined.
        if (!equations.singular(options_.linear_solver)) return false;
        equations.release_states(sigma_of(time_scale));
        if (!search(equations, t, time_scale, healthy, true, root)) return false;
    }
    behind = std::move(root->point);
    return true;
}

bool ConsistentJump::doubt(double t, double time_scale, const BranchPoint& before, BranchPoint& behind) {
    // Against what it was before: an unknown may vanish where it matters, however small it has been.
    constexpr double far = 0.05, nothing = 1e-6, clearly_regular = 0.01;
    if (!apart(before, behind, far, nothing)) return false;
    const double here = regularity(t, time_scale, behind);
    if (here >= clearly_regular) return false;
    const double healthy = regularity_before(t, time_scale, before, behind);
    if (here >= weak * healthy) return false;
    BranchPoint start = before;
    start.branches = behind.branches;
    for (std::size_t j = 0; j < start.x.size(); ++j)
        if (problem_.unknowns()[j].differential) start.x[j] = behind.x[j];
    Equations equations(problem_, t, before, start, counters_);
    std::optional<Root> root = Root{behind, here};
    (void)search(equations, t, time_scale, healthy, false, root);
    if (root->regularity == here) return false;
    behind = std::move(root->point);
    return true;
}

} // namespace daedalus::integrate
