// The matrix that makes a point consistent: the local matrix (local_matrix.hpp). Regular where the differential
// unknowns are states of a problem of index ≤ 1; then it gives their derivatives and all other unknowns.
//
// It has far fewer entries than J + σ M (one per row for a discretised heat equation), and is factorised as such: its
// pattern holds what was seen to differ from zero, and grows where something new does.
#pragma once

#include "integrate/local_matrix.hpp"

#include <memory>
#include <vector>

namespace daedalus::integrate {

class ConsistencyMatrix {
public:
    explicit ConsistencyMatrix(linalg::SolverKind kind) : kind_(kind) {}
    /// The problem's pattern changed.
    void reset();
    /// `singular` also where the condition says that nothing is left of the digits. Factors of the same numbers are
    /// kept.
    [[nodiscard]] linalg::FactorStatus factor(const JacobianValues& jacobian, const std::vector<char>& differential,
                                              Counters& counters);
    void solve(std::span<double> b, Counters& counters) {
        ++counters.solves;
        solver_->solve(b);
    }

private:
    void rebuild(const SparsityPattern& whole);

    linalg::SolverKind kind_;
    std::vector<char> seen_; ///< per entry of the problem's pattern
    int growths_ = 0;
    std::vector<int> entry_; ///< of the problem's pattern, per own entry
    std::vector<double> values_;
    std::unique_ptr<linalg::LinearSolver<double>> solver_;
    linalg::FactorStatus status_ = linalg::FactorStatus::singular;
};

} // namespace daedalus::integrate
