// The example models: beside the sources in a clone, under share/ where the program is installed.
#pragma once

#include <string>
#include <vector>

namespace cli {

struct Example {
    std::string path; ///< as short as can be used from the current folder
    std::string title;
};

struct Examples {
    std::string folder; ///< empty: not found
    std::vector<std::string> searched;
    std::vector<Example> list;
};

[[nodiscard]] Examples find_examples();

} // namespace cli
