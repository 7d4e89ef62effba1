#include "transform/time_constants.hpp"

#include "expr/substitute.hpp"

#include <algorithm>
#include <unordered_map>

namespace daedalus::transform {

namespace {

using expr::Graph;
using expr::Op;

class Search {
public:
    Search(const System& system, const ReducedSystem& reduced)
        : s_(system), r_(reduced), constant_(system.variables.size(), 0) {}

    /// Per column. Blocks come in solving order, yet undifferentiated variables may occur before their turn: rounds.
    std::vector<char> run() {
        constexpr int most_rounds = 20; // one too few only leaves a constant among the unknowns
        bool changed = true;
        for (int round = 0; round < most_rounds && changed; ++round) {
            changed = false;
            for (int b = 0; b < r_.blocks.count(); ++b) {
                const auto columns = r_.blocks.variables(b);
                if (constant_[static_cast<std::size_t>(columns[0])] || !is_constant(b)) continue;
                for (const int j : columns) constant_[static_cast<std::size_t>(j)] = 1;
                changed = true;
            }
        }
        return std::move(constant_);
    }

private:
    [[nodiscard]] bool is_constant(int block) const {
        const auto rows = r_.blocks.equations(block);
        const auto columns = r_.blocks.variables(block);
        if (!s_.model->clauses.empty() &&
            std::any_of(columns.begin(), columns.end(), [&](int j) { return is_reset(j); }))
            return false;
        return std::all_of(rows.begin(), rows.end(), [&](int i) { return is_constant_row(i, block); });
    }

    [[nodiscard]] bool is_constant_row(int i, int block) const {
        const auto columns = r_.sigma.variables_of(i);
        const auto orders = r_.sigma.orders_of(i);
        bool differentiated = false;
        for (std::size_t k = 0; k < columns.size(); ++k) {
            const auto j = static_cast<std::size_t>(columns[k]);
            if (constant_[j]) continue;
            if (r_.blocks.block_of_variable[j] != block) return false;
            differentiated = differentiated || orders[k] > 0;
        }
        const Graph& g = s_.graph();
        const NodeId residual = s_.residual(i);
        if (differentiated) return g.op(residual) == Op::variable && g.derivative_order(residual) == 1; // x' = 0
        const NodeId roots[] = {residual};
        const std::vector<NodeId> below = g.reachable(roots);
        return std::none_of(below.begin(), below.end(),
                            [&](NodeId n) { return g.op(n) == Op::time || changes_at_events(n); });
    }

    // The value of a discrete variable.
    [[nodiscard]] bool changes_at_events(NodeId node) const {
        if (s_.graph().op(node) != Op::parameter) return false;
        const auto id = static_cast<std::size_t>(s_.graph().parameter_id(node));
        return id < s_.model->parameters.size() && s_.model->parameters[id].is_held;
    }

    // x' = 0 between events, but an event sets x, or something that x is another name for.
    [[nodiscard]] bool is_reset(int column) const {
        const Graph& g = s_.graph();
        const int variable = s_.variables[static_cast<std::size_t>(column)];
        const auto mentions = [&](NodeId expression) {
            const NodeId roots[] = {expression};
            const std::vector<NodeId> below = g.reachable(roots);
            return std::any_of(below.begin(), below.end(),
                               [&](NodeId n) { return g.op(n) == Op::variable && g.variable_id(n) == variable; });
        };
        const auto resets = [&](const model::WhenBranch::Reinit& reinit) {
            const auto e = std::find_if(s_.eliminations.begin(), s_.eliminations.end(), [&](const Elimination& one) {
                return one.variable == g.variable_id(reinit.variable);
            });
            return mentions(e == s_.eliminations.end() ? reinit.variable : e->value);
        };
        for (const model::When& when : s_.model->clauses)
            for (const model::WhenBranch& branch : when.branches)
                if (std::any_of(branch.reinits.begin(), branch.reinits.end(), resets)) return true;
        return false;
    }

    const System& s_;
    const ReducedSystem& r_;
    std::vector<char> constant_;
};

} // namespace

std::optional<TimeConstants> hold_time_constants(System& system, const ReducedSystem& reduced) {
    const std::vector<char> constant = Search(system, reduced).run();
    const auto count = std::count(constant.begin(), constant.end(), 1);
    if (count == 0 || count == static_cast<std::ptrdiff_t>(constant.size())) return std::nullopt;
    Graph& g = system.graph();
    TimeConstants result;
    result.system = system;
    result.system.variables.clear();
    std::unordered_map<int, NodeId> leaf; // by variable
    for (std::size_t j = 0; j < constant.size(); ++j) {
        const int variable = system.variables[j];
        if (!constant[j]) {
            result.system.variables.push_back(variable);
            continue;
        }
        const auto parameter = static_cast<int>(result.system.parameters.size());
        system.held.push_back({variable, parameter});
        leaf.emplace(variable, g.parameter(parameter));
        result.system.parameters.push_back(0.0); // until the start is known
    }
    expr::Substitution hold(g, [&](NodeId node) {
        if (g.op(node) != Op::variable) return node;
        const auto it = leaf.find(g.variable_id(node));
        if (it == leaf.end()) return node;
        return g.derivative_order(node) > 0 ? g.constant(0.0) : it->second;
    });
    result.system.held = system.held;
    result.system.equations.clear();
    std::vector<int> new_row(system.equations.size(), -1);
    for (int b = 0; b < reduced.blocks.count(); ++b)
        if (!constant[static_cast<std::size_t>(reduced.blocks.variables(b)[0])])
            for (const int i : reduced.blocks.equations(b)) new_row[static_cast<std::size_t>(i)] = 0;
    for (std::size_t i = 0; i < system.equations.size(); ++i) {
        if (new_row[i] < 0) {
            result.settled.push_back({static_cast<int>(i), 0, hold(system.residual(static_cast<int>(i)))});
            continue;
        }
        new_row[i] = static_cast<int>(result.rows.size());
        result.rows.push_back(static_cast<int>(i));
        SystemEquation e = system.equations[i];
        e.left = hold(e.left);
        e.right = hold(e.right);
        result.system.equations.push_back(std::move(e));
    }
    for (Elimination& e : result.system.eliminations) e.value = hold(e.value);
    const auto differentiated = [&](NodeId residual) {
        const NodeId roots[] = {residual};
        const auto below = g.reachable(roots);
        return std::any_of(below.begin(), below.end(),
                           [&](NodeId n) { return g.op(n) == Op::variable && g.derivative_order(n) > 0; });
    };
    for (System::Replaced& old : result.system.replaced) {
        const int row = old.row;
        old.residual = hold(old.residual);
        old.row = new_row[static_cast<std::size_t>(row)];
        // What took its place never varies; the equation is checked all the same.
        if (old.row < 0 && !differentiated(old.residual)) result.settled.push_back({row, 0, old.residual});
    }
    std::erase_if(result.system.replaced, [](const System::Replaced& old) { return old.row < 0; });
    for (const System::Held& h : system.held)
        result.system.eliminations.push_back({h.variable, g.parameter(h.parameter), -1});
    return result;
}

} // namespace daedalus::transform
