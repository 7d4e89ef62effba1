// A value of the past as an operation of expressions: u(θ) of the history that a run keeps (base/history.hpp).
//
// Operands: the number of the history, the stretch of it that is read, θ, and the value before the start. To every pass
// u is a function of θ that is known, with the derivatives of the history: du(θ) = u'(θ) dθ. Before the start (stretch
// 0) it is the constant that the last operand says, which is an unknown of the start.
#pragma once

#include "expr/routine.hpp"

#include <mutex>

namespace daedalus::expr {

class Delayed final : public Routine {
public:
    enum Operand { history, stretch, argument, before_start, operands };
    Delayed(std::size_t quantity, int order) : quantity_(quantity), order_(order) {}
    [[nodiscard]] int inputs() const override { return operands; }
    /// The value; and its derivative by the value before the start.
    [[nodiscard]] int outputs() const override { return 2; }
    void run(const double* in, double* out) const override;
    [[nodiscard]] NodeId partial(Graph& graph, NodeId self, int k) const override;
    [[nodiscard]] std::string name() const override { return "delay"; }
    [[nodiscard]] std::string text() const override {
        return "delayed " + std::to_string(quantity_) + " " + std::to_string(order_);
    }
    [[nodiscard]] std::size_t quantity() const { return quantity_; }
    [[nodiscard]] int order() const { return order_; }

private:
    std::size_t quantity_;
    int order_;
    mutable std::mutex mutex_;
    mutable std::shared_ptr<const Delayed> slope_; ///< one for all, so that equal calls are one node
};

/// Null where the node is no delayed value.
[[nodiscard]] const Delayed* delayed(const Graph& graph, NodeId node);

} // namespace daedalus::expr
