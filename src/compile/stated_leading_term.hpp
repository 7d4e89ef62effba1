// Whether G(t, x, x', q') = 0 with q = Q(t, x) has a properly stated leading term: with A = ∂G/∂d', d = (x, q) and D =
// ∂d/∂x, ker A ⊕ im D is the whole space, S (56); März (2002). Two charges of one voltage whose currents are unknowns
// are none: A has rank 2 and A D rank 1. The currents are then what differences of the charges leave to them, as
// unknowns of index 2 are, and have round-off over h in them.
#pragma once

#include "compile/compilation.hpp"

namespace daedalus::compile {

struct LeadingTerm {
    struct Entry {
        int row, column;
        expr::NodeId value;
    };
    int quantities = 0;
    std::vector<Entry> by_unknowns;   ///< ∂G/∂x'
    std::vector<Entry> by_quantities; ///< ∂G/∂q'
    std::vector<Entry> gradients;     ///< ∂Q/∂x: a row per quantity
    std::vector<Entry> by_algebraic;  ///< ∂G/∂x of unknowns that are not differentiated
};

/// Per quantity: a combination of rows has it and vanishes in A D. No harm is done where the combination determines an
/// unknown that is not differentiated, as the current of a source whose node has a charge. All of them where that
/// cannot be told. Decided by numbers at a few points.
[[nodiscard]] std::vector<char> quantities_beyond_unknowns(const Compilation& c, const LeadingTerm& term);

/// An expression near the start of the run: variables by a share of their nominal values from their start values, other
/// ones for each point, and conditions that hold or not.
[[nodiscard]] double value_near_start(const Compilation& c, expr::NodeId expression, unsigned point);

} // namespace daedalus::compile
