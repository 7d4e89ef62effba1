// The underlying ordinary differential equation as code of one piece, z = f(t, x): what explicit methods ask for at
// every stage. The most differentiated rows are linear in the leading unknowns (leading_part.hpp),
//
//     A(t, x) z + b(t, x) = 0 ,
//
// once quantities that rows define one after the other by what is known are put in their places (sums of angles and
// places along a chain of bodies). They are eliminated here in the expression graph, with pivots chosen once:
// accelerations and multipliers of a mechanism become formulas, as somebody would write them by hand. What is 0, 1 or
// equal to something else is simplified as any formula is.
//
// Fixed pivots are only trusted while they are watched. Beside z the code tells the determinant of A and how far its
// factors have grown: growth bounds the error of the elimination (Higham 2002, 9.2). Who evaluates it goes elsewhere
// where that is too much (integrate/explicit_form).
#pragma once

#include "compile/compilation.hpp"
#include "compile/leading_part.hpp"

#include <span>
#include <vector>

namespace daedalus::compile {

/// Enters the facet of a system whose code is `c`, unless no pivots suit the start values, or the code would be
/// long. `entries`: ∂F/∂x on the pattern, then ∂F/∂x'. `when_asked`: that is found out then, in the graph of `c`.
void offer_explicit_form(Compilation& c, const LeadingPart& part, std::span<const expr::NodeId> rows,
                         const SparsityPattern& pattern, std::span<const expr::NodeId> entries, bool when_asked,
                         problem::Facets& facets);

} // namespace daedalus::compile
