#include "overwriting.hpp"

#include "daedalus/files.hpp"

#include <vector>

namespace cli {

daedalus::Diagnostics overwriting(const Request& request) {
    std::vector<daedalus::NamedFile> inputs, outputs;
    const auto note = [](std::vector<daedalus::NamedFile>& list, const char* flag, const std::string& path) {
        if (!path.empty()) list.push_back({flag, path});
    };
    note(inputs, "the model", request.model);
    note(inputs, "--list", request.sweep_list);
    note(inputs, "the matrix E", request.matrix_e);
    note(inputs, "the matrix H", request.matrix_h);
    for (const daedalus::Input& input : request.options.inputs) note(inputs, "the table of an input", input.origin);
    for (const std::string& path : request.outputs) note(outputs, "--output", path);
    note(outputs, "--html", request.html);
    note(outputs, "--html", request.page);
    std::vector<daedalus::NamedFile> results = outputs;
    note(outputs, "--checkpoint", request.options.checkpoint);
    daedalus::Diagnostics problems = daedalus::overwriting(inputs, outputs);
    // A checkpoint may go on in the file that is resumed from; nothing else may.
    inputs.clear();
    note(inputs, "--resume", request.options.resume);
    for (const daedalus::NamedFile& result : results)
        for (daedalus::Diagnostic& problem : daedalus::overwriting(inputs, {result}))
            problems.push_back(std::move(problem));
    for (daedalus::Diagnostic& problem : problems) problem.code = "usage-overwriting";
    return problems;
}

} // namespace cli
