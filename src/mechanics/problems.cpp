#include "mechanics/problems.hpp"

#include <algorithm>
#include <utility>

namespace daedalus::mechanics {

void Problems::error(std::string code, const SourceSpan& span, std::string message, std::string hint) {
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
    Diagnostic d = make_error(std::move(code), std::move(message), span, std::move(hint));
    d.severity = Severity::warning;
    list_.push_back(std::move(d));
}

Diagnostics Problems::take() {
    std::stable_sort(list_.begin(), list_.end(), [](const Diagnostic& a, const Diagnostic& b) {
        const auto place = [](const Diagnostic& d) {
            return d.where ? std::pair(d.where->line, d.where->column) : std::pair(0, 0);
        };
        return place(a) < place(b);
    });
    if (errors_ > shown) {
        const int rest = errors_ - shown;
        list_.push_back(make_error("more", "and " + std::to_string(rest) + " more error" + (rest == 1 ? "" : "s")));
    }
    return std::move(list_);
}

std::string suggestion(std::string_view name, const std::vector<std::string>& candidates) {
    const auto best = closest(name, candidates);
    return best ? "did you mean '" + *best + "'?" : "";
}

} // namespace daedalus::mechanics
