// What an analysis finds by numbers, in words.
#pragma once

#include "daedalus/analysis.hpp"
#include "output/json_writer.hpp"
#include "output/terminal.hpp"

namespace daedalus::facade {

/// Compares the indices that were found, and says what follows.
void explain_numbers(Analysis& analysis);

// Their text and JSON.
[[nodiscard]] std::string indices_text(const Analysis& analysis, const output::Paint& paint);
[[nodiscard]] std::string advice_text(const Analysis& analysis, const output::Paint& paint);
void write_indices(output::JsonWriter& json, const Analysis& analysis);

} // namespace daedalus::facade
