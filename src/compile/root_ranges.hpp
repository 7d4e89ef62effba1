// Root functions as programs of interval arithmetic (Moore 1966) with slopes along time: what problem/root_ranges.hpp
// asks for.
#pragma once

#include "compile/time_range.hpp"
#include "expr/graph.hpp"
#include "problem/root_ranges.hpp"
#include "transform/formulation.hpp"

#include <span>
#include <vector>

namespace daedalus::compile {

/// Value and slope in time of an expression in unknowns, time and parameters.
class MovingRange {
public:
    /// `leaf` numbers the variable leaves.
    template <class LeafNumber>
    MovingRange(const expr::Graph& graph, expr::NodeId function, const LeafNumber& leaf);

    [[nodiscard]] problem::Moving operator()(double a, double b, std::span<const double> parameters,
                                             const problem::Moving* leaves) const;
    /// The value at a time alone, of a function of time; no interval.
    [[nodiscard]] double value(double t, std::span<const double> parameters) const;
    [[nodiscard]] std::size_t operations() const { return steps_.size(); }

private:
    struct Step {
        expr::Op op;
        int operand[3];
        double value;    ///< of a constant
        int number;      ///< of a parameter or a leaf
        int whole_power; ///< of a power with a constant integer exponent; else no_power
    };
    static constexpr int no_power = 1 << 30;
    void add(const expr::Graph& g, expr::NodeId node, const std::vector<expr::NodeId>& nodes);
    std::vector<Step> steps_;
};

struct Compilation;

/// Programs of all root functions of a compilation; filled by build_root_ranges.
struct RootPrograms {
    std::vector<MovingRange> programs;
};
/// The facet, for c.root_expressions; what a root function may cost is limited, others have none. Unknowns that one of
/// the rows of F defines are bounded by their definition: steps resolve states, and not what only a condition asks for.
[[nodiscard]] problem::RootRanges build_root_ranges(Compilation& c, const std::vector<expr::NodeId>& rows);

template <class LeafNumber>
MovingRange::MovingRange(const expr::Graph& graph, expr::NodeId function, const LeafNumber& leaf) {
    const expr::NodeId below[] = {function};
    const std::vector<expr::NodeId> nodes = graph.reachable(below); // operands before their users
    for (const expr::NodeId node : nodes) {
        add(graph, node, nodes);
        if (graph.op(node) == expr::Op::variable) steps_.back().number = leaf(node);
    }
}

} // namespace daedalus::compile
