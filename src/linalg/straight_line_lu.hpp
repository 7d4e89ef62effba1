// Sparse LU with a fixed order of pivots, written out as a straight-line program: for matrices that are factorised
// many times, as Newton's are, nothing remains but the arithmetic. Fixed pivots are trusted only as long as they are
// watched:
//
// - Factors are judged in the units of powers of two that once equilibrated the matrix; when some row no longer has
//   entries of order one in them, they are renewed. Such units change no digit of an elimination, so that the matrix
//   itself is eliminated, unless its numbers span so much that they might leave the range.
// - max |L| · max |U| bounds the backward error |A - LU| ≤ n ε |L||U| (Higham 2002, 9.2). Where it has grown
//   somewhat, the residual of the first solve tells whether solves with these factors need watching; a step of
//   refinement restores a small componentwise backward error (Skeel 1980). Where that was never needed, one
//   factorisation in eight that has not grown more is looked at. Where it has grown a lot, or a pivot is pure rounding
//   noise, the factorisation is refused.
// - A refused matrix goes to a solver that pivots anew (KLU, or dense for a few unknowns), which also tells whether it
//   is singular. If it is regular, it becomes a sample for a new order of pivots; if refusals do not end, that solver
//   takes over.
//
// The order comes from samples of the matrix, the first at the latest from the first factorisation.
#pragma once

#include "linalg/elimination_program.hpp"
#include "linalg/equilibration.hpp"
#include "linalg/linear_solver.hpp"
#include "tape/program.hpp"

#include <vector>

namespace daedalus::linalg {

struct StraightLineStatistics {
    long factorisations = 0;
    long orderings = 0;
    long rescalings = 0;
    long refused = 0;  ///< given to the other solver
    long checked = 0;  ///< solves whose residual was looked at
    long refined = 0;  ///< steps of refinement
    double growth = 1; ///< max |L| · max |U| of the last factorisation, or a bound where that was enough to know
};

template <class Scalar>
class StraightLineLu final : public LinearSolver<Scalar> {
public:
    explicit StraightLineLu(const SparsityPattern& pattern);
    ~StraightLineLu() override;
    StraightLineLu(StraightLineLu&&) noexcept = default;

    /// Another matrix that the pivots should suit; ignored if it is not finite.
    void add_sample(std::span<const Scalar> values);
    /// Chooses pivots from the samples and writes the program; false if that cannot be done.
    [[nodiscard]] bool prepare() { return prepare(most_multiplications); }
    /// … unless it takes more multiplications than that.
    [[nodiscard]] bool prepare(double most);

    [[nodiscard]] FactorStatus factor(std::span<const Scalar> values) override;
    void solve(std::span<Scalar> b) override;
    void solve_transposed(std::span<Scalar> b) override;
    [[nodiscard]] double reciprocal_condition() const override;
    [[nodiscard]] int singular_column() const override { return singular_column_; }
    [[nodiscard]] long double determinant() const override;
    [[nodiscard]] std::string_view name() const override { return "straight-line"; }
    [[nodiscard]] std::string description() const override;

    [[nodiscard]] StraightLineStatistics statistics() const;
    /// Of a factorisation and a solve; 0 before the first.
    [[nodiscard]] std::size_t operations() const { return program_ ? program_->operations : 0; }
    [[nodiscard]] bool is_machine_code() const;
    /// Whether every factorisation is now left to the other solver.
    [[nodiscard]] bool handed_over() const { return handed_over_; }

private:
    /// Bounds the time and memory that writing a program takes (some 30 ms).
    static constexpr double most_multiplications = 1e5;
    enum class Verdict { good, stale_scaling, refused };

    [[nodiscard]] Verdict attempt(std::span<const Scalar> values);
    [[nodiscard]] Verdict judge();
    [[nodiscard]] bool rescale(std::span<const Scalar> values);
    [[nodiscard]] bool has_noise_pivot() const;
    [[nodiscard]] bool trusts(double growth, double inverse_pivot);
    [[nodiscard]] FactorStatus give_away(std::span<const Scalar> values);
    void learn_from(std::span<const Scalar> values);
    void solve_stored(std::span<Scalar> b) const;
    void solve_stored_transposed(std::span<Scalar> b) const;
    void refine(std::span<const Scalar> b, std::span<Scalar> x, bool transposed);
    [[nodiscard]] Scalar factor_at(std::size_t entry) const;
    [[nodiscard]] const double* units() const { return memory_.data() + program_->layout.units_begin; }
    [[nodiscard]] const Scalar* stored() const; ///< values of the matrix in memory

    SparsityPattern pattern_;
    std::size_t n_;
    Equilibration<Scalar> equilibration_;
    std::vector<std::vector<Scalar>> samples_;          ///< equilibrated
    std::shared_ptr<const EliminationProgram> program_; ///< shared with other solvers
    mutable tape::AlignedMemory memory_;                ///< of the program

    int parity_ = 1; ///< of the permutations of rows and columns: sign of their determinants
    bool scaling_known_ = false;
    bool scales_values_ = false;                ///< the matrix is scaled before it is eliminated
    std::vector<double> scale_;                 ///< of values, rows and columns, where values are scaled: per double
    std::vector<double> row_scale_, col_scale_; ///< per double: twice per complex number
    std::vector<std::size_t> representative_;   ///< per row, its largest entry when the scaling was made
    std::vector<double> least_;                 ///< how small these may become; 0 for other entries
    std::vector<double> most_;                  ///< how large complex ones may: 0 for parts the program ignores
    double known_inverse_pivot_ = 0.0;          ///< largest one with a scaling made for the same matrix
    double known_growth_ = 1.0;                 ///< likewise
    mutable std::vector<Scalar> scaled_sample_;
    mutable std::vector<Scalar> work_, residual_, estimate_;
    mutable std::vector<double> terms_;

    std::unique_ptr<LinearSolver<Scalar>> other_;
    bool given_away_ = false; ///< the matrix at hand was factorised by other_
    bool handed_over_ = false;
    bool watched_ = false; ///< residuals of solves are looked at
    /// First solutions that were good without refinement, in a row; the largest growth and inverse pivot among them;
    /// how many factorisations were trusted for their sake since the last was looked at.
    struct Trust {
        int good = 0, unseen = 0;
        double growth = 0.0, inverse_pivot = 0.0;
    } trust_;
    double inverse_pivot_ = 0.0; ///< of the factors at hand, where they are watched
    double growth_ = 1.0;        ///< of the factors at hand; negative: minus its square
    long unsuited_ = 0;          ///< regular matrices that were refused
    long refused_since_ordering_ = 0, factorised_since_ordering_ = 0;
    int singular_column_ = -1;
    FactorStatus status_ = FactorStatus::singular;
    mutable StraightLineStatistics statistics_;
};

extern template class StraightLineLu<double>;
extern template class StraightLineLu<std::complex<double>>;

} // namespace daedalus::linalg
