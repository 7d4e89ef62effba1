// What is computed of several numbers but is no finite expression: a loop whose end depends on them (loop.hpp), the
// root of an equation (root.hpp). In a graph an output of a routine is one node, Op::call, that has as many operands as
// the routine has inputs. Its derivatives are expressions again, with calls of further routines in them: so Jacobians,
// index reduction and every other pass treat it like any operation.
#pragma once

#include "expr/graph.hpp"

#include <string>

namespace daedalus::expr {

class Routine {
public:
    virtual ~Routine() = default;
    [[nodiscard]] virtual int inputs() const = 0;
    [[nodiscard]] virtual int outputs() const = 0;
    /// Never fails: what cannot be computed is NaN. May run in many threads at once.
    virtual void run(const double* in, double* out) const = 0;
    /// ∂self/∂(operand k) of a call `self` of this routine.
    [[nodiscard]] virtual NodeId partial(Graph& graph, NodeId self, int k) const = 0;
    /// As it is shown: "the loop of Modelica.Media.f".
    [[nodiscard]] virtual std::string name() const = 0;
    /// The same for the same computation, whatever graph it is in: for digests of models.
    [[nodiscard]] virtual std::string text() const = 0;
};

} // namespace daedalus::expr
