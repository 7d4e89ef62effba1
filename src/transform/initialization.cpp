#include "transform/initialization.hpp"

#include "expr/evaluate.hpp"
#include "expr/substitute.hpp"
#include "transform/guess_propagation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace daedalus::transform {

namespace {

using expr::Graph;
using expr::Op;
using problem::Strength;

void apply_number(problem::InitialUnknown& u, InitialNumber::Field field, double value) {
    switch (field) {
    case InitialNumber::Field::start: u.start = value; break;
    case InitialNumber::Field::nominal: u.nominal = std::abs(value); break;
    case InitialNumber::Field::size: u.size = std::abs(value); break;
    case InitialNumber::Field::min: u.min = std::max(u.min, value); break;
    case InitialNumber::Field::max: u.max = std::min(u.max, value); break;
    }
}

/// Of expressions in parameters.
std::vector<double> numbers_of(const Graph& g, std::span<const NodeId> expressions,
                               std::span<const double> parameters) {
    return expr::evaluate(g, expressions, [&](NodeId leaf) {
        return g.op(leaf) == Op::parameter ? parameters[static_cast<std::size_t>(g.parameter_id(leaf))] : 0.0;
    });
}

class Builder {
public:
    Builder(const System& system, const ReducedSystem& reduced)
        : s_(system), r_(reduced), g_(system.graph()), ddt_(g_) {
        for (const Elimination& e : s_.eliminations) eliminated_.emplace(e.variable, e.value);
        // All at once: along a chain of bodies each start value contains those before it.
        std::vector<NodeId> said;
        for (const model::Variable& v : s_.model->variables)
            for (const NodeId e : {v.start, v.nominal, v.min, v.max})
                if (e != expr::no_node) said.push_back(e);
        const std::vector<double> values = numbers_of(g_, said, s_.parameters);
        for (std::size_t k = 0; k < said.size(); ++k) numbers_.emplace(said[k], values[k]);
    }

    InitialSystem run(const std::vector<GivenStart>& given, bool steady_state) {
        for (std::size_t j = 0; j < s_.variables.size(); ++j)
            for (int k = 0; k <= r_.analysis.d[j]; ++k) add_unknown(s_.variables[j], k, k == r_.analysis.d[j]);
        for (const DifferentiatedEquation& e : r_.equations) out_.rows.push_back({e.residual, e.row, e.order, -1, -1});
        add_initial_equations();
        give_derivatives_nominal_values();
        for (const Elimination& e : s_.eliminations) take_over(e);
        if (steady_state) demand_steady_state();
        for (std::size_t k = 0; k < given.size(); ++k) apply(given[k], static_cast<int>(k));
        return std::move(out_);
    }

private:
    [[nodiscard]] double number(NodeId expression) const { return numbers_.at(expression); }

    void add_unknown(int variable, int order, bool leading) {
        out_.unknowns.push_back({variable, order});
        problem::InitialUnknown u;
        u.derivative = order;
        out_.data.push_back(u);
        if (order == 0)
            set_attributes(out_.data.size() - 1, s_.model->variables[static_cast<std::size_t>(variable)], 1.0, leading);
    }

    // Leading derivatives and multipliers follow from the rest: their start values only help the iteration.
    void set_attributes(std::size_t i, const model::Variable& v, double sign, bool leading) {
        problem::InitialUnknown& u = out_.data[i];
        const auto set = [&](InitialNumber::Field field, NodeId expression) {
            out_.numbers.push_back({out_.unknowns[i], field, expression, sign});
            apply_number(u, field, sign * (expression == expr::no_node ? 0.0 : number(expression)));
        };
        using enum InitialNumber::Field;
        if (v.start != expr::no_node && u.strength < Strength::fixed) {
            set(start, v.start);
            u.strength = v.fixed ? Strength::fixed : leading || v.is_parameter ? Strength::guess : Strength::preferred;
        } else if (v.fixed && u.strength < Strength::fixed) {
            set(start, expr::no_node); // Modelica's default start
            u.strength = Strength::fixed;
        }
        if (v.nominal != expr::no_node) set(nominal, v.nominal);
        const bool flip = sign < 0;
        const NodeId lower = flip ? v.max : v.min, upper = flip ? v.min : v.max;
        if (lower != expr::no_node) set(min, lower);
        if (upper != expr::no_node) set(max, upper);
    }

    // A derivative that is no variable of the model has the unit of its variable, per unit of time: with 1 in its place
    // a row in which it stands would be judged by terms that are many powers of ten larger than its own. Where no
    // nominal value is given, the start value tells the size of both.
    void give_derivatives_nominal_values() {
        std::set<int> named;
        for (const Elimination& e : s_.eliminations)
            if (const auto target = leaf_of(e.value)) named.insert(target->first);
        for (std::size_t i = 0; i < out_.unknowns.size(); ++i) {
            const JetEntry& entry = out_.unknowns[i];
            const model::Variable& v = s_.model->variables[static_cast<std::size_t>(entry.variable)];
            const auto set = [&](InitialNumber::Field field, NodeId expression) {
                if (expression == expr::no_node) return;
                out_.numbers.push_back({entry, field, expression, 1.0});
                apply_number(out_.data[i], field, number(expression));
            };
            set(InitialNumber::Field::size, v.start);
            if (entry.order > 0 && !named.contains(static_cast<int>(i))) set(InitialNumber::Field::nominal, v.nominal);
        }
    }

    // value^(k) of an eliminated variable, in the variables that are left.
    NodeId value_of(int variable, int order) {
        NodeId v = eliminated_.at(variable);
        for (int k = 0; k < order; ++k) v = ddt_(v);
        return v;
    }

    void add_initial_equations() {
        expr::Substitution substitute(g_, [this](NodeId leaf) {
            if (g_.op(leaf) != Op::variable || !eliminated_.contains(g_.variable_id(leaf))) return leaf;
            return value_of(g_.variable_id(leaf), g_.derivative_order(leaf));
        });
        for (std::size_t i = 0; i < s_.model->initial_equations.size(); ++i) {
            const model::Equation& e = s_.model->initial_equations[i];
            const NodeId residual = substitute(g_.sub(e.left, e.right));
            // A derivative above those in the differentiated equations becomes one more unknown.
            const NodeId roots[] = {residual};
            for (const NodeId node : g_.reachable(roots))
                if (g_.op(node) == Op::variable)
                    if (const JetEntry entry{g_.variable_id(node), g_.derivative_order(node)}; out_.unknown(entry) < 0)
                        insert(entry);
            out_.rows.push_back({residual, -1, 0, static_cast<int>(i), -1});
        }
    }

    void insert(const JetEntry& entry) {
        const auto at = std::lower_bound(out_.unknowns.begin(), out_.unknowns.end(), entry) - out_.unknowns.begin();
        out_.unknowns.insert(out_.unknowns.begin() + at, entry);
        problem::InitialUnknown u;
        u.derivative = entry.order;
        out_.data.insert(out_.data.begin() + at, u);
    }

    // What was said about an eliminated variable now concerns what it stands for.
    void take_over(const Elimination& e) {
        const model::Variable& v = s_.model->variables[static_cast<std::size_t>(e.variable)];
        if (const auto target = leaf_of(e.value)) {
            const auto [i, sign] = *target;
            problem::InitialUnknown& u = out_.data[static_cast<std::size_t>(i)];
            if (!(v.fixed && u.strength == Strength::fixed)) {
                if (v.start != expr::no_node && (v.fixed || u.strength < Strength::guess || is_order_above_zero(i)))
                    set_attributes(static_cast<std::size_t>(i), v, sign, is_leading(i));
                return;
            }
        }
        if (v.fixed) {
            const NodeId start = v.start == expr::no_node ? g_.constant(0.0) : v.start;
            out_.rows.push_back({g_.sub(e.value, start), -1, 0, -1, e.variable});
        }
    }

    [[nodiscard]] bool is_order_above_zero(int i) const { return out_.unknowns[static_cast<std::size_t>(i)].order > 0; }
    [[nodiscard]] bool is_leading(int i) const {
        const auto next = static_cast<std::size_t>(i) + 1;
        return next == out_.unknowns.size() ||
               out_.unknowns[next].variable != out_.unknowns[static_cast<std::size_t>(i)].variable;
    }

    [[nodiscard]] std::optional<std::pair<int, double>> leaf_of(NodeId value) const {
        const bool negative = g_.op(value) == Op::neg;
        const NodeId leaf = negative ? g_.operand(value, 0) : value;
        if (g_.op(leaf) != Op::variable) return std::nullopt;
        const int i = out_.unknown({g_.variable_id(leaf), g_.derivative_order(leaf)});
        if (i < 0) return std::nullopt;
        return std::pair(i, negative ? -1.0 : 1.0);
    }

    void apply(const GivenStart& start, int number_of_start) {
        int i = out_.unknown(start.entry);
        double sign = 1.0;
        if (eliminated_.contains(start.entry.variable)) {
            const NodeId value = value_of(start.entry.variable, start.entry.order);
            if (const auto target = leaf_of(value)) {
                i = target->first;
                sign = target->second;
            } else if (start.strength == Strength::fixed) {
                out_.rows.push_back({g_.sub(value, g_.constant(start.value)), -1, 0, -1, start.entry.variable});
                out_.starts_in_rows = true;
                return;
            }
        }
        if (i < 0) return;
        problem::InitialUnknown& u = out_.data[static_cast<std::size_t>(i)];
        out_.numbers.push_back({out_.unknowns[static_cast<std::size_t>(i)], InitialNumber::Field::start, expr::no_node,
                                sign, number_of_start});
        u.start = sign * start.value;
        u.strength = start.strength;
        u.origin = problem::StartOrigin::option;
    }

    // x' = … = x^(k) = 0 where the model mentions x^(k). Variables known in advance are inputs, not states.
    void demand_steady_state() {
        for (problem::InitialUnknown& u : out_.data)
            if (u.strength == Strength::fixed) u.strength = Strength::preferred;
        std::erase_if(out_.rows, [](const InitialRow& row) { return row.fixed_variable >= 0; });
        std::vector<NodeId> roots;
        for (const model::Equation& e : s_.model->equations) roots.insert(roots.end(), {e.left, e.right});
        for (const NodeId node : g_.reachable(roots)) {
            if (g_.op(node) != Op::variable) continue;
            const int variable = g_.variable_id(node);
            for (int k = 1; k <= g_.derivative_order(node); ++k) {
                int i = out_.unknown({variable, k});
                if (eliminated_.contains(variable)) {
                    const auto target = leaf_of(value_of(variable, k));
                    i = target ? target->first : -1;
                }
                if (i < 0) continue;
                problem::InitialUnknown& u = out_.data[static_cast<std::size_t>(i)];
                out_.numbers.push_back({out_.unknowns[static_cast<std::size_t>(i)]});
                u.start = 0.0;
                u.strength = Strength::fixed;
                u.origin = problem::StartOrigin::steady_state;
            }
        }
    }

    const System& s_;
    const ReducedSystem& r_;
    Graph& g_;
    expr::TimeDerivative ddt_;
    std::map<int, NodeId> eliminated_;
    std::map<NodeId, double> numbers_; ///< start, nominal and limiting values of the model's variables
    InitialSystem out_;
};

} // namespace

std::vector<problem::InitialUnknown> renumber(const InitialSystem& initial, const expr::Graph& graph,
                                              std::span<const double> parameters,
                                              const std::vector<GivenStart>& given) {
    std::vector<problem::InitialUnknown> data = initial.data;
    for (problem::InitialUnknown& u : data) {
        const problem::InitialUnknown unlimited;
        u.min = unlimited.min;
        u.max = unlimited.max;
    }
    std::vector<NodeId> said;
    for (const InitialNumber& n : initial.numbers)
        if (n.given < 0 && n.expression != expr::no_node) said.push_back(n.expression);
    const std::vector<double> values = numbers_of(graph, said, parameters);
    std::size_t next = 0;
    for (const InitialNumber& n : initial.numbers) {
        double value = 0.0;
        if (n.given >= 0)
            value = given[static_cast<std::size_t>(n.given)].value;
        else if (n.expression != expr::no_node)
            value = values[next++];
        apply_number(data[static_cast<std::size_t>(initial.unknown(n.entry))], n.field, n.sign * value);
    }
    return data;
}

int InitialSystem::unknown(const JetEntry& entry) const {
    // Ascending by (variable, order): columns are in the order of the model's variables.
    const auto it = std::lower_bound(unknowns.begin(), unknowns.end(), entry);
    return it != unknowns.end() && *it == entry ? static_cast<int>(it - unknowns.begin()) : -1;
}

InitialSystem initialize(const System& system, const ReducedSystem& reduced, const std::vector<GivenStart>& given,
                         double start_time, bool steady_state) {
    InitialSystem initial = Builder(system, reduced).run(given, steady_state);
    propagate_guesses(system, initial, start_time);
    return initial;
}

} // namespace daedalus::transform
