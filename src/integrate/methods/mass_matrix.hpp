// M and L of a mechanism at one point, kept while others are evaluated elsewhere: x = M⁻¹ b, and L λ.
#pragma once

#include "integrate/mechanism.hpp"

#include <memory>
#include <vector>

namespace daedalus::integrate {

class MassMatrix {
public:
    MassMatrix(const Mechanism& mechanism, linalg::SolverKind solver);
    /// Those that the mechanism has at hand. False: M is singular.
    [[nodiscard]] bool take(const Mechanism& mechanism);
    void solve(std::span<double> b) { solver_->solve(b); }
    void times_L(const double* lambda, double* result) const; // NOLINT(readability-identifier-naming)

private:
    struct Entry {
        std::size_t at; ///< of the mechanism's matrix
        int row, column;
    };
    std::size_t velocities_;
    std::vector<std::size_t> of_masses_; ///< places of the entries of M
    std::vector<Entry> of_forces_;       ///< of L
    std::vector<double> masses_, forces_;
    std::unique_ptr<linalg::LinearSolver<double>> solver_;
};

} // namespace daedalus::integrate
