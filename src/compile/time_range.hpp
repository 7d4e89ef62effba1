// All values that a function of time takes on an interval, by interval arithmetic on its expression: the range that is
// found contains them, and may be larger. Where it does not contain zero, nothing can have been missed.
#pragma once

#include "expr/graph.hpp"
#include "expr/range.hpp"

#include <span>
#include <vector>

namespace daedalus::compile {

using expr::Range;

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
