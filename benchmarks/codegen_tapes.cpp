#include "codegen_tapes.hpp"

#include "codegen/lower.hpp"
#include "modelica/read_modelica.hpp"
#include "transform/jacobian.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace daedalus::benchmarks {

namespace {

using expr::NodeId;

/// By node: whether it varies during an integration. Entries of the Jacobian that do not are computed once by whoever
/// solves, and are no part of what runs again and again.
std::vector<char> varying(const expr::Graph& g, std::span<const NodeId> roots) {
    std::vector<char> varies(g.size(), 0);
    for (const NodeId node : g.reachable(roots)) {
        char& v = varies[expr::index(node)];
        v = g.op(node) == expr::Op::time || g.op(node) == expr::Op::variable;
        for (int k = 0; k < expr::arity(g.op(node)); ++k) v |= varies[expr::index(g.operand(node, k))];
    }
    return varies;
}

ResidualAndJacobian residual_and_jacobian(expr::Graph& g, std::vector<NodeId> rows, int variables, int parameters) {
    ResidualAndJacobian e;
    e.segments.resize(4);
    for (int p = 0; p < parameters; ++p) e.segments[0].push_back(g.parameter(p));
    e.segments[1] = {g.time()};
    for (int v = 0; v < variables; ++v) e.segments[2].push_back(g.variable(v));
    for (int v = 0; v < variables; ++v) e.segments[3].push_back(g.variable(v, 1));
    e.outputs = rows;
    for (std::uint32_t i = 0; i < rows.size(); ++i) e.groups.push_back(i);
    std::vector<NodeId> entries;
    const auto jacobian = transform::jacobian(g, rows);
    for (const auto& entry : jacobian) entries.push_back(entry.value);
    const std::vector<char> varies = varying(g, entries);
    for (const auto& entry : jacobian)
        if (varies[expr::index(entry.value)]) {
            e.outputs.push_back(entry.value);
            e.groups.push_back(static_cast<std::uint32_t>(entry.row));
        }
    return e;
}

NamedTape from_model(const std::string& name, Expected<model::Model> m) {
    if (!m) {
        fmt::print(stderr, "{}: {}\n", name, m.error().front().message);
        std::exit(1);
    }
    auto parameters = model::parameter_values(*m);
    if (!parameters) {
        fmt::print(stderr, "{}: {}\n", name, parameters.error().front().message);
        std::exit(1);
    }
    std::vector<NodeId> rows;
    for (const model::Equation& e : m->equations) rows.push_back(m->graph->sub(e.left, e.right));
    const ResidualAndJacobian e = residual_and_jacobian(*m->graph, rows, static_cast<int>(m->variables.size()),
                                                        static_cast<int>(m->parameters.size()));
    return {name, codegen::lower(*m->graph, e.segments, e.outputs, codegen::Hold::parameters, e.groups),
            *std::move(parameters)};
}

} // namespace

NamedTape model_tape(const std::string& name, const std::string& text) {
    return from_model(name, modelica::read_modelica(std::make_shared<SourceFile>(name, text)));
}

NamedTape file_tape(const std::string& name, const std::string& path) {
    return from_model(name, modelica::read_modelica_file(path));
}

ResidualAndJacobian heat_equations(expr::Graph& g, int n) {
    const auto at = [&](int i, int j) { return g.variable(i * n + j); };
    const NodeId conductivity = g.parameter(0), source = g.parameter(1), edge = g.parameter(2);
    const auto flux = [&](NodeId a, NodeId b) { // with conductivity 1 + k·mean
        const NodeId mean = g.mul(g.constant(0.5), g.add(a, b));
        return g.mul(g.add(g.constant(1.0), g.mul(conductivity, mean)), g.sub(b, a));
    };
    std::vector<NodeId> rows;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            if (i == 0 || j == 0 || i == n - 1 || j == n - 1) {
                rows.push_back(g.sub(at(i, j), edge));
                continue;
            }
            NodeId sum = g.add(flux(at(i, j), at(i - 1, j)), flux(at(i, j), at(i + 1, j)));
            sum = g.add(sum, g.add(flux(at(i, j), at(i, j - 1)), flux(at(i, j), at(i, j + 1))));
            rows.push_back(g.sub(g.variable(i * n + j, 1), g.add(sum, source)));
        }
    return residual_and_jacobian(g, rows, n * n, 3);
}

NamedTape heat_tape(int n) {
    expr::Graph g;
    const ResidualAndJacobian e = heat_equations(g, n);
    return {fmt::format("heat {0}x{0}", n),
            codegen::lower(g, e.segments, e.outputs, codegen::Hold::parameters, e.groups), heat_parameters()};
}

std::vector<double> heat_parameters() { return {0.3, 1.0, 0.1}; }

tape::Tape stores_alone(const tape::Tape& tape) {
    tape::Tape result = tape;
    std::erase_if(result.main_part,
                  [](const tape::Instruction& i) { return i.code != tape::Code::store && i.code != tape::Code::halt; });
    for (tape::Instruction& i : result.main_part) i.a = tape.segment_begin.back() - 1; // some input
    return result;
}

tape::Tape prefix(const tape::Tape& tape, std::size_t length) {
    tape::Tape cut = tape;
    if (length + 1 < cut.main_part.size()) {
        cut.main_part.resize(length);
        cut.main_part.push_back({});
    }
    return cut;
}

} // namespace daedalus::benchmarks
