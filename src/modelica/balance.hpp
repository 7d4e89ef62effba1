// Local balance (specification 3.5, section 4.8): a class must determine as many unknowns as it declares, whatever it
// is connected with. Counted class by class, so that a missing equation is named by its class and not only by the sum
// of a hundred of them.
#pragma once

#include "modelica/library.hpp"

#include <string>
#include <vector>

namespace daedalus::modelica {

struct ClassBalance {
    std::string class_name;
    std::string component; ///< the first one of it; empty: the model itself
    int components = 1;    ///< how many have these counts
    int unknowns = 0;
    int equations = 0;
    bool unclear = false; ///< it has overdetermined or expandable connectors, which belong to no class alone
    SourceSpan where;

    [[nodiscard]] bool balanced() const { return unclear || unknowns == equations; }
};

/// "the class 'R' has 3 unknowns, but 2 equations"
[[nodiscard]] Diagnostic unbalanced(const ClassBalance& balance);

} // namespace daedalus::modelica
