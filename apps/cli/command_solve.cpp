// `daedalus solve MODEL`: everything that can be refused is refused before the work; what was computed is always shown
// and written, also when the solve ended early.
#include "commands.hpp"
#include "daedalus/circuit.hpp"
#include "daedalus/plot.hpp"
#include "daedalus/solve.hpp"
#include "interrupt.hpp"
#include "read_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace cli {

namespace {

using daedalus::Diagnostic;
using daedalus::Diagnostics;

Diagnostics check_outputs(const std::vector<std::string>& outputs) {
    Diagnostics problems;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (auto problem = daedalus::check_output(outputs[i])) {
            problems.push_back(std::move(*problem));
        } else if (std::find(outputs.begin(), outputs.begin() + static_cast<std::ptrdiff_t>(i), outputs[i]) !=
                   outputs.begin() + static_cast<std::ptrdiff_t>(i)) {
            Diagnostic twice;
            twice.code = "usage-output-twice";
            twice.message = fmt::format("--output {} is given twice", outputs[i]);
            problems.push_back(std::move(twice));
        }
    }
    return problems;
}

/// Backward integration is possible but rarely meant: it has to be said.
std::optional<Diagnostic> check_direction(const daedalus::Interval& interval, bool backward) {
    const bool goes_backward = interval.until < interval.from;
    if (goes_backward == backward || interval.until == interval.from) return std::nullopt;
    Diagnostic problem;
    problem.code = "usage-direction";
    if (goes_backward) {
        problem.message = fmt::format("the end time {} lies before the start time {}", interval.until, interval.from);
        problem.hint = fmt::format("to integrate backward on purpose: --from {} --until {} --backward", interval.from,
                                   interval.until);
    } else {
        problem.message = fmt::format("--backward is given, but the end time {} lies after the start time {}",
                                      interval.until, interval.from);
    }
    return problem;
}

std::string size_text(std::uint64_t bytes) {
    if (bytes < 1000) return fmt::format("{} bytes", bytes);
    constexpr const char* units[] = {"kB", "MB", "GB", "TB"};
    double size = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (size /= 1000.0; size >= 1000.0 && unit + 1 < std::size(units); size /= 1000.0) ++unit;
    return fmt::format("{:.{}f} {}", size, size < 10 ? 1 : 0, units[unit]);
}

Diagnostics write_files(const daedalus::Solution& solution, const Request& request) {
    Diagnostics problems;
    for (const std::string& path : request.outputs) {
        auto written = solution.write(path);
        if (!written) {
            problems.insert(problems.end(), written.error().begin(), written.error().end());
            continue;
        }
        const char* const what = solution.success() ? "wrote" : "wrote what was computed to";
        request.console.remark(fmt::format("  {} {} ({})\n", what, daedalus::safe_text(path), size_text(*written)));
    }
    return problems;
}

ExitCode code_of(daedalus::Outcome outcome) {
    switch (outcome) {
    case daedalus::Outcome::success:
    case daedalus::Outcome::terminated: return ExitCode::success;
    case daedalus::Outcome::interrupted: return ExitCode::interrupted;
    default: return ExitCode::numerical_failure;
    }
}

/// A report is the best view of a result: says how to get one.
std::string report_hint(const Request& request) {
    std::string stem = std::filesystem::path(request.model).stem().string();
    if (request.model == "-" || stem.empty()) stem = "report";
    return request.console.dim(fmt::format("  for plots and details: --output {}.html", daedalus::safe_text(stem))) +
           "\n";
}

} // namespace

ExitCode run_solve(Request& request) {
    const Console& console = request.console;
    if (const Diagnostics problems = check_outputs(request.outputs); !problems.empty()) return console.fail(problems);
    if (daedalus::Circuit::is_deck(request.model)) return run_deck(request);
    auto model = read_model(request);
    if (!model) return console.fail(model.error());
    return solve_model(request, *std::move(model));
}

ExitCode solve_model(Request& request, daedalus::Model model) {
    const Console& console = request.console;
    const std::vector<std::string> plotted = daedalus::split_names(request.plot);
    if (const Diagnostics unknown = daedalus::check_names(model, plotted); !unknown.empty())
        return console.fail(unknown);
    const auto interval = daedalus::interval(model, request.options);
    if (!interval) return console.fail(interval.error());
    if (auto problem = check_direction(*interval, request.backward)) return console.fail({*problem});

    daedalus::ProgressBar bar(interval->from, interval->until,
                              console.quiet ? daedalus::TerminalMode::never : request.progress);
    request.options.dense = false; // files hold the output points
    request.options.interrupt = &catch_interrupts();
    request.options.progress = [&bar](double t, double h) { bar.update(t, h); };
    const auto solution = daedalus::solve(std::move(model), request.options);
    bar.finish();
    if (!solution) return console.fail(solution.error());

    console.result(console.json ? solution->to_json()
                                : solution->to_text(console.colored(), daedalus::terminal_width(1)));
    if (!plotted.empty() && !console.json)
        console.result(daedalus::plot_text(*solution, plotted, daedalus::terminal_width(1)));
    const Diagnostics unwritten = write_files(*solution, request);
    if (request.outputs.empty()) {
        if (!console.json) console.remark(report_hint(request));
    }
    console.warn(solution->diagnostics());
    if (!unwritten.empty()) return console.fail_late(unwritten);
    return code_of(solution->outcome());
}

} // namespace cli
