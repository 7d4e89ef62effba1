#include "integrate/mechanism.hpp"

#include "nonlinear/newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::integrate {

Mechanism::Mechanism(const problem::ImplicitProblem& problem, linalg::SolverKind solver)
    : problem_(problem), s_(problem.facet<problem::MechanicalStructure>()) {
    nonzeros_ = static_cast<std::size_t>(s_.matrix.nonzeros());
    for (const int row : s_.matrix.row_index) of_lower_.push_back(row >= s_.velocities ? 1 : 0);
    for (const int i : s_.y)
        nominal_ = std::max(nominal_, std::abs(problem.unknowns()[static_cast<std::size_t>(i)].nominal));
    const std::size_t n = velocities(), c = constraints();
    upper_.resize(nonzeros_ + n + c);
    lower_.resize(nonzeros_);
    values_.resize(nonzeros_);
    right_.resize(n + c);
    v_a_lambda_.resize(2 * n + c);
    both_.resize(2 * static_cast<std::size_t>(problem.size()));
    z_.resize(static_cast<std::size_t>(s_.z_pattern.nonzeros()));
    slopes_.resize(static_cast<std::size_t>(s_.slopes_pattern.nonzeros()));
    zero_.assign(n, 0.0);
    g_.resize(c);
    if (!s_.empty()) solver_ = linalg::make_linear_solver<double>(s_.matrix, solver);
}

void Mechanism::gather(const double* x, const double* dx, double* y, double* v, double* a, double* lambda) const {
    for (std::size_t i = 0; i < s_.y.size(); ++i) y[i] = x[s_.y[i]];
    for (std::size_t i = 0; i < s_.v.size(); ++i) {
        v[i] = x[s_.v[i]];
        a[i] = dx[s_.v[i]];
    }
    for (std::size_t i = 0; i < s_.lambda.size(); ++i) lambda[i] = x[s_.lambda[i]];
}

bool Mechanism::expand(double t, const double* y, const double* v, const double* a, const double* lambda, double* x,
                       double* dx) {
    auto out = std::copy_n(v, velocities(), v_a_lambda_.begin());
    out = std::copy_n(a, velocities(), out);
    std::copy_n(lambda, constraints(), out);
    if (s_.expand(problem_.call(), t, y, v_a_lambda_.data(), both_.data()) != problem::EvalStatus::ok) return false;
    const auto n = static_cast<std::ptrdiff_t>(problem_.size());
    std::copy(both_.begin(), both_.begin() + n, x);
    std::copy(both_.begin() + n, both_.end(), dx);
    return true;
}

bool Mechanism::dynamics(double t, const double* y, const double* v) {
    ++counters_.residuals;
    lower_is_upper_ = true;
    return s_.dynamics(problem_.call(), t, y, v, upper_.data()) == problem::EvalStatus::ok;
}

bool Mechanism::upper(double t, const double* y) {
    ++counters_.jacobians;
    lower_is_upper_ = true;
    return s_.matrices(problem_.call(), t, y, upper_.data()) == problem::EvalStatus::ok;
}

bool Mechanism::lower(double t, const double* y) {
    ++counters_.jacobians;
    lower_is_upper_ = false;
    return s_.matrices(problem_.call(), t, y, lower_.data()) == problem::EvalStatus::ok;
}

bool Mechanism::factor() {
    ++counters_.factorizations;
    for (std::size_t k = 0; k < nonzeros_; ++k)
        values_[k] = of_lower_[k] != 0 && !lower_is_upper_ ? lower_[k] : upper_[k];
    return solver_->factor(values_) == linalg::FactorStatus::ok;
}

void Mechanism::solve(std::span<double> right_side) {
    ++counters_.solves;
    solver_->solve(right_side);
}

void Mechanism::times_M(const double* v, double* result) const { // NOLINT(readability-identifier-naming)
    times_columns(0, v, result);
}

void Mechanism::times_L(const double* lambda, double* result) const { // NOLINT(readability-identifier-naming)
    times_columns(s_.velocities, lambda, result);
}

/// The upper half from this column on, up to the next block.
void Mechanism::times_columns(int first, const double* b, double* result) const {
    std::fill_n(result, velocities(), 0.0);
    const int last = first == 0 ? s_.velocities : s_.velocities + s_.constraints;
    for (int j = first; j < last; ++j)
        for (int k = s_.matrix.column_start[static_cast<std::size_t>(j)];
             k < s_.matrix.column_start[static_cast<std::size_t>(j) + 1]; ++k)
            if (of_lower_[static_cast<std::size_t>(k)] == 0)
                result[s_.matrix.row_index[static_cast<std::size_t>(k)]] +=
                    upper_[static_cast<std::size_t>(k)] * b[j - first];
}

bool Mechanism::momentum_rate(double t, const double* y, const double* v, double* F) const { // NOLINT: a letter
    if (s_.mass_rate == nullptr) {
        std::copy(force().begin(), force().end(), F);
        return true;
    }
    if (s_.mass_rate(problem_.call(), t, y, v, F) != problem::EvalStatus::ok) return false;
    for (std::size_t k = 0; k < velocities(); ++k) F[k] += force()[k];
    return true;
}

void Mechanism::times_W(const double* b, double* result) const { // NOLINT(readability-identifier-naming)
    std::fill_n(result, constraints(), 0.0);
    const std::vector<double>& w = lower_is_upper_ ? upper_ : lower_;
    for (int j = 0; j < s_.velocities; ++j)
        for (int k = s_.matrix.column_start[static_cast<std::size_t>(j)];
             k < s_.matrix.column_start[static_cast<std::size_t>(j) + 1]; ++k)
            if (of_lower_[static_cast<std::size_t>(k)] != 0)
                result[s_.matrix.row_index[static_cast<std::size_t>(k)] - s_.velocities] +=
                    w[static_cast<std::size_t>(k)] * b[j];
}

bool Mechanism::accelerations(double t, const double* y, const double* v, double* a, double* lambda) {
    if (!dynamics(t, y, v) || !factor()) return false;
    std::copy(upper_.begin() + static_cast<std::ptrdiff_t>(nonzeros_), upper_.end(), right_.begin());
    solve(right_);
    std::copy_n(right_.data(), velocities(), a);
    std::copy_n(right_.data() + velocities(), constraints(), lambda);
    return true;
}

bool Mechanism::displace(double t, double* y, const double* v, const double* delta) {
    if (s_.kinematics(problem_.call(), t, y, v, z_.data()) != problem::EvalStatus::ok) return false;
    add_along_z(y, delta);
    return true;
}

void Mechanism::add_along_z(double* y, const double* delta) const {
    for (int j = 0; j < s_.velocities; ++j)
        for (int k = s_.z_pattern.column_start[static_cast<std::size_t>(j)];
             k < s_.z_pattern.column_start[static_cast<std::size_t>(j) + 1]; ++k)
            y[s_.z_pattern.row_index[static_cast<std::size_t>(k)]] += z_[static_cast<std::size_t>(k)] * delta[j];
}

/// g(t, y + Z δ) = 0, with the matrix of the first iterate.
struct Mechanism::PositionEquation {
    Mechanism& m;
    double t;
    double* y;
    Along along;

    [[nodiscard]] bool residual() {
        std::fill(m.right_.begin(), m.right_.end(), 0.0);
        if (!m.position(t, y, m.g_.data())) return false;
        for (int i = 0; i < m.s_.holonomic; ++i)
            m.right_[m.velocities() + static_cast<std::size_t>(i)] = -m.g_[static_cast<std::size_t>(i)];
        return true;
    }
    void solve() { m.solve(m.right_); }
    /// Relative to the positions, or to their nominal values: angles of zero are as round as others.
    [[nodiscard]] double update() {
        double size = m.nominal_, change = 0.0;
        for (std::size_t i = 0; i < m.positions(); ++i) size = std::max(size, std::abs(y[i]));
        for (std::size_t i = 0; i < m.velocities(); ++i) change = std::max(change, std::abs(m.right_[i]));
        if (along == Along::center)
            m.add_along_z(y, m.right_.data());
        else
            (void)m.displace(t, y, m.zero_.data(), m.right_.data());
        return change / size;
    }
};

bool Mechanism::project_positions(double t, double* y) {
    if (s_.holonomic == 0) return true;
    return upper(t, y) && factor() && find_position(t, y, Along::here);
}

/// With the factors at hand.
bool Mechanism::find_position(double t, double* y, Along along) {
    constexpr double eps = std::numeric_limits<double>::epsilon();
    nonlinear::NewtonOptions options;
    options.max_iterations = 20;
    options.kappa = eps;
    options.smallest_eta = 1.0;
    options.stagnation_level = 1e-10; // corrections that no longer shrink below this are round-off
    nonlinear::ConvergenceMonitor monitor;
    PositionEquation equation{*this, t, y, along};
    const nonlinear::NewtonResult result = nonlinear::newton(equation, monitor, options, eps);
    return result.usable() || result.last_norm < options.stagnation_level;
}

bool Mechanism::at_center(double t0, const double* y0) {
    return upper(t0, y0) && factor() &&
           s_.kinematics(problem_.call(), t0, y0, zero_.data(), z_.data()) == problem::EvalStatus::ok &&
           (s_.holonomic == 0 || s_.slopes(problem_.call(), t0, y0, slopes_.data()) == problem::EvalStatus::ok);
}

void Mechanism::make_tangential(double* k, double* a) {
    std::fill(right_.begin(), right_.end(), 0.0);
    for (std::size_t j = 0; j < positions(); ++j)
        for (int i = s_.slopes_pattern.column_start[j]; i < s_.slopes_pattern.column_start[j + 1]; ++i) {
            const auto at = static_cast<std::size_t>(i);
            right_[velocities() + static_cast<std::size_t>(s_.slopes_pattern.row_index[at])] -= slopes_[at] * k[j];
        }
    solve(right_);
    add_along_z(k, right_.data());
    std::fill(right_.begin(), right_.end(), 0.0);
    times_W(a, right_.data() + velocities());
    for (std::size_t i = velocities(); i < right_.size(); ++i) right_[i] = -right_[i];
    solve(right_);
    for (std::size_t i = 0; i < velocities(); ++i) a[i] += right_[i];
}

/// W of the lower half, with G(t, y) Z of the centre in its holonomic rows: how g varies along N.
bool Mechanism::lower_along_center(double t, const double* y) {
    if (!lower(t, y)) return false;
    if (s_.identity_kinematics || s_.holonomic == 0) return true;
    if (s_.slopes(problem_.call(), t, y, slopes_.data()) != problem::EvalStatus::ok) return false;
    const SparsityPattern& G = s_.slopes_pattern; // NOLINT(readability-identifier-naming)
    for (int j = 0; j < s_.velocities; ++j) {
        for (int k = s_.matrix.column_start[static_cast<std::size_t>(j)];
             k < s_.matrix.column_start[static_cast<std::size_t>(j) + 1]; ++k)
            if (const int row = s_.matrix.row_index[static_cast<std::size_t>(k)] - s_.velocities;
                row >= 0 && row < s_.holonomic)
                lower_[static_cast<std::size_t>(k)] = 0.0;
        for (int k = s_.z_pattern.column_start[static_cast<std::size_t>(j)];
             k < s_.z_pattern.column_start[static_cast<std::size_t>(j) + 1]; ++k) {
            const auto moved = static_cast<std::size_t>(s_.z_pattern.row_index[static_cast<std::size_t>(k)]);
            for (int i = G.column_start[moved]; i < G.column_start[moved + 1]; ++i)
                if (const int at = s_.matrix.find(s_.velocities + G.row_index[static_cast<std::size_t>(i)], j); at >= 0)
                    lower_[static_cast<std::size_t>(at)] +=
                        slopes_[static_cast<std::size_t>(i)] * z_[static_cast<std::size_t>(k)];
        }
    }
    return true;
}

bool Mechanism::return_along(double t0, const double* y0, double t, double* y, double* v) {
    if (s_.constraints == 0) return true;
    if (!at_center(t0, y0) || !lower_along_center(t, y) || !factor() || !find_position(t, y, Along::center))
        return false;
    return lower(t, y) && factor() && find_velocity(t, y, v);
}

bool Mechanism::project_velocities(double t, const double* y, double* v) {
    if (s_.constraints == 0) return true;
    return upper(t, y) && factor() && find_velocity(t, y, v);
}

bool Mechanism::find_velocity(double t, const double* y, double* v) {
    std::fill(right_.begin(), right_.end(), 0.0);
    if (!velocity(t, y, v, right_.data() + velocities())) return false;
    for (std::size_t i = velocities(); i < right_.size(); ++i) right_[i] = -right_[i];
    solve(right_);
    for (std::size_t i = 0; i < velocities(); ++i) v[i] += right_[i];
    return true;
}

} // namespace daedalus::integrate
