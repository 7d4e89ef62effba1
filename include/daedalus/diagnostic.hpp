// What went wrong, for a person and for a program: message, place, hint, and a stable code.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daedalus {

/// A resolved place in a source text, self-contained so that it outlives the text.
struct Location {
    std::string file;
    int line = 0;          ///< 1-based; 0 means "the file as a whole"
    int column = 0;        ///< 1-based, in characters (UTF-8 code points)
    int end_column = 0;    ///< one past the last column on the same line
    std::string line_text; ///< the line, without its newline

    friend bool operator==(const Location&, const Location&) = default;
};

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

[[nodiscard]] bool has_errors(const Diagnostics& diagnostics);

/// "file:line:col: error: message", the source line, a caret under it, the hint, then the notes.
[[nodiscard]] std::string render(const Diagnostic& diagnostic, bool color = false);
[[nodiscard]] std::string render(const Diagnostics& diagnostics, bool color = false);
/// An array of objects with severity, code, message and, where known, location, hint and notes.
[[nodiscard]] std::string to_json(const Diagnostics& diagnostics);

/// The candidate closest to `name` in edit distance, if one is close enough to suggest ("did you mean …").
[[nodiscard]] std::optional<std::string> closest(std::string_view name, const std::vector<std::string>& candidates);

} // namespace daedalus
