// The model of a request: from its file, or from standard input.
#pragma once

#include "commands.hpp"
#include "daedalus/model.hpp"

namespace cli {

[[nodiscard]] daedalus::Expected<daedalus::Model> read_model(const Request& request);

} // namespace cli
