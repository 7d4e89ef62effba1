// Dummy derivatives chosen by numbers, while the solution runs (Mattsson & Söderlind 1993).
//
// In a choice block with rows f_i^(c_i) and columns x_j^(d_j), level k takes the rows with c_i ≥ k and picks as many
// columns, among those picked at level k-1, such that the square sub-matrix of the system Jacobian is as regular as
// possible (complete pivoting). A column picked m_j times has its m_j highest derivatives turned into plain algebraic
// unknowns: its links x_j^(l)' = x_j^(l+1) stay for l < d_j - m_j only.
//
// The quality of a choice is the smallest ratio, over the levels, of its determinant to that of the best choice, or to
// that after the best exchange of one column where this gains little. In a large block, where ratios of determinants
// multiply up and dense matrices are out of question, it is always the latter (ColumnBasis).
#pragma once

#include "integrate/column_basis.hpp"
#include "problem/implicit_problem.hpp"

#include <vector>

namespace daedalus::integrate {

class StateSelection {
public:
    explicit StateSelection(const problem::ImplicitProblem& problem);

    struct Assessment {
        double quality = 1.0;  ///< of the present links relative to the best choice
        bool singular = false; ///< some level has no regular sub-matrix: no admissible choice
    };
    /// From the values of ∂F/∂x on problem.pattern(). No allocation, except where a large block's choice is poor.
    [[nodiscard]] Assessment assess(const double* jx);
    /// Whether an unknown may be a state in one choice and none in another.
    [[nodiscard]] bool chooses(int unknown) const;
    /// From now on (and no longer, if not `on`) the next assessments choose these unknowns as states, if any choice
    /// does.
    void favour(const std::vector<int>& unknowns, bool on);
    /// The best choice of the last assessment.
    [[nodiscard]] std::vector<problem::Link> best_links() const;
    /// The problem's links were exchanged: positions of the entries are looked up again.
    void links_changed();
    [[nodiscard]] bool empty() const { return blocks_.empty(); }

private:
    /// One level of a large block: a sparse matrix of rows with c_i ≥ level and candidate columns.
    struct Level {
        std::vector<int> candidates; ///< columns of the block, ascending
        std::vector<int> entry;      ///< position in the problem's pattern of each entry of the level's pattern
        std::vector<double> values;
        std::unique_ptr<ColumnBasis> basis;
    };
    struct Block {
        int rows = 0, cols = 0, levels = 0;
        const problem::ChoiceBlock* source = nullptr;
        std::vector<int> entry;           ///< position of (i, j) in the pattern, -1: zero; row-major
        std::vector<double> column_scale; ///< nominal of the highest derivative, and preference
        std::vector<int> present;         ///< m_j of the links in force
        std::vector<int> best;            ///< m_j of the best choice
        bool large = false;
        std::vector<Level> level; ///< of a large block
    };
    /// Picks `count` columns for the rows in row_list_ out of col_list_; log|det| or -inf.
    double pick(const Block& block, const double* jx, bool& singular);
    /// By which factor the determinant of the first columns of col_list_, one per row, grows at most when one of them
    /// is exchanged for a later one; infinite if they are nearly dependent.
    [[nodiscard]] double best_exchange(const Block& block, const double* jx);
    void assess_dense(Block& block, const double* jx, Assessment& result);
    void assess_sparse(Block& block, const double* jx, Assessment& result);
    void build_level(const Block& block, int number, Level& level) const;

    const problem::ImplicitProblem& problem_;
    std::vector<Block> blocks_;
    std::vector<problem::Link> certain_links_; ///< of blocks without a choice
    std::vector<double> work_;
    std::vector<int> row_list_, col_list_; ///< after pick(): the picked columns are the first ones of col_list_
};

} // namespace daedalus::integrate
