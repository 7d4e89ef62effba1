// No run writes over what it reads: files are told apart by device and inode where they exist, so that links and other
// spellings are seen through.
#pragma once

#include "base/diagnostic.hpp"

#include <optional>
#include <string>
#include <vector>

namespace daedalus::output {

/// "-": standard input. What is no regular file, a terminal or a pipe, is not replaced and is nobody's.
[[nodiscard]] bool same_file(const std::string& a, const std::string& b);

struct NamedFile {
    std::string what; ///< in messages: "the model", "--output"
    std::string path;
};

/// `written` is one of the files that are read.
[[nodiscard]] std::optional<Diagnostic> would_write_over(const NamedFile& written, const std::vector<NamedFile>& read);

} // namespace daedalus::output
