// The root u of f(inputs, u) = 0 between two bounds, which are the first two inputs and between which f changes its
// sign. Its value comes from bisection and inverse quadratic interpolation (Brent, Algorithms for Minimization without
// Derivatives, 1973, chapter 4), its derivative from the equation: du/dp = −(∂f/∂p) / (∂f/∂u) at u. What such a search
// computes on its way has no meaningful derivative, since the bounds do not depend on p.
#pragma once

#include "expr/routine.hpp"
#include "expr/straight_line.hpp"

#include <map>
#include <mutex>

namespace daedalus::expr {

class Root final : public Routine {
public:
    /// `residual`: of variables 0 … inputs − 1 and, behind them, u.
    Root(Graph graph, int inputs, NodeId residual, std::string name);
    [[nodiscard]] int inputs() const override { return inputs_; }
    [[nodiscard]] int outputs() const override { return 1; }
    void run(const double* in, double* out) const override;
    [[nodiscard]] NodeId partial(Graph& graph, NodeId self, int k) const override;
    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] std::string text() const override { return "root" + line_.text(); }

private:
    int inputs_;
    std::string name_;
    StraightLine line_;
    mutable std::mutex mutex_; ///< for the graph, in which derivatives are made
    mutable Graph graph_;
    NodeId residual_;
};

} // namespace daedalus::expr
