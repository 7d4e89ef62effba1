// Neighbouring outputs that are stored within a few steps of each other leave as one 16-byte store: a processor stores
// once per cycle but computes several times, and residuals with Jacobians are stores to a large part.
#pragma once

#include "tape/register_allocation.hpp"

#include <vector>

namespace daedalus::tape {

/// Turns pairs of `store` into one `store_pair` in the place of the second; `scratch` is a register that no step uses.
void pair_stores(std::vector<Step>& steps, Register scratch);

} // namespace daedalus::tape
