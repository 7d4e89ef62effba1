// The files that a run reads: what it writes must be others.
#pragma once

#include "daedalus/options.hpp"
#include "model/model.hpp"
#include "output/overwriting.hpp"

#include <optional>
#include <vector>

namespace daedalus::simulation {

/// Texts of the model and tables of inputs; with the checkpoint that it goes on from and the one that it writes, which
/// results must not replace either. `model` null: a black box.
[[nodiscard]] std::vector<output::NamedFile> files_of_run(const model::Model* model, const SolveOptions& options);

/// The checkpoint would replace what is read. It may go on in the file that the run resumes from.
[[nodiscard]] std::optional<Diagnostic> check_checkpoint_path(const model::Model* model, const SolveOptions& options);

} // namespace daedalus::simulation
