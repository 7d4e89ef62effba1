// The text of a file, or why it cannot be read.
#pragma once

#include "base/expected.hpp"
#include "base/source.hpp"

#include <memory>
#include <string>

namespace daedalus {

/// "no such file" and "is a directory" are errors that name the file.
[[nodiscard]] Expected<std::shared_ptr<const SourceFile>> read_text_file(const std::string& path);

} // namespace daedalus
