// What remains of F(t, x, x') = 0 when t and some unknowns are given. A link x'[s] = x[d] then is no equation but tells
// x'[s], and there remain rows of the kernel for
//     z_k = x'_k  (differential in the kernel)  or  x_k  (not given),       matrix [∂F/∂x'_d, ∂F/∂x_a]
// (local_matrix.hpp).
//
// Given are
//   states  of the problem's present links: all rows are asked for. Regular where the index is ≤ 1;
//   chains  everything below the ends of chains of derivatives, whatever states are chosen at present: the most
//           differentiated rows are asked for, which is the underlying ordinary differential equation; the constraints
//           above them are not.
//
// Only entries that can be nonzero are in its pattern; with it an explicit method evaluates x' = f(t, x).
//
// In the vectors called z below there stands x' of what is given or differential, and x of everything else.
#pragma once

#include "integrate/local_matrix.hpp"

#include <span>
#include <vector>

namespace daedalus::integrate {

class LocalSystem {
public:
    enum class Given { states, chains };

    LocalSystem(const problem::ImplicitProblem& problem, linalg::SolverKind kind, Given given = Given::states);

    /// The links changed: before the next linearize() nothing is known.
    void links_changed();
    /// F at a point, and with its derivatives; then delta() holds the rows asked for.
    [[nodiscard]] problem::EvalStatus residual(double t, const double* x, const double* z, Counters& counters);
    [[nodiscard]] problem::EvalStatus linearize(double t, const double* x, const double* z, Counters& counters);
    /// The same for a system that is linear in its unknowns, with the matrix and no other derivatives, once it was
    /// linearized.
    [[nodiscard]] problem::EvalStatus evaluate_leading(double t, const double* x, const double* z, Counters& counters);
    [[nodiscard]] linalg::FactorStatus factor(Counters& counters);
    /// delta() becomes the correction of the unknowns.
    void solve(Counters& counters) {
        ++counters.solves;
        solver_->solve(delta_);
    }
    /// Subtracts delta() from z, and x follows.
    void correct(double* x, double* z) const;
    /// x' of what links integrate.
    void follow_links(const double* x, double* z) const {
        for (const problem::Link& link : links_) z[link.state] = x[link.derivative];
    }
    /// How z answers to a small change of what is given, δz = -[local]⁻¹ ∂F/∂x_d δx_d: `change` holds δx_d;
    /// afterwards it holds δx of the other unknowns too, and `rate` δx' of the given ones.
    void respond(std::span<double> change, std::span<double> rate, Counters& counters);

    /// Of the matrix last factorised; 0: not known.
    [[nodiscard]] long double determinant() const { return solver_->determinant(); }

    [[nodiscard]] const std::vector<double>& delta() const { return delta_; }
    /// Whose x or x' the entries of delta() are.
    [[nodiscard]] const std::vector<int>& unknowns() const { return unknown_; }
    /// Per unknown: given, or differential.
    [[nodiscard]] const std::vector<char>& differential() const { return differential_; }
    [[nodiscard]] const std::vector<problem::Link>& links() const { return links_; }
    /// The matrix is the same everywhere.
    [[nodiscard]] bool constant() const { return constant_; }
    [[nodiscard]] const double* jx() const { return jacobian_.jx.data(); }
    [[nodiscard]] double reciprocal_condition() const { return solver_->reciprocal_condition(); }
    [[nodiscard]] std::string description() const { return built_ ? solver_->description() : std::string(); }

private:
    struct Occurrence {
        bool known = false; ///< else of a black box
        std::vector<char> in_x, in_dx, varies_x, varies_dx;
    };
    [[nodiscard]] Occurrence find_occurrence() const;
    [[nodiscard]] int own_row(int row) const;
    void find_leading(int nonzeros);
    void build();
    void choose_rows();
    void move_entries();
    void gather();

    const problem::ImplicitProblem& problem_;
    const Given given_;
    JacobianValues jacobian_;
    SolverOfPattern<double> solver_;
    std::vector<problem::Link> links_;
    std::vector<int> row_;     ///< of the kernel, per own row
    std::vector<int> own_row_; ///< per row of the kernel, -1: not asked for
    std::vector<int> unknown_; ///< per own column
    std::vector<char> differential_;
    std::vector<std::size_t> own_start_; ///< of columns in the local pattern
    std::vector<int> from_; ///< per entry of the local pattern: k of ∂F/∂x, or nonzeros + k of ∂F/∂x'
    struct Entry {
        int row, column, at; ///< own row, unknown, entry of ∂F/∂x
    };
    std::vector<Entry> by_states_;  ///< entries of ∂F/∂x_d
    std::vector<int> leading_;      ///< entries of the local pattern that the problem's leading part gives
    std::vector<int> column_start_; ///< of the problem's pattern, which from_ and by_states_ refer to
    std::vector<double> values_, residual_, delta_, entries_;
    bool values_ready_ = false; ///< need not be gathered from the Jacobian
    bool built_ = false;
    bool constant_ = false;
};

} // namespace daedalus::integrate
