// Expressions of numbered variables as a list of operations, for routines that evaluate them many times.
#pragma once

#include "expr/graph.hpp"

#include <span>
#include <string>
#include <vector>

namespace daedalus::expr {

/// Two groups of expressions; the second can be left out of an evaluation, and shares what the first has computed.
class StraightLine {
public:
    /// Leaves are variables 0 … leaves − 1, without derivatives, and constants.
    StraightLine(const Graph& graph, int leaves, std::span<const NodeId> first, std::span<const NodeId> second);

    /// `memory` has size() places, the first of which are the leaves.
    [[nodiscard]] std::size_t size() const { return initial_.size(); }
    /// Memory with the constants in place.
    void prepare(double* memory) const;
    void run_first(double* memory) const { run(0, split_, memory); }
    void run_second(double* memory) const { run(split_, steps_.size(), memory); }
    [[nodiscard]] double first(std::size_t k, const double* memory) const { return memory[first_[k]]; }
    /// The same for the same operations.
    [[nodiscard]] std::string text() const;
    [[nodiscard]] double second(std::size_t k, const double* memory) const { return memory[second_[k]]; }

private:
    struct Step {
        Op op = Op::constant;
        std::uint32_t d = 0, a = 0, b = 0, c = 0; ///< of a call, a: its place in calls_
    };
    struct Called {
        std::shared_ptr<const Routine> routine;
        int output = 0;
        std::vector<std::uint32_t> operands;
    };
    void run(std::size_t begin, std::size_t end, double* memory) const;

    std::vector<double> initial_;
    std::vector<Step> steps_;
    std::vector<Called> calls_;
    std::size_t split_ = 0;
    std::vector<std::uint32_t> first_, second_;
};

} // namespace daedalus::expr
