// The solver behind `automatic`: small matrices get their program at once; others start with a solver that needs no
// preparation and change to a faster one when the matrix turns out to be one that is worth it.
//
//     dense or KLU  →  straight-line LU   when what was spent would have paid for writing the program
//     KLU           →  UMFPACK            before the first factorisation where the pattern promises heavy fill and the
//                                         diagonal will not do, or when fill turns out so heavy that dense kernels win
//
// Decisions rest on counts (unknowns, entries, operations of the factors) with costs measured once, never on a clock:
// a different solver rounds differently, and a run must give the same digits each time. For the same reason the choice
// does not ask whether programs are machine code here: interpreted ones round alike, and cost about what KLU costs.
#pragma once

#include "linalg/linear_solver.hpp"
#include "linalg/straight_line_lu.hpp"

#include <memory>

namespace daedalus::linalg {

template <class Scalar>
class AdaptiveSolver final : public LinearSolver<Scalar> {
public:
    explicit AdaptiveSolver(SharedPattern pattern);

    [[nodiscard]] FactorStatus factor(std::span<const Scalar> values) override;
    void solve(std::span<Scalar> b) override;
    void solve_transposed(std::span<Scalar> b) override { current_->solve_transposed(b); }
    [[nodiscard]] double reciprocal_condition() const override {
        return current_ ? current_->reciprocal_condition() : 0.0;
    }
    [[nodiscard]] int singular_column() const override { return current_ ? current_->singular_column() : -1; }
    [[nodiscard]] long double determinant() const override { return current_ ? current_->determinant() : 0.0L; }
    [[nodiscard]] std::string_view name() const override { return preferred().name(); }
    [[nodiscard]] std::string description() const override;

private:
    [[nodiscard]] const LinearSolver<Scalar>& preferred() const;
    [[nodiscard]] LinearSolver<Scalar>& simple() const;
    [[nodiscard]] bool write_at_once(std::span<const Scalar> values);
    [[nodiscard]] FactorStatus first_sparse(std::span<const Scalar> values);
    [[nodiscard]] double simple_cost() const;
    [[nodiscard]] double program_price() const;
    void consider(std::span<const Scalar> values);
    void write_program();

    SharedPattern pattern_;
    bool dense_;
    mutable std::unique_ptr<LinearSolver<Scalar>> simple_; ///< dense, KLU or UMFPACK; made when first needed
    std::unique_ptr<StraightLineLu<Scalar>> straight_;
    LinearSolver<Scalar>* current_ = nullptr; ///< has factorised the matrix at hand
    int prompt_attempts_ = 0;
    bool program_ready_ = false, program_ruled_out_ = false;
    bool heavy_ = false;     ///< left to UMFPACK before anything was factorised
    double intensity_ = 0.0; ///< operations per entry of KLU's factors, where they decided for UMFPACK
    long factorisations_ = 0;
    double spent_ = 0.0;      ///< nanoseconds, by the model
    double per_solve_ = 0.0;  ///< of simple_
    double per_factor_ = 0.0; ///< of simple_
};

extern template class AdaptiveSolver<double>;
extern template class AdaptiveSolver<std::complex<double>>;

} // namespace daedalus::linalg
