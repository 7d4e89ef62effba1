// Files that are read and written together. Runs look after their own (Solution::write, SolveOptions::checkpoint); this
// is for programs that write more.
#pragma once

#include "daedalus/diagnostic.hpp"

#include <string>
#include <vector>

namespace daedalus {

struct NamedFile {
    std::string what; ///< in messages: "the model", "--output"
    std::string path;
};

/// Files to be written that are a file to be read, or each other: by device and inode where they exist, so that links
/// and other spellings are seen through. Empty: all is well.
[[nodiscard]] Diagnostics overwriting(const std::vector<NamedFile>& read, const std::vector<NamedFile>& written);

} // namespace daedalus
