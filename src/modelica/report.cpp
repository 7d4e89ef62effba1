#include "modelica/report.hpp"

#include <algorithm>
#include <utility>

namespace daedalus::modelica {

void Report::add(Severity severity, std::string code, Span span, std::string message, std::string hint) {
    Diagnostic diagnostic{severity, std::move(code), std::move(message), place(span).locate(), std::move(hint), {}};
    diagnostics_.push_back(std::move(diagnostic));
}

void Report::begin_sentences() { in_sentences_ = true; }

bool Report::follows_bad_word(std::uint32_t place) const {
    constexpr std::uint32_t reach = 1000; // bounds the search on a very long line
    const auto next = std::upper_bound(bad_words_.begin(), bad_words_.end(), place);
    if (next == bad_words_.begin() || place - *(next - 1) > reach) return false;
    return file_->text().substr(*(next - 1), place - *(next - 1)).find('\n') == std::string_view::npos;
}

void Report::error(std::string code, Span span, std::string message, std::string hint) {
    if (!in_sentences_) {
        bad_words_.push_back(span.begin);
    } else if (follows_bad_word(span.begin)) {
        last_kept_ = false;
        return;
    }
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
        const auto place = [](const Diagnostic& d) {
            return d.where ? std::pair(d.where->line, d.where->column) : std::pair(0, 0);
        };
        return place(a) < place(b);
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
