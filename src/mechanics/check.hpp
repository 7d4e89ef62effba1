// Whether numbers describe bodies that exist: positive masses, inertia tensors that are positive definite and satisfy
// the triangle inequality of principal moments (none exceeds the sum of the other two, for each is an integral of a sum
// of squares), axes of some length. Values are those that parameters have in the file.
#pragma once

#include "base/problems.hpp"
#include "mechanics/description.hpp"

namespace daedalus::mechanics {

void check(const Description& description, Problems& problems);

/// The same of masses and inertias for the values that parameters are given for a run: final parameters that have no
/// finite value where there is no such body, log(m) for m > 0. The message about them names expression and value.
void demand_of_parameters(Description& description);

/// Principal moments, ascending, of Jxx, Jyy, Jzz, Jxy, Jxz, Jyz.
[[nodiscard]] std::array<double, 3> principal_moments(const std::array<double, 6>& inertia);

} // namespace daedalus::mechanics
