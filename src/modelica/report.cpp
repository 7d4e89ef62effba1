#include "modelica/report.hpp"

#include <algorithm>

namespace daedalus::modelica {

void Report::add(Severity severity, std::string code, Span span, std::string message, std::string hint) {
    Diagnostic diagnostic{severity, std::move(code), std::move(message), place(span).locate(), std::move(hint), {}};
    diagnostics_.push_back(std::move(diagnostic));
}

void Report::error(std::string code, Span span, std::string message, std::string hint) {
    last_kept_ = errors_++ < shown_errors;
    if (last_kept_) add(Severity::error, std::move(code), span, std::move(message), std::move(hint));
}

void Report::warning(std::string code, Span span, std::string message, std::string hint) {
    last_kept_ = warnings_++ < shown_warnings;
    if (last_kept_) add(Severity::warning, std::move(code), span, std::move(message), std::move(hint));
}

void Report::note(Span span, std::string message) {
    if (!last_kept_) return;
    diagnostics_.back().notes.push_back({Severity::note, "note", std::move(message), place(span).locate(), {}, {}});
}

Diagnostics Report::take() {
    std::stable_sort(diagnostics_.begin(), diagnostics_.end(), [](const Diagnostic& a, const Diagnostic& b) {
        return a.where->line != b.where->line ? a.where->line < b.where->line : a.where->column < b.where->column;
    });
    const auto more = [&](Severity severity, int count, int shown, const char* what) {
        if (count <= shown) return;
        const int rest = count - shown;
        Diagnostic diagnostic;
        diagnostic.severity = severity;
        diagnostic.code = "more";
        diagnostic.message = "and " + std::to_string(rest) + " more " + what + (rest == 1 ? "" : "s");
        diagnostic.where = Location{file_->name(), 0, 0, 0, {}};
        diagnostics_.push_back(std::move(diagnostic));
    };
    more(Severity::error, errors_, shown_errors, "error");
    more(Severity::warning, warnings_, shown_warnings, "warning");
    errors_ = warnings_ = 0;
    return std::move(diagnostics_);
}

} // namespace daedalus::modelica
