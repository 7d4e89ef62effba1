// `daedalus reproduce ID`: a published table, figure or example, computed anew beside what was printed.
#include "commands.hpp"
#include "daedalus/study.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli {

namespace {

std::string list_text() {
    const auto all = daedalus::reproductions();
    std::size_t width = 0;
    for (const auto& r : all) width = std::max(width, r.id.size());
    std::string text;
    for (const auto& r : all) text += fmt::format("  {:{}}  {}\n", r.id, width, r.title);
    return text;
}

std::string list_json() {
    std::string text = "[";
    for (const auto& r : daedalus::reproductions())
        text +=
            fmt::format("{}\n  {{\"id\": {}, \"title\": {}, \"source\": {}, \"shows\": {}}}",
                        text.size() > 1 ? "," : "", quoted(r.id), quoted(r.title), quoted(r.source), quoted(r.shows));
    return text + "\n]\n";
}

} // namespace

ExitCode run_reproduce(const Request& request) {
    const Console& console = request.console;
    if (request.list_reproductions) {
        console.result(console.json ? list_json() : list_text());
        return ExitCode::success;
    }
    if (request.reproduction.empty()) {
        daedalus::Diagnostic problem;
        problem.code = "usage-missing";
        problem.message = "no ID is given";
        problem.hint = fmt::format("{} reproduce --list names them", request.program);
        return console.fail({problem});
    }
    const auto result = daedalus::reproduce(request.reproduction);
    if (!result) return console.fail(result.error());
    console.result(console.json ? result->to_json() : result->to_text(console.colored()));
    if (!request.page.empty()) {
        const auto written = daedalus::write_page(*result, request.page);
        if (!written) return console.fail_late(written.error());
        console.remark(console.dim("wrote " + *written) + "\n");
    }
    return ExitCode::success;
}

} // namespace cli
