// Facet: where functions of time alone that F depends on vary on a much shorter scale than elsewhere. They are known
// before the run; a method that does not look there would step over them.
#pragma once

#include "problem/environment.hpp"

#include <vector>

namespace daedalus::problem {

/// Between these times steps should not be longer than `step`.
struct TimeWindow {
    double begin = 0.0, end = 0.0; ///< begin < end
    double step = 0.0;
};

struct TimeFeatures {
    /// Those between t0 < t1, by `begin`.
    std::vector<TimeWindow> (*windows)(const void* code, const Environment& environment, double t0,
                                       double t1) = nullptr;
    bool change_at_events = false; ///< functions depend on what events change
    [[nodiscard]] bool empty() const { return windows == nullptr; }
};

} // namespace daedalus::problem
