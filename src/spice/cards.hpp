// Pieces that several cards are made of.
#pragma once

#include "spice/numbers.hpp"
#include "spice/outline.hpp"

namespace daedalus::spice {

/// An expression up to the end of what belongs to it; a plain word with a sign (-5) as well.
[[nodiscard]] std::optional<Expression> whole_expression(Cursor& cursor, Problems& problems);
/// What stands together without blanks, up to the matching brackets: 5, 2*w, -{x}, max(a, b).
[[nodiscard]] std::optional<Expression> tight_expression(Cursor& cursor, Problems& problems);
/// name=value name=value …; stops at what is none.
[[nodiscard]] std::vector<ParameterCard> parameter_cards(Cursor& cursor, Problems& problems);

} // namespace daedalus::spice
