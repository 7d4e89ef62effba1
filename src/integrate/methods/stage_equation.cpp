#include "integrate/methods/stage_equation.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

StageEquation::StageEquation(const problem::ImplicitProblem& problem, const tableau::StageForm& form,
                             ShiftedMatrix<double>& real_matrix, linalg::SolverKind kind)
    : problem_(problem), form_(form), n_(static_cast<std::size_t>(problem.size())), real_matrix_(real_matrix),
      pair_(n_), X_(n_), change_(n_) {
    for (const auto& unit : form.units) {
        if (unit.beta != 0.0) {
            complex_.emplace_back(problem, kind);
            real_of_unit_.push_back(-1);
            continue;
        }
        // Diagonal entries that are equal, but for roundings of a computed tableau, share a matrix.
        if (unit.alpha == form.scale) {
            real_of_unit_.push_back(0);
            continue;
        }
        auto known = std::find_if(more_shifts_.begin(), more_shifts_.end(), [&](double shift) {
            return std::abs(shift - unit.alpha) <= 1e-14 * std::abs(shift);
        });
        if (known == more_shifts_.end()) {
            more_real_.emplace_back(problem, kind);
            more_shifts_.push_back(unit.alpha);
            known = more_shifts_.end() - 1;
        }
        real_of_unit_.push_back(1 + static_cast<int>(known - more_shifts_.begin()));
    }
    const auto m = static_cast<std::size_t>(form.solved);
    for (auto* stages : {&Z, &R_, &V_, &dX_}) stages->resize(m * n_);
}

linalg::FactorStatus StageEquation::factor(const JacobianValues& jacobian, double h, Counters& counters) {
    jacobian_ = &jacobian;
    linalg::FactorStatus status = linalg::FactorStatus::ok;
    for (std::size_t k = 0; k < more_real_.size() && status == linalg::FactorStatus::ok; ++k)
        status = more_real_[k].factor(jacobian, more_shifts_[k] / h, counters);
    std::size_t next = 0;
    for (const auto& unit : form_.units)
        if (unit.beta != 0.0 && status == linalg::FactorStatus::ok)
            status = complex_[next++].factor(jacobian, Complex(unit.alpha, -unit.beta) / h, counters);
    return status;
}

void StageEquation::links_changed() {
    for (auto& matrix : more_real_) matrix.resize(problem_);
    for (auto& matrix : complex_) matrix.resize(problem_);
}

void StageEquation::pose(double t, double h, double t_new, const double* x, const double* dx, const ErrorNorm& norm,
                         Counters& counters) {
    t_ = t;
    h_ = h;
    t_new_ = t_new;
    x_ = x;
    dx_ = dx;
    norm_ = &norm;
    counters_ = &counters;
}

void StageEquation::difference(const StepQuantity& quantity) {
    stated_.quantity = &quantity;
    for (auto* stages : {&stated_.Z, &stated_.slope})
        stages->resize(static_cast<std::size_t>(form_.solved) * quantity.size());
}

/// Of stages with differences Z to the beginning, where the slope is `first`.
void StageEquation::slopes_of(const std::vector<double>& differences, std::size_t size, const double* first,
                              std::vector<double>& slopes) const {
    const int m = form_.solved;
    for (int i = 0; i < m; ++i) {
        double* slope = slopes.data() + static_cast<std::size_t>(i) * size;
        const double w = form_.from_first[static_cast<std::size_t>(i)];
        for (std::size_t k = 0; k < size; ++k) slope[k] = -w * first[k];
        for (int j = 0; j < m; ++j) {
            const double a = form_.W[static_cast<std::size_t>(i * m + j)] / h_;
            const double* z = differences.data() + static_cast<std::size_t>(j) * size;
            for (std::size_t k = 0; k < size; ++k) slope[k] += a * z[k];
        }
    }
}

void StageEquation::find_slopes() { slopes_of(Z, n_, dx_, dX_); }

double StageEquation::time_of(int solved_stage) const {
    const double c = form_.c[static_cast<std::size_t>(form_.first + solved_stage)];
    return c == 1.0 ? t_new_ : t_ + c * h_;
}

/// X_i into X_.
void StageEquation::stage(int i) {
    const double* z = block(Z, i);
    for (std::size_t k = 0; k < n_; ++k) X_[k] = x_[k] + z[k];
}

bool StageEquation::residual() {
    find_slopes();
    if (stated_.quantity != nullptr) return stated_residual();
    for (int i = 0; i < form_.solved; ++i) {
        stage(i);
        ++counters_->residuals;
        if (problem_.residual(time_of(i), X_.data(), block(dX_, i), block(R_, i)) != problem::EvalStatus::ok)
            return false;
    }
    return true;
}

bool StageEquation::stated_residual() {
    const std::size_t m = stated_.size();
    for (int i = 0; i < form_.solved; ++i) {
        stage(i);
        double* z = stated_.Z.data() + static_cast<std::size_t>(i) * m;
        if (problem_.quantity_value(time_of(i), X_.data(), z) != problem::EvalStatus::ok) return false;
        for (std::size_t k = 0; k < m; ++k) z[k] -= stated_.quantity->value[k];
    }
    slopes_of(stated_.Z, m, stated_.quantity->slope.data(), stated_.slope);
    for (int i = 0; i < form_.solved; ++i) {
        stage(i);
        ++counters_->residuals;
        if (problem_.stated_residual(time_of(i), X_.data(), block(dX_, i), quantity_slope(i), block(R_, i)) !=
            problem::EvalStatus::ok)
            return false;
    }
    return true;
}

bool StageEquation::carry_quantities(FrozenQuantity& frozen) {
    for (int i = 0; i < form_.solved; ++i) // R holds the last ΔZ
        if (!frozen.add(1.0, block(R_, i), stated_.Z.data() + static_cast<std::size_t>(i) * stated_.size()))
            return false;
    slopes_of(stated_.Z, stated_.size(), stated_.quantity->slope.data(), stated_.slope);
    return true;
}

/// R_row -= Σ_{j<row} W_row,j/h M ΔV_j.
void StageEquation::subtract_couplings(int row) {
    const int m = form_.solved;
    std::fill(change_.begin(), change_.end(), 0.0);
    for (int j = 0; j < row; ++j) {
        const double a = form_.W[static_cast<std::size_t>(row * m + j)] / h_;
        const double* v = block(V_, j);
        for (std::size_t k = 0; k < n_; ++k) change_[k] += a * v[k];
    }
    double* r = block(V_, row);
    const SparsityPattern& pattern = problem_.pattern();
    for (int j = 0; j < pattern.cols; ++j) {
        const double v = change_[static_cast<std::size_t>(j)];
        if (v == 0.0) continue;
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
            r[pattern.row_index[k]] -= jacobian_->jdx[static_cast<std::size_t>(k)] * v;
    }
}

void StageEquation::solve() {
    const int m = form_.solved;
    for (int i = 0; i < m; ++i) {
        double* v = block(V_, i);
        std::fill_n(v, n_, 0.0);
        for (int j = 0; j < m; ++j) {
            const double a = -form_.T_inverse[static_cast<std::size_t>(i * m + j)];
            if (a == 0.0) continue;
            const double* r = block(R_, j);
            for (std::size_t k = 0; k < n_; ++k) v[k] += a * r[k];
        }
    }
    std::size_t next = 0;
    for (std::size_t u = 0; u < form_.units.size(); ++u) {
        const int row = form_.units[u].row;
        double* v = block(V_, row);
        if (const int matrix = real_of_unit_[u]; matrix >= 0) {
            if (form_.triangular && row > 0) subtract_couplings(row);
            (matrix == 0 ? real_matrix_ : more_real_[static_cast<std::size_t>(matrix - 1)])
                .solve(std::span(v, n_), *counters_);
            continue;
        }
        double* imaginary = block(V_, row + 1);
        for (std::size_t k = 0; k < n_; ++k) pair_[k] = {v[k], imaginary[k]};
        complex_[next++].solve(pair_, *counters_);
        for (std::size_t k = 0; k < n_; ++k) {
            v[k] = pair_[k].real();
            imaginary[k] = pair_[k].imag();
        }
    }
}

double StageEquation::update() {
    ++counters_->newton_iterations;
    const int m = form_.solved;
    for (int i = 0; i < m; ++i) { // R becomes ΔZ
        double* change = block(R_, i);
        std::fill_n(change, n_, 0.0);
        for (int j = 0; j < m; ++j) {
            const double a = form_.T[static_cast<std::size_t>(i * m + j)];
            if (a == 0.0) continue;
            const double* v = block(V_, j);
            for (std::size_t k = 0; k < n_; ++k) change[k] += a * v[k];
        }
    }
    for (std::size_t k = 0; k < Z.size(); ++k) Z[k] += R_[k];
    return norm_->stacked(R_.data(), m);
}

void StageEquation::largest_correction(double* out) const {
    for (std::size_t k = 0; k < n_; ++k) {
        out[k] = 0.0;
        for (int i = 0; i < form_.solved; ++i)
            if (const double change = R_[static_cast<std::size_t>(i) * n_ + k]; std::abs(change) > std::abs(out[k]))
                out[k] = change;
    }
}

} // namespace daedalus::integrate
