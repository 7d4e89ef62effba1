// Block (lower) triangular form of a square pattern with a perfect matching: permutations of equations and variables
// such that each diagonal block is irreducible and needs only variables of earlier blocks (Duff & Reid 1978). The
// blocks do not depend on which perfect matching is given.
#pragma once

#include "structure/incidence.hpp"
#include "structure/matching.hpp"

#include <span>
#include <vector>

namespace daedalus::structure {

struct BlockTriangularForm {
    std::vector<int> start{0};          ///< size count() + 1
    std::vector<int> equation;          ///< grouped by block, in solving order
    std::vector<int> variable;          ///< variable[k] is matched to equation[k]
    std::vector<int> block_of_equation; ///< inverse of the grouping
    std::vector<int> block_of_variable;

    [[nodiscard]] int count() const { return static_cast<int>(start.size()) - 1; }
    [[nodiscard]] int size(int b) const {
        return start[static_cast<std::size_t>(b) + 1] - start[static_cast<std::size_t>(b)];
    }
    [[nodiscard]] std::span<const int> equations(int b) const { return slice(equation, b); }
    [[nodiscard]] std::span<const int> variables(int b) const { return slice(variable, b); }

private:
    [[nodiscard]] std::span<const int> slice(const std::vector<int>& list, int b) const {
        return {list.data() + start[static_cast<std::size_t>(b)], static_cast<std::size_t>(size(b))};
    }
};

[[nodiscard]] BlockTriangularForm block_triangular_form(const Incidence& pattern, const Matching& perfect);

/// Within each block ascending by equation number (Tarjan's order is arbitrary there), for stable listings.
[[nodiscard]] BlockTriangularForm sorted_within_blocks(BlockTriangularForm form);

} // namespace daedalus::structure
