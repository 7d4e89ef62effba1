// Regularity of a large sparse square pencil λ E + H without its structure: it is regular if s E + H is nonsingular at
// one s, and a regular pencil of size n is singular at no more than n numbers, so that random shifts miss it with
// probability zero. Sparse LU; what is nearly singular at every shift stays open.
#pragma once

#include "analysis/matrix_market.hpp"

#include <optional>
#include <vector>

namespace daedalus::analysis {

struct ShiftTest {
    double shift = 0.0;
    double reciprocal_condition = 0.0; ///< of the equilibrated s E + H; 0 if singular
};

struct RegularityReport {
    std::optional<bool> regular; ///< nothing: open
    std::vector<ShiftTest> tests;
};

/// E and H are square, of one size, with finite entries.
[[nodiscard]] RegularityReport sparse_regularity(const MarketMatrix& e, const MarketMatrix& h);

} // namespace daedalus::analysis
