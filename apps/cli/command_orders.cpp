// `daedalus orders`: predicted and observed orders of methods on classes of DAEs, or on a model.
#include "commands.hpp"
#include "daedalus/model_orders.hpp"
#include "read_model.hpp"

#include <fstream>
#include <utility>

namespace cli {

namespace {

bool ends_with(const std::string& text, std::string_view end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

daedalus::Diagnostic trouble(const char* code, std::string message, std::string hint) {
    daedalus::Diagnostic problem;
    problem.code = code;
    problem.message = std::move(message);
    problem.hint = std::move(hint);
    return problem;
}

ExitCode run_on_model(const Request& request) {
    const Console& console = request.console;
    for (const std::string& path : request.outputs)
        if (!ends_with(path, ".csv") && !ends_with(path, ".html"))
            return console.fail({trouble("output-extension", "orders cannot be written to '" + path + "'",
                                         "FILE.csv and FILE.html can")});
    Request of_model = request;
    of_model.model = request.order_model;
    of_model.model_class = request.order_class;
    const auto model = read_model(of_model);
    if (!model) return console.fail(model.error());
    daedalus::ModelOrderOptions options;
    options.solve = request.options;
    options.steps = request.order_steps;
    options.runs = request.order_runs;
    if (!request.order_method.empty()) {
        options.methods.clear();
        std::string name;
        for (const char c : request.order_method + ",") {
            if (c != ',')
                name += c;
            else if (!name.empty())
                options.methods.push_back(std::exchange(name, {}));
        }
    }
    const auto result = daedalus::orders(*model, options);
    if (!result) return console.fail(result.error());
    console.result(console.json ? result->to_json() : result->to_text(console.colored()));
    for (const std::string& path : request.outputs) {
        if (ends_with(path, ".html")) {
            const auto written = daedalus::write_page(*result, path);
            if (!written) return console.fail_late(written.error());
        } else {
            std::ofstream file(path);
            file << daedalus::to_csv(result->tables.front());
            if (!file.flush())
                return console.fail_late(
                    {trouble("output", "'" + path + "' cannot be written", "is its folder there?")});
        }
        console.remark(console.dim("wrote " + path) + "\n");
    }
    return ExitCode::success;
}

} // namespace

ExitCode run_orders(const Request& request) {
    if (!request.order_model.empty()) return run_on_model(request);
    const Console& console = request.console;
    const auto table = daedalus::orders({request.order_method, request.order_class});
    if (!table) return console.fail(table.error());
    console.result(console.json ? table->to_json() : table->to_text(console.colored()));
    return table->failures() == 0 ? ExitCode::success : ExitCode::numerical_failure;
}

} // namespace cli
