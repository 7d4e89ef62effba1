#include "base/diagnostic.hpp"

#include "base/printable.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <vector>

namespace daedalus {

Diagnostic make_error(std::string code, std::string message, std::string hint) {
    Diagnostic diagnostic;
    diagnostic.code = std::move(code);
    diagnostic.message = std::move(message);
    diagnostic.hint = std::move(hint);
    return diagnostic;
}

Diagnostic make_error(std::string code, std::string message, const SourceSpan& span, std::string hint) {
    Diagnostic diagnostic = make_error(std::move(code), std::move(message), std::move(hint));
    if (span.known()) diagnostic.where = span.locate();
    return diagnostic;
}

bool has_errors(const Diagnostics& diagnostics) {
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [](const Diagnostic& d) { return d.severity == Severity::error; });
}

namespace {

struct Paint {
    bool color;
    [[nodiscard]] std::string operator()(const char* code, const std::string& text) const {
        return color ? "\x1b[" + std::string(code) + "m" + text + "\x1b[0m" : text;
    }
};

const char* word(Severity severity) {
    switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    default: return "note";
    }
}

const char* hue(Severity severity) {
    switch (severity) {
    case Severity::error: return "1;31";
    case Severity::warning: return "1;35";
    default: return "1;36";
    }
}

// A very long line (generated files) is shown as a window around the culprit.
constexpr int window = 160;

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

int characters(std::string_view text) {
    return static_cast<int>(std::count_if(text.begin(), text.end(), begins_character));
}

/// The characters of a line, which columns count, as they are shown: one that is escaped takes more room.
std::vector<std::string> shown_characters(std::string_view line) {
    std::vector<std::string> list;
    while (!line.empty()) {
        std::size_t length = 1;
        while (length < line.size() && !begins_character(line[length])) ++length;
        list.push_back(printable(line.substr(0, length)));
        line.remove_prefix(length);
    }
    return list;
}

void excerpt(std::string& out, const Location& where, const Paint& paint) {
    const std::vector<std::string> line = shown_characters(where.line_text);
    const int size = static_cast<int>(line.size()), column = std::max(where.column, 1);
    const int from = size > window ? std::clamp(column - 1 - window / 2, 0, size - window) : 0;
    const int to = std::min(size, from + window);
    const auto text = [&](int begin, int end) {
        std::string piece;
        for (int k = begin; k < end && k < size; ++k) piece += line[static_cast<std::size_t>(k)];
        return piece;
    };
    // A culprit may lie behind the end of the line: something is missing there.
    const int left = characters(text(from, std::min(column - 1, to))) + std::max(0, column - 1 - std::max(to, from));
    const int length = std::max(1, characters(text(column - 1, std::min(where.end_column - 1, to))));
    out += "  " + text(from, to) + "\n  " + std::string(static_cast<std::size_t>(left), ' ') +
           paint("1;32", "^" + std::string(static_cast<std::size_t>(length - 1), '~')) + "\n";
}

void render_to(std::string& out, const Diagnostic& diagnostic, const Paint& paint) {
    if (diagnostic.where) {
        std::string place = printable(diagnostic.where->file);
        if (diagnostic.where->line > 0)
            place += ":" + std::to_string(diagnostic.where->line) + ":" + std::to_string(diagnostic.where->column);
        out += paint("1", place + ":") + " ";
    }
    out += paint(hue(diagnostic.severity), std::string(word(diagnostic.severity)) + ":") + " " +
           printable(diagnostic.message, Layout::keep) + "\n";
    if (diagnostic.where && diagnostic.where->line > 0) excerpt(out, *diagnostic.where, paint);
    if (!diagnostic.hint.empty())
        out += "  " + paint("1;36", "hint:") + " " + printable(diagnostic.hint, Layout::keep) + "\n";
    for (const Diagnostic& note : diagnostic.notes) render_to(out, note, paint);
}

// Edit distance with transpositions counted as one (optimal string alignment).
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i)
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substitution = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, substitution});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[a.size()][b.size()];
}

} // namespace

std::string render(const Diagnostic& diagnostic, bool color) {
    std::string out;
    render_to(out, diagnostic, Paint{color});
    return out;
}

std::string render(const Diagnostics& diagnostics, bool color) {
    std::string out;
    for (const Diagnostic& diagnostic : diagnostics) render_to(out, diagnostic, Paint{color});
    return out;
}

std::optional<std::string> closest(std::string_view name, const std::vector<std::string>& candidates) {
    constexpr std::size_t longest = 64; // longer names are not typing mistakes, and the table is quadratic
    if (name.empty() || name.size() > longest) return std::nullopt;
    std::optional<std::string> best;
    std::size_t best_distance = std::max<std::size_t>(1, name.size() / 3) + 1;
    for (const std::string& candidate : candidates) {
        const std::size_t gap =
            candidate.size() > name.size() ? candidate.size() - name.size() : name.size() - candidate.size();
        if (gap >= best_distance || candidate.size() > longest) continue;
        const std::size_t d = distance(name, candidate);
        if (d < best_distance) {
            best_distance = d;
            best = candidate;
        }
    }
    return best;
}

} // namespace daedalus
