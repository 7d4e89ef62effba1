// No command writes over what it reads, and no two of its files are one.
#pragma once

#include "commands.hpp"
#include "daedalus/diagnostic.hpp"

namespace cli {

/// Files to be written that are a file to be read, or each other: by device and inode where they exist, so that links
/// and other spellings are seen through. A checkpoint may go on in the file that is resumed from.
[[nodiscard]] daedalus::Diagnostics overwriting(const Request& request);

} // namespace cli
