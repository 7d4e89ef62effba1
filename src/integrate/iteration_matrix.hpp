// J = ∂F/∂x and M = ∂F/∂x' at a point, and solutions with J + σ M for real or complex shifts σ: the matrices of every
// implicit method (σ = α/h for BDF, γ/h and (α+iβ)/h for Radau). Where the system has entries they are evaluated and
// factorised; where it has not, its products and its own solver serve (problem/linear_operations.hpp).
#pragma once

#include "integrate/krylov.hpp"
#include "integrate/statistics.hpp"
#include "linalg/largest.hpp"
#include "linalg/linear_solver.hpp"
#include "problem/implicit_problem.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace daedalus::integrate {

class JacobianValues {
public:
    explicit JacobianValues(const problem::ImplicitProblem& problem) : problem_(&problem) { resize(); }
    /// After the links changed.
    void resize() {
        const auto nonzeros = static_cast<std::size_t>(problem_->pattern().nonzeros());
        jx.resize(nonzeros);
        jdx.resize(nonzeros);
        complete_ = false;
    }
    [[nodiscard]] problem::EvalStatus evaluate(double t, const double* x, const double* dx, Counters& counters) {
        ++counters.jacobians;
        complete_ = true;
        if (!problem_->has_entries()) return remember(t, x, dx);
        return problem_->jacobian(t, x, dx, jx.data(), jdx.data());
    }
    /// With the residual at the same point.
    [[nodiscard]] problem::EvalStatus linearize(double t, const double* x, const double* dx, double* r,
                                                Counters& counters) {
        ++counters.jacobians;
        ++counters.residuals;
        if (!problem_->has_entries()) {
            (void)remember(t, x, dx);
            return problem_->residual(t, x, dx, r);
        }
        if (!complete_) { // constant entries are written once
            complete_ = true;
            if (const auto status = problem_->jacobian(t, x, dx, jx.data(), jdx.data());
                status != problem::EvalStatus::ok)
                return status;
        }
        return problem_->linearize(t, x, dx, r, jx.data(), jdx.data());
    }
    /// The same of G(t, x, x', q'), for methods that difference the quantity (problem/differentiated_quantity.hpp);
    /// dq null: the problem has none.
    [[nodiscard]] problem::EvalStatus evaluate(double t, const double* x, const double* dx, const double* dq,
                                               Counters& counters) {
        if (dq == nullptr) return evaluate(t, x, dx, counters);
        ++counters.jacobians;
        return problem_->stated_jacobian(t, x, dx, dq, jx.data(), jdx.data());
    }
    [[nodiscard]] problem::EvalStatus linearize(double t, const double* x, const double* dx, const double* dq,
                                                double* r, Counters& counters) {
        if (dq == nullptr) return linearize(t, x, dx, r, counters);
        const problem::EvalStatus status = evaluate(t, x, dx, dq, counters);
        ++counters.residuals;
        return status == problem::EvalStatus::ok ? problem_->stated_residual(t, x, dx, dq, r) : status;
    }
    [[nodiscard]] const problem::ImplicitProblem& problem() const { return *problem_; }
    /// y += (a J + b M) v. What M multiplies may be anything in unknowns without derivative.
    void apply(double a, double b, const double* v, double* y) const {
        if (!problem_->has_entries()) return add_product(*problem_, point(), a, b, v, y);
        const SparsityPattern& pattern = problem_->pattern();
        const int* const start = pattern.column_start.data();
        const int* const row = pattern.row_index.data();
        for (int j = 0; j < pattern.cols; ++j) {
            const double of_x = a * v[j], of_slope = b * v[j];
            for (int k = start[j]; k < start[j + 1]; ++k) {
                const auto at = static_cast<std::size_t>(k);
                if (a != 0.0) y[row[k]] += jx[at] * of_x;
                if (jdx[at] != 0.0) y[row[k]] += jdx[at] * of_slope;
            }
        }
    }
    /// y += (a J + b M)ᵀ v. False: the system offers neither entries nor transposed products.
    [[nodiscard]] bool apply_transposed(double a, double b, const double* v, double* y) const {
        if (!problem_->has_entries()) return add_transposed_product(*problem_, point(), a, b, v, y);
        const SparsityPattern& pattern = problem_->pattern();
        for (int j = 0; j < pattern.cols; ++j)
            for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
                y[j] += (a * jx[static_cast<std::size_t>(k)] + b * jdx[static_cast<std::size_t>(k)]) *
                        v[pattern.row_index[static_cast<std::size_t>(k)]];
        return true;
    }
    /// Where it was evaluated last, for systems without entries.
    [[nodiscard]] problem::LinearisationPoint point() const { return {t_, x_.data(), dx_.data()}; }
    /// flag[j] = x'_j occurs in F (at the last evaluation; without entries, as the system says).
    void mark_differential(std::vector<char>& flag) const {
        if (!problem_->has_entries()) {
            for (std::size_t j = 0; j < flag.size(); ++j) flag[j] = problem_->unknowns()[j].differential ? 1 : 0;
            return;
        }
        const SparsityPattern& pattern = problem_->pattern();
        for (int j = 0; j < pattern.cols; ++j) {
            flag[static_cast<std::size_t>(j)] = 0;
            for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
                if (jdx[static_cast<std::size_t>(k)] != 0.0) flag[static_cast<std::size_t>(j)] = 1;
        }
    }

    std::vector<double> jx;
    std::vector<double> jdx;

private:
    [[nodiscard]] problem::EvalStatus remember(double t, const double* x, const double* dx) {
        t_ = t;
        x_.assign(x, x + problem_->size());
        dx_.assign(dx, dx + problem_->size());
        return problem::EvalStatus::ok;
    }

    const problem::ImplicitProblem* problem_;
    bool complete_ = false; ///< constant entries are in their places
    double t_ = 0.0;        ///< of systems without entries: the point
    std::vector<double> x_, dx_;
};

/// The solver of the present pattern. Choices of states return: the solvers of the latest few are kept with the pivots
/// they have learned.
template <class Scalar>
class SolverOfPattern {
public:
    explicit SolverOfPattern(linalg::SolverKind kind) : kind_(kind) {}
    void select(linalg::SharedPattern pattern) {
        constexpr std::size_t most_kept = 8;
        if (solver_) {
            if (kept_.size() == most_kept) kept_.erase(kept_.begin());
            kept_.push_back({std::move(pattern_), std::move(solver_)});
        }
        pattern_ = std::move(pattern);
        const auto known =
            std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) { return *k.pattern == *pattern_; });
        if (known != kept_.end()) {
            solver_ = std::move(known->solver);
            kept_.erase(known);
        } else {
            solver_ = linalg::make_linear_solver<Scalar>(pattern_, kind_);
        }
    }
    [[nodiscard]] linalg::LinearSolver<Scalar>* operator->() { return solver_.get(); }
    [[nodiscard]] const linalg::LinearSolver<Scalar>* operator->() const { return solver_.get(); }
    [[nodiscard]] linalg::LinearSolver<Scalar>& operator*() { return *solver_; }

private:
    struct Kept {
        linalg::SharedPattern pattern;
        std::unique_ptr<linalg::LinearSolver<Scalar>> solver;
    };

    linalg::SolverKind kind_;
    linalg::SharedPattern pattern_;
    std::unique_ptr<linalg::LinearSolver<Scalar>> solver_;
    std::vector<Kept> kept_; ///< of other patterns
};

template <class Scalar>
class ShiftedMatrix {
public:
    ShiftedMatrix(const problem::ImplicitProblem& problem, linalg::SolverKind kind) : solver_(kind) { resize(problem); }
    /// For the problem's present pattern.
    void resize(const problem::ImplicitProblem& problem) {
        if (!problem.has_entries()) {
            without_entries_ = make_shifted_solver<Scalar>(problem);
            return;
        }
        values_.resize(static_cast<std::size_t>(problem.pattern().nonzeros()));
        solver_.select(problem.shared_pattern());
        factored_ = false;
    }
    /// Factorises J + shift M; factors of the same numbers are kept, as where a linear problem is linearised anew.
    [[nodiscard]] linalg::FactorStatus factor(const JacobianValues& jacobian, Scalar shift, Counters& counters) {
        if (without_entries_) return prepare(jacobian, shift, counters);
        const std::size_t nonzeros = values_.size();
        const bool same = linalg::shift_matrix({jacobian.jx.data(), nonzeros}, {jacobian.jdx.data(), nonzeros}, shift,
                                               values_.data());
        if (same && factored_) return linalg::FactorStatus::ok;
        ++counters.factorizations;
        if constexpr (is_complex) ++counters.complex_factorizations;
        const linalg::FactorStatus status = solver_->factor(values_);
        factored_ = status == linalg::FactorStatus::ok;
        return status;
    }
    void solve(std::span<Scalar> b, Counters& counters) {
        ++counters.solves;
        if constexpr (is_complex) ++counters.complex_solves;
        if (!without_entries_) return solver_->solve(b);
        // Newton's iteration sees what is no number, and the step is refused.
        if (!without_entries_->solve(b)) std::fill(b.begin(), b.end(), std::numeric_limits<double>::quiet_NaN());
    }
    /// Of the real matrix last factorised; 0: nobody knows.
    [[nodiscard]] long double determinant() const { return without_entries_ ? 0.0L : solver_->determinant(); }
    [[nodiscard]] std::string description() const {
        return without_entries_ ? without_entries_->description() : solver_->description();
    }

private:
    static constexpr bool is_complex = !std::is_same_v<Scalar, double>;

    [[nodiscard]] linalg::FactorStatus prepare(const JacobianValues& jacobian, Scalar shift, Counters& counters) {
        ++counters.factorizations;
        if constexpr (is_complex) ++counters.complex_factorizations;
        return without_entries_->prepare(jacobian.problem().call(), jacobian.point(), shift)
                   ? linalg::FactorStatus::ok
                   : linalg::FactorStatus::singular;
    }

    std::vector<Scalar> values_;
    bool factored_ = false; ///< values_
    SolverOfPattern<Scalar> solver_;
    std::unique_ptr<problem::ShiftedSolver<Scalar>> without_entries_; ///< null: values_ are factorised
};

} // namespace daedalus::integrate
