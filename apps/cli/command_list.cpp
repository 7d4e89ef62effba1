// `daedalus list methods|functions|examples`.
#include "commands.hpp"
#include "daedalus/solve.hpp"
#include "examples.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli {

namespace {

struct Row {
    std::string name;
    std::string text;
};

std::string as_text(const std::vector<Row>& rows) {
    std::size_t width = 0;
    for (const Row& row : rows) width = std::max(width, row.name.size());
    std::string text;
    for (const Row& row : rows) text += fmt::format("  {:{}}  {}\n", row.name, width, row.text);
    return text;
}

std::string as_json(const std::vector<Row>& rows, std::string_view name, std::string_view description) {
    std::string text = "[";
    for (const Row& row : rows)
        text += fmt::format("{}\n  {{{}: {}, {}: {}}}", text.size() > 1 ? "," : "", quoted(name), quoted(row.name),
                            quoted(description), quoted(row.text));
    return text + "\n]\n";
}

} // namespace

ExitCode run_list(const Request& request) {
    const Console& console = request.console;
    std::vector<Row> rows;
    std::string_view name = "name";
    std::string_view description = "description";
    switch (request.topic) {
    case Topic::methods:
        rows.push_back({"auto", "chosen by size and structure; the summary says which and why (default)"});
        for (const auto& method : daedalus::methods()) rows.push_back({method.name, method.description});
        break;
    case Topic::functions:
        for (const auto& function : daedalus::functions()) rows.push_back({function.name, function.description});
        break;
    case Topic::examples: {
        const Examples examples = find_examples();
        if (examples.folder.empty()) {
            daedalus::Diagnostic problem;
            problem.code = "no-examples";
            problem.message =
                fmt::format("the examples are not installed; looked in {}", fmt::join(examples.searched, " and "));
            problem.hint = "they are in the folder examples/ of the source code";
            return console.fail({problem});
        }
        for (const Example& example : examples.list) rows.push_back({example.path, example.title});
        name = "path";
        description = "title";
    }
    }
    console.result(console.json ? as_json(rows, name, description) : as_text(rows));
    return ExitCode::success;
}

} // namespace cli
