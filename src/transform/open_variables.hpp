// Variables that the equations leave open because constraints are redundant: the multipliers of mechanics, with what is
// defined by them. Whether the least norm may choose them is decided here: the motion must not depend on the choice.
#pragma once

#include "model/model.hpp"

#include <optional>
#include <string>
#include <vector>

namespace daedalus::transform {

struct OpenVariables {
    /// The reason why they cannot be chosen, with the variable that is to blame; nothing where they can.
    struct Refusal {
        int variable = 0;
        std::string why;
    };
    std::optional<Refusal> refusal;
    bool act_on_motion = false;   ///< one of them stands in an equation with a derivative
    bool only_there = true;       ///< and all of them only there, or in definitions of each other
    std::vector<char> defined;    ///< per variable: an equation has it alone on one side
    std::vector<int> constraints; ///< equations without any of them, other than der(x) = …
};

/// `open`: model ids.
[[nodiscard]] OpenVariables examine_open_variables(const model::Model& model, const std::vector<int>& open);

} // namespace daedalus::transform
