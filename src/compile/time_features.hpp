// Narrow features of functions of time alone.
//
// The maximal subexpressions of F that depend on time and parameters only are known before the run. An interval is
// halved until such a function is constant on it up to `level`, or a polynomial of degree 4 through five values
// describes it at the points between them while the bound of its slope, by interval arithmetic, leaves no room between
// the points for anything larger than what they show. The length that is left is the scale of the function there; where
// it is much shorter than on most of the interval, a step that the rest suggests would pass over what happens.
#pragma once

#include "compile/root_ranges.hpp"
#include "problem/time_features.hpp"

#include <vector>

namespace daedalus::compile {

struct Compilation;

/// Programs of functions of time alone below some rows.
struct TimePrograms {
    std::vector<MovingRange> programs;
    bool change_at_events = false;
};

/// The facet for these rows; empty where nothing depends on time alone.
[[nodiscard]] problem::TimeFeatures build_time_features(Compilation& c, const std::vector<expr::NodeId>& rows);

/// Of interval arithmetic before a run, for all functions together: some tens of milliseconds.
inline constexpr long most_operations = 1'000'000;

/// Windows of one function between t0 < t1. Takes what it needs from `work`, in operations; with none left nothing is
/// known, and nothing is returned.
[[nodiscard]] std::vector<problem::TimeWindow> find_features(const MovingRange& function, double t0, double t1,
                                                             std::span<const double> parameters, long& work);

} // namespace daedalus::compile
