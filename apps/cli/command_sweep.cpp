// `daedalus sweep MODEL`: many runs with different parameters.
#include "commands.hpp"
#include "daedalus/solve.hpp"
#include "daedalus/sweep.hpp"
#include "interrupt.hpp"
#include "read_model.hpp"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <optional>

namespace cli {

namespace {

using daedalus::Diagnostic;
using daedalus::Diagnostics;

Diagnostic wrong(const std::string& what, std::string hint = {}) {
    Diagnostic problem;
    problem.code = "usage-sweep";
    problem.message = what;
    problem.hint = std::move(hint);
    return problem;
}

std::optional<double> number(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '+')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts(1);
    for (const char ch : text)
        if (ch == at)
            parts.emplace_back();
        else
            parts.back() += ch;
    return parts;
}

/// NAME=FROM:TO:COUNT, NAME=FROM:TO (a range, for --latin), NAME=A,B,C or NAME=VALUE.
std::optional<Diagnostic> read_parameter(const std::string& text, bool latin, std::vector<daedalus::SweepAxis>& axes,
                                         daedalus::SolveOptions& fixed) {
    constexpr const char* form = "write --param NAME=FROM:TO:COUNT, NAME=A,B,C or NAME=VALUE";
    constexpr double most = 1e8; // runs; memory would end long before
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) return wrong(fmt::format("--param {}: no '='", text), form);
    daedalus::SweepAxis axis{text.substr(0, equals), {}};
    const std::string values = text.substr(equals + 1);
    const bool range = values.find(':') != std::string::npos;
    std::vector<double> numbers;
    for (const std::string& part : split(values, range ? ':' : ',')) {
        const auto value = number(part);
        if (!value) return wrong(fmt::format("--param {}: '{}' is not a number", text, part), form);
        numbers.push_back(*value);
    }
    if (range) {
        if (numbers.size() != 3 && !(latin && numbers.size() == 2))
            return wrong(fmt::format("--param {}: a range needs a count", text), form);
        if (numbers.size() == 3 &&
            !(numbers[2] >= 1 && numbers[2] <= most && numbers[2] == static_cast<int>(numbers[2])))
            return wrong(fmt::format("--param {}: {} values cannot be made", text, numbers[2]), form);
        axis.values =
            daedalus::equally_spaced(numbers[0], numbers[1], numbers.size() == 3 ? static_cast<int>(numbers[2]) : 2);
    } else if (numbers.size() == 1) {
        fixed.parameters.emplace_back(axis.name, numbers[0]);
        return std::nullopt;
    } else {
        axis.values = std::move(numbers);
    }
    for (const daedalus::SweepAxis& other : axes)
        if (other.name == axis.name) return wrong(fmt::format("--param {} is given twice", axis.name));
    axes.push_back(std::move(axis));
    return std::nullopt;
}

std::optional<Diagnostic> read_list(const std::string& path, daedalus::SweepOptions& options) {
    std::ifstream file(path);
    if (!file) return wrong(fmt::format("cannot read '{}'", path));
    std::string line;
    std::size_t number_of_line = 0;
    while (std::getline(file, line)) {
        ++number_of_line;
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.empty()) continue;
        const std::vector<std::string> cells = split(line, ',');
        if (options.names.empty()) {
            options.names = cells;
            continue;
        }
        if (cells.size() != options.names.size())
            return wrong(fmt::format("{}:{}: {} values for {} parameters", path, number_of_line, cells.size(),
                                     options.names.size()));
        std::vector<double>& point = options.points.emplace_back();
        for (const std::string& cell : cells) {
            const auto value = number(cell);
            if (!value) return wrong(fmt::format("{}:{}: '{}' is not a number", path, number_of_line, cell));
            point.push_back(*value);
        }
    }
    if (options.points.empty()) return wrong(fmt::format("'{}' holds no points", path), "a header of names, then rows");
    return std::nullopt;
}

Diagnostics read_points(const Request& request, daedalus::SweepOptions& options) {
    Diagnostics problems;
    std::vector<daedalus::SweepAxis> axes;
    for (const std::string& text : request.sweep_parameters)
        if (auto problem = read_parameter(text, request.latin > 0, axes, options.solve))
            problems.push_back(*std::move(problem));
    if (!problems.empty()) return problems;
    if (!request.sweep_list.empty()) {
        if (!axes.empty()) return {wrong("--list and ranges of --param exclude each other")};
        if (auto problem = read_list(request.sweep_list, options)) return {*std::move(problem)};
        return {};
    }
    if (axes.empty())
        return {wrong("nothing varies", "give --param NAME=FROM:TO:COUNT, or --list FILE.csv with points")};
    double count = 1.0;
    for (const daedalus::SweepAxis& axis : axes) {
        options.names.push_back(axis.name);
        count *= static_cast<double>(axis.values.size());
    }
    constexpr double most = 1e8;
    if (request.latin == 0 && count > most) return {wrong(fmt::format("{:.3g} combinations are too many", count))};
    options.points =
        request.latin > 0 ? daedalus::latin_hypercube(axes, request.latin, request.seed) : daedalus::grid(axes);
    return {};
}

} // namespace

ExitCode run_sweep(Request& request) {
    const Console& console = request.console;
    daedalus::SweepOptions options;
    options.solve = request.options;
    if (const Diagnostics problems = read_points(request, options); !problems.empty()) return console.fail(problems);
    if (!options.solve.checkpoint.empty() || !options.solve.resume.empty())
        return console.fail({wrong("--checkpoint and --resume belong to a single run", "see `solve`")});
    for (const std::string& path : request.outputs)
        if (auto problem = daedalus::check_output(path)) return console.fail({*std::move(problem)});
    const auto model = read_model(request);
    if (!model) return console.fail(model.error());
    options.variables = request.variables;
    options.threads = request.threads;
    options.solve.interrupt = &catch_interrupts();
    const auto compiled = model->compile(options.solve);
    if (!compiled) return console.fail(compiled.error());
    daedalus::ProgressBar bar(0.0, static_cast<double>(options.points.size()),
                              console.quiet ? daedalus::TerminalMode::never : request.progress);
    options.progress = [&bar](std::size_t done, std::size_t) { bar.update(static_cast<double>(done), 1.0); };
    const auto result = daedalus::sweep(*compiled, options);
    bar.finish();
    if (!result) return console.fail(result.error());
    console.result(console.json ? result->to_json() : result->to_text());
    Diagnostics unwritten;
    for (const std::string& path : request.outputs) {
        const auto written = result->write(path);
        if (!written)
            unwritten.insert(unwritten.end(), written.error().begin(), written.error().end());
        else
            console.remark(fmt::format("  wrote {}\n", path));
    }
    if (!unwritten.empty()) return console.fail_late(unwritten);
    if (options.solve.interrupt->load()) return ExitCode::interrupted;
    return result->failures() == 0 ? ExitCode::success : ExitCode::numerical_failure;
}

} // namespace cli
