// `daedalus pencil E.mtx H.mtx`: what the matrices say about E x' + H x = c, and with `--forcing` its exact solution.
#include "commands.hpp"
#include "daedalus/linear_system.hpp"
#include "daedalus/pencil.hpp"

#include <cstdlib>

namespace cli {

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts{""};
    for (const char c : text)
        if (c == separator)
            parts.emplace_back();
        else
            parts.back() += c;
    return parts;
}

daedalus::Diagnostic usage(std::string message, std::string hint) {
    daedalus::Diagnostic problem;
    problem.code = "usage-value";
    problem.message = std::move(message);
    problem.hint = std::move(hint);
    return problem;
}

daedalus::Expected<daedalus::ExactSolution> solve(const Request& request, const daedalus::MatrixData& e,
                                                  const daedalus::MatrixData& h) {
    std::vector<double> x0(static_cast<std::size_t>(e.cols), 0.0);
    if (!request.pencil_start.empty()) {
        const std::vector<std::string> words = split(request.pencil_start, ',');
        if (words.size() != x0.size())
            return daedalus::Unexpected<daedalus::Diagnostics>{
                {usage("--x0 has " + std::to_string(words.size()) + " numbers, but there are " +
                           std::to_string(x0.size()) + " unknowns",
                       "numbers separated by commas; without --x0 all are 0")}};
        for (std::size_t i = 0; i < words.size(); ++i) {
            char* end = nullptr;
            x0[i] = std::strtod(words[i].c_str(), &end);
            if (end == words[i].c_str() ||
                words[i].find_first_not_of(' ', static_cast<std::size_t>(end - words[i].c_str())) != words[i].npos)
                return daedalus::Unexpected<daedalus::Diagnostics>{
                    {usage("--x0: '" + words[i] + "' is not a number", "numbers separated by commas")}};
        }
    }
    std::vector<double> times;
    for (int k = 0; k <= request.pencil_points; ++k) times.push_back(request.pencil_until * k / request.pencil_points);
    return daedalus::solve_exactly(e, h, split(request.forcing, ';'), 0.0, x0, times);
}

} // namespace

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
    if (request.forcing.empty()) {
        console.result(console.json ? pencil->to_json() : pencil->to_text(console.colored()));
        return ExitCode::success;
    }
    const auto solution = solve(request, *e, *h);
    if (!solution) return console.fail(solution.error());
    console.result(console.json ? daedalus::to_json(*pencil, *solution)
                                : pencil->to_text(console.colored()) + solution->to_text(console.colored()));
    return ExitCode::success;
}

} // namespace cli
