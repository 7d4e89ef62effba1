// `daedalus analyze MODEL` and `daedalus explain MODEL`.
#include "commands.hpp"
#include "daedalus/analysis.hpp"
#include "daedalus/circuit.hpp"
#include "read_model.hpp"

#include <fmt/format.h>

#include <fstream>

namespace cli {

namespace {

template <class Ask>
ExitCode run(const Request& request, Ask ask) {
    const Console& console = request.console;
    const auto model = read_model(request);
    if (!model) return console.fail(model.error());
    console.warn(model->warnings());
    const auto answer = ask(*model, request.options);
    if (!answer) return console.fail(answer.error());
    console.result(console.json ? answer->to_json() : answer->to_text(console.colored()));
    return ExitCode::success;
}

// The keys of an analysis, without values: a program that reads them finds why there are none.
ExitCode without_index(const Console& console, const daedalus::Diagnostics& diagnostics) {
    const ExitCode code = exit_code(diagnostics);
    std::string out = fmt::format("{{\n\"exit_code\": {},\n", static_cast<int>(code));
    const std::string reason = quoted("none: " + diagnostics.front().message);
    for (const char* name :
         {"differentiation_index", "strangeness_index", "tractability_index", "perturbation_index", "structural_index"})
        out += fmt::format("\"{0}\": null,\n\"{0}_reason\": {1},\n", name, reason);
    out += fmt::format("\"index_per_variable\": {{}},\n\"hidden_constraints\": [],\n\"degrees_of_freedom\": null,\n"
                       "\"conditioning\": null,\n\"warnings\": [{}],\n\"recommendation\": {},\n",
                       quoted(diagnostics.front().message), quoted("correct the equations named in diagnostics"));
    console.result(out + "\"diagnostics\": " + daedalus::to_json(diagnostics) + "\n}\n");
    return code;
}

} // namespace

ExitCode run_analyze(const Request& request) {
    const Console& console = request.console;
    if (daedalus::Circuit::is_deck(request.model) && !console.json) {
        const auto circuit = daedalus::Circuit::from_file(request.model);
        if (!circuit) return console.fail(circuit.error());
        console.result(circuit->topology().to_text());
    }
    const auto model = read_model(request);
    if (!model) return console.fail(model.error());
    console.warn(model->warnings());
    const auto answer = daedalus::analyze(*model, request.options, request.analyze);
    if (!answer) return console.json ? without_index(console, answer.error()) : console.fail(answer.error());
    if (!request.html.empty()) {
        std::ofstream file(request.html, std::ios::binary);
        file << answer->to_html();
        file.close();
        if (!file) {
            daedalus::Diagnostic problem;
            problem.code = "cannot-write";
            problem.message = "cannot write " + request.html;
            return console.fail({problem});
        }
    }
    console.result(console.json ? answer->to_json() : answer->to_text(console.colored()));
    return ExitCode::success;
}

ExitCode run_explain(const Request& request) {
    return run(request, [](const auto& model, const auto& options) { return daedalus::explain(model, options); });
}

} // namespace cli
