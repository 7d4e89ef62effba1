#include "transform/open_variables.hpp"

#include "expr/differentiate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace daedalus::transform {

namespace {

using expr::NodeId;
using expr::Op;

class Examination {
public:
    Examination(const model::Model& model, const std::vector<int>& open) : m_(model), g_(*model.graph) {
        for (std::size_t k = 0; k < open.size(); ++k) place_.emplace(open[k], k);
        result_.defined.assign(open.size(), 0);
    }

    OpenVariables run() {
        for (std::size_t i = 0; i < m_.equations.size(); ++i) equation(static_cast<int>(i));
        events();
        return std::move(result_);
    }

private:
    [[nodiscard]] bool is_open(NodeId node) const {
        return g_.op(node) == Op::variable && place_.contains(g_.variable_id(node));
    }
    [[nodiscard]] std::optional<int> open_below(NodeId expression) const {
        const NodeId roots[] = {expression};
        for (const NodeId node : g_.reachable(roots))
            if (is_open(node)) return g_.variable_id(node);
        return std::nullopt;
    }
    [[nodiscard]] bool has_derivative(NodeId expression) const {
        const NodeId roots[] = {expression};
        const auto below = g_.reachable(roots);
        return std::any_of(below.begin(), below.end(),
                           [&](NodeId n) { return g_.op(n) == Op::variable && g_.derivative_order(n) > 0; });
    }
    void refuse(int variable, std::string why) {
        if (!result_.refusal) result_.refusal = {variable, std::move(why)};
    }

    void equation(int row) {
        const model::Equation& e = m_.equations[static_cast<std::size_t>(row)];
        const NodeId residual = g_.sub(e.left, e.right);
        const bool differential = has_derivative(residual);
        if (!open_below(residual)) {
            const auto is_derivative = [&](NodeId side) {
                return g_.op(side) == Op::variable && g_.derivative_order(side) > 0;
            };
            if (!is_derivative(e.left) && !is_derivative(e.right)) result_.constraints.push_back(row);
            return;
        }
        for (const expr::Partial& p : expr::gradient(g_, residual)) {
            if (!is_open(p.leaf)) continue;
            if (open_below(p.value)) refuse(g_.variable_id(p.leaf), "it occurs nonlinearly in " + m_.text(e, 120));
        }
        bool defines = false;
        for (const auto& [side, other] : {std::pair(e.left, e.right), std::pair(e.right, e.left)})
            if (is_open(side) && !differential) {
                const NodeId roots[] = {other};
                const auto below = g_.reachable(roots);
                if (std::find(below.begin(), below.end(), side) != below.end()) continue;
                result_.defined[place_.at(g_.variable_id(side))] = 1;
                defines = true;
                break;
            }
        result_.act_on_motion = result_.act_on_motion || differential;
        result_.only_there = result_.only_there && (differential || defines);
    }

    // What happens at events would depend on the choice.
    void events() {
        std::vector<NodeId> list;
        for (const model::DiscreteVariable& v : m_.discrete) list.push_back(v.value);
        for (const model::Memory& memory : m_.memories) list.push_back(memory.value);
        for (const auto e : m_.past_expressions()) list.push_back(e);
        for (const model::Equation& e : m_.initial_equations) list.insert(list.end(), {e.left, e.right});
        for (const model::When& when : m_.clauses)
            for (const model::WhenBranch& branch : when.branches) {
                list.insert(list.end(), branch.conditions.begin(), branch.conditions.end());
                for (const auto& setting : branch.settings) list.push_back(setting.value);
                for (const auto& assertion : branch.assertions) list.push_back(assertion.holds);
                for (const auto& reinit : branch.reinits) list.insert(list.end(), {reinit.variable, reinit.value});
            }
        for (const NodeId e : list)
            if (const auto variable = open_below(e))
                refuse(*variable, "an event or an initial equation depends on it: " + m_.text(e, 120));
    }

    const model::Model& m_;
    expr::Graph& g_;
    std::unordered_map<int, std::size_t> place_;
    OpenVariables result_;
};

} // namespace

OpenVariables examine_open_variables(const model::Model& model, const std::vector<int>& open) {
    return Examination(model, open).run();
}

} // namespace daedalus::transform
