// How the façade's implementation sees what its public types hide.
#pragma once

#include "daedalus/compiled_model.hpp"
#include "daedalus/expression.hpp"
#include "daedalus/model.hpp"
#include "daedalus/solution.hpp"
#include "expr/graph.hpp"
#include "model/model.hpp"
#include "simulation/compilations.hpp"
#include "simulation/record.hpp"

namespace daedalus {

struct Expression::Access {
    static expr::Graph* graph(const Expression& e) { return static_cast<expr::Graph*>(e.graph_); }
    static double value(const Expression& e) { return e.value_; }
    /// The node, made of the number where there is no graph yet.
    static expr::NodeId node(const Expression& e, expr::Graph& g) {
        return e.graph_ ? expr::NodeId{e.node_} : g.constant(e.value_);
    }
    static Expression make(expr::Graph& g, expr::NodeId node) {
        Expression e;
        e.graph_ = &g;
        e.node_ = expr::index(node);
        return e;
    }
};

struct Model::Impl {
    std::shared_ptr<model::Model> model = std::make_shared<model::Model>();
};

struct CompiledModel::Impl {
    explicit Impl(std::shared_ptr<const model::Model> model) : compilations(std::move(model)) {}
    simulation::Compilations compilations;
};

struct Solution::Impl : simulation::Record {};

} // namespace daedalus
