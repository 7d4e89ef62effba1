// What remains of F(t, x, x') = 0 when t and the differential unknowns are given: equations for
//     z_k = x'_k  (differential)  or  x_k  (algebraic),       matrix [∂F/∂x'_d, ∂F/∂x_a] ,
// which is regular where the differential unknowns are states of a problem of index ≤ 1. Only entries that can be
// nonzero are in its pattern; with it an explicit method evaluates x' = f(t, x).
#pragma once

#include "integrate/iteration_matrix.hpp"

#include <span>
#include <vector>

namespace daedalus::integrate {

class LocalSystem {
public:
    LocalSystem(const problem::ImplicitProblem& problem, linalg::SolverKind kind);

    /// The links changed: before the next linearize() nothing is known.
    void links_changed();
    /// F, its derivatives and the factors of the local matrix at a point.
    [[nodiscard]] problem::EvalStatus linearize(double t, const double* x, const double* dx, double* residual,
                                                Counters& counters);
    [[nodiscard]] linalg::FactorStatus factor(Counters& counters);
    void solve(std::span<double> b, Counters& counters) {
        ++counters.solves;
        solver_->solve(b);
    }
    /// How z answers to a small change of the differential unknowns, δz = -[local]⁻¹ ∂F/∂x_d δx_d: `change` holds δx_d
    /// at differential unknowns; afterwards it holds δz at the algebraic ones too, and `rate` all of δz.
    void respond(std::span<double> change, std::span<double> rate, Counters& counters);

    [[nodiscard]] const std::vector<char>& differential() const { return differential_; }
    /// The matrix is the same everywhere.
    [[nodiscard]] bool constant() const { return constant_; }
    [[nodiscard]] const double* jx() const { return jacobian_.jx.data(); }
    [[nodiscard]] double reciprocal_condition() const { return solver_->reciprocal_condition(); }
    [[nodiscard]] std::string description() const { return built_ ? solver_->description() : std::string(); }

private:
    void build();

    const problem::ImplicitProblem& problem_;
    JacobianValues jacobian_;
    SolverOfPattern<double> solver_;
    std::vector<char> differential_;
    std::vector<int> from_; ///< per entry of the local pattern: k of ∂F/∂x, or nonzeros + k of ∂F/∂x'
    struct Entry {
        int row, column, at; ///< at: of ∂F/∂x
    };
    std::vector<Entry> by_states_; ///< entries of ∂F/∂x_d
    std::vector<double> values_;
    bool built_ = false;
    bool constant_ = false;
};

} // namespace daedalus::integrate
