// Values of a recorded solution that are no numbers.
//
// What is integrated cannot become infinite or NaN unnoticed. Outputs that are only computed from it can: the square
// root of what has become negative. A single point may lie on the far side of an event, by a rounding; where two output
// points one after the other have no value, the result has none.
#pragma once

#include "output/trajectory.hpp"

#include <cstddef>
#include <optional>

namespace daedalus::simulation {

struct UndefinedValue {
    std::size_t variable = 0; ///< of the trajectory's
    double t = 0.0;           ///< the first output point without a value
};

/// `end_counts`: the run ended where it was to end, not at an event.
[[nodiscard]] std::optional<UndefinedValue> first_undefined_value(const output::Trajectory& trajectory,
                                                                  bool end_counts);

} // namespace daedalus::simulation
