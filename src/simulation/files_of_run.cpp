#include "simulation/files_of_run.hpp"

#include "base/source.hpp"

namespace daedalus::simulation {

namespace {

std::vector<output::NamedFile> files_read(const model::Model* model, const SolveOptions& options) {
    std::vector<output::NamedFile> list;
    if (model != nullptr)
        for (const auto& source : model->sources) list.push_back({"the model", source->name()});
    for (const Input& input : options.inputs)
        if (!input.origin.empty()) list.push_back({"the table of input '" + input.name + "'", input.origin});
    return list;
}

} // namespace

std::vector<output::NamedFile> files_of_run(const model::Model* model, const SolveOptions& options) {
    std::vector<output::NamedFile> list = files_read(model, options);
    if (!options.resume.empty()) list.push_back({"the checkpoint that the run went on from", options.resume});
    if (!options.checkpoint.empty()) list.push_back({"the checkpoint of the run", options.checkpoint});
    return list;
}

std::optional<Diagnostic> check_checkpoint_path(const model::Model* model, const SolveOptions& options) {
    if (options.checkpoint.empty()) return std::nullopt;
    return output::would_write_over({"the checkpoint", options.checkpoint}, files_read(model, options));
}

} // namespace daedalus::simulation
