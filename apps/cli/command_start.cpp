// `daedalus start MODEL`: consistent initial values, and what was done to find them.
#include "commands.hpp"
#include "daedalus/initial_values.hpp"
#include "read_model.hpp"

namespace cli {

ExitCode run_start(const Request& request) {
    const Console& console = request.console;
    const auto model = read_model(request);
    if (!model) return console.fail(model.error());
    daedalus::SolveOptions options = request.options;
    constexpr int alternatives_listed = 8; // a page, not a catalogue
    if (request.alternatives) options.initial.alternatives = alternatives_listed;
    const auto values = daedalus::initialize(*model, options);
    if (!values) return console.fail(values.error());
    console.result(console.json ? values->to_json() : values->to_text(console.colored()));
    console.warn(values->warnings);
    return ExitCode::success;
}

} // namespace cli
