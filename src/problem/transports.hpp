// Facet: what flows carry along (base/profile.hpp). The run lays behind the flow what enters, and two readers of each,
// one at either end, stand on stretches of it; see problem/delays.hpp.
#pragma once

#include "base/source.hpp"
#include "problem/functions.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace daedalus::problem {

struct Transports {
    /// Of each: what enters at 0 and at 1, the position x, whether x rises. Behind all of these, of each: where z at
    /// the start is given, and what it is there.
    VectorFunction values;
    enum Value { in0, in1, position, forward, per_transport };
    std::size_t history = 0; ///< where the environment has the number of the history
    struct Reader {
        std::size_t stretch = 0, next = 0, begins = 0;
    };
    struct Transport {
        Reader left, right;
        std::size_t points = 0;      ///< how many
        std::size_t first_point = 0; ///< in `values`
        std::optional<Location> where;
    };
    std::vector<Transport> list;
    [[nodiscard]] std::size_t size() const { return list.size(); }
};

/// A reader that has just met a break may still be on its other side, by rounding and by how exactly events are
/// located: it goes back only where it is farther away than this. The ends are 1 apart; the same doubt that integer
/// parts have.
[[nodiscard]] inline double doubt_of_place(double place) { return 1e-9 * std::max(1.0, std::abs(place)); }

} // namespace daedalus::problem
