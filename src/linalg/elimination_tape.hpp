// P A Q = L U and the two triangular solves written out as straight-line programs for one pattern and one order of
// pivots: no loop, no index, no test for zero is left at run time.
//
// Elimination goes row by row (Doolittle): with the rows before it finished, row i is
//     l_ik = (a_ik - Σ_{p<k} l_ip u_pk) / u_kk ,   u_ij = a_ij - Σ_{p<i} l_ip u_pj ,
// so that the multipliers l_ip of one row, each used many times, stay in registers. Only diagonal blocks are
// eliminated; solving goes from the last block to the first and subtracts what lies right of a block as it stands.
//
// Both programs run on one memory, so that nothing is copied between them: a factor is written once, where the solve
// reads it, and an entry of U that elimination leaves alone is read from the matrix.
//
// Complex numbers are pairs of real ones. Entries without imaginary part (all of J in J + σ M outside the pattern of
// M) are real numbers, and so is everything computed from them alone.
#pragma once

#include "linalg/markowitz.hpp"
#include "tape/tape.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace daedalus::linalg {

/// Rows of what is stored by columns, or the reverse: numbers of entries, ascending by the other index.
struct CrossIndex {
    std::vector<int> start, entry, other;
};

/// Memory, aligned to cache lines: [ 1 | values of the matrix | L | U | reciprocal pivots | their units | sums | b |
/// temporaries ]; of U only what differs from the matrix. Values begin at a multiple of `pack`, L at one of `padding`;
/// L, U and the reciprocals are padded with zeros to multiples of it.
struct FactorLayout {
    static constexpr std::size_t pack = 4, padding = 8;
    /// Up to so many numbers in the factors, elimination itself sums up the squares of L, U and the reciprocals, each
    /// times its unit: they are in registers then. Reading more of them again, four at a time, costs less.
    static constexpr std::size_t most_summed = 128;

    int n = 0;
    int width = 1;                                  ///< doubles per entry: 2 for complex
    std::vector<int> row, col;                      ///< position → row and column of the matrix
    std::vector<int> row_position, column_position; ///< and back
    std::vector<int> block_start;                   ///< positions at which diagonal blocks begin; one more at the end
    std::vector<int> l_start, l_position;           ///< column k of L: positions of its rows, ascending
    std::vector<int> u_start, u_position;           ///< row k of U: positions of its columns, ascending
    CrossIndex lower_rows, upper_columns;           ///< L by rows, U by columns
    CrossIndex right;                               ///< by rows: entries of the pattern right of the diagonal blocks

    /// Where in memory an entry is: L by columns, then U by rows, then reciprocal pivots.
    std::vector<std::uint32_t> slot;
    std::size_t values_begin = 0, b_begin = 0, memory = 0;
    std::array<std::size_t, 4> part_begin{}; ///< of L, U and reciprocals in memory, and the end
    std::size_t units_begin = 0;             ///< of numbers in the same order as in the parts
    std::size_t sums_begin = 0;              ///< of squares per part; 0: nobody sums

    [[nodiscard]] std::size_t lower() const { return l_position.size(); }
    [[nodiscard]] std::size_t upper() const { return u_position.size(); }
    [[nodiscard]] std::size_t first_pivot() const { return lower() + upper(); }
    [[nodiscard]] std::size_t entries() const { return first_pivot() + static_cast<std::size_t>(n); }
};

struct EliminationTapes {
    FactorLayout layout;
    tape::Tape factor; ///< values, the second segment of inputs → L, U, reciprocals
    tape::Tape
        solve; ///< and b by rows of the matrix, the second segment → outputs: x by columns, which may be b's place
    std::size_t operations = 0;
};

/// `real`: per entry of the pattern whether its imaginary part is absent; empty for real matrices.
[[nodiscard]] EliminationTapes elimination_tapes(const SparsityPattern& pattern, const EliminationOrder& order,
                                                 std::span<const char> real);

} // namespace daedalus::linalg
