// All values that a function of time takes on an interval, by interval arithmetic on its expression (Moore 1966): the
// range that is found contains them, and may be larger. Where it does not contain zero, nothing can have been missed.
#pragma once

#include "expr/graph.hpp"

#include <span>
#include <vector>

namespace daedalus::compile {

struct Range {
    double low = 0.0, high = 0.0;
    bool continuous = true; ///< no jump, pole or border of a domain in between
    bool nowhere = false;   ///< not defined anywhere on the interval
    double scale = 0.0;     ///< size of what a sum was made of: the measure of round-off

    [[nodiscard]] bool contains_zero() const { return low <= 0.0 && high >= 0.0; }
};

/// All values of an operation for operands in these ranges (of one operand: the first).
[[nodiscard]] Range range_of(expr::Op op, const Range& a, const Range& b);
/// … and of a whole power.
[[nodiscard]] Range range_of_power(const Range& base, int exponent);

class TimeRange {
public:
    TimeRange() = default;
    TimeRange(const expr::Graph& graph, expr::NodeId function);
    /// On [a, b].
    [[nodiscard]] Range operator()(double a, double b, std::span<const double> parameters) const;

private:
    struct Step {
        expr::Op op;
        int operand[3];
        double value; ///< of a constant
        int parameter;
        int whole_exponent; ///< of a power with a constant integer exponent; else no_exponent
    };
    std::vector<Step> steps_;
    mutable std::vector<Range> ranges_;
};

} // namespace daedalus::compile
