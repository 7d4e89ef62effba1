// The two problems of index 3 of NC section 5.
#pragma once

#include "study/numerically_consistent.hpp"

namespace daedalus::study {

/// NC (5.1): a point on the unit circle; t from 0.
[[nodiscard]] MultiplierProblem nc_problem_5_1();
/// NC Problem 5.2; t from 1. The second component of F has -4 y t², as the exact solution demands (printed: -4 y t).
[[nodiscard]] MultiplierProblem nc_problem_5_2();

} // namespace daedalus::study
