// How the façade's implementation sees what its public types hide.
#pragma once

#include "daedalus/expression.hpp"
#include "daedalus/model.hpp"
#include "daedalus/solution.hpp"
#include "expr/graph.hpp"
#include "model/model.hpp"
#include "output/report_data.hpp"
#include "output/trajectory.hpp"

#include <optional>

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

struct Solution::Impl {
    Outcome outcome = Outcome::failed;
    std::string message;
    std::vector<std::string> start_notes; ///< what had to be changed to start at all
    output::Trajectory trajectory;
    output::ReportData report;
    std::vector<std::string> names;
    std::vector<ResidualSummary> residuals;
    double largest_residual = 0.0;
    double residual_in_tolerances = 0.0;
    bool integrand_failed = false; ///< a quadrature's: the whole system can say more about it
    bool traces_failed = false;    ///< so it may be: variables below the absolute tolerance that was chosen
    /// What derivative arrays might mend, where structure was relied on: a constraint that it does not show, or a start
    /// or run that failed.
    std::optional<Diagnostic> misled;
    bool hidden = false; ///< the first of these: nothing was integrated
    int index = 0;       ///< of the model: by structure, or by derivative arrays where these were used (-1: undecided)
};

} // namespace daedalus
