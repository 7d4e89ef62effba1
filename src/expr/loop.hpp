// A loop that runs as long as a condition of its own variables holds:
//
//     s := initial(inputs);   while condition(inputs, s) loop s := update(inputs, s); end while;
//
// Its outputs are the variables s at the end. The derivative by an input is a loop again, in which each s_i is
// accompanied by its tangent: d := Σ ∂update/∂s d + ∂update/∂input, while the condition is that of the original. So
// derivatives are those of the computation as it ran (algorithmic differentiation, forward mode: Griewank and Walther,
// Evaluating Derivatives, 2008, chapter 3), to any order. Of an iteration they are as exact as its values: for x by
// Newton's method they converge one step behind, and where no step is needed they are those of the first guess.
#pragma once

#include "expr/routine.hpp"
#include "expr/straight_line.hpp"

#include <map>
#include <mutex>

namespace daedalus::expr {

/// Expressions of variables 0 … inputs − 1, the inputs, and from there on the loop's own variables.
struct LoopBody {
    Graph graph;
    int inputs = 0;
    std::vector<NodeId> initial; ///< of inputs alone
    NodeId condition = no_node;
    std::vector<NodeId> update;
    std::string name;

    [[nodiscard]] NodeId own(std::size_t i) { return graph.variable(inputs + static_cast<int>(i)); }
};

class Loop final : public Routine {
public:
    explicit Loop(LoopBody body);
    [[nodiscard]] int inputs() const override { return body_.inputs; }
    [[nodiscard]] int outputs() const override { return static_cast<int>(body_.update.size()); }
    void run(const double* in, double* out) const override;
    [[nodiscard]] NodeId partial(Graph& graph, NodeId self, int k) const override;
    [[nodiscard]] std::string name() const override { return body_.name; }
    [[nodiscard]] std::string text() const override;

private:
    struct Tangent {
        std::shared_ptr<const Loop> loop;
        std::vector<int> output; ///< of the tangent of variable i, or −1: it is zero
    };
    [[nodiscard]] const Tangent& tangent(int input) const;
    [[nodiscard]] Tangent make_tangent(int input) const;

    LoopBody body_;
    StraightLine start_, step_;
    mutable std::mutex mutex_;
    mutable std::map<int, Tangent> tangents_;
};

} // namespace daedalus::expr
