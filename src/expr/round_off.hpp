// Values of expressions together with the round-off that may be in them: running error analysis (Wilkinson 1963; Higham
// 2002, §3.3). A difference that is nothing but round-off is then not taken for a number.
#pragma once

#include "expr/graph.hpp"

#include <functional>
#include <span>
#include <vector>

namespace daedalus::expr {

struct RoundedValue {
    double value = 0.0;
    double error = 0.0; ///< bound of first order
    double size = 0.0;  ///< what the value would be if nothing cancelled
    /// Nothing but round-off, and clearly so: where half of the digits were lost on the way, nobody knows.
    [[nodiscard]] bool vanishes() const {
        const double magnitude = value < 0.0 ? -value : value;
        return value == 0.0 || (magnitude <= 4.0 * error && error <= 1e-8 * size);
    }
};

/// `leaf` gives parameters, variables and time with what may be wrong about them (their size is set here); `reversed`
/// tells which relations count as the opposite of what they are (null: none).
[[nodiscard]] std::vector<RoundedValue> evaluate_rounded(const Graph& graph, std::span<const NodeId> expressions,
                                                         const std::function<RoundedValue(NodeId leaf)>& leaf,
                                                         const std::function<bool(NodeId relation)>& reversed = {});

} // namespace daedalus::expr
