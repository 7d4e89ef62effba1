// Facet: which of the unknowns may be states (Mattsson & Söderlind 1993).
#pragma once

#include <vector>

namespace daedalus::problem {

/// x'[state] - x[derivative] = 0: the derivative of one unknown is another.
struct Link {
    int state;      ///< unknown whose time derivative …
    int derivative; ///< … is this unknown
    friend bool operator==(const Link&, const Link&) = default;
};

/// One block of the system Jacobian in which states can be chosen: rows f_i^(c_i), columns x_j^(d_j).
/// The entry of row i and column j is ∂F/∂x at (top_row[i], chain[j].back()), and by Griewank's lemma it is also
/// that of every lower derivative of the row with respect to the lower derivative of the column.
struct ChoiceBlock {
    std::vector<int> top_row;            ///< kernel row of the most differentiated equation i; f_i^(c_i - k) is k above
    std::vector<int> differentiations;   ///< c_i
    std::vector<std::vector<int>> chain; ///< unknowns x_j, x_j', …, x_j^(d_j)
    std::vector<int> preference;         ///< per column: stateSelect from -2 (never) over 0 to 2 (always)
};

struct StateChoice {
    std::vector<ChoiceBlock> blocks;   ///< empty: nothing to choose
    std::vector<Link> permanent_links; ///< links that every choice contains
    [[nodiscard]] bool empty() const { return blocks.empty(); }
};

} // namespace daedalus::problem
