#include "integrate/methods/mass_matrix.hpp"

#include <algorithm>

namespace daedalus::integrate {

MassMatrix::MassMatrix(const Mechanism& mechanism, linalg::SolverKind solver) : velocities_(mechanism.velocities()) {
    const SparsityPattern& whole = mechanism.parts().matrix;
    const int n = mechanism.parts().velocities;
    std::vector<std::pair<int, int>> places;
    for (int j = 0; j < whole.cols; ++j)
        for (int k = whole.column_start[static_cast<std::size_t>(j)];
             k < whole.column_start[static_cast<std::size_t>(j) + 1]; ++k) {
            const auto at = static_cast<std::size_t>(k);
            const int i = whole.row_index[at];
            if (i >= n) continue;
            if (j >= n) {
                of_forces_.push_back({at, i, j - n});
            } else {
                of_masses_.push_back(at); // by columns, as the pattern has them
                places.emplace_back(i, j);
            }
        }
    const SparsityPattern pattern = SparsityPattern::from_entries(n, n, places);
    masses_.resize(of_masses_.size());
    forces_.resize(of_forces_.size());
    solver_ = linalg::make_linear_solver<double>(pattern, solver);
}

bool MassMatrix::take(const Mechanism& mechanism) {
    const std::span<const double> values = mechanism.entries();
    for (std::size_t k = 0; k < masses_.size(); ++k) masses_[k] = values[of_masses_[k]];
    for (std::size_t k = 0; k < forces_.size(); ++k) forces_[k] = values[of_forces_[k].at];
    return solver_->factor(masses_) == linalg::FactorStatus::ok;
}

void MassMatrix::times_L(const double* lambda, double* result) const { // NOLINT(readability-identifier-naming)
    std::fill_n(result, velocities_, 0.0);
    for (std::size_t k = 0; k < forces_.size(); ++k)
        result[of_forces_[k].row] += forces_[k] * lambda[of_forces_[k].column];
}

} // namespace daedalus::integrate
