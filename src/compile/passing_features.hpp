// Functions inside F that rise and fall along a known course of the unknowns: what problem/passing_features.hpp asks
// for.
//
// Looked at are exponentials and the like, quotients and negative powers whose argument is not affine in the unknowns:
// e^(-((s - a)/w)²), 1/(1 + ((s - a)/w)²), 1/cosh²(s). Others are monotone along a straight course, oscillate (which
// the error test meets everywhere), or have branches, which are events.
#pragma once

#include "compile/root_ranges.hpp"
#include "problem/passing_features.hpp"

#include <vector>

namespace daedalus::compile {

struct Compilation;

/// Programs of these functions.
struct PassingPrograms {
    std::vector<MovingRange> programs;
};

/// The facet for these rows; empty where there is no such function.
[[nodiscard]] problem::PassingFeatures build_passing_features(Compilation& c, const std::vector<expr::NodeId>& rows);

/// The stretch on which one function leaves what its values at t and t + h span.
[[nodiscard]] std::optional<problem::TimeWindow> find_passing(const MovingRange& function, double t, double h,
                                                              std::span<const double> parameters,
                                                              std::span<const problem::Course> courses);

} // namespace daedalus::compile
