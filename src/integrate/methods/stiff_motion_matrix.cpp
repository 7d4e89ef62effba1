#include "integrate/methods/stiff_motion_matrix.hpp"

#include <algorithm>

namespace daedalus::integrate {

namespace {

/// Row, column and place of each entry.
struct Place {
    int row, column;
    std::size_t at;
};

std::vector<Place> places(const SparsityPattern& pattern) {
    std::vector<Place> list;
    for (int j = 0; j < pattern.cols; ++j)
        for (int k = pattern.column_start[static_cast<std::size_t>(j)];
             k < pattern.column_start[static_cast<std::size_t>(j) + 1]; ++k)
            list.push_back({pattern.row_index[static_cast<std::size_t>(k)], j, static_cast<std::size_t>(k)});
    return list;
}

} // namespace

StiffMotionMatrix::StiffMotionMatrix(const problem::ImplicitProblem& problem, const Mechanism& mechanism,
                                     linalg::SolverKind solver)
    : problem_(problem), s_(mechanism.parts()) {
    const std::vector<Place> matrix = places(s_.matrix), forces = places(s_.forces_pattern), z = places(s_.z_pattern);
    std::vector<std::vector<Place>> z_of_row(static_cast<std::size_t>(s_.positions));
    for (const Place& e : z) z_of_row[static_cast<std::size_t>(e.row)].push_back(e);
    std::vector<std::pair<int, int>> all;
    all.reserve(matrix.size());
    for (const Place& e : matrix) all.emplace_back(e.row, e.column);
    for (const Place& e : forces) {
        if (e.column >= s_.positions)
            all.emplace_back(e.row, e.column - s_.positions);
        else
            for (const Place& f : z_of_row[static_cast<std::size_t>(e.column)]) all.emplace_back(e.row, f.column);
    }
    const int size = s_.velocities + s_.constraints;
    const SparsityPattern pattern = SparsityPattern::from_entries(size, size, all);
    const auto at = [&](int row, int column) { return static_cast<std::size_t>(pattern.find(row, column)); };
    for (const Place& e : matrix) {
        of_matrix_.push_back(at(e.row, e.column));
        of_masses_.push_back(e.row < s_.velocities && e.column < s_.velocities ? 1 : 0);
    }
    for (const Place& e : forces) {
        if (e.column >= s_.positions)
            of_c_.emplace_back(at(e.row, e.column - s_.positions), e.at);
        else
            for (const Place& f : z_of_row[static_cast<std::size_t>(e.column)])
                of_kz_.push_back({at(e.row, f.column), e.at, f.at});
    }
    entries_.resize(matrix.size());
    forces_.resize(forces.size());
    z_.resize(z.size());
    values_.resize(static_cast<std::size_t>(pattern.nonzeros()));
    v_a_lambda_.resize(2 * mechanism.velocities() + mechanism.constraints());
    solver_ = linalg::make_linear_solver<double>(pattern, solver);
}

bool StiffMotionMatrix::factor(double t, const double* y, const double* v, const double* rate, const double* lambda,
                               const Shares& shares, Counters& counters) {
    ++counters.jacobians;
    ++counters.factorizations;
    auto out = std::copy_n(v, s_.velocities, v_a_lambda_.begin());
    out = std::copy_n(rate, s_.velocities, out);
    std::copy_n(lambda, s_.constraints, out);
    const problem::Call call = problem_.call();
    if (s_.matrices(call, t, y, entries_.data()) != problem::EvalStatus::ok ||
        s_.forces(call, t, y, v_a_lambda_.data(), forces_.data()) != problem::EvalStatus::ok ||
        s_.kinematics(call, t, y, v, z_.data()) != problem::EvalStatus::ok)
        return false;
    std::fill(values_.begin(), values_.end(), 0.0);
    for (std::size_t k = 0; k < entries_.size(); ++k)
        values_[of_matrix_[k]] += (of_masses_[k] != 0 ? shares.of_rate : 1.0) * entries_[k];
    for (const auto& [to, from] : of_c_) values_[to] += shares.of_velocity * forces_[from];
    for (const Product& p : of_kz_) values_[p.to] += shares.of_position * forces_[p.first] * z_[p.second];
    return solver_->factor(values_) == linalg::FactorStatus::ok;
}

void StiffMotionMatrix::add_displacement(double factor, const double* b, double* x,
                                         const std::vector<int>& unknown) const {
    for (int j = 0; j < s_.z_pattern.cols; ++j)
        for (int k = s_.z_pattern.column_start[static_cast<std::size_t>(j)];
             k < s_.z_pattern.column_start[static_cast<std::size_t>(j) + 1]; ++k) {
            const auto at = static_cast<std::size_t>(k);
            x[unknown[static_cast<std::size_t>(s_.z_pattern.row_index[at])]] += factor * z_[at] * b[j];
        }
}

} // namespace daedalus::integrate
