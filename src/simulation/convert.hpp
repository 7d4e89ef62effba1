// Public options → what the layers below take.
#pragma once

#include "compile/compile.hpp"
#include "daedalus/options.hpp"

namespace daedalus::simulation {

[[nodiscard]] compile::CompileOptions compile_options(const SolveOptions& options, double start_time);

} // namespace daedalus::simulation
