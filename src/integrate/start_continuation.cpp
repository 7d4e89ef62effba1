// Continuations for starts far from any solution. Both need a square system with an unknown paired to each equation:
// a maximal set of independent columns of ∂G/∂u (the unknowns one would rather not choose first), each with its pivot
// row. With D the signs and sizes of those pairs and e = diag(1/size):
//   fixed-point homotopy  s D G(u) + (1 - s) e (u - u₀) = 0, s from 0 to 1 (Allgower & Georg 1990)
//   pseudo-transient      e u' = -D G(u) by implicit Euler whose step grows as the residual falls (Kelley & Keyes 1998)
#include "integrate/homotopy_path.hpp"
#include "integrate/start_freedom.hpp"
#include "integrate/start_part.hpp"
#include "linalg/independent_columns.hpp"
#include "linalg/linear_solver.hpp"
#include "nonlinear/newton.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace daedalus::integrate {

namespace {

class PairedSystem {
public:
    PairedSystem(const problem::InitialProblem& problem, const Question& q, const StartSolver& solver,
                 InitialSystem& system)
        : full_(problem.pattern), solver_(solver), system_(system), g_(static_cast<std::size_t>(full_.rows)),
          j_(full_.row_index.size()) {
        const ActivePart part = active_part(full_, q);
        part_columns_ = part.columns;
        std::vector<int> position(problem.unknowns.size(), -1);
        for (std::size_t k = 0; k < part.columns.size(); ++k)
            position[static_cast<std::size_t>(part.columns[k])] = static_cast<int>(k);
        for (const int j : preference_order(problem))
            if (const int k = position[static_cast<std::size_t>(j)]; k >= 0) order_.push_back(k);
        part_ = part;
    }

    /// Pairs unknowns and equations at u; false where the Jacobian has no value or nothing is left to solve.
    bool pair(const std::vector<double>& u) {
        if (!system_.residual(u, g_) || !system_.jacobian(u, j_)) return false;
        std::vector<double> values;
        for (std::size_t c = 0; c < part_.columns.size(); ++c)
            for (int k = part_.pattern.column_start[c]; k < part_.pattern.column_start[c + 1]; ++k)
                values.push_back(j_[static_cast<std::size_t>(part_.entry[static_cast<std::size_t>(k)])] *
                                 solver_.size(part_.columns[c]));
        const auto chosen = linalg::independent_columns(part_.pattern, values, order_);
        if (!chosen.complete || chosen.rank == 0) return false;
        std::vector<int> equation_of(static_cast<std::size_t>(part_.pattern.rows), -1);
        for (std::size_t i = 0; i < part_.row_of.size(); ++i)
            if (part_.row_of[i] >= 0) equation_of[static_cast<std::size_t>(part_.row_of[i])] = static_cast<int>(i);
        place_.assign(g_.size(), -1);
        for (std::size_t c = 0; c < part_.columns.size(); ++c) {
            if (!chosen.chosen[c]) continue;
            const int equation = equation_of[static_cast<std::size_t>(chosen.pivot_row[c])];
            place_[static_cast<std::size_t>(equation)] = static_cast<int>(columns_.size());
            columns_.push_back(part_.columns[c]);
            equations_.push_back(equation);
        }
        build();
        scale_rows(u);
        return true;
    }

    [[nodiscard]] std::size_t size() const { return columns_.size(); }
    /// Only the pairs: their unknowns free, their equations asked.
    void restrict_to_pairs(Question& q) const {
        q.held.assign(q.held.size(), 1);
        q.active.assign(g_.size(), 0);
        for (const int j : columns_) q.held[static_cast<std::size_t>(j)] = 0;
        for (const int i : equations_) q.active[static_cast<std::size_t>(i)] = 1;
    }
    /// D G(u), in the order of the pairs; false where it has no value.
    bool residual(const std::vector<double>& u, std::vector<double>& r) {
        if (!system_.residual(u, g_)) return false;
        r.resize(size());
        for (std::size_t k = 0; k < size(); ++k) r[k] = d_[k] * g_[static_cast<std::size_t>(equations_[k])];
        return true;
    }
    /// a D ∂G/∂u + b e at u.
    bool factor(const std::vector<double>& u, double a, double b) {
        if (!system_.jacobian(u, j_)) return false;
        std::fill(values_.begin(), values_.end(), 0.0);
        for (std::size_t k = 0; k < from_.size(); ++k) {
            const auto& e = from_[k];
            values_[static_cast<std::size_t>(e.to)] +=
                a * d_[static_cast<std::size_t>(e.row)] * j_[static_cast<std::size_t>(e.entry)];
        }
        for (std::size_t k = 0; k < size(); ++k)
            values_[static_cast<std::size_t>(diagonal_[k])] += b / solver_.size(columns_[k]);
        return linear_->factor(values_) == linalg::FactorStatus::ok;
    }
    void solve(std::vector<double>& r) { linear_->solve(r); }
    void move(std::vector<double>& u, const std::vector<double>& step) const {
        for (std::size_t k = 0; k < size(); ++k) u[static_cast<std::size_t>(columns_[k])] += step[k];
    }
    /// e (u - v) of pair k.
    [[nodiscard]] double difference(const std::vector<double>& u, const std::vector<double>& v, std::size_t k) const {
        const auto j = static_cast<std::size_t>(columns_[k]);
        return (u[j] - v[j]) / solver_.size(columns_[k]);
    }

private:
    struct Entry {
        int entry, row, to;
    };

    void build() {
        std::vector<std::pair<int, int>> positions;
        std::vector<Entry> found;
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            const int j = columns_[c];
            positions.emplace_back(static_cast<int>(c), static_cast<int>(c));
            for (int k = full_.column_start[j]; k < full_.column_start[j + 1]; ++k)
                if (const int row = place_[static_cast<std::size_t>(full_.row_index[k])]; row >= 0) {
                    positions.emplace_back(row, static_cast<int>(c));
                    found.push_back({k, row, static_cast<int>(c)});
                }
        }
        const int n = static_cast<int>(size());
        pattern_ = SparsityPattern::from_entries(n, n, positions);
        for (Entry& e : found) e.to = pattern_.find(e.row, e.to);
        from_ = std::move(found);
        for (int k = 0; k < n; ++k) diagonal_.push_back(pattern_.find(k, k));
        values_.resize(static_cast<std::size_t>(pattern_.nonzeros()));
        linear_ = linalg::make_linear_solver<double>(pattern_);
    }

    /// Rows of size 1 in units of the nominal values, with the sign that makes the paired entry positive.
    void scale_rows(const std::vector<double>& u) {
        d_.assign(size(), 0.0);
        for (int j = 0; j < full_.cols; ++j)
            for (int k = full_.column_start[j]; k < full_.column_start[j + 1]; ++k)
                if (const int row = place_[static_cast<std::size_t>(full_.row_index[k])]; row >= 0)
                    d_[static_cast<std::size_t>(row)] +=
                        std::abs(j_[static_cast<std::size_t>(k)]) *
                        std::max(solver_.size(j), std::abs(u[static_cast<std::size_t>(j)]));
        for (std::size_t k = 0; k < size(); ++k) {
            const int own = full_.find(equations_[k], columns_[k]);
            const bool negative = own >= 0 && j_[static_cast<std::size_t>(own)] < 0.0;
            d_[k] = (negative ? -1.0 : 1.0) / (d_[k] > 0.0 ? d_[k] : 1.0);
        }
    }

    const SparsityPattern& full_;
    const StartSolver& solver_;
    InitialSystem& system_;
    ActivePart part_;
    std::vector<int> part_columns_, order_;
    std::vector<int> columns_, equations_; ///< of each pair
    std::vector<int> place_;               ///< pair of each equation, -1: none
    SparsityPattern pattern_;
    std::vector<Entry> from_;
    std::vector<int> diagonal_;
    std::vector<double> g_, j_, d_, values_;
    std::unique_ptr<linalg::LinearSolver<double>> linear_;
};

double norm(const std::vector<double>& r) {
    double sum = 0.0;
    for (const double x : r) sum += x * x;
    return std::sqrt(sum);
}

/// s D G(u) + (1 - s) e (u - u₀) = 0 for one s.
class HomotopyEquation {
public:
    HomotopyEquation(PairedSystem& paired, const std::vector<double>& anchor, double s, std::vector<double>& u)
        : paired_(paired), anchor_(anchor), s_(s), u_(u) {}
    [[nodiscard]] bool linearise() {
        if (!paired_.residual(u_, r_)) return false;
        for (std::size_t i = 0; i < r_.size(); ++i)
            r_[i] = -(s_ * r_[i] + (1.0 - s_) * paired_.difference(u_, anchor_, i));
        return finished() || paired_.factor(u_, s_, 1.0 - s_);
    }
    [[nodiscard]] bool finished() const {
        constexpr double close = 1e-8; // in rows of size 1: far inside where Newton converges for the next s
        return norm(r_) < close;
    }
    void solve() { paired_.solve(r_); }
    [[nodiscard]] double update(double part) {
        for (double& step : r_) step *= part;
        paired_.move(u_, r_);
        return norm(r_);
    }

private:
    PairedSystem& paired_;
    const std::vector<double>& anchor_;
    double s_;
    std::vector<double>& u_;
    std::vector<double> r_;
};

// Effort alone, as in start_solver.cpp: the last iteration judges. A corrector that needs more than some iterations of
// Newton from the last point is better served by half the step.
constexpr int corrector_iterations = 8, final_iterations = 50;

// Pseudo-transient continuation: the step of the flow follows the residual (switched evolution relaxation, Kelley &
// Keyes 1998 (1.5)), by no more than these factors at a time; where the residual grows tenfold the flow was not
// followed at all. Rows have size 1: a first step of 0.1 follows what is as fast as they are, and 1e-9 is inside what
// Newton's iteration converges from.
constexpr double first_flow_step = 0.1, smallest_flow_step = 1e-12, flow_step_after_failure = 0.1;
constexpr double slowest_change = 0.5, fastest_change = 10.0, residual_may_grow = 10.0;
constexpr double at_rest = 1e-9;
constexpr int most_flow_steps = 300;

/// e u' = -D G(u) by implicit Euler, each step one iteration of Newton with the matrix D ∂G/∂u + e/δ.
class FlowEquation {
public:
    FlowEquation(PairedSystem& paired, std::vector<double>& u) : paired_(paired), u_(u) {}
    [[nodiscard]] bool linearise() {
        if (!known_) {
            if (!paired_.residual(u_, r_)) return false;
            size_ = norm(r_);
            known_ = true;
        }
        factored_ = finished() || paired_.factor(u_, 1.0, 1.0 / delta_);
        return true;
    }
    [[nodiscard]] bool finished() const { return !(size_ > at_rest) || !(delta_ > smallest_flow_step); }
    void solve() {
        if (!factored_) return;
        step_ = r_;
        for (double& x : step_) x = -x;
        paired_.solve(step_);
    }
    /// Goes along the step, or stays and follows the flow more closely.
    [[nodiscard]] double update(double /*part*/) {
        constexpr double not_negligible = 1.0;
        trial_ = u_;
        if (factored_) paired_.move(trial_, step_);
        double now = 0.0;
        if (!factored_ || !paired_.residual(trial_, step_) || !std::isfinite(now = norm(step_)) ||
            now > residual_may_grow * size_) {
            delta_ *= flow_step_after_failure;
            return not_negligible;
        }
        delta_ *= std::clamp(size_ / std::max(now, 1e-300), slowest_change, fastest_change);
        size_ = now;
        std::swap(r_, step_);
        u_ = trial_;
        return not_negligible;
    }

private:
    PairedSystem& paired_;
    std::vector<double>& u_;
    std::vector<double> r_, step_, trial_;
    double size_ = 0.0, delta_ = first_flow_step;
    bool known_ = false, factored_ = false;
};

} // namespace

/// What depends on other equations must hold with them. Where it does not, the start was a point at which other
/// equations looked as if they depended: they are chosen anew at the point reached.
bool StartSolver::newton_on_basis(const Question& q, std::vector<double>& u) {
    constexpr int most_choices = 3; // of a start far from the equations, and of two points on them
    std::vector<double> trial = u;
    Question all = q;
    all.held.assign(u.size(), 1);
    for (int choice = 0; choice < most_choices; ++choice) {
        PairedSystem paired(problem_, q, *this, system_);
        if (!paired.pair(trial)) return false;
        Question basis = q;
        basis.label += basis.label.empty() ? "chosen unknowns" : ", chosen unknowns";
        paired.restrict_to_pairs(basis);
        basis.bounds = false; // of what all equations agree on
        if (!newton(basis, trial)) return false;
        if (run(all, trial,
                {.tolerance = options_.tolerance, .max_iterations = 1, .least_change = false, .bounds = false})) {
            if (options_.respect_bounds && q.bounds)
                for (std::size_t j = 0; j < trial.size(); ++j)
                    if (!q.held[j] && !(trial[j] >= min_[j] && trial[j] <= max_[j])) return false;
            u = std::move(trial);
            return true;
        }
    }
    return false;
}

bool StartSolver::fixed_point_homotopy(const Question& q, std::vector<double>& u) {
    PairedSystem paired(problem_, q, *this, system_);
    if (!paired.pair(u)) return false;
    const std::vector<double> anchor = u;
    int iterations = 0;
    const double s = follow_path(u, [&](double at, std::vector<double>& trial) {
        HomotopyEquation equation(paired, anchor, at, trial);
        const nonlinear::NewtonResult newton =
            nonlinear::damped_newton(equation, {.max_iterations = corrector_iterations, .negligible = 0.0});
        iterations += newton.iterations;
        return newton.status == nonlinear::NewtonStatus::converged;
    });
    bool success = s == 1.0;
    char reached[64] = "";
    if (success)
        success = run(q, u,
                      {.tolerance = options_.tolerance,
                       .max_iterations = final_iterations,
                       .least_change = false,
                       .bounds = options_.respect_bounds && q.bounds});
    else
        std::snprintf(reached, sizeof reached, "reached s = %.3g of 1", s);
    record("fixed-point homotopy", q, success, iterations, reached);
    return success;
}

bool StartSolver::pseudo_transient(const Question& q, std::vector<double>& u) {
    PairedSystem paired(problem_, q, *this, system_);
    if (!paired.pair(u)) return false;
    FlowEquation flow(paired, u);
    const nonlinear::NewtonResult newton =
        nonlinear::damped_newton(flow, {.max_iterations = most_flow_steps, .negligible = 0.0});
    const bool success = run(q, u,
                             {.tolerance = options_.tolerance,
                              .max_iterations = final_iterations,
                              .least_change = false,
                              .bounds = options_.respect_bounds && q.bounds});
    record("pseudo-transient continuation", q, success, newton.iterations);
    return success;
}

} // namespace daedalus::integrate
