// P As = L U of an equilibrated dense matrix by Gaussian elimination with partial pivoting: column-major straight
// loops for small n, panels of columns with four-fold updates beyond (Golub & Van Loan, 3.2 and 3.4).
#pragma once

#include "linalg/equilibration.hpp"
#include "linalg/linear_solver.hpp"
#include "linalg/solution_check.hpp"

#include <vector>

namespace daedalus::linalg {

template <class Scalar>
class DenseLu final : public LinearSolver<Scalar> {
public:
    explicit DenseLu(const SparsityPattern& pattern);

    [[nodiscard]] FactorStatus factor(std::span<const Scalar> values) override;
    void solve(std::span<Scalar> b) override;
    void solve_transposed(std::span<Scalar> b) override;
    [[nodiscard]] double reciprocal_condition() const override;
    [[nodiscard]] int singular_column() const override { return singular_column_; }
    [[nodiscard]] long double determinant() const override;
    [[nodiscard]] std::string_view name() const override { return "dense"; }
    [[nodiscard]] std::string description() const override { return "dense LU, " + std::to_string(n_) + " unknowns"; }

private:
    [[nodiscard]] Scalar* column(std::size_t j) { return a_.data() + j * n_; }
    [[nodiscard]] const Scalar* column(std::size_t j) const { return a_.data() + j * n_; }
    [[nodiscard]] bool factor_scaled();
    [[nodiscard]] bool eliminate(std::size_t first, std::size_t last);
    void exchange_columns(std::size_t k);
    [[nodiscard]] double growth() const;
    void update_trailing(std::size_t first, std::size_t last);
    [[nodiscard]] bool is_noise(std::size_t k) const;
    void solve_scaled(std::span<Scalar> b) const;
    void solve_scaled_transposed(std::span<Scalar> b) const;

    SparsityPattern pattern_;
    std::size_t n_;
    Equilibration<Scalar> equilibration_;
    std::vector<Scalar> scaled_;      ///< entries of As on the pattern
    std::vector<std::size_t> target_; ///< entry → position in a_
    std::vector<Scalar> a_;           ///< L below, U on and above the diagonal
    std::vector<Scalar> inverse_pivot_;
    std::vector<std::size_t> row_of_; ///< position → original row
    std::vector<std::size_t> col_of_; ///< position → original column
    int parity_ = 1;                  ///< of these permutations: -1 after an odd number of exchanges
    bool complete_ = false;           ///< the largest entry of all that is left is the pivot
    SolutionCheck<Scalar> check_;
    mutable std::vector<Scalar> work_;
    mutable std::vector<Scalar> estimate_;
    int singular_column_ = -1;
    FactorStatus status_ = FactorStatus::singular;
};

extern template class DenseLu<double>;
extern template class DenseLu<std::complex<double>>;

} // namespace daedalus::linalg
