#include "base/problems.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

namespace daedalus {

bool Problems::said(const std::string& code, const SourceSpan& span, const std::string& message) {
    constexpr std::size_t most = 100'000; // so that memory is bounded
    if (!span.known()) return false;
    if (said_.size() >= most) return true;
    const std::size_t place = std::hash<const void*>()(span.file) * 31 + span.begin;
    return !said_.insert((place * 31 + std::hash<std::string>()(code)) * 31 + std::hash<std::string>()(message)).second;
}

void Problems::error(std::string code, const SourceSpan& span, std::string message, std::string hint) {
    if (said(code, span, message)) return;
    if (++errors_ > shown) return;
    list_.push_back(make_error(std::move(code), std::move(message), span, std::move(hint)));
}

void Problems::add(Diagnostic error) {
    if (++errors_ <= shown) list_.push_back(std::move(error));
}

void Problems::note(std::string code, std::string message, std::string hint) {
    Diagnostic d = make_error(std::move(code), std::move(message), std::move(hint));
    d.severity = Severity::note;
    list_.push_back(std::move(d));
}

void Problems::warning(std::string code, const SourceSpan& span, std::string message, std::string hint) {
    if (said(code, span, message) || ++warnings_ > shown) return;
    Diagnostic d = make_error(std::move(code), std::move(message), span, std::move(hint));
    d.severity = Severity::warning;
    list_.push_back(std::move(d));
}

Diagnostics Problems::take() {
    std::map<std::string, int> rank;
    for (const Diagnostic& d : list_)
        if (d.where) rank.emplace(d.where->file, static_cast<int>(rank.size()));
    const auto place = [&](const Diagnostic& d) {
        return d.where ? std::tuple(rank.at(d.where->file), d.where->line, d.where->column) : std::tuple(0, 0, 0);
    };
    std::stable_sort(list_.begin(), list_.end(),
                     [&](const Diagnostic& a, const Diagnostic& b) { return place(a) < place(b); });
    const auto rest = [&](int number, Severity severity, const char* what) {
        if (number <= shown) return;
        const std::string word = std::to_string(number - shown) + " more " + what;
        Diagnostic d = make_error("more", "and " + word + (number == shown + 1 ? "" : "s"));
        d.severity = severity;
        list_.push_back(std::move(d));
    };
    rest(warnings_, Severity::warning, "warning");
    rest(errors_, Severity::error, "error");
    return std::move(list_);
}

std::string suggestion(std::string_view name, const std::vector<std::string>& candidates) {
    const auto best = closest(name, candidates);
    return best ? "did you mean '" + *best + "'?" : "";
}

} // namespace daedalus
