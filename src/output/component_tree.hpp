// The components of a model as a tree that opens and closes: R1.p.v stands below p, below R1.
#pragma once

#include "output/trajectory.hpp"

#include <string>
#include <vector>

namespace daedalus::output {

/// Empty where no variable belongs to a component. Past `most` variables the rest is counted.
[[nodiscard]] std::string component_tree(const std::vector<VariableInfo>& variables, std::size_t most);

} // namespace daedalus::output
