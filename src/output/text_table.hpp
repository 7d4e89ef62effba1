// A table for the terminal: columns as wide as their content, numbers to the right.
#pragma once

#include <string>
#include <vector>

namespace daedalus::output {

enum class Align { left, right };

class TextTable {
public:
    struct Column {
        std::string title;
        Align align = Align::left;
    };

    explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

    /// Missing cells are empty; a cell may contain colour.
    void add_row(std::vector<std::string> cells);
    [[nodiscard]] bool empty() const { return rows_.empty(); }
    /// With a rule under the titles (no titles: no head). `max_width` columns at most: the widest left-aligned
    /// column is cut; 0: no limit.
    [[nodiscard]] std::string text(int max_width = 0, int indent = 0) const;

private:
    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

} // namespace daedalus::output
