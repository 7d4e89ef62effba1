// When conditions and integer parts that depend on time alone change: exactly where they are affine in time. Else
// intervals are halved until interval arithmetic (time_range.hpp) proves that there is no zero in them, or that the
// function is monotone, or until they are a rounding wide: no pulse is too short.
#pragma once

#include "compile/time_range.hpp"
#include "expr/graph.hpp"
#include "problem/implicit_problem.hpp"

#include <span>
#include <vector>

namespace daedalus::compile {

/// One function of time whose sign matters.
class TimeFunction {
public:
    TimeFunction(expr::Graph& graph, expr::NodeId difference, const std::vector<char>& held);

    /// Affine in time with values that never change: its only zero is known for good.
    [[nodiscard]] bool fixed() const { return affine_ && !depends_on_held_; }
    [[nodiscard]] bool affine() const { return affine_; }
    /// The next change of sign behind t in the direction of `end`.
    [[nodiscard]] problem::Instant next(double t, double end, std::span<const double> parameters) const;
    /// The zero of an affine function; infinite if it has none.
    [[nodiscard]] double zero(std::span<const double> parameters) const;

private:
    [[nodiscard]] double value(expr::NodeId node, double t, std::span<const double> parameters) const;

    const expr::Graph* graph_;
    expr::NodeId difference_;
    expr::NodeId slope_ = expr::no_node;
    bool affine_ = false;
    bool depends_on_held_ = false;
    TimeRange range_, slope_range_; ///< where it is not affine
};

} // namespace daedalus::compile
