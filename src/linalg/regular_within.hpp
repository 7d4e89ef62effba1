// Is every matrix regular that agrees with A to the accuracy of its entries? Bad scaling, as that of a diode whose
// resistance changes by ten decades, makes singular values tiny and leaves this question untouched: the answer is the
// same for any units of rows and columns.
//     every matrix in [A − E, A + E] is regular where  ρ(|I − R A| + |R| E) < 1,  R ≈ A⁻¹    (Rump 1983)
#pragma once

#include "linalg/rank.hpp"

namespace daedalus::linalg {

/// True only if that is shown, with a margin; `errors` are bounds of |error| entry by entry, as `a` column-major.
/// Square matrices. About 4 n³ operations.
[[nodiscard]] bool regular_within(DenseView a, std::span<const double> errors);

} // namespace daedalus::linalg
