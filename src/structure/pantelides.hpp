// Pantelides' algorithm (Pantelides 1988): which equations must be differentiated, and how often, so that the system
// can be solved for its highest derivatives. Equations and variables are nodes with derivative chains; for each
// equation an augmenting path to a variable node of highest order is sought; where there is none, the coloured nodes
// form a minimal structurally singular subset and are differentiated. Terminates exactly for structurally regular
// systems, which is tested first.
//
// The Σ-method gives the same numbers faster (Pryce 2001, section 5.3); this is a second, independent witness with the
// worst-case cost O(n · entries · index) of the original.
#pragma once

#include "structure/incidence.hpp"

#include <vector>

namespace daedalus::structure {

struct PantelidesResult {
    bool regular = false;              ///< if not, nothing else is set
    std::vector<int> differentiations; ///< of each equation; the canonical c of the Σ-method
    std::vector<int> highest_order;    ///< of each variable afterwards; the canonical d
    int structural_index = 0;
    int nodes = 0; ///< work: equations after differentiation
};

[[nodiscard]] PantelidesResult pantelides(const SignatureMatrix& sigma);

} // namespace daedalus::structure
