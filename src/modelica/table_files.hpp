// Tables of numbers in files: text as CombiTable reads it, comma-separated values, and MAT files of levels 4 and 5
// (versions 4, 6 and, without compression, 7).
#pragma once

#include "base/expected.hpp"

#include <optional>
#include <string>
#include <vector>

namespace daedalus::modelica {

struct FileTable {
    int rows = 0, columns = 0;
    std::vector<double> values; ///< row by row
};

/// The kind follows from the ending of the path (.csv, .mat, else text); files with comma-separated values have one
/// table without name. Or why there is none.
[[nodiscard]] Expected<FileTable, std::string> read_table(const std::string& path, const std::string& name,
                                                          char delimiter = ',', int header_lines = 0);

} // namespace daedalus::modelica
