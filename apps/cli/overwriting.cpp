#include "overwriting.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <sys/stat.h>
#include <vector>

namespace cli {

namespace {

struct Named {
    std::string flag; ///< as the user gives it
    std::string path; ///< "-": standard input
};

bool look(const std::string& path, struct stat& info) {
    return (path == "-" ? fstat(0, &info) : stat(path.c_str(), &info)) == 0;
}

bool same_file(const std::string& a, const std::string& b) {
    struct stat of_a {
    }, of_b{};
    const bool has_a = look(a, of_a), has_b = look(b, of_b);
    // What is no regular file, a terminal or a pipe, is not replaced.
    if (has_a && has_b) return S_ISREG(of_a.st_mode) && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
    if (has_a || has_b) return false;
    std::error_code trouble;
    const auto place = [&](const std::string& path) { return std::filesystem::weakly_canonical(path, trouble); };
    const bool same = place(a) == place(b);
    return same && !trouble;
}

} // namespace

daedalus::Diagnostics overwriting(const Request& request) {
    std::vector<Named> inputs, outputs;
    const auto note = [](std::vector<Named>& list, const char* flag, const std::string& path) {
        if (!path.empty()) list.push_back({flag, path});
    };
    note(inputs, "the model", request.model);
    note(inputs, "--resume", request.options.resume);
    note(inputs, "--list", request.sweep_list);
    note(inputs, "the matrix E", request.matrix_e);
    note(inputs, "the matrix H", request.matrix_h);
    for (const std::string& path : request.outputs) note(outputs, "--output", path);
    note(outputs, "--checkpoint", request.options.checkpoint);
    note(outputs, "--html", request.html);
    note(outputs, "--html", request.page);

    daedalus::Diagnostics problems;
    const auto refuse = [&](const Named& output, const std::string& why, const char* hint) {
        daedalus::Diagnostic problem;
        problem.code = "usage-overwriting";
        problem.message = fmt::format("{} {} {}", output.flag, output.path, why);
        problem.hint = hint;
        problems.push_back(std::move(problem));
    };
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const Named& output = outputs[i];
        for (const Named& input : inputs) {
            if (output.flag == "--checkpoint" && input.flag == "--resume") continue;
            if (same_file(output.path, input.path))
                refuse(output, fmt::format("would write over {}", input.flag), "give another name: nothing was done");
        }
        for (std::size_t k = 0; k < i; ++k)
            if (output.path != outputs[k].path && same_file(output.path, outputs[k].path))
                refuse(output, fmt::format("is the same file as {} {}", outputs[k].flag, outputs[k].path),
                       "one would write over the other");
    }
    return problems;
}

} // namespace cli
