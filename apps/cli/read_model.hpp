// The model of a request: from its file, or from standard input.
#pragma once

#include "commands.hpp"
#include "daedalus/model.hpp"

namespace cli {

[[nodiscard]] daedalus::Expected<daedalus::Model> read_model(const Request& request);

/// Package.Class, and no file of that name.
[[nodiscard]] bool is_class_name(const std::string& name);
[[nodiscard]] std::string standard_input();

} // namespace cli
