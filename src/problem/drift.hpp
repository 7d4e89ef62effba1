// Facet: how constraints that hold through their derivatives only (HiddenConstraints::drifting) hang together, where
// nothing but errors of steps moves a solution off them.
#pragma once

#include <vector>

namespace daedalus::problem {

/// above[k]: the hidden constraint that is the derivative of hidden constraint k, or -1: rows of F keep that at zero.
struct Drift {
    std::vector<int> above;
};

} // namespace daedalus::problem
