// Curves of chosen variables as text, for terminals.
#pragma once

#include "daedalus/expected.hpp"
#include "daedalus/model.hpp"
#include "daedalus/solution.hpp"

#include <string>
#include <vector>

namespace daedalus {

/// "R1.i, x[1,2]" → the names; commas inside brackets and quotes belong to names.
[[nodiscard]] std::vector<std::string> split_names(const std::string& list);

/// Names that the model does not have, each with the closest one; names of whole arrays and components are none.
[[nodiscard]] Diagnostics check_names(const Model& model, const std::vector<std::string>& names);

/// One plot per variable, `width` characters wide.
[[nodiscard]] std::string plot_text(const Solution& solution, const std::vector<std::string>& names, int width = 80,
                                    int height = 8);

} // namespace daedalus
