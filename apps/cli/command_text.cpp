// `daedalus check`, `flatten` and `format`: what can be done with the text of a model without solving it.
#include "commands.hpp"
#include "daedalus/files.hpp"
#include "daedalus/modelica.hpp"
#include "read_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace cli {

namespace {

using daedalus::ClassCount;
using daedalus::Diagnostic;

Diagnostic unwritten(const std::string& path) {
    Diagnostic problem;
    problem.code = "output-unwritable";
    problem.message = fmt::format("{} cannot be written", daedalus::safe_text(path));
    return problem;
}

ExitCode write(const Request& request, const std::string& path, const std::string& text) {
    std::ofstream out(path, std::ios::binary);
    out << text;
    out.close();
    if (!out) return request.console.fail({unwritten(path)});
    return ExitCode::success;
}

/// "12 unknowns, 12 equations", then the classes that take part, a screen of them at most.
std::string counts_text(const daedalus::ModelCheck& found) {
    constexpr std::size_t shown = 20;
    std::string out;
    std::vector<ClassCount> classes = found.classes;
    std::stable_sort(classes.begin(), classes.end(), [](const ClassCount& a, const ClassCount& b) {
        return (a.counted && a.unknowns != a.equations) > (b.counted && b.unknowns != b.equations);
    });
    std::size_t width = 5;
    for (std::size_t k = 0; k < std::min(shown, classes.size()); ++k)
        width = std::max(width, classes[k].class_name.size());
    out += fmt::format("  {:>8}  {:>9}  {:>10}  {}\n", "unknowns", "equations", "components", "class");
    for (std::size_t k = 0; k < std::min(shown, classes.size()); ++k) {
        const ClassCount& c = classes[k];
        out += fmt::format("  {:>8}  {:>9}  {:>10}  {}{}\n", c.unknowns, c.equations, c.components, c.class_name,
                           !c.counted                  ? "  (connectors that belong to no class alone)"
                           : c.unknowns != c.equations ? "  not balanced"
                                                       : "");
    }
    if (classes.size() > shown) out += fmt::format("  and {} more\n", classes.size() - shown);
    return out;
}

std::string check_json(const daedalus::ModelCheck& found) {
    std::string classes;
    for (const ClassCount& c : found.classes)
        classes += fmt::format("{}\n    {{\"class\": {}, \"component\": {}, \"components\": {}, \"unknowns\": {}, "
                               "\"equations\": {}, \"counted\": {}}}",
                               classes.empty() ? "" : ",", quoted(c.class_name), quoted(c.component), c.components,
                               c.unknowns, c.equations, c.counted);
    return fmt::format("{{\n  \"model\": {},\n  \"passed\": {},\n  \"unknowns\": {},\n  \"equations\": {},\n  "
                       "\"classes\": [{}\n  ],\n  \"diagnostics\": {}\n}}\n",
                       quoted(found.model), found.passed(), found.unknowns, found.equations, classes,
                       daedalus::to_json(found.diagnostics));
}

} // namespace

ExitCode run_check(const Request& request) {
    const Console& console = request.console;
    daedalus::CheckOptions options;
    options.model_class = request.model_class;
    options.libraries = request.libraries;
    options.units = request.check_units;
    const daedalus::ModelCheck found = is_class_name(request.model) ? daedalus::check_class(request.model, options)
                                       : request.model == "-"
                                           ? daedalus::check_text(standard_input(), "standard input", options)
                                           : daedalus::check_file(request.model, options);
    if (console.json) {
        console.result(check_json(found));
        return found.passed() ? ExitCode::success : exit_code(found.diagnostics);
    }
    if (!found.model.empty())
        console.result(fmt::format("{}: {} unknowns, {} equations\n{}", daedalus::safe_text(found.model),
                                   found.unknowns, found.equations, counts_text(found)));
    if (!found.passed()) return console.fail_late(found.diagnostics);
    console.warn(found.diagnostics);
    if (found.diagnostics.empty()) console.remark("  nothing is wrong\n");
    return ExitCode::success;
}

ExitCode run_flatten(const Request& request) {
    const Console& console = request.console;
    const auto model = read_model(request);
    if (!model) return console.fail(model.error());
    console.warn(model->warnings());
    const auto text = daedalus::flatten(*model);
    if (!text) return console.fail(text.error());
    if (!request.outputs.empty()) return write(request, request.outputs.front(), *text);
    console.result(console.json ? "{\n  \"modelica\": " + quoted(*text) + "\n}\n" : *text);
    return ExitCode::success;
}

ExitCode run_format(const Request& request) {
    const Console& console = request.console;
    std::string text;
    if (request.model == "-") {
        text = standard_input();
    } else {
        std::ifstream in(request.model, std::ios::binary);
        std::ostringstream all;
        if (in) all << in.rdbuf();
        if (!in || in.bad()) {
            Diagnostic problem;
            problem.code = "unreadable-file";
            problem.message = fmt::format("{} cannot be read", daedalus::safe_text(request.model));
            return console.fail({problem});
        }
        text = std::move(all).str();
    }
    const auto formatted = daedalus::format_modelica(text, request.model == "-" ? "standard input" : request.model);
    if (!formatted) return console.fail(formatted.error());
    if (request.format_only_checks) {
        if (*formatted == text) return ExitCode::success;
        Diagnostic problem;
        problem.code = "not-formatted";
        problem.message = fmt::format("{} is not formatted", daedalus::safe_text(request.model));
        return console.fail({problem});
    }
    if (request.format_in_place && request.model != "-")
        return *formatted == text ? ExitCode::success : write(request, request.model, *formatted);
    console.result(*formatted);
    return ExitCode::success;
}

} // namespace cli
