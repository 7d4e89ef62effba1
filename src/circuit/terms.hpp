// Expressions written as formulas: nodes of a graph with the operators of arithmetic.
#pragma once

#include "circuit/junctions.hpp"

namespace daedalus::circuit {

class Term {
public:
    Term(Assembly& a, NodeId node) : a_(&a), node_(node) {}
    Term(Assembly& a, double value) : a_(&a), node_(a.number(value)) {}
    operator NodeId() const { return node_; } // NOLINT(google-explicit-constructor): a node it is

    friend Term operator+(Term x, Term y) { return {*x.a_, x.graph().add(x.node_, y.node_)}; }
    friend Term operator-(Term x, Term y) { return {*x.a_, x.graph().sub(x.node_, y.node_)}; }
    friend Term operator*(Term x, Term y) { return {*x.a_, x.graph().mul(x.node_, y.node_)}; }
    friend Term operator/(Term x, Term y) { return {*x.a_, x.graph().div(x.node_, y.node_)}; }
    friend Term operator+(Term x, double y) { return x + Term(*x.a_, y); }
    friend Term operator-(Term x, double y) { return x - Term(*x.a_, y); }
    friend Term operator*(Term x, double y) { return Term(*x.a_, y) * x; }
    friend Term operator/(Term x, double y) { return Term(*x.a_, 1.0 / y) * x; }
    friend Term operator+(double x, Term y) { return Term(*y.a_, x) + y; }
    friend Term operator-(double x, Term y) { return Term(*y.a_, x) - y; }
    friend Term operator*(double x, Term y) { return Term(*y.a_, x) * y; }
    friend Term operator/(double x, Term y) { return Term(*y.a_, x) / y; }
    friend Term operator-(Term x) { return {*x.a_, x.graph().neg(x.node_)}; }

    friend Term exp(Term x) { return x.unary(Op::exp); }
    friend Term log(Term x) { return x.unary(Op::log); }
    friend Term sqrt(Term x) { return x.unary(Op::sqrt); }
    friend Term pow(Term x, double y) { return {*x.a_, x.graph().pow(x.node_, x.a_->number(y))}; }
    friend Term square(Term x) { return x * x; }
    /// Without events; where both are equal the slope is that of the first.
    friend Term least(Term x, Term y) { return {*x.a_, smooth_min(*x.a_, x.node_, y.node_)}; }
    friend Term largest(Term x, Term y) { return {*x.a_, smooth_max(*x.a_, x.node_, y.node_)}; }
    friend Term least(Term x, double y) { return least(x, Term(*x.a_, y)); }
    friend Term largest(Term x, double y) { return largest(x, Term(*x.a_, y)); }
    friend Term least(double x, Term y) { return least(Term(*y.a_, x), y); }
    friend Term largest(double x, Term y) { return largest(Term(*y.a_, x), y); }

private:
    [[nodiscard]] expr::Graph& graph() const { return a_->graph(); }
    [[nodiscard]] Term unary(Op op) const { return {*a_, graph().unary(op, node_)}; }
    Assembly* a_;
    NodeId node_;
};

} // namespace daedalus::circuit
