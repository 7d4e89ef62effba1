// The facet of Taylor series of F (problem/jets.hpp), by the recurrences of codegen/taylor over the rows as the kernels
// evaluate them.
#pragma once

#include "compile/compilation.hpp"

namespace daedalus::compile {

void offer_jets(Compilation& c, const std::vector<expr::NodeId>& rows, problem::System& system);

} // namespace daedalus::compile
