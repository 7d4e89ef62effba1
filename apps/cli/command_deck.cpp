// `daedalus solve DECK`: the analyses that a SPICE deck asks for, in their order; without any, its operating point.
// With --json there is one object for each analysis.
#include "commands.hpp"
#include "daedalus/circuit.hpp"
#include "daedalus/terminal.hpp"
#include "read_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace cli {

namespace {

using daedalus::Circuit;
using daedalus::CircuitAnalysis;
using daedalus::CircuitTable;

/// Where an analysis that is not the transient one writes: out.csv → out.ac.csv.
std::string file_of(const std::string& output, const std::string& analysis, bool alone) {
    if (alone) return output;
    const std::filesystem::path path(output);
    return (path.parent_path() / (path.stem().string() + "." + analysis + path.extension().string())).string();
}

ExitCode show(const Request& request, const CircuitTable& table, bool alone) {
    const Console& console = request.console;
    console.result(console.json ? table.to_json() : table.to_text(daedalus::terminal_width(1)));
    for (const std::string& output : request.outputs) {
        if (!output.ends_with(".csv")) continue;
        const std::string path = file_of(output, table.analysis, alone);
        if (const auto written = table.write(path); !written) return console.fail_late(written.error());
        console.remark(fmt::format("  wrote {}\n", daedalus::safe_text(path)));
    }
    return ExitCode::success;
}

} // namespace

ExitCode run_deck(Request& request) {
    const Console& console = request.console;
    const auto circuit = Circuit::from_file(request.model);
    if (!circuit) return console.fail(circuit.error());
    std::vector<CircuitAnalysis> analyses = circuit->analyses();
    const auto is_transient = [](const CircuitAnalysis& a) { return a.kind == CircuitAnalysis::Kind::transient; };
    if (request.options.until && std::none_of(analyses.begin(), analyses.end(), is_transient))
        analyses.push_back({CircuitAnalysis::Kind::transient}); // asked for here, not in the deck
    if (analyses.empty()) analyses.push_back({CircuitAnalysis::Kind::operating_point}); // what else could be meant
    if (std::none_of(analyses.begin(), analyses.end(), is_transient))
        for (const std::string& output : request.outputs)
            if (!output.ends_with(".csv")) {
                daedalus::Diagnostic problem;
                problem.code = "usage-output-kind";
                problem.message =
                    fmt::format("--output {}: only a transient analysis has such a file, and the deck asks "
                                "for none",
                                daedalus::safe_text(output));
                problem.hint = "a name that ends in .csv takes its tables; --until T adds a transient analysis";
                return console.fail({problem});
            }
    const bool alone = analyses.size() == 1;
    // A transient run has the warnings in its result.
    if (std::none_of(analyses.begin(), analyses.end(), is_transient)) console.warn(circuit->warnings());
    int dc_count = 0, ac_count = 0;
    ExitCode worst = ExitCode::success;
    for (const CircuitAnalysis& analysis : analyses) {
        using enum CircuitAnalysis::Kind;
        daedalus::Expected<CircuitTable> table = CircuitTable{};
        switch (analysis.kind) {
        case transient: {
            const ExitCode code = solve_model(request, circuit->model());
            if (code != ExitCode::success) worst = code;
            continue;
        }
        case operating_point: table = circuit->operating_point(request.options.parameters); break;
        case CircuitAnalysis::Kind::dc: table = circuit->dc(dc_count++, request.options.parameters); break;
        case CircuitAnalysis::Kind::ac: table = circuit->ac(ac_count++, request.options.parameters); break;
        }
        if (!table) return console.fail(table.error());
        if (const ExitCode code = show(request, *table, alone); code != ExitCode::success) return code;
    }
    return worst;
}

} // namespace cli
