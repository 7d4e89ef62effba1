// Facet: bounds of the root functions over a stretch of time. What is known of the unknowns there are intervals that
// contain their values and slopes; what is told are intervals that contain a function's value and its slope along the
// solution. Where the first excludes zero, or the second does and both ends are known, no zero has been missed.
#pragma once

#include "problem/environment.hpp"

#include <limits>
#include <vector>

namespace daedalus::problem {

struct Bounded {
    double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
    [[nodiscard]] bool excludes_zero() const { return low > 0.0 || high < 0.0; }
};

/// Value and slope in time.
struct Moving {
    Bounded value, slope;
};

struct RootRanges {
    /// What a root function depends on: x of an unknown, or x'.
    struct Leaf {
        int unknown = 0;
        bool derivative = false;
        friend auto operator<=>(const Leaf&, const Leaf&) = default;
    };
    std::vector<Leaf> leaves;                ///< of all functions, each once
    std::vector<std::vector<int>> leaves_of; ///< per root function, positions in `leaves`
    std::vector<std::vector<Leaf>> written;  ///< per root function, what it depends on as it is evaluated
    /// Bounds of root function `root` between the times a < b, for bounds of all `leaves`.
    Moving (*bound)(const void* code, const Environment& environment, int root, double a, double b,
                    const Moving* leaves) = nullptr;

    [[nodiscard]] bool empty() const { return bound == nullptr; }
};

} // namespace daedalus::problem
