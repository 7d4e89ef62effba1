// How the façade's implementation sees what its public types hide.
#pragma once

#include "daedalus/compiled_model.hpp"
#include "daedalus/expression.hpp"
#include "daedalus/model.hpp"
#include "daedalus/solution.hpp"
#include "expr/graph.hpp"
#include "facade/motion.hpp"
#include "model/model.hpp"
#include "simulation/compilations.hpp"
#include "simulation/record.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>

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
    std::shared_ptr<const mechanics::Scene> scene = {}; ///< of a mechanism
};

struct CompiledModel::Impl {
    explicit Impl(std::shared_ptr<const model::Model> model, std::shared_ptr<const mechanics::Scene> seen = {})
        : compilations(std::move(model)), scene(std::move(seen)) {}
    simulation::Compilations compilations;
    std::shared_ptr<const mechanics::Scene> scene;
};

/// What a run left behind. Output points that wait are found when somebody asks first; that may be another thread, so
/// the record with them is another one, and what was referred to before stays where it is.
struct Solution::Impl {
    explicit Impl(simulation::Record record, facade::Show seen = {})
        : show(std::move(seen)), known_(std::move(record)) {}
    const facade::Show show; ///< empty: there is nothing to be seen moving
    /// As far as it is known.
    [[nodiscard]] const simulation::Record& record() const {
        const simulation::Record* all = delivered_.load(std::memory_order_acquire);
        return all != nullptr ? *all : known_;
    }
    /// With all output points.
    [[nodiscard]] const simulation::Record& with_points() const;
    [[nodiscard]] const std::vector<std::string>& names() const;
    [[nodiscard]] const std::vector<ResidualSummary>& residuals() const;

private:
    const simulation::Record known_;
    mutable std::once_flag once_;
    mutable std::optional<simulation::Record> whole_;
    mutable std::atomic<const simulation::Record*> delivered_ = nullptr;
    // Lists of what the record has, made for those who ask.
    mutable std::once_flag names_once_, residuals_once_;
    mutable std::vector<std::string> names_;
    mutable std::vector<ResidualSummary> residuals_;
};

} // namespace daedalus
