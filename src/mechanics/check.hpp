// Whether numbers describe bodies that exist: positive masses, inertia tensors that are positive definite and satisfy
// the triangle inequality of principal moments (none exceeds the sum of the other two, for each is an integral of a sum
// of squares), axes of some length. Values are those that parameters have in the file.
#pragma once

#include "mechanics/description.hpp"
#include "mechanics/problems.hpp"

namespace daedalus::mechanics {

void check(const Description& description, Problems& problems);

/// Principal moments, ascending, of Jxx, Jyy, Jzz, Jxy, Jxz, Jyz.
[[nodiscard]] std::array<double, 3> principal_moments(const std::array<double, 6>& inertia);

} // namespace daedalus::mechanics
