// `daedalus compare MODEL`: formulations, methods and tolerances side by side.
#include "commands.hpp"
#include "daedalus/compare.hpp"
#include "daedalus/option_list.hpp"
#include "interrupt.hpp"
#include "read_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace cli {

namespace {

using daedalus::Diagnostic;
using daedalus::Diagnostics;

/// Names as --reduce of the other commands takes them.
Diagnostics read_reductions(const std::vector<std::string>& names, std::vector<daedalus::Reduction>& list) {
    Diagnostics problems;
    for (const daedalus::Option& option : daedalus::option_list()) {
        if (option.name != "reduce") continue;
        for (const std::string& name : names) {
            daedalus::SolveOptions one;
            if (auto problem = daedalus::set_option(one, option, name))
                problems.push_back(*std::move(problem));
            else
                list.push_back(one.reduction);
        }
    }
    return problems;
}

/// A page has its numbers beside it.
std::vector<std::string> files_of(const std::vector<std::string>& outputs) {
    std::vector<std::string> files = outputs;
    for (const std::string& path : outputs) {
        if (std::filesystem::path(path).extension() != ".html") continue;
        std::string beside = std::filesystem::path(path).replace_extension(".json").string();
        if (std::find(files.begin(), files.end(), beside) == files.end()) files.push_back(std::move(beside));
    }
    return files;
}

} // namespace

ExitCode run_compare(Request& request) {
    const Console& console = request.console;
    daedalus::CompareOptions options;
    options.solve = request.options;
    if (const Diagnostics problems = read_reductions(request.compared_reductions, options.reductions);
        !problems.empty())
        return console.fail(problems);
    options.methods = request.compared_methods;
    options.tolerances = request.compared_tolerances;
    options.accuracy = request.compared_accuracy;
    options.seconds_per_run = request.seconds_per_run;
    options.threads = request.threads;
    const std::vector<std::string> outputs = files_of(request.outputs);
    for (const std::string& path : outputs)
        if (auto problem = daedalus::check_output(path)) return console.fail({*std::move(problem)});
    const auto model = read_model(request);
    if (!model) return console.fail(model.error());
    options.solve.interrupt = &catch_interrupts();
    const auto compiled = model->compile(options.solve);
    if (!compiled) return console.fail(compiled.error());
    daedalus::ProgressBar bar(0.0, 1.0, console.quiet ? daedalus::TerminalMode::never : request.progress);
    options.progress = [&bar](std::size_t done, std::size_t all) {
        bar.update(static_cast<double>(done) / static_cast<double>(all), 1.0 / static_cast<double>(all));
    };
    const auto result = daedalus::compare(*compiled, options);
    bar.finish();
    if (!result) return console.fail(result.error());
    console.result(console.json ? result->to_json() : result->to_text(daedalus::terminal_width(1)));
    Diagnostics unwritten;
    for (const std::string& path : outputs) {
        const auto written = result->write(path);
        if (!written)
            unwritten.insert(unwritten.end(), written.error().begin(), written.error().end());
        else
            console.remark(fmt::format("  wrote {}\n", daedalus::safe_text(path)));
    }
    if (!unwritten.empty()) return console.fail_late(unwritten);
    if (result->interrupted) return ExitCode::interrupted;
    return result->choice ? ExitCode::success : ExitCode::numerical_failure;
}

} // namespace cli
