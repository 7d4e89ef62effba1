// A function together with derivatives that its author wrote, where those of what it computes would be those of an
// iteration, or of tables. Its inputs are those that the author counts as such; inputs of the second kind (parameters
// that its body mentions) come first and have the derivatives of the expression.
#pragma once

#include "expr/routine.hpp"
#include "expr/straight_line.hpp"

#include <map>
#include <mutex>

namespace daedalus::expr {

class FunctionWithDerivative final : public Routine {
public:
    struct Parts {
        Graph graph; ///< of variables 0 … inputs − 1
        int mentioned = 0, inputs = 0;
        std::vector<NodeId> values;
        std::map<int, std::vector<NodeId>> slopes; ///< by input, of each value; no entry: taken as constant
        std::string name;
    };
    explicit FunctionWithDerivative(Parts parts)
        : parts_(std::move(parts)), line_(parts_.graph, parts_.inputs, parts_.values, {}) {}
    [[nodiscard]] int inputs() const override { return parts_.inputs; }
    [[nodiscard]] int outputs() const override { return static_cast<int>(parts_.values.size()); }
    void run(const double* in, double* out) const override;
    [[nodiscard]] NodeId partial(Graph& graph, NodeId self, int k) const override;
    [[nodiscard]] std::string name() const override { return parts_.name; }
    [[nodiscard]] std::string text() const override { return "function" + parts_.name + line_.text(); }

private:
    mutable std::mutex mutex_; ///< for the graph, in which derivatives are made
    mutable Parts parts_;
    StraightLine line_;
};

} // namespace daedalus::expr
