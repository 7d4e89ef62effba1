// What a run keeps of the past: the facets for delays and for what flows carry.
#pragma once

#include "compile/compilation.hpp"
#include "problem/delays.hpp"
#include "problem/transports.hpp"

#include <functional>

namespace daedalus::compile {

/// The functions of the facet are those of kernels that these make; `frozen` puts parameters in the place of relations.
using Frozen = std::function<std::vector<expr::NodeId>(std::vector<expr::NodeId>)>;
[[nodiscard]] problem::Delays build_delays(Compilation& c, const codegen::Segments& segments, const Frozen& frozen);
[[nodiscard]] problem::Transports build_transports(Compilation& c, const codegen::Segments& segments,
                                                   const Frozen& frozen);

} // namespace daedalus::compile
