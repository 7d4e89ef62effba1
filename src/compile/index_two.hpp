// The facet of systems differentiated down to index 2 (problem/index_two.hpp), with the kernel of the rates of their
// constraints.
#pragma once

#include "compile/compilation.hpp"
#include "problem/system.hpp"

#include <functional>
#include <vector>

namespace daedalus::compile {

/// For the formulation `index2`. `frozen`: expressions on the branches that hold, as all kernels have them.
void offer_index_two(Compilation& c, const std::function<std::vector<expr::NodeId>(std::vector<expr::NodeId>)>& frozen,
                     problem::System& system);

} // namespace daedalus::compile
