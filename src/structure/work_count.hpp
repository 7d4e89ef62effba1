// What was done how often, by this thread since it began: analyses that are repeated although they could be shared show
// in it, and tests ask for it.
#pragma once

namespace daedalus::structure {

struct WorkCount {
    long compilations = 0;      ///< of whole models
    long signature_methods = 0; ///< structural analyses
};

[[nodiscard]] WorkCount& work_count();

} // namespace daedalus::structure
