// A value of the past as an operation of expressions: u(θ) of the history that a run keeps (base/history.hpp).
//
// Operands: the number of the history, the stretch of it that is read, θ, the value before the start, and du/dθ there.
// To every pass u is a function of θ that is known, with the derivatives of the history: du(θ) = u'(θ) dθ. Before the
// start (stretch 0) it is the constant that the last operand says: of a delay an unknown of the start, of what is
// transported what lies at that end at first, and its slope. θ is a time there and a place here.
#pragma once

#include "base/history.hpp"
#include "expr/routine.hpp"

#include <mutex>

namespace daedalus::expr {

class Delayed final : public Routine {
public:
    enum Operand { history, stretch, argument, before_start, slope_before, operands };
    Delayed(Past past, int order) : past_(past), order_(order) {}
    [[nodiscard]] int inputs() const override { return operands; }
    /// The value; and its derivative by the value before the start.
    [[nodiscard]] int outputs() const override { return 2; }
    void run(const double* in, double* out) const override;
    [[nodiscard]] NodeId partial(Graph& graph, NodeId self, int k) const override;
    [[nodiscard]] std::string name() const override {
        return past_.kind == Past::Kind::delayed ? "delay" : "spatialDistribution";
    }
    [[nodiscard]] std::string text() const override {
        return (past_.kind == Past::Kind::delayed ? "delayed " : "transported ") + std::to_string(past_.index) + " " +
               std::to_string(order_);
    }
    [[nodiscard]] Past past() const { return past_; }
    [[nodiscard]] int order() const { return order_; }

private:
    Past past_;
    int order_;
    mutable std::mutex mutex_;
    mutable std::shared_ptr<const Delayed> slope_; ///< one for all, so that equal calls are one node
};

/// Null where the node is no delayed value.
[[nodiscard]] const Delayed* delayed(const Graph& graph, NodeId node);

} // namespace daedalus::expr
