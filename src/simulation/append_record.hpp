// Records of runs that follow each other become one.
#pragma once

#include "simulation/record.hpp"

namespace daedalus::simulation {

/// `piece` begins where `whole` ends, and has the same variables.
void append_record(Record& whole, Record&& piece);

} // namespace daedalus::simulation
