#include "simulation/small_signal.hpp"

#include "base/diagnostic.hpp"
#include "expr/differentiate.hpp"
#include "expr/evaluate.hpp"
#include "linalg/linear_solver.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace daedalus::simulation {

using expr::NodeId;
using expr::Op;

namespace {

/// û of every parameter that is the value of a source.
std::vector<Complex> phasors(const circuit::Circuit& circuit, const circuit::Equations& e) {
    std::vector<Complex> list(e.model->parameters.size());
    const auto& elements = circuit.netlist->elements;
    for (std::size_t k = 0; k < elements.size(); ++k) {
        const spice::Values& v = elements[k].values;
        const auto magnitude = v.find("ac"), phase = v.find("acphase");
        if (magnitude == v.end() || e.value_parameter[k] < 0) continue;
        const double degrees = phase == v.end() ? 0.0 : phase->second.number;
        list[static_cast<std::size_t>(e.value_parameter[k])] =
            std::polar(magnitude->second.number, degrees * std::numbers::pi / 180.0);
    }
    return list;
}

} // namespace

Linearised linearise(const circuit::Circuit& circuit, const OperatingPointResult& at) {
    Linearised made;
    made.equations = circuit::small_signal_equations(circuit);
    const model::Model& m = *made.equations.model;
    const model::Model& rest = *circuit.operating_point.model;
    expr::Graph& g = *m.graph;
    made.values.resize(m.variables.size());
    for (std::size_t v = 0; v < m.variables.size(); ++v)
        if (const auto there = rest.find_variable(m.variables[v].name))
            made.values[v] = at.values[static_cast<std::size_t>(*there)];
    std::vector<double> numbers(m.parameters.size());
    for (std::size_t p = 0; p < numbers.size(); ++p)
        if (const auto there = rest.find_parameter(m.parameters[p].name))
            numbers[p] = at.parameters[static_cast<std::size_t>(*there)];
    const auto leaf = [&](NodeId n) {
        if (g.op(n) == Op::parameter) return numbers[static_cast<std::size_t>(g.parameter_id(n))];
        if (g.op(n) == Op::variable && g.derivative_order(n) == 0)
            return made.values[static_cast<std::size_t>(g.variable_id(n))];
        return 0.0; // time, and rates at rest
    };
    const std::vector<Complex> u = phasors(circuit, made.equations);
    made.sources.assign(m.equations.size(), 0.0);
    struct Entry {
        int row, column, order;
        NodeId value;
    };
    std::vector<Entry> entries;
    std::vector<NodeId> wanted;
    for (std::size_t row = 0; row < m.equations.size(); ++row) {
        const NodeId f = g.sub(m.equations[row].left, m.equations[row].right);
        for (const expr::Partial& p : expr::gradient(g, f)) {
            entries.push_back({static_cast<int>(row), g.variable_id(p.leaf), g.derivative_order(p.leaf), p.value});
            wanted.push_back(p.value);
        }
        for (const expr::Partial& p : expr::gradient(g, f, expr::Leaves::parameters)) {
            const Complex amplitude = u[static_cast<std::size_t>(g.parameter_id(p.leaf))];
            if (amplitude != 0.0) made.sources[row] -= expr::evaluate(g, p.value, leaf) * amplitude;
        }
    }
    const std::vector<double> values = expr::evaluate(g, wanted, leaf);
    std::vector<std::pair<int, int>> places;
    for (const Entry& e : entries) places.emplace_back(e.row, e.column);
    const int n = static_cast<int>(m.variables.size());
    made.pattern = SparsityPattern::from_entries(n, n, places);
    made.at_rest.assign(static_cast<std::size_t>(made.pattern.nonzeros()), 0.0);
    made.with_rates = made.at_rest;
    for (std::size_t k = 0; k < entries.size(); ++k) {
        const auto place = static_cast<std::size_t>(made.pattern.find(entries[k].row, entries[k].column));
        (entries[k].order == 0 ? made.at_rest : made.with_rates)[place] += values[k];
    }
    return made;
}

Expected<FrequencyResponse> frequency_response(const Linearised& system, const std::vector<double>& frequencies) {
    FrequencyResponse response;
    const auto solver = linalg::make_linear_solver<Complex>(system.pattern);
    std::vector<Complex> matrix(system.at_rest.size());
    for (const double f : frequencies) {
        const double omega = 2.0 * std::numbers::pi * f;
        for (std::size_t k = 0; k < matrix.size(); ++k)
            matrix[k] = Complex(system.at_rest[k], omega * system.with_rates[k]);
        if (solver->factor(matrix) != linalg::FactorStatus::ok) {
            const int column = solver->singular_column();
            std::string about = fmt::format("at {:.6g} Hz the equations for small signals are singular", f);
            if (column >= 0)
                about += ": they do not determine " +
                         system.equations.model->variables[static_cast<std::size_t>(column)].name;
            return fail(make_error("singular-at-frequency", std::move(about),
                                   "an undamped resonance, or a node that "
                                   "nothing connects at that frequency"));
        }
        std::vector<Complex> x = system.sources;
        solver->solve(x);
        response.frequencies.push_back(f);
        response.values.push_back(std::move(x));
    }
    return response;
}

std::vector<double> frequencies_of(const spice::Analysis& a) {
    std::vector<double> list;
    using Spacing = spice::Analysis::Spacing;
    constexpr double close = 1e-9; // of counts that rounding makes
    if (a.points < 1 || !(a.from > 0.0 || (a.spacing == Spacing::linear && a.from >= 0.0)) || a.to < a.from)
        return list;
    if (a.spacing == Spacing::linear) {
        for (int k = 0; k < a.points; ++k)
            list.push_back(a.points == 1 ? a.from : a.from + (a.to - a.from) * k / (a.points - 1));
        return list;
    }
    const double base = a.spacing == Spacing::decades ? 10.0 : 2.0;
    const double count = a.points * std::log(a.to / a.from) / std::log(base);
    for (int k = 0; k <= static_cast<int>(std::floor(count + close)); ++k)
        list.push_back(a.from * std::pow(base, static_cast<double>(k) / a.points));
    return list;
}

} // namespace daedalus::simulation
