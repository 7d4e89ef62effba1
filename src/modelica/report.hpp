// Where the stages of the front end put what they find. Diagnostics beyond a limit are counted, not kept: the first
// mistakes help, the two-hundredth does not, and each one carries a copy of its source line.
#pragma once

#include "base/diagnostic.hpp"

#include <cstdint>
#include <string>

namespace daedalus::modelica {

/// A byte range of the file being read.
struct Span {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};
[[nodiscard]] constexpr Span cover(Span a, Span b) {
    return {a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

class Report {
public:
    static constexpr int shown_errors = 20;
    static constexpr int shown_warnings = 20;

    explicit Report(const SourceFile& file) : file_(&file) {}

    void error(std::string code, Span span, std::string message, std::string hint = {});
    void warning(std::string code, Span span, std::string message, std::string hint = {});
    /// From now on, errors on the same line behind one reported so far are its consequences and dropped: a word that
    /// could not be read leaves a hole in the sentence.
    void begin_sentences();
    /// Adds a place to the diagnostic reported last.
    void note(Span span, std::string message);

    [[nodiscard]] bool has_errors() const { return errors_ > 0; }
    [[nodiscard]] int error_count() const { return errors_; }
    /// Further errors are only counted: expensive suggestions are not worth computing.
    [[nodiscard]] bool full() const { return errors_ >= shown_errors; }
    [[nodiscard]] const SourceFile& file() const { return *file_; }
    [[nodiscard]] SourceSpan place(Span span) const { return {file_, span.begin, span.end}; }

    /// Everything in the order of the file, then "and N more".
    [[nodiscard]] Diagnostics take();

private:
    [[nodiscard]] bool follows_bad_word(std::uint32_t place) const;
    void add(Severity severity, std::string code, Span span, std::string message, std::string hint);

    const SourceFile* file_;
    Diagnostics diagnostics_;
    std::vector<std::uint32_t> bad_words_; ///< places of the errors before begin_sentences, ascending
    bool in_sentences_ = false;
    int errors_ = 0;
    int warnings_ = 0;
    bool last_kept_ = false;
};

} // namespace daedalus::modelica
