// A table of the HTML report: head, rows up to a limit, and a remark about the rest. Cells are finished HTML.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace daedalus::output::html {

struct TableColumn {
    std::string_view title;
    std::string_view css = {}; ///< class of its cells: "num", "eq", "soft"
};

class Table {
public:
    Table(std::string_view caption, std::vector<TableColumn> columns, std::size_t limit)
        : caption_(caption), columns_(std::move(columns)), limit_(limit) {}

    /// False once the limit is reached: the row only counts, so its cells need not be made.
    [[nodiscard]] bool wants_row() {
        ++rows_;
        return rows_ <= limit_;
    }
    void row(const std::vector<std::string>& cells);
    [[nodiscard]] bool empty() const { return rows_ == 0; }
    [[nodiscard]] std::string html() const;

private:
    std::string_view caption_;
    std::vector<TableColumn> columns_;
    std::size_t limit_;
    std::size_t rows_ = 0;
    std::string body_;
};

} // namespace daedalus::output::html
