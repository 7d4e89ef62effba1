// What an analysis finds by numbers, added to what structure says.
#pragma once

#include "compile/compile.hpp"
#include "daedalus/analysis.hpp"
#include "model/model.hpp"
#include "output/json_writer.hpp"
#include "output/terminal.hpp"

#include <memory>

namespace daedalus::facade {

/// Indices from derivative arrays, perturbation index, conditioning, free initial values, and what follows from them.
/// Never fails: what could not be found has its reason.
void add_numbers(Analysis& analysis, const std::shared_ptr<const model::Model>& model, const SolveOptions& options,
                 const compile::CompileOptions& how, const AnalyzeOptions& what);

// Their text and JSON.
[[nodiscard]] std::string indices_text(const Analysis& analysis, const output::Paint& paint);
[[nodiscard]] std::string advice_text(const Analysis& analysis, const output::Paint& paint);
void write_indices(output::JsonWriter& json, const Analysis& analysis);

} // namespace daedalus::facade
