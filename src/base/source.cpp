#include "base/source.hpp"

#include "base/printable.hpp"

#include <algorithm>

namespace daedalus {

SourceFile::SourceFile(const std::string& name, std::string text) : name_(printable(name)), text_(std::move(text)) {
    line_begin_.push_back(0);
    for (std::uint32_t i = 0; i < text_.size(); ++i)
        if (text_[i] == '\n') line_begin_.push_back(i + 1);
}

namespace {
// Columns count characters, not bytes: UTF-8 continuation bytes (10xxxxxx) do not advance.
int columns(std::string_view bytes) {
    return static_cast<int>(std::count_if(bytes.begin(), bytes.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}
} // namespace

Location SourceFile::locate(std::uint32_t begin, std::uint32_t end) const {
    const auto size = static_cast<std::uint32_t>(text_.size());
    begin = std::min(begin, size);
    end = std::clamp(end, begin, size);
    const auto next = std::upper_bound(line_begin_.begin(), line_begin_.end(), begin);
    const auto line = static_cast<std::size_t>(next - line_begin_.begin()) - 1;
    const std::uint32_t first = line_begin_[line];
    std::uint32_t last = next == line_begin_.end() ? size : *next;
    while (last > first && (text_[last - 1] == '\n' || text_[last - 1] == '\r')) --last;
    begin = std::min(begin, last);
    end = std::clamp(end, begin, last);
    const std::string_view view = text_;
    Location location;
    location.file = name_;
    location.line = static_cast<int>(line) + 1;
    location.column = columns(view.substr(first, begin - first)) + 1;
    location.end_column = location.column + std::max(1, columns(view.substr(begin, end - begin)));
    location.line_text = std::string(view.substr(first, last - first));
    return location;
}

SourceSpan cover(const SourceSpan& a, const SourceSpan& b) {
    if (!a.known()) return b;
    if (!b.known() || a.file != b.file) return a;
    return {a.file, std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

} // namespace daedalus
