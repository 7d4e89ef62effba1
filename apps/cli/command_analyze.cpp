// `daedalus analyze MODEL` and `daedalus explain MODEL`.
#include "commands.hpp"
#include "daedalus/analysis.hpp"
#include "read_model.hpp"

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

} // namespace

ExitCode run_analyze(const Request& request) {
    const Console& console = request.console;
    const auto model = read_model(request);
    if (!model) return console.fail(model.error());
    console.warn(model->warnings());
    const auto answer = daedalus::analyze(*model, request.options, request.analyze);
    if (!answer) return console.fail(answer.error());
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
