// Initial values together with what the initial event gives discrete variables: initialization is one solution of all
// equations (specification 8.6). A branch that is chosen once, at the start, by where the start lies
// (parameter Boolean p(fixed = false); initial equation p = x > 0) decides which equations the start solves.
#pragma once

#include "base/expected.hpp"
#include "compile/compile.hpp"
#include "integrate/consistent_start.hpp"

namespace daedalus::simulation {

/// Held parameters of `compiled` are set to what they are at the start.
[[nodiscard]] Expected<integrate::ConsistentStart>
consistent_start(compile::CompiledModel& compiled, const integrate::StartOptions& options, bool forward);

} // namespace daedalus::simulation
