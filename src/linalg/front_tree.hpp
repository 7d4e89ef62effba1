// Which unknowns are eliminated together: given the pivots of a sparse matrix, the supernodes of its elimination tree
// (Liu 1990) on the pattern of A + Aᵀ, and for each a front: a dense matrix of the unknowns of the supernode and of
// those below it that they touch. What is left of a front after its elimination is added to that of its parent (Duff &
// Reid 1983). Everything that knows no numbers is settled here, once.
#pragma once

#include "base/sparsity_pattern.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace daedalus::linalg {

/// Row rows[k] and column cols[k] of the matrix are pivot k; blocks of a block upper triangular form begin at `blocks`,
/// whose last number is the size.
struct PivotOrder {
    std::span<const int> rows, cols, blocks;
};

/// One dense piece. Its pivots are first … first + width - 1; `below` further unknowns follow.
///
///     corner | topᵀ       corner: width columns of padded(width) rows, L11 and U11 after elimination
///     -------+-----       left:   width columns of padded(below) rows, L21
///     left   | rest       top:    width columns of padded(below) rows, U12 transposed
///
/// corner, left and top lie in this order from `factors` on in the array of all factors; the rest, `below` columns of
/// padded(below) rows, from `rest` on in one of two stacks until the parent has taken it.
struct Front {
    int first = 0, width = 0, below = 0;
    int unknowns = 0; ///< where the list of those below begins, in FrontTree::unknowns and places
    int parent = -1;
    int first_child = -1, next_sibling = -1; ///< in the order of elimination
    int stack = 0; ///< 0 or 1, by the depth in the tree: children wait in the other one, always on top
    std::size_t factors = 0, rest = 0;

    [[nodiscard]] std::size_t left() const;
    [[nodiscard]] std::size_t top() const;
    [[nodiscard]] std::size_t end() const;
};

struct FrontTree {
    /// Nothing but `usable` is set if L would have more than `most_entries`: pivots far from symmetric fill A + Aᵀ.
    FrontTree(const SparsityPattern& pattern, PivotOrder order, double most_entries);

    bool usable = false;

    std::vector<int> rows, cols;   ///< the pivots as they are eliminated: fronts of neighbours follow each other
    std::vector<Front> fronts;     ///< children before parents, block by block
    std::vector<int> block_fronts; ///< fronts of a block begin here; the last number is that of all fronts
    std::vector<int> unknowns;     ///< below each front, ascending
    std::vector<int> places;       ///< of these in the front of the parent
    std::size_t factor_size = 0;
    std::size_t stack_size[2] = {0, 0};
    std::vector<std::ptrdiff_t> target; ///< per entry of the matrix: where it is added to the factors, or -1 - k:
    /// Entries right of the diagonal blocks, by columns: pivot row of entry k; columns begin at right_start.
    std::vector<int> right_row, right_start;
    double operations = 0.0; ///< of a factorisation, multiplications and additions
    double entries = 0.0;    ///< of the factors, zeros among them
};

} // namespace daedalus::linalg
