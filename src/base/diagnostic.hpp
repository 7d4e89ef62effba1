// What went wrong, for a person: message, place, hint. User errors travel as Expected<T, Diagnostics>.
#pragma once

#include "base/source.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daedalus {

enum class Severity { note, warning, error };

struct Diagnostic {
    Severity severity = Severity::error;
    std::string code;    ///< stable, kebab-case: "unknown-identifier", "structurally-singular", …
    std::string message; ///< one sentence; names the culprit
    std::optional<Location> where;
    std::string hint;              ///< what to try; may be empty
    std::vector<Diagnostic> notes; ///< further places that matter
};

using Diagnostics = std::vector<Diagnostic>;

[[nodiscard]] Diagnostic make_error(std::string code, std::string message, std::string hint = {});
[[nodiscard]] Diagnostic make_error(std::string code, std::string message, const SourceSpan& span,
                                    std::string hint = {});
[[nodiscard]] bool has_errors(const Diagnostics& diagnostics);

/// "file:line:col: error: message", the source line, a caret under it, the hint, then the notes.
[[nodiscard]] std::string render(const Diagnostic& diagnostic, bool color = false);
[[nodiscard]] std::string render(const Diagnostics& diagnostics, bool color = false);

/// The candidate closest to `name` in edit distance, if one is close enough to suggest ("did you mean …").
[[nodiscard]] std::optional<std::string> closest(std::string_view name, const std::vector<std::string>& candidates);

} // namespace daedalus
