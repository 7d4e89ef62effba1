// What loops (loops.cpp) and functions with derivatives of their own (derivative_functions.cpp) have in common: a part
// of a function is executed with leaves in the place of what varies, and what comes of it is taken out of the model's
// graph.
#pragma once

#include "modelica/translator.hpp"

namespace daedalus::modelica {

/// All numbers of a value, in one order; records are copied before they change.
void each_number(Quantity& q, const std::function<void(expr::NodeId&, Kind)>& f);

/// Expressions in a graph of their own, of numbered variables: inputs first, behind them the own variables. What does
/// not depend on own variables is an input: it is computed outside.
struct Enclosed {
    expr::Graph graph;
    std::vector<expr::NodeId> inputs; ///< outside
    std::vector<expr::NodeId> roots;  ///< inside
};
[[nodiscard]] Enclosed enclose(const expr::Graph& g, const std::vector<expr::NodeId>& roots,
                               const std::vector<expr::NodeId>& own, std::vector<expr::NodeId> first_inputs);

/// The loop while it is being translated: its own variables, and what they become.
class Translator::OpenLoop {
public:
    explicit OpenLoop(Translator& t) : t_(t), g_(t.g_) {}

    expr::NodeId own(expr::NodeId initial) {
        const expr::NodeId leaf = g_.variable(first_loop_variable + t_.loop_variables_++);
        place_.emplace(expr::index(leaf), own_.size());
        own_.push_back({leaf, initial, leaf});
        return leaf;
    }
    [[nodiscard]] std::size_t number_of(expr::NodeId own) const { return place_.at(expr::index(own)); }
    void becomes(expr::NodeId own, expr::NodeId value) { own_[number_of(own)].update = value; }
    /// The values at the end of the own variables, in the order of their making.
    std::vector<expr::NodeId> close(expr::NodeId condition, const std::string& name);

    std::vector<AssertedInside> asserted;

private:
    struct Own {
        expr::NodeId leaf, initial, update;
    };
    void drop_unchanged(expr::NodeId& condition);

    Translator& t_;
    expr::Graph& g_;
    std::vector<Own> own_;
    std::unordered_map<std::uint32_t, std::size_t> place_;
};

} // namespace daedalus::modelica
