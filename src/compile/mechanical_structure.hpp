// Kernels of the equations of motion, and the facets of the waist that offer them.
#pragma once

#include "compile/compilation.hpp"

#include <functional>

namespace daedalus::compile {

/// `frozen`: expressions on the branches that hold, as all kernels have them. Needs `c.motion`; offers nothing where an
/// unknown of the equations of motion is none of the formulation's.
void offer_mechanics(Compilation& c, const std::function<std::vector<expr::NodeId>(std::vector<expr::NodeId>)>& frozen,
                     problem::System& system);

} // namespace daedalus::compile
