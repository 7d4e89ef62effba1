// exp(A) by scaling and squaring with the diagonal Padé approximant of degree 13 (Higham 2005).
#pragma once

#include "linalg/dense_matrix.hpp"

namespace daedalus::linalg {

[[nodiscard]] Matrix matrix_exponential(const Matrix& a);

} // namespace daedalus::linalg
