#include "daedalus/circuit.hpp"

#include "base/diagnostic.hpp"
#include "base/text_file.hpp"
#include "circuit/circuit.hpp"
#include "circuit/topology.hpp"
#include "facade/access.hpp"
#include "simulation/circuit_start.hpp"
#include "simulation/dc_sweep.hpp"
#include "simulation/small_signal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>

namespace daedalus {

struct Circuit::Impl {
    std::shared_ptr<const circuit::Circuit> circuit;
};

namespace {

using Kind = spice::Analysis::Kind;

std::vector<model::ParameterOverride> overrides(const Circuit::Parameters& values) {
    std::vector<model::ParameterOverride> list;
    for (const auto& [name, value] : values) list.push_back({name, value});
    return list;
}

std::string lower_case(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

Expected<const spice::Analysis*> asked(const circuit::Circuit& c, Kind kind, int n, const char* name) {
    for (const spice::Analysis& a : c.netlist->analyses)
        if (a.kind == kind && n-- == 0) return &a;
    return fail(make_error("no-analysis", fmt::format("the deck has no such .{}", name)));
}

std::string how_text(const simulation::OperatingPointResult& r) {
    std::string text;
    for (const simulation::OperatingPointAttempt& a : r.attempts)
        text += fmt::format("{}{}: {}{} iterations", text.empty() ? "" : "; ", a.name, a.found ? "" : "failed after ",
                            a.iterations);
    return text;
}

/// Variables that are shown: not those inside of devices, and not what Newton's method has for itself.
std::vector<std::size_t> shown(const model::Model& m) {
    std::vector<std::size_t> list;
    for (std::size_t v = 0; v < m.variables.size(); ++v)
        if (!m.variables[v].is_protected) list.push_back(v);
    return list;
}

} // namespace

Circuit::Circuit(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

bool Circuit::is_deck(const std::string& path) { return spice::is_deck(path); }

Expected<Circuit> Circuit::from_file(const std::string& path, const Parameters& parameters) {
    auto file = read_text_file(path);
    if (!file) return Unexpected{std::move(file.error())};
    return from_string(std::string((*file)->text()), path, parameters);
}

Expected<Circuit> Circuit::from_string(const std::string& text, const std::string& file_name,
                                       const Parameters& parameters) {
    spice::ReadOptions options;
    for (const auto& [name, value] : parameters) options.parameters[lower_case(name)] = value;
    auto netlist = spice::read_netlist(std::make_shared<SourceFile>(file_name, text), options);
    if (!netlist) return Unexpected{std::move(netlist.error())};
    auto made = circuit::make_circuit(std::make_shared<const spice::Netlist>(*std::move(netlist)));
    if (!made) return Unexpected{std::move(made.error())};
    auto impl = std::make_shared<Impl>();
    impl->circuit = std::make_shared<const circuit::Circuit>(*std::move(made));
    return Circuit(std::move(impl));
}

const std::string& Circuit::title() const { return impl_->circuit->netlist->title; }
Diagnostics Circuit::warnings() const { return impl_->circuit->transient.model->warnings; }

std::vector<CircuitAnalysis> Circuit::analyses() const {
    std::vector<CircuitAnalysis> list;
    for (const spice::Analysis& a : impl_->circuit->netlist->analyses) switch (a.kind) {
        case Kind::operating_point: list.push_back({CircuitAnalysis::Kind::operating_point}); break;
        case Kind::transient: list.push_back({CircuitAnalysis::Kind::transient, a.stop}); break;
        case Kind::dc: list.push_back({CircuitAnalysis::Kind::dc}); break;
        case Kind::ac: list.push_back({CircuitAnalysis::Kind::ac}); break;
        default: break;
        }
    return list;
}

Model Circuit::model() const {
    auto impl = std::make_shared<Model::Impl>();
    impl->model = simulation::transient_model(impl_->circuit);
    return Model::make(std::move(impl));
}

CircuitTopology Circuit::topology() const {
    const spice::Netlist& netlist = *impl_->circuit->netlist;
    const circuit::Topology t = circuit::topology(netlist);
    CircuitTopology told{.index_bound = t.index_bound(), .sure = !t.controlled()};
    const auto names = [&](const std::vector<int>& elements) {
        std::vector<std::string> list;
        for (const int e : elements) list.push_back(netlist.elements[static_cast<std::size_t>(e)].name);
        return list;
    };
    for (const circuit::Loop& loop : t.capacitive_loops) told.capacitive_loops.push_back({names(loop.elements), {}});
    for (const circuit::CutSet& cut : t.inductive_cuts) {
        told.inductive_cuts.push_back({names(cut.elements), {}});
        for (const int n : cut.nodes)
            told.inductive_cuts.back().nodes.push_back(netlist.nodes[static_cast<std::size_t>(n)].name);
    }
    told.sentences = circuit::describe(t, netlist);
    return told;
}

Expected<CircuitTable> Circuit::operating_point(const Parameters& values) const {
    simulation::OperatingPoint solver(impl_->circuit);
    auto found = solver.find({.parameters = overrides(values)});
    if (!found) return Unexpected{std::move(found.error())};
    const model::Model& m = *impl_->circuit->operating_point.model;
    CircuitTable table{.analysis = "op", .how = how_text(*found), .warnings = warnings()};
    for (const std::size_t v : shown(m))
        table.columns.push_back({m.variables[v].name, m.variables[v].unit, {found->values[v]}});
    return table;
}

Expected<CircuitTable> Circuit::dc(int n, const Parameters& values, const std::function<bool(double)>& progress) const {
    const auto analysis = asked(*impl_->circuit, Kind::dc, n, "dc");
    if (!analysis) return Unexpected{analysis.error()};
    auto found = simulation::dc_sweep(impl_->circuit, **analysis, overrides(values), progress);
    if (!found) return Unexpected{std::move(found.error())};
    CircuitTable table{
        .analysis = "dc", .swept = static_cast<int>((*analysis)->sweeps.size()), .how = "", .warnings = warnings()};
    for (std::size_t k = 0; k < (*analysis)->sweeps.size(); ++k) {
        const spice::Analysis::Sweep& sweep = (*analysis)->sweeps[k];
        const auto& elements = impl_->circuit->netlist->elements;
        const bool known = sweep.element >= 0;
        table.columns.push_back(
            {known ? elements[static_cast<std::size_t>(sweep.element)].name : sweep.source, "", {}});
        for (const simulation::DcPoint& p : found->points) table.columns.back().values.push_back(p.swept[k]);
    }
    const model::Model& m = *impl_->circuit->operating_point.model;
    for (const std::size_t v : shown(m)) {
        table.columns.push_back({m.variables[v].name, m.variables[v].unit, {}});
        for (const simulation::DcPoint& p : found->points) table.columns.back().values.push_back(p.values[v]);
    }
    return table;
}

Expected<CircuitTable> Circuit::ac(int n, const Parameters& values) const {
    const auto analysis = asked(*impl_->circuit, Kind::ac, n, "ac");
    if (!analysis) return Unexpected{analysis.error()};
    const std::vector<double> frequencies = simulation::frequencies_of(**analysis);
    if (frequencies.empty())
        return fail(make_error("ac", "this .ac has no frequencies", (*analysis)->span,
                               "points per decade or octave, or in all, and 0 < from <= to"));
    simulation::OperatingPoint solver(impl_->circuit);
    const auto rest = solver.find({.parameters = overrides(values)});
    if (!rest) return Unexpected{rest.error()};
    const simulation::Linearised system = simulation::linearise(*impl_->circuit, *rest);
    const auto response = simulation::frequency_response(system, frequencies);
    if (!response) return Unexpected{response.error()};
    const model::Model& m = *system.equations.model;
    CircuitTable table{.analysis = "ac", .swept = 1, .how = how_text(*rest), .warnings = warnings()};
    table.columns.push_back({"frequency", "Hz", frequencies});
    for (const std::size_t v : shown(m)) {
        CircuitTable::Column size{"|" + m.variables[v].name + "|", m.variables[v].unit, {}};
        CircuitTable::Column phase{"phase " + m.variables[v].name, "deg", {}};
        double turns = 0.0, before = 0.0;
        for (const auto& x : response->values) {
            const double angle = std::arg(x[v]) / (2.0 * std::numbers::pi);
            if (!phase.values.empty()) turns -= std::round(angle + turns - before); // without jumps
            before = angle + turns;
            size.values.push_back(std::abs(x[v]));
            phase.values.push_back(360.0 * before);
        }
        table.columns.push_back(std::move(size));
        table.columns.push_back(std::move(phase));
    }
    return table;
}

} // namespace daedalus
