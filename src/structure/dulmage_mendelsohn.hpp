// Dulmage–Mendelsohn decomposition of any pattern (Dulmage & Mendelsohn 1958; Pothen & Fan 1990): with respect to a
// maximum matching, rows and columns fall into three parts that do not depend on the matching,
//   over-determined:  everything on alternating paths from a free equation (more equations than variables),
//   under-determined: everything on alternating paths from a free variable (more variables than equations),
//   well-determined:  the square rest, which has a block triangular form.
// The over- and under-determined parts split further into their connected components.
#pragma once

#include "structure/block_triangular_form.hpp"
#include "structure/incidence.hpp"
#include "structure/matching.hpp"

#include <vector>

namespace daedalus::structure {

/// Equations and variables that belong together, each ascending.
struct Part {
    std::vector<int> equations;
    std::vector<int> variables;

    [[nodiscard]] bool empty() const { return equations.empty() && variables.empty(); }
    friend bool operator==(const Part&, const Part&) = default;
};

enum class Determination { under, well, over };

struct DulmageMendelsohn {
    Matching matching; ///< of maximum size
    Part over, well, under;
    std::vector<Determination> of_equation, of_variable;
    std::vector<Part> over_components;  ///< connected components of `over`
    std::vector<Part> under_components; ///< connected components of `under`
    std::vector<Part> well_blocks;      ///< irreducible blocks of `well` in solving order

    [[nodiscard]] bool structurally_regular() const { return over.empty() && under.empty(); }
};

[[nodiscard]] DulmageMendelsohn dulmage_mendelsohn(const Incidence& pattern);
/// With a maximum matching that is at hand already.
[[nodiscard]] DulmageMendelsohn dulmage_mendelsohn(const Incidence& pattern, Matching maximum);

} // namespace daedalus::structure
