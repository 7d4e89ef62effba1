// `daedalus pencil E.mtx H.mtx`: what the matrices say about E x' + H x = c.
#include "commands.hpp"
#include "daedalus/pencil.hpp"

namespace cli {

ExitCode run_pencil(const Request& request) {
    const Console& console = request.console;
    const auto e = daedalus::read_matrix(request.matrix_e), h = daedalus::read_matrix(request.matrix_h);
    if (!e || !h) { // both files' errors at once
        daedalus::Diagnostics problems;
        if (!e) problems = e.error();
        if (!h) problems.insert(problems.end(), h.error().begin(), h.error().end());
        return console.fail(problems);
    }
    const auto pencil = daedalus::analyze_pencil(*e, *h, {.noise = request.noise});
    if (!pencil) return console.fail(pencil.error());
    console.result(console.json ? pencil->to_json() : pencil->to_text(console.colored()));
    return ExitCode::success;
}

} // namespace cli
