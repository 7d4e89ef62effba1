// Modelica text in one style: lines stay where the author broke them, blanks and indentation follow from the words.
// Comments are kept as they are. Formatting a formatted text changes nothing.
#pragma once

#include "base/expected.hpp"
#include "base/source.hpp"

#include <memory>
#include <string>

namespace daedalus::modelica {

/// Fails where the text cannot be read.
[[nodiscard]] Expected<std::string> format(const SourceFile& file);

} // namespace daedalus::modelica
