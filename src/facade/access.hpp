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

#include <memory>
#include <stdexcept>

namespace daedalus {

struct Expression::Access {
    using Graph = std::shared_ptr<expr::Graph>;
    static Graph graph(const Expression& e) { return std::static_pointer_cast<expr::Graph>(e.graph_); }
    static double value(const Expression& e) { return e.value_; }
    /// The node, made of the number where there is no graph yet. Throws where the expression is of another graph.
    static expr::NodeId node(const Expression& e, expr::Graph& g) {
        if (!e.graph_) return g.constant(e.value_);
        if (e.graph_.get() != &g)
            throw std::invalid_argument("an expression of one model is used in another one: variables, parameters and "
                                        "time belong to the model that made them");
        return expr::NodeId{e.node_};
    }
    /// The same in a copy of its graph, where nodes have the numbers that they had.
    static expr::NodeId node_in_copy(const Expression& e, expr::Graph& copy) {
        return e.graph_ ? expr::NodeId{e.node_} : copy.constant(e.value_);
    }
    static Expression make(const Graph& g, expr::NodeId node) {
        Expression e;
        e.graph_ = g;
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
