// From options to the search for initial values, and from its result to a short note.
#pragma once

#include "daedalus/options.hpp"
#include "integrate/consistent_start.hpp"

#include <string>
#include <vector>

namespace daedalus::simulation {

[[nodiscard]] integrate::StartOptions start_options(const SolveOptions& options);

/// What a user who only wants to solve should know: preferred values that had to change, other solutions.
[[nodiscard]] std::vector<std::string> start_notes(const integrate::ConsistentStart& start);

} // namespace daedalus::simulation
