#include "output/text_table.hpp"

#include "output/terminal.hpp"

#include <algorithm>
#include <numeric>

namespace daedalus::output {
namespace {

constexpr int gap = 2; // columns between two cells

std::string pad(int count) { return std::string(static_cast<std::size_t>(std::max(0, count)), ' '); }

} // namespace

void TextTable::add_row(std::vector<std::string> cells) {
    cells.resize(columns_.size());
    rows_.push_back(std::move(cells));
}

std::string TextTable::text(int max_width, int indent) const {
    std::vector<int> widths;
    bool titled = false;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        int width = text_width(columns_[c].title);
        titled = titled || width > 0;
        for (const std::vector<std::string>& row : rows_) width = std::max(width, text_width(row[c]));
        widths.push_back(width);
    }
    if (max_width > 0 && !columns_.empty()) {
        const int total =
            std::accumulate(widths.begin(), widths.end(), indent + gap * (static_cast<int>(widths.size()) - 1));
        std::size_t widest = columns_.size();
        for (std::size_t c = 0; c < columns_.size(); ++c)
            if (columns_[c].align == Align::left && (widest == columns_.size() || widths[c] > widths[widest]))
                widest = c;
        if (total > max_width && widest < columns_.size())
            widths[widest] = std::max(8, widths[widest] - (total - max_width));
    }

    std::string out;
    const auto emit = [&](const auto& cell_of) {
        std::string line = pad(indent);
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            const std::string cell = fit_text(cell_of(c), widths[c]);
            const std::string fill = pad(widths[c] - text_width(cell));
            line += columns_[c].align == Align::right ? fill + cell : cell + fill;
            if (c + 1 < columns_.size()) line += pad(gap);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + '\n';
    };
    if (titled) {
        emit([&](std::size_t c) { return columns_[c].title; });
        emit([&](std::size_t c) {
            std::string rule;
            for (int i = 0; i < widths[c]; ++i) rule += "─";
            return rule;
        });
    }
    for (const std::vector<std::string>& row : rows_) emit([&](std::size_t c) { return row[c]; });
    return out;
}

} // namespace daedalus::output
