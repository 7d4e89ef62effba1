// Sparse LU of an equilibrated matrix by KLU: block triangular form, fill-reducing ordering per block, Gilbert–Peierls
// elimination with threshold pivoting (Davis & Palamadai Natarajan 2010). The symbolic part is done once, with AMD
// and with COLAMD, and the ordering that costs fewer operations is kept; later matrices reuse the pivots and are
// factorised anew only when these have degraded. Where factors are large, as on grids, pivots are reused in dense
// pieces (multifrontal_lu.hpp), from the first matrix on if its diagonal will do.
#pragma once

#include "linalg/linear_solver.hpp"

#include <memory>

namespace daedalus::linalg {

/// How the work was shared, for reports and tests.
struct KluStatistics {
    long full_factorisations = 0;
    long refactorisations = 0;
    long refused_refactorisations = 0; ///< pivots had degraded
};

/// Size of the factors, for the choice between solvers.
struct KluCounts {
    double operations = 0.0; ///< of a factorisation
    double entries = 0.0;    ///< of L and U
};

/// Those of a matrix with this pattern if the pivots of its block triangular form will do: nothing is factorised.
/// Nothing is known of a structurally singular one.
[[nodiscard]] KluCounts expected_counts(const SparsityPattern& pattern);

template <class Scalar>
class KluSolver final : public LinearSolver<Scalar> {
public:
    explicit KluSolver(SharedPattern pattern);
    explicit KluSolver(const SparsityPattern& pattern) : KluSolver(std::make_shared<const SparsityPattern>(pattern)) {}
    ~KluSolver() override;

    [[nodiscard]] FactorStatus factor(std::span<const Scalar> values) override;
    void solve(std::span<Scalar> b) override;
    void solve_transposed(std::span<Scalar> b) override;
    [[nodiscard]] double reciprocal_condition() const override;
    [[nodiscard]] int singular_column() const override;
    [[nodiscard]] std::string_view name() const override { return "klu"; }

    [[nodiscard]] std::string description() const override;

    [[nodiscard]] const KluStatistics& statistics() const;
    [[nodiscard]] KluCounts counts() const;
    [[nodiscard]] bool in_pieces() const; ///< the matrices to come
    /// The first matrix is not factorised, and leaves_it() says so, where its pattern promises heavy fill and its
    /// diagonal will not do for pivots (saddle points): AMD's estimate is far too low there, and KLU would spend
    /// seconds where UMFPACK spends milliseconds.
    void leave_heavy_fill(bool leave);
    [[nodiscard]] bool leaves_it() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

extern template class KluSolver<double>;
extern template class KluSolver<std::complex<double>>;

} // namespace daedalus::linalg
