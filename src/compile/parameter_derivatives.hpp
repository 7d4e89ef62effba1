// The facet ∂F/∂p (problem/parameters.hpp): a reverse sweep per row, with the parameters as leaves. Parameters that are
// defined by others follow them, unless a value was given to them. What was computed from parameters before (structure,
// sizes of arrays, numbers that the start finds) counts as a number.
#pragma once

#include "compile/compilation.hpp"

namespace daedalus::compile {

/// `given`: names of parameters with values from outside, which follow no others.
void offer_parameter_derivatives(Compilation& c, const std::vector<expr::NodeId>& rows,
                                 const std::vector<model::ParameterOverride>& given, problem::System& system);

} // namespace daedalus::compile
