#include "compile/stated_leading_term.hpp"

#include "elimination/dependent_rows.hpp"
#include "expr/evaluate.hpp"

#include <cmath>
#include <map>
#include <optional>
#include <random>

namespace daedalus::compile {

namespace {

using expr::NodeId;
using expr::Op;

using Rows = std::map<int, std::map<int, double>>;

/// A by q', and A D, at one point.
struct Matrices {
    Rows by_quantities, all, by_algebraic;
    bool finite = true;
};

Matrices matrices_at(const Compilation& c, const LeadingTerm& term, unsigned point) {
    Matrices m;
    const auto number = [&](NodeId e) {
        const double value = value_near_start(c, e, point);
        m.finite = m.finite && std::isfinite(value);
        return value;
    };
    Rows gradient;
    for (const LeadingTerm::Entry& e : term.gradients) gradient[e.row][e.column] = number(e.value);
    for (const LeadingTerm::Entry& e : term.by_algebraic) m.by_algebraic[e.row][e.column] = number(e.value);
    for (const LeadingTerm::Entry& e : term.by_unknowns) m.all[e.row][e.column] += number(e.value);
    for (const LeadingTerm::Entry& e : term.by_quantities) {
        const double value = number(e.value);
        m.by_quantities[e.row][e.column] = value;
        for (const auto& [unknown, slope] : gradient[e.column]) m.all[e.row][unknown] += value * slope;
    }
    return m;
}

/// Combinations of rows of A D that vanish, by the rows' numbers in G.
std::optional<std::vector<elimination::RowDependency>> dependencies(const Rows& matrix, int columns) {
    constexpr double exact = 1e-14; // relative errors of the entries: a few roundings
    std::vector<elimination::SparseRow<double>> rows;
    std::vector<int> number;
    for (const auto& [row, entries] : matrix) {
        auto& list = rows.emplace_back();
        for (const auto& [column, value] : entries) list.push_back({column, value});
        number.push_back(row);
    }
    elimination::DependentRows dependent = elimination::dependent_rows(rows, columns, exact);
    if (!dependent.decided) return std::nullopt;
    for (elimination::RowDependency& one : dependent.found)
        for (int& row : one.rows) row = number[static_cast<std::size_t>(row)];
    return std::move(dependent.found);
}

/// Columns that a combination of rows leaves.
std::vector<int> weighted(Rows& matrix, const elimination::RowDependency& rows) {
    constexpr double vanishing = 1e-8;             // of weights that an elimination found
    std::map<int, std::pair<double, double>> left; // Σ weight · entry, and the size of its terms
    for (std::size_t k = 0; k < rows.rows.size(); ++k)
        for (const auto& [column, value] : matrix[rows.rows[k]]) {
            left[column].first += rows.weights[k] * value;
            left[column].second += std::abs(rows.weights[k] * value);
        }
    std::vector<int> columns;
    for (const auto& [column, sum] : left)
        if (std::abs(sum.first) > vanishing * sum.second) columns.push_back(column);
    return columns;
}

} // namespace

std::vector<char> quantities_beyond_unknowns(const Compilation& c, const LeadingTerm& term) {
    constexpr unsigned points = 4;
    std::vector<char> flags(static_cast<std::size_t>(term.quantities), 0);
    bool decided = false;
    for (unsigned point = 0; point < points; ++point) {
        Matrices m = matrices_at(c, term, point);
        if (!m.finite) continue;
        const auto found = dependencies(m.all, static_cast<int>(c.formulation.unknowns.size()));
        if (!found) continue;
        decided = true;
        for (const elimination::RowDependency& one : *found) {
            if (!weighted(m.by_algebraic, one).empty()) continue;
            for (const int quantity : weighted(m.by_quantities, one)) flags[static_cast<std::size_t>(quantity)] = 1;
        }
    }
    return decided ? flags : std::vector<char>(flags.size(), 1);
}

double value_near_start(const Compilation& c, NodeId expression, unsigned point) {
    constexpr double share = 0.1; // of nominal values: within the domain of what has a value at the start
    const expr::Graph& g = c.system.graph();
    return expr::evaluate(g, expression, [&](NodeId leaf) {
        std::minstd_rand random(expr::index(leaf) * 7919U + point * 104729U + 1U);
        random.discard(3);
        const double any = std::uniform_real_distribution<double>(0.3, 1.4)(random);
        if (g.op(leaf) == Op::parameter) {
            const auto id = static_cast<std::size_t>(g.parameter_id(leaf));
            if (id >= c.first_mode) return std::round(0.6 * any);
            const bool known = id < c.model->parameters.size() && !c.model->parameters[id].is_held;
            return known ? c.parameters[id] : any; // others are found at the start, or changed by events
        }
        if (g.op(leaf) == Op::time) return c.start_time + share * any;
        const int u = c.initial.unknown({g.variable_id(leaf), g.derivative_order(leaf)});
        if (u < 0 || g.derivative_order(leaf) > 0) return any;
        const problem::InitialUnknown& from = c.initial.data[static_cast<std::size_t>(u)];
        return from.start + share * any * from.nominal;
    });
}

} // namespace daedalus::compile
