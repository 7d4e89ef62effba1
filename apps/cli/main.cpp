// The program `daedalus`: turns flags into options and results into text. Whatever it can do, the library can.
#include "command_line.hpp"
#include "commands.hpp"
#include "overwriting.hpp"

#include <cstdlib>
#include <exception>
#include <new>

namespace {

using cli::Command;
using cli::ExitCode;

ExitCode dispatch(cli::Request& request) {
    if (const auto problems = cli::overwriting(request); !problems.empty()) return request.console.fail(problems);
    switch (request.command) {
    case Command::solve: return run_solve(request);
    case Command::analyze: return run_analyze(request);
    case Command::compare: return run_compare(request);
    case Command::sweep: return run_sweep(request);
    case Command::start: return run_start(request);
    case Command::explain: return run_explain(request);
    case Command::check: return run_check(request);
    case Command::flatten: return run_flatten(request);
    case Command::format: return run_format(request);
    case Command::derive: return run_derive(request);
    case Command::pencil: return run_pencil(request);
    case Command::orders: return run_orders(request);
    case Command::reproduce: return run_reproduce(request);
    default: return run_list(request);
    }
}

ExitCode internal_error(const cli::Request& request, const char* what) {
    daedalus::Diagnostic problem;
    problem.code = "internal-error";
    problem.message = what;
    problem.hint = "this is a mistake in Daedalus: please report it with the model and the command";
    return request.console.fail({problem});
}

ExitCode out_of_memory(const cli::Request& request) {
    daedalus::Diagnostic problem;
    problem.code = "out-of-memory";
    problem.message = "there is not enough memory for this";
    problem.hint = "a smaller model, fewer output points (--points), or a machine with more";
    return request.console.fail({problem});
}

} // namespace

int main(int argc, char** argv) {
    // Our matrices are small or sparse: threads of a BLAS only cost time. Must be said before it is loaded into use.
    setenv("OPENBLAS_NUM_THREADS", "1", 0);
    cli::Request request;
    ExitCode code = ExitCode::internal;
    try {
        const auto answered = cli::parse(argc, argv, request);
        code = answered ? *answered : dispatch(request);
    } catch (const std::bad_alloc&) {
        code = out_of_memory(request);
    } catch (const std::exception& error) {
        code = internal_error(request, error.what());
    }
    return static_cast<int>(finish(request.console, code));
}
