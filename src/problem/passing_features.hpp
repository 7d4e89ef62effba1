// Facet: functions of unknowns inside F that may rise and fall again within one step, where steps are as long as the
// rest of F allows: a barrier that a mass point passes, a resonance. No error estimate sees what no stage has met.
#pragma once

#include "problem/environment.hpp"
#include "problem/root_ranges.hpp"
#include "problem/time_features.hpp"

#include <optional>
#include <span>
#include <vector>

namespace daedalus::problem {

/// The course of a leaf from a time t on: value + slope τ + bend τ², τ = time - t.
struct Course {
    double value = 0.0, slope = 0.0, bend = 0.0;
};

struct PassingFeatures {
    std::vector<RootRanges::Leaf> leaves; ///< what the functions depend on, each once
    /// The stretch nearest to t, between t and t + h, on which a function leaves what its values at t and t + h span,
    /// and returns; if it is short beside h.
    std::optional<TimeWindow> (*ahead)(const void* code, const Environment& environment, double t, double h,
                                       std::span<const Course> courses) = nullptr;
    [[nodiscard]] bool empty() const { return ahead == nullptr; }
};

} // namespace daedalus::problem
