// When conditions and integer parts that depend on time alone change: exactly where they are affine in time, else found
// by looking ahead in steps that no period escapes, and then bisected to the last bit.
#pragma once

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
    /// Parts that are affine in time: arguments of periodic functions, of integer parts, and differences of relations.
    struct Part {
        expr::NodeId argument, slope;
        enum class Kind { periodic, integer, relation } kind;
    };
    std::vector<Part> parts_;
};

} // namespace daedalus::compile
