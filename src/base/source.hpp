// Where something was written: a source file and a span of bytes in it.
#pragma once

#include "daedalus/diagnostic.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace daedalus {

class SourceFile {
public:
    /// The name is for messages.
    SourceFile(const std::string& name, std::string text);

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] std::string_view text() const { return text_; }
    /// Line, column and line text of the byte range [begin, end).
    [[nodiscard]] Location locate(std::uint32_t begin, std::uint32_t end) const;

private:
    std::string name_;
    std::string text_;
    std::vector<std::uint32_t> line_begin_;
};

/// A byte range of a source file. The file is owned by whoever owns the model (see model::Model::sources).
struct SourceSpan {
    const SourceFile* file = nullptr;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    [[nodiscard]] bool known() const { return file != nullptr; }
    [[nodiscard]] Location locate() const { return file ? file->locate(begin, end) : Location{}; }
};

/// Smallest span that covers both (of the same file; an unknown one is ignored).
[[nodiscard]] SourceSpan cover(const SourceSpan& a, const SourceSpan& b);

} // namespace daedalus
